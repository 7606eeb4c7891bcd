"""Converters of the same elements in another shape."""

from __future__ import annotations

from collections.abc import Sequence

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import Any, Dim, Expr, Shape, shapes

__all__: list[str] = []


def known(sizes: Sequence[object], what: str) -> tuple[int, ...]:
    """The sizes as numbers. Raises UnsupportedProgram where one is computed by the program."""
    if not all(isinstance(size, int) for size in sizes):
        raise UnsupportedProgram(f"{what} has sizes that are computed while the program runs")
    return tuple(sizes)  # pyright: ignore[reportReturnType] every one is a number


def reshaped(data: Expr, sizes: Sequence[Dim]) -> Expr:
    """The data in a shape of which at most one dim is unknown (-1 or Any)."""
    shape = tuple([-1 if isinstance(size, Any) else size for size in sizes])
    if shape == data.shape:
        return data
    if shape.count(-1) > 1:
        raise UnsupportedProgram(f"a shape {tuple(sizes)} with more than one unknown size")
    if shape.count(-1) == 1 and shapes.is_static(data.shape):
        shape = _filled(data.shape, shape)
    return op.reshape(data, newshape=shape, allowzero=0 in shape)


def _filled(have: Shape, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """The shape with -1 replaced by what remains; as it is where a size of 0 leaves that open."""
    rest, total = 1, shapes.product(have)
    for size in wanted:
        rest *= size if size != -1 else 1
    if not rest or not isinstance(total, int):
        return wanted
    return tuple([total // rest if size == -1 else size for size in wanted])


@aten("view.default", "_unsafe_view.default")
def view(self: Expr, size: Sizes) -> Expr:
    """The elements in another shape."""
    return reshaped(self, known(size, "a view"))


@aten("reshape.default")
def reshape(self: Expr, shape: Sizes) -> Expr:
    """The elements in another shape."""
    return reshaped(self, known(shape, "a reshape"))


@aten("view_as.default", "reshape_as.default")
def view_as(self: Expr, other: Expr) -> Expr:
    """The elements in the shape of another tensor."""
    return reshaped(self, other.shape) if shapes.is_static(other.shape) else op.reshape_like(self, other)


@aten("flatten.using_ints")
def flatten(self: Expr, start_dim: int = 0, end_dim: int = -1) -> Expr:
    """Neighbouring axes as one."""
    rank = self.tensor.rank
    if not rank:
        return reshaped(self, (1,))
    start, end = shapes.normal_axis(start_dim, rank), shapes.normal_axis(end_dim, rank)
    if start == end:
        return self
    folded = shapes.product(self.shape[start : end + 1])
    return reshaped(self, (*self.shape[:start], folded, *self.shape[end + 1 :]))


@aten("ravel.default")
def ravel(self: Expr) -> Expr:
    """All axes as one."""
    return reshaped(self, (shapes.product(self.shape),))


@aten("unflatten.int")
def unflatten(self: Expr, dim: int, sizes: Sizes) -> Expr:
    """One axis as several."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    parts = known(sizes, "an unflatten")
    if -1 in parts and isinstance(self.shape[axis], int):
        parts = _filled((self.shape[axis],), parts)
    return reshaped(self, (*self.shape[:axis], *parts, *self.shape[axis + 1 :]))


@aten("unsqueeze.default")
def unsqueeze(self: Expr, dim: int) -> Expr:
    """A new axis of size 1."""
    return op.expand_dims(self, axis=dim)


@aten("squeeze.default", "squeeze.dim", "squeeze.dims")
def squeeze(self: Expr, dim: int | Sizes | None = None) -> Expr:
    """Without axes of size 1; an axis of another size that is named stays."""
    rank = self.tensor.rank
    named = range(rank) if dim is None else (dim,) if isinstance(dim, int) else dim
    axes = tuple(axis for axis in shapes.normal_axes(tuple(named), rank) if self.shape[axis] == 1) if rank else ()
    return op.squeeze(self, axis=axes) if axes else self
