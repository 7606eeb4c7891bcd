"""Converters of data repeated: expand, tile, grids."""

from __future__ import annotations

from collections.abc import Sequence

from torchrelay import op
from torchrelay.frontend.aten.shape.reshape import known
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import Dim, Expr, shapes

__all__: list[str] = []


@aten("expand.default", ignore=("implicit",))
def expand(self: Expr, size: Sizes) -> Expr:
    """The data repeated along axes of size 1 and new ones; -1 keeps a size."""
    wanted = known(size, "an expand")
    added = len(wanted) - self.tensor.rank
    shape = [self.shape[axis - added] if want == -1 else want for axis, want in enumerate(wanted)]
    return broadcast(self, shape)


def broadcast(data: Expr, shape: Sequence[Dim]) -> Expr:
    """The data repeated up to a shape; itself where it has it."""
    if tuple(shape) == data.shape:
        return data
    return op.broadcast_to(data, shape=shapes.static(shape, "an expand"))


@aten("expand_as.default")
def expand_as(self: Expr, other: Expr) -> Expr:
    """The data repeated up to the shape of another tensor."""
    return broadcast(self, other.shape) if shapes.is_static(other.shape) else op.broadcast_to_like(self, other)


@aten("broadcast_to.default")
def broadcast_to(self: Expr, size: Sizes) -> Expr:
    """The data repeated up to a shape."""
    return expand(self, size)


@aten("repeat.default")
def repeat(self: Expr, repeats: Sizes) -> Expr:
    """The whole data several times along each axis."""
    return tiled(self, known(repeats, "a repeat"))


@aten("tile.default")
def tile(self: Expr, dims: Sizes) -> Expr:
    """The whole data several times along each axis."""
    return tiled(self, known(dims, "a tile"))


def tiled(data: Expr, counts: Sequence[int]) -> Expr:
    """The whole data so often along each axis, the last one last; none of it where a count is 0."""
    if not counts:
        return data
    if 0 not in counts:
        return op.tile(data, reps=tuple(counts))
    rank = max(data.tensor.rank, len(counts))
    dims = (1,) * (rank - data.tensor.rank) + shapes.static(data.shape, "a tile")
    times = (1,) * (rank - len(counts)) + tuple(counts)
    return op.zeros(shape=tuple([dim * count for dim, count in zip(dims, times, strict=True)]), dtype=data.dtype)


@aten("repeat_interleave.self_int", ignore=("output_size",))
def repeat_interleave(self: Expr, repeats: int, dim: int | None = None) -> Expr:
    """Each element several times, one after the other."""
    data, axis = (
        (op.reshape(self, newshape=(-1,)), 0) if dim is None else (self, shapes.normal_axis(dim, self.tensor.rank))
    )
    if repeats:
        return op.repeat(data, repeats=repeats, axis=axis)
    sizes = shapes.static(data.shape, "a repeat")
    return op.zeros(shape=(*sizes[:axis], 0, *sizes[axis + 1 :]), dtype=data.dtype)


@aten("meshgrid.default", "meshgrid.indexing")
def meshgrid(tensors: Sequence[Expr], *, indexing: str = "ij") -> tuple[Expr, ...]:
    """For each vector its values at every point of the grid that the vectors span."""
    return tuple(op.meshgrid(list(tensors), indexing=indexing))
