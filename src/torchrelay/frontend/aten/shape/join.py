"""Converters of data joined, and of data with a part replaced."""

from __future__ import annotations

from collections.abc import Sequence

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.shape.cut import bounds_within, from_front, size_along, slice_axis, steps
from torchrelay.frontend.aten.shape.extents import extent
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import (
    INT64,
    Computed,
    Grown,
    Promote,
    as_dtype,
    as_tensor,
    promoted,
)
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const, shapes

__all__: list[str] = []


@aten("cat.default", "concat.default", "concatenate.default")
def cat(tensors: Sequence[Expr] | Grown, dim: int = 0) -> Expr:
    """Tensors joined along an axis; empty vectors among them count for nothing."""
    if isinstance(tensors, Grown):
        return _joined_rows(tensors, dim)
    filled = [tensor for tensor in tensors if tensor.shape != (0,)] or list(tensors)[:1]
    parts = promoted(list(tensors), Promote.SAME)
    kept = [part for part, tensor in zip(parts, tensors, strict=True) if tensor in filled]
    return op.concatenate(kept, axis=dim) if len(kept) > 1 else kept[0]


@aten("stack.default")
def stack(tensors: Sequence[Expr] | Grown, dim: int = 0) -> Expr:
    """Tensors of one shape joined along a new axis."""
    if isinstance(tensors, Grown):
        return _first_axis_at(tensors.expr, shapes.normal_axis(dim, tensors.expr.tensor.rank))
    return op.stack(promoted(list(tensors), Promote.SAME), axis=dim)


def _first_axis_at(data: Expr, axis: int) -> Expr:
    rest = range(1, data.tensor.rank)
    return permuted(data, [*rest[:axis], 0, *rest[axis:]])


def _joined_rows(grown: Grown, dim: int) -> Expr:
    """The elements of a list whose length the program decides joined along an axis that they have."""
    axis = shapes.normal_axis(dim, grown.expr.tensor.rank - 1)
    spread = _first_axis_at(grown.expr, axis)
    shape = [0 if place < axis else -1 if place == axis else size for place, size in enumerate(spread.shape[1:])]
    if axis + 2 < spread.tensor.rank and not shapes.is_static(spread.shape[axis + 2 :]):
        raise UnsupportedProgram("tensors of unknown sizes joined along an axis, of a number that the program decides")
    return op.reshape(spread, newshape=tuple(shape))  # pyright: ignore[reportArgumentType] the sizes behind the axis are known


@aten("select_scatter.default")
def select_scatter(self: Expr, src: Expr, dim: int, index: int | Computed) -> Expr:
    """The tensor with one place along an axis replaced."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    row = op.expand_dims(src, axis=axis)
    if isinstance(index, Computed) or not isinstance(self.shape[axis], int):
        size = as_tensor(extent(self, axis), INT64)
        place = from_front(as_tensor(index, INT64), size)
        here = op.equal(_places(size, self.tensor.rank, axis), place)
        return op.where(here, as_dtype(row, self.dtype), self)
    place = index + size_along(self, axis, "a write") if index < 0 else index
    return _put(self, row, axis, place, place + 1)


def _places(size: Expr, rank: int, axis: int) -> Expr:
    """0, 1, ... below a size along an axis, 1 along every other."""
    shape = tuple([-1 if place == axis else 1 for place in range(rank)])
    return op.reshape(steps(const(0, INT64), size), newshape=shape)


@aten("slice_scatter.default")
def slice_scatter(
    self: Expr,
    src: Expr,
    dim: int = 0,
    start: int | Computed | None = None,
    end: int | Computed | None = None,
    step: int = 1,
) -> Expr:
    """The tensor with a slice along an axis replaced."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    if isinstance(start, Computed) or isinstance(end, Computed) or not isinstance(self.shape[axis], int):
        return _computed_write(self, src, axis, start, end, step)
    first, last, _ = slice(start or 0, end, step).indices(size_along(self, axis, "a write to a slice"))
    if step == 1:
        return _put(self, src, axis, first, max(first, last))
    parts = []
    places = range(first, last, step)
    for row, place in enumerate(places):
        end_of_row = place + step if row + 1 < len(places) else None
        parts.append(slice_axis(src, axis, row, row + 1))
        parts.append(slice_axis(self, axis, place + 1, end_of_row))
    if not parts:
        return self
    return joined([slice_axis(self, axis, 0, first), *parts], axis)


def _computed_write(
    data: Expr, src: Expr, axis: int, start: int | Computed | None, end: int | Computed | None, step: int
) -> Expr:
    """The data with the places of an axis between two computed bounds replaced, each by its own place of the source."""
    size = as_tensor(extent(data, axis), INT64)
    first, last = bounds_within(start, end, size)
    if 0 in (src.shape[axis], data.shape[axis]):
        return data
    rows = as_dtype(src, data.dtype)
    if not isinstance(src.shape[axis], int):
        # There may be no places to take from when the program runs: one more, which is never taken.
        rows = op.concatenate([rows, slice_axis(data, axis, 0, 1)], axis=axis)
    places = steps(const(0, INT64), size)
    offset, width = op.subtract(places, first), const(step, INT64)
    inside = op.logical_and(op.greater_equal(places, first), op.less(places, last))
    inside = op.logical_and(inside, op.equal(op.floor_mod(offset, width), const(0, INT64)))
    shape = tuple([-1 if place == axis else 1 for place in range(data.tensor.rank)])
    picked = op.take(rows, op.floor_divide(offset, width), axis=axis, mode="clip")
    return op.where(op.reshape(inside, newshape=shape), picked, data)


def _put(data: Expr, src: Expr, axis: int, first: int, last: int) -> Expr:
    middle = as_dtype(src, data.dtype)
    return joined([slice_axis(data, axis, 0, first), middle, slice_axis(data, axis, last)], axis)


def joined(parts: Sequence[Expr], axis: int) -> Expr:
    filled = [part for part in parts if part.shape[axis] != 0]
    return op.concatenate(filled, axis=axis) if len(filled) > 1 else filled[0]


def at_least(data: Expr, rank: int) -> Expr:
    """The data with axes of size 1 until it has so many: at the front, the third one at the end."""
    have = data.tensor.rank
    if have >= rank:
        return data
    if rank == 3 and have:
        return reshaped(data, (*(1,) * (2 - have), *data.shape, 1))
    return reshaped(data, (*(1,) * (rank - have), *data.shape))


@aten("atleast_1d.default")
def atleast_1d(self: Expr) -> Expr:
    """The tensor, with one axis at least."""
    return at_least(self, 1)


@aten("atleast_2d.default")
def atleast_2d(self: Expr) -> Expr:
    """The tensor, with two axes at least."""
    return at_least(self, 2)


@aten("atleast_3d.default")
def atleast_3d(self: Expr) -> Expr:
    """The tensor, with three axes at least."""
    return at_least(self, 3)


@aten("hstack.default")
def hstack(tensors: Sequence[Expr]) -> Expr:
    """Tensors side by side: along the second axis, vectors along their only one."""
    parts = [at_least(tensor, 1) for tensor in tensors]
    return cat(parts, min(1, parts[0].tensor.rank - 1))


@aten("vstack.default")
def vstack(tensors: Sequence[Expr]) -> Expr:
    """Tensors one below the other, vectors as rows."""
    return cat([at_least(tensor, 2) for tensor in tensors], 0)


@aten("dstack.default")
def dstack(tensors: Sequence[Expr]) -> Expr:
    """Tensors one behind the other."""
    return cat([at_least(tensor, 3) for tensor in tensors], 2)


@aten("column_stack.default")
def column_stack(tensors: Sequence[Expr]) -> Expr:
    """Tensors side by side, vectors as columns."""
    return cat([op.reshape(t, newshape=(-1, 1)) if t.tensor.rank < 2 else t for t in tensors], 1)
