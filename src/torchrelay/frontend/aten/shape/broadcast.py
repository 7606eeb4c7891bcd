"""Converters of data repeated: expand, tile, grids."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

import numpy as np

from torchrelay import op
from torchrelay.frontend.aten.shape.cut import size_along, steps
from torchrelay.frontend.aten.shape.extents import Extents, as_dims, extent, sized, vector, with_extents
from torchrelay.frontend.aten.shape.reshape import known, reshaped
from torchrelay.frontend.promote import INT64, Computed, as_dtype
from torchrelay.frontend.registry import aten
from torchrelay.frontend.sizes import with_names, with_sizes
from torchrelay.ir import Dim, Expr, const, shapes

__all__: list[str] = []


@aten("expand.default", ignore=("implicit",))
def expand(self: Expr, size: Extents) -> Expr:
    """The data repeated along axes of size 1 and new ones; -1 keeps a size."""
    added = len(size) - self.tensor.rank
    shape = [extent(self, axis - added) if want == -1 else want for axis, want in enumerate(size)]
    return broadcast(self, shape)


def broadcast(data: Expr, shape: Sequence[Dim | Computed], *sources: Expr) -> Expr:
    """The data repeated up to a shape; itself where it has it. ``sources`` are tensors that have the sizes known by name."""
    known = tuple([size.size if isinstance(size, Computed) else size for size in shape])
    if len(known) == data.tensor.rank and all(map(shapes.same, known, data.shape)):
        return data
    if shapes.is_static(known):
        return op.broadcast_to(data, shape=shapes.static(known, "an expand"))
    added = len(known) - data.tensor.rank
    if all(map(shapes.same, known[added:], data.shape)) and 0 not in known and shapes.is_static(known[:added]):
        return _repeated_whole(data, shapes.static(known[:added], "an expand"))
    sizes = sized(shape, data, *sources)
    return with_extents(op.dyn.broadcast_to(data, vector(sizes), shape=None), sizes)


def _repeated_whole(data: Expr, counts: Sequence[int]) -> Expr:
    """The data under new axes of these sizes."""
    made = op.expand_dims(data, axis=0, num_newaxis=len(counts))
    for axis, count in enumerate(counts):
        made = op.repeat(made, repeats=count, axis=axis) if count != 1 else made
    return made


@aten("expand_as.default")
def expand_as(self: Expr, other: Expr) -> Expr:
    """The data repeated up to the shape of another tensor."""
    if shapes.is_static(other.shape):
        return broadcast(self, other.shape, other)
    return op.broadcast_to_like(self, other if other.dtype == self.dtype else op.cast(other, dtype=self.dtype))


@aten("broadcast_to.default")
def broadcast_to(self: Expr, size: Extents) -> Expr:
    """The data repeated up to a shape."""
    return expand(self, size)


@aten("repeat.default")
def repeat(self: Expr, repeats: Extents) -> Expr:
    """The whole data several times along each axis."""
    return tiled(self, repeats)


@aten("tile.default")
def tile(self: Expr, dims: Extents) -> Expr:
    """The whole data several times along each axis."""
    return tiled(self, dims)


def tiled(data: Expr, counts: Extents) -> Expr:
    """The whole data so often along each axis, the last one last; none of it where a count is 0."""
    if not counts:
        return data
    if not all(isinstance(count, int) for count in counts):
        return _tiled_by_computed(data, counts)
    numbers = known(counts, "a tile")
    if 0 not in numbers:
        return op.tile(data, reps=numbers)
    rank = max(data.tensor.rank, len(counts))
    dims = (1,) * (rank - data.tensor.rank) + shapes.static(data.shape, "a tile")
    times = (1,) * (rank - len(numbers)) + numbers
    return op.zeros(shape=tuple([dim * count for dim, count in zip(dims, times, strict=True)]), dtype=data.dtype)


def _tiled_by_computed(data: Expr, counts: Extents) -> Expr:
    made = op.dyn.tile(data, vector(counts), reps=())
    times = (1,) * (made.tensor.rank - len(counts)) + as_dims(counts)
    have = (1,) * (made.tensor.rank - data.tensor.rank) + data.shape
    shape = tuple(map(shapes.multiply, have, times))
    return with_names(with_sizes(made, shape), shape)


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


def repeated_places(repeats: Expr, total: int | None) -> Expr:
    """0 as often as the first number says, 1 as often as the second, and so on; ``total`` in all, where that is known."""
    ends = op.cumsum(as_dtype(repeats, INT64), axis=0, dtype=INT64)
    last = op.take(ends, const(-1), axis=0, mode="wrap")
    turns = steps(const(0, INT64), last if total is None else const(total, INT64))
    return op.searchsorted(ends, turns, right=True, dtype=INT64)


@aten("repeat_interleave.Tensor")
def repeat_interleave_places(repeats: Expr, *, output_size: int | None = None) -> Expr:
    """Each place of a vector as often as the number there says."""
    if repeats.shape == (0,):
        return repeats
    return as_dtype(repeated_places(repeats, output_size), repeats.dtype)


@aten("repeat_interleave.self_Tensor")
def repeat_interleave_tensor(
    self: Expr, repeats: Expr, dim: int | None = None, *, output_size: int | None = None
) -> Expr:
    """Each place along an axis as often as the number for it says; one number stands for all."""
    data, axis = (
        (reshaped(self, (shapes.product(self.shape),)), 0)
        if dim is None
        else (self, shapes.normal_axis(dim, self.tensor.rank))
    )
    if data.shape[axis] == 0:
        return data
    counts = reshaped(repeats, (1,)) if not repeats.tensor.rank else repeats
    if counts.shape == (1,):
        counts = op.broadcast_to(counts, shape=(size_along(data, axis, "a repeat"),))
    return op.take(data, repeated_places(counts, output_size), axis=axis)


@aten("meshgrid.default", "meshgrid.indexing")
def meshgrid(tensors: Sequence[Expr], *, indexing: str = "ij") -> tuple[Expr, ...]:
    """For each vector its values at every point of the grid that the vectors span."""
    return tuple(op.meshgrid(list(tensors), indexing=indexing))


@aten("broadcast_tensors.default")
def broadcast_tensors(tensors: Sequence[Expr]) -> tuple[Expr, ...]:
    """Tensors repeated up to the shape that all broadcast to."""
    shape = functools.reduce(shapes.broadcast, [tensor.shape for tensor in tensors])
    return tuple([broadcast(tensor, shape, *tensors) for tensor in tensors])


@aten("cartesian_prod.default")
def cartesian_prod(tensors: Sequence[Expr]) -> Expr:
    """Every choice of one element of each vector, a row each."""
    if len(tensors) == 1:
        return tensors[0]
    columns = [reshaped(grid, (shapes.product(grid.shape),)) for grid in meshgrid(tensors, indexing="ij")]
    return op.stack(columns, axis=1)


@aten("combinations.default")
def combinations(self: Expr, r: int = 2, with_replacement: bool = False) -> Expr:
    """Every choice of so many elements of a vector, a row each."""
    (size,) = shapes.static(self.shape, "the choices of elements")
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.array(list(choose(range(size), r)), "int64").reshape(-1, r)
    return op.take(self, const(rows), axis=0)


@aten("vander.default")
def vander(x: Expr, N: int | None = None, increasing: bool = False) -> Expr:  # noqa: N803 the schema's name
    """The powers of each element of a vector, from the highest down unless increasing."""
    count = N if N is not None else shapes.static(x.shape[-1:], "the powers of a vector")[0]
    base = x if x.dtype.is_float else op.cast(x, dtype=INT64)
    powers = const(np.arange(count) if increasing else np.arange(count)[::-1], base.dtype)
    return op.power(op.expand_dims(base, axis=-1), powers)


@aten("linalg_vander.default")
def linalg_vander(x: Expr, *, N: int | None = None) -> Expr:  # noqa: N803 the schema's name
    """The powers of each element along the last axis, from 0 up."""
    return vander(x if x.tensor.rank else op.expand_dims(x, axis=0), N, increasing=True)
