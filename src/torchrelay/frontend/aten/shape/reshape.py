"""Converters of the same elements in another shape."""

from __future__ import annotations

from collections.abc import Sequence

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.shape.extents import Extents, as_dims, extents, is_extent, sized, vector
from torchrelay.frontend.promote import Computed
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.frontend.sizes import with_names, with_sizes
from torchrelay.ir import ANY, Any, Dim, Expr, Shape, shapes

__all__: list[str] = []


def known(sizes: Sequence[object], what: str) -> tuple[int, ...]:
    """The sizes as numbers. Raises UnsupportedProgram where one is computed by the program."""
    if not all(isinstance(size, int) for size in sizes):
        raise UnsupportedProgram(f"{what} has sizes that are computed while the program runs")
    return tuple(sizes)  # pyright: ignore[reportReturnType] every one is a number


def reshaped(data: Expr, sizes: Sequence[Dim | Computed], *sources: Expr) -> Expr:
    """The data in a shape; one size may be -1 or Any, and is what remains. ``sources`` are tensors that have the sizes known by
    name.

    Unknown sizes that stay, or of which two become one or one becomes two, are said to Relay by its codes; others are an input.
    """
    shape = tuple([size.size if isinstance(size, Computed) else size for size in sizes])
    if len(shape) == data.tensor.rank and all(map(shapes.same, shape, data.shape)):
        return data
    codes = tuple([-1 if isinstance(size, Any) else size for size in shape])
    if codes.count(-1) > 1:
        stays = [_stays(data, axis, size) for axis, size in enumerate(sizes)]
        codes = tuple([0 if stay else code for stay, code in zip(stays, codes, strict=True)])
        regrouped = codes if codes.count(-1) <= 1 else _regrouped(data.shape, shape)
        if regrouped is not None:
            return _named(op.reshape(data, newshape=regrouped), data, shape)
        wanted = sized(sizes, data, *sources)
        return _named(op.dyn.reshape(data, vector(wanted), newshape=(), allowzero=-1 not in shape), data, shape)
    if codes.count(-1) == 1 and shapes.is_static(data.shape):
        codes = _filled(data.shape, codes)
    return _named(op.reshape(data, newshape=codes, allowzero=0 in codes), data, shape)


def _regrouped(have: Shape, wanted: Shape) -> tuple[int, ...] | None:
    """Relay's codes for a shape in which axes stay, two become one (-3) or one becomes two (-4); None for any other."""
    codes: list[int] = []
    left, right = list(have), list(wanted)
    while left and right:
        if shapes.same(left[0], right[0]):
            codes.append(left[0] if isinstance(left[0], int) else 0)
            del left[0], right[0]
        elif len(left) > 1 and shapes.same(shapes.multiply(left[0], left[1]), right[0]):
            codes.append(-3)
            del left[:2], right[0]
        elif len(right) > 1 and shapes.same(left[0], shapes.multiply(right[0], right[1])):
            parts = [part if isinstance(part, int) else -1 for part in right[:2]]
            if parts == [-1, -1]:
                return None
            codes += [-4, *parts]
            del left[0], right[:2]
        else:
            return None
    return None if left or right else tuple(codes)


def _stays(data: Expr, axis: int, size: Dim | Computed) -> bool:
    """Whether the axis has that size, which is no number, in the data too."""
    if isinstance(size, int) or axis >= data.tensor.rank:
        return False
    named = size.size if isinstance(size, Computed) else size
    return shapes.same(named, data.shape[axis]) or (isinstance(size, Computed) and is_extent(size, data, axis))


def _named(value: Expr, data: Expr, shape: Shape) -> Expr:
    """The data in its new shape, with what is known of its sizes."""
    if shapes.is_static(value.shape):
        return value
    open_sizes = [axis for axis, size in enumerate(shape) if size == -1]
    if open_sizes:
        rest = shapes.product([size for size in shape if size != -1])
        left = shapes.floor_div(shapes.product(data.shape), rest)
        shape = tuple([left if size == -1 else size for size in shape])
    return with_names(with_sizes(value, shape), shape)


def _filled(have: Shape, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """The shape with -1 replaced by what remains; as it is where a size of 0 leaves that open."""
    rest, total = 1, shapes.product(have)
    for size in wanted:
        rest *= size if size != -1 else 1
    if not rest or not isinstance(total, int):
        return wanted
    return tuple([total // rest if size == -1 else size for size in wanted])


@aten("view.default", "_unsafe_view.default")
def view(self: Expr, size: Extents) -> Expr:
    """The elements in another shape."""
    return reshaped(self, size)


@aten("reshape.default")
def reshape(self: Expr, shape: Extents) -> Expr:
    """The elements in another shape."""
    return reshaped(self, shape)


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
    have = self.shape if shapes.is_static(self.shape) else extents(self)
    return reshaped(self, (*have[:start], folded if folded is not ANY else -1, *have[end + 1 :]))


@aten("ravel.default")
def ravel(self: Expr) -> Expr:
    """All axes as one."""
    return reshaped(self, (shapes.product(self.shape),))


@aten("unflatten.int")
def unflatten(self: Expr, dim: int, sizes: Extents) -> Expr:
    """One axis as several."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    have, rest = self.shape[axis], shapes.product([size for size in as_dims(sizes) if size != -1])
    parts = [shapes.floor_div(have, rest) if size == -1 else size for size in sizes]
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
