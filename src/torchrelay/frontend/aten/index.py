"""Converters of operators that pick and spread elements by index."""

from __future__ import annotations

import numpy as np

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.create import ranged
from torchrelay.frontend.aten.shape.broadcast import broadcast
from torchrelay.frontend.aten.shape.cut import narrow, slice_axis, steps
from torchrelay.frontend.aten.shape.extents import Extent, element_count, extent, extents, filled
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.aten.shape.reshape import ravel, reshaped
from torchrelay.frontend.promote import (
    INT64,
    as_dtype,
    as_tensor,
)
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import Constant, Expr, Var, const, shapes

__all__: list[str] = []


def counted_from_front(index: Expr, size: Extent) -> Expr:
    """The indices with negative ones, which count from the end in torch, counted from the front."""
    if index.dtype.code == "uint":
        return index
    if isinstance(index, Constant) and isinstance(size, int):
        return Constant(np.where(index.data < 0, index.data + size, index.data).astype(index.data.dtype))
    if _never_negative(index):
        return index
    zero = const(0, index.dtype)
    return op.where(op.less(index, zero), op.add(index, as_tensor(size, index.dtype)), index)


_MOVES = ("expand_dims", "reshape", "transpose", "cast", "broadcast_to", "squeeze", "strided_slice", "tile", "repeat")


def _never_negative(index: Expr) -> bool:
    """Whether the indices are a range from 0 up, however rearranged."""
    from torchrelay.ir import Call, Operator

    part = index
    while isinstance(part, Call) and isinstance(part.op, Operator):
        if part.op.name == "arange":
            start, _, step = part.args
            known = [bound.data.item() for bound in (start, step) if isinstance(bound, Constant)]
            return len(known) == 2 and known[0] >= 0 and known[1] > 0
        if part.op.name not in _MOVES:
            return False
        part = part.args[0]
    return isinstance(part, Constant) and bool((part.data >= 0).all())


@aten("embedding.default", ignore=("padding_idx", "scale_grad_by_freq", "sparse"))
def embedding(weight: Expr, indices: Expr) -> Expr:
    """The rows of a table that indices name."""
    return op.take(weight, indices, axis=0)


@aten("index_select.default")
def index_select(self: Expr, dim: int, index: Expr) -> Expr:
    """The places along an axis that indices name."""
    if not self.tensor.rank:
        return self
    return op.take(self, index, axis=shapes.normal_axis(dim, self.tensor.rank))


@aten("gather.default", ignore=("sparse_grad",))
def gather(self: Expr, dim: int, index: Expr) -> Expr:
    """For each index the element at its own place, but with that index along an axis."""
    if not self.tensor.rank:
        return broadcast(self, extents(index))
    along = shapes.normal_axis(dim, self.tensor.rank)
    if 0 in index.shape:
        return filled(const(0, self.dtype), extents(index))
    narrow = self
    for axis, (have, want) in enumerate(zip(self.shape, index.shape, strict=True)):
        if axis != along and not shapes.same(have, want):
            narrow = slice_axis(narrow, axis, 0, extent(index, axis))
    return op.gather(narrow, index, axis=along)


@aten("take.default")
def take(self: Expr, index: Expr) -> Expr:
    """The elements of the flattened tensor that indices name."""
    return op.take(self, counted_from_front(index, element_count(self)))


@aten("take_along_dim.default")
def take_along_dim(self: Expr, indices: Expr, dim: int | None = None) -> Expr:
    """For each index the element at its own place, but with that index along an axis; both broadcast elsewhere."""
    if dim is None:
        return gather(ravel(self), 0, ravel(indices))
    axis = shapes.normal_axis(dim, self.tensor.rank)
    lead = shapes.broadcast(*((*value.shape[:axis], *value.shape[axis + 1 :]) for value in (self, indices)))
    data, places = (
        broadcast(value, (*lead[:axis], value.shape[axis], *lead[axis:]), self, indices) for value in (self, indices)
    )
    return gather(data, axis, counted_from_front(places, extent(self, axis)))


def _windows(whole: Extent, size: int, step: int) -> Expr:
    """The places of each window along an axis, a row each."""
    if isinstance(whole, int):
        return const(np.arange((whole - size) // step + 1)[:, None] * step + np.arange(size))
    free = op.subtract(as_tensor(whole, INT64), const(size, INT64))
    number = op.add(op.floor_divide(free, const(step, INT64)), const(1, INT64))
    first = op.multiply(steps(const(0, INT64), number), const(step, INT64))
    return op.add(op.expand_dims(first, axis=1), const(np.arange(size)))


@aten("unfold.default")
def unfold(self: Expr, dimension: int, size: int, step: int) -> Expr:
    """Windows along an axis, each as a new last axis."""
    if not self.tensor.rank:
        return slice_axis(reshaped(self, (1,)), 0, 0, size)
    rank = self.tensor.rank
    axis = shapes.normal_axis(dimension, rank)
    picked = op.take(self, _windows(extent(self, axis), size, step), axis=axis)
    return permuted(picked, [*range(axis + 1), *range(axis + 2, rank + 1), axis + 1])


@aten("as_strided.default")
def as_strided(self: Expr, size: Sizes, stride: Sizes, storage_offset: int | None = None) -> Expr:
    """The elements at places counted in memory.

    Raises UnsupportedProgram for what the program computed, whose order in memory is not said.
    """
    if not isinstance(self, Var | Constant):
        raise UnsupportedProgram("as_strided of a computed tensor, whose order in memory is not said")
    places = np.full((), storage_offset or 0)
    for count, step in zip(size, stride, strict=True):
        places = places[..., None] + np.arange(count) * step
    return op.take(self, const(places))


@aten("one_hot.default")
def one_hot(self: Expr, num_classes: int = -1) -> Expr:
    """1 at each index along a new last axis, 0 elsewhere."""
    if num_classes <= 0:
        raise UnsupportedProgram("one_hot without num_classes gives a size that is known only when the program runs")
    return op.one_hot(self, const(1, INT64), const(0, INT64), depth=num_classes, axis=-1, dtype=INT64)


@aten("narrow.Tensor")
def narrow_at(self: Expr, dim: int, start: Expr, length: int) -> Expr:
    """``length`` places along one axis from a place on that a tensor holds."""
    if isinstance(start, Constant):
        return narrow(self, dim, int(start.data.item()), length)
    axis = shapes.normal_axis(dim, self.tensor.rank)
    places = op.add(as_dtype(op.reshape(start, newshape=()), INT64), ranged(0, length, 1, INT64))
    return op.take(self, counted_from_front(places, extent(self, axis)), axis=axis)
