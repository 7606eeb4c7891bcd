"""Converters of parts of the data: slices, places along an axis, splits."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.shape.extents import Extent, Extents, extent, extents, with_extents
from torchrelay.frontend.promote import INT64, Computed, as_tensor
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import Constant, Dim, Expr, const, shapes

__all__: list[str] = []


@aten("slice.Tensor")
def slice_axis(
    self: Expr,
    dim: int = 0,
    start: int | Computed | None = None,
    end: int | Computed | None = None,
    step: int = 1,
) -> Expr:
    """A slice along one axis. With bounds that the program computes, of a size that only running it can tell."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    size = self.shape[axis]
    if isinstance(start, Computed) or isinstance(end, Computed) or _is_bounded(start, end, size):
        return _computed_slice(self, axis, start, end, step)
    first, last = start or 0, end
    if isinstance(size, int):
        first, last, _ = slice(first, last, step).indices(size)
        if (first, last, step) == (0, size, 1):
            return self
        last = max(first, last)
    elif first == 0 and (last is None or last >= 2**31 - 1) and step == 1:
        return self
    limit = 2**31 - 1 if last is None else min(last, 2**31 - 1)
    return op.strided_slice(self, begin=(first,), end=(limit,), strides=(step,), axes=(axis,))


def _is_bounded(start: int | None, end: int | None, size: Dim) -> bool:
    """Whether a bound counts from the end of an axis of unknown size."""
    return not isinstance(size, int) and any(bound is not None and bound < 0 for bound in (start, end))


def _computed_slice(data: Expr, axis: int, start: int | Computed | None, end: int | Computed | None, step: int) -> Expr:
    """The places of an axis between two bounds, which count from the end where they are negative and stay within it."""
    first, last = bounds_within(start, end, as_tensor(extent(data, axis), INT64))
    return op.take(data, steps(first, last, step), axis=axis)


def bounds_within(start: int | Computed | None, end: int | Computed | None, size: Expr) -> tuple[Expr, Expr]:
    """The first place of a slice, and the one behind its last; both counted from the front, the second not before the first."""
    first = const(0, INT64) if start is None else _within(as_tensor(start, INT64), size)
    last = size if end is None else _within(as_tensor(end, INT64), size)
    return first, op.maximum(first, last)


def steps(first: Expr, last: Expr, step: int = 1) -> Expr:
    """The whole numbers from one on, below another, ``step`` apart."""
    if isinstance(first, Constant) and isinstance(last, Constant):
        return const(np.arange(first.data.item(), last.data.item(), step))
    apart = const(step, INT64)
    return op.arange(first, last, apart, start=first, stop=last, step=apart, dtype=INT64)


def _within(bound: Expr, size: Expr) -> Expr:
    """A bound counted from the front, at least 0 and at most the size."""
    return op.minimum(op.maximum(from_front(bound, size), const(0, INT64)), size)


def from_front(place: Expr, size: Expr) -> Expr:
    """A place of int64; one below 0 counts from the end."""
    return op.where(op.less(place, const(0, INT64)), op.add(place, size), place)


@aten("narrow.default")
def narrow(self: Expr, dim: int, start: Extent, length: Extent) -> Expr:
    """``length`` places along one axis from ``start`` on."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    size = self.shape[axis]
    if isinstance(start, int) and isinstance(length, int) and (start >= 0 or isinstance(size, int)):
        first = start + size if start < 0 and isinstance(size, int) else start
        return slice_axis(self, axis, first, first + length)
    first = from_front(as_tensor(start, INT64), as_tensor(extent(self, axis), INT64))
    count = as_tensor(length, INT64)
    cut = op.take(self, op.add(steps(const(0, INT64), count), first), axis=axis)
    return with_extents(cut, (*extents(self)[:axis], length, *extents(self)[axis + 1 :]))


@aten("select.int")
def select(self: Expr, dim: int, index: int | Computed) -> Expr:
    """One place along an axis, which is dropped."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    if isinstance(index, Computed):
        place = as_tensor(index, INT64)
        size = as_tensor(extent(self, axis), INT64)
        return op.take(self, from_front(place, size), axis=axis)
    size = self.shape[axis]
    place = index + size if index < 0 and isinstance(size, int) else index
    if isinstance(size, int) and not 0 <= place < size:
        raise UnsupportedProgram(f"index {index} is outside of axis {axis} of size {size}")
    return op.take(self, const(place), axis=axis, mode="wrap" if place < 0 else "clip")


def parts_of(data: Expr, sizes: Extents, axis: int) -> tuple[Expr, ...]:
    """The data cut along an axis into parts of these sizes."""
    if len(sizes) == 1:
        return (data,)
    if not all(isinstance(size, int) for size in sizes):
        return _computed_parts(data, sizes, axis)
    ends = [0, *itertools.accumulate(sizes)]
    if 0 in sizes:
        return tuple([slice_axis(data, axis, start, end) for start, end in itertools.pairwise(ends)])
    cuts = len(sizes) if len(set(sizes)) == 1 else tuple(ends[1:-1])
    return tuple(op.split(data, indices_or_sections=cuts, axis=axis))


def _computed_parts(data: Expr, sizes: Extents, axis: int) -> tuple[Expr, ...]:
    parts: list[Expr] = []
    first = const(0, INT64)
    for size in sizes:
        parts.append(narrow(data, axis, Computed(first), size))
        first = op.add(first, as_tensor(size, INT64))
    return tuple(parts)


def size_along(data: Expr, axis: int, what: str) -> int:
    size = data.shape[axis]
    if not isinstance(size, int):
        raise UnsupportedProgram(f"{what} along an axis of unknown size")
    return size


@aten("split.Tensor", "unsafe_split.Tensor")
def split(self: Expr, split_size: int, dim: int = 0) -> tuple[Expr, ...]:
    """The data cut along an axis into parts of one size, the last as large as remains."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    whole = shapes.floor_div(self.shape[axis], split_size or 1)
    if isinstance(whole, int) and not isinstance(self.shape[axis], int):
        return parts_of(self, [split_size] * whole, axis)
    size = size_along(self, axis, "a split")
    if not split_size or split_size >= size:
        return (self,)
    count, rest = divmod(size, split_size)
    return parts_of(self, [split_size] * count + ([rest] if rest else []), axis)


@aten("split_with_sizes.default", "unsafe_split_with_sizes.default")
def split_with_sizes(self: Expr, split_sizes: Extents, dim: int = 0) -> tuple[Expr, ...]:
    """The data cut along an axis into parts of given sizes."""
    return parts_of(self, split_sizes, shapes.normal_axis(dim, self.tensor.rank))


@aten("split.sizes")
def split_sizes(self: Expr, split_size: Extents, dim: int = 0) -> tuple[Expr, ...]:
    """The data cut along an axis into parts of given sizes."""
    return split_with_sizes(self, split_size, dim)


@aten("chunk.default", "unsafe_chunk.default")
def chunk(self: Expr, chunks: int, dim: int = 0) -> tuple[Expr, ...]:
    """The data cut along an axis into so many parts, or fewer where they would be empty."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    if not isinstance(self.shape[axis], int):
        return _computed_chunks(self, chunks, axis)
    return split(self, max(1, -(-size_along(self, axis, "a chunk") // chunks)), axis)


def _computed_chunks(data: Expr, chunks: int, axis: int) -> tuple[Expr, ...]:
    """So many parts of an axis of unknown size, which a program that takes them apart has."""
    size = extent(data, axis)
    each = shapes.ceil_div(data.shape[axis], chunks)
    count = op.floor_divide(op.add(as_tensor(size, INT64), const(chunks - 1, INT64)), const(chunks, INT64))
    part = Computed(count, each)
    before = Computed(op.multiply(count, const(chunks - 1, INT64)), shapes.multiply(each, chunks - 1))
    last = Computed(op.subtract(as_tensor(size, INT64), before.expr), shapes.subtract(data.shape[axis], before.size))
    return _computed_parts(data, [part] * (chunks - 1) + [last], axis)


@aten("unbind.int")
def unbind(self: Expr, dim: int = 0) -> tuple[Expr, ...]:
    """Every place along an axis, which is dropped."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    return tuple([select(self, axis, place) for place in range(size_along(self, axis, "an unbind"))])


def _cut_at(data: Expr, places: Sequence[int], dim: int) -> tuple[Expr, ...]:
    """The parts of an axis between places, which may be outside of it or count from its end."""
    axis = shapes.normal_axis(dim, data.tensor.rank)
    starts, ends = [0, *places], [*places, size_along(data, axis, "a split")]
    return tuple([slice_axis(data, axis, start, end) for start, end in zip(starts, ends, strict=True)])


@aten("tensor_split.indices")
def tensor_split(self: Expr, indices: Sizes, dim: int = 0) -> tuple[Expr, ...]:
    """The data cut along an axis at given places."""
    return _cut_at(self, indices, dim)


@aten("tensor_split.sections")
def tensor_split_evenly(self: Expr, sections: int, dim: int = 0) -> tuple[Expr, ...]:
    """The data cut along an axis into so many parts, the first ones larger by one where that does not come out even."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    size, rest = divmod(size_along(self, axis, "a split"), sections)
    places = [number * size + min(number, rest) for number in range(1, sections)]
    return _cut_at(self, places, axis)


@aten("hsplit.int")
def hsplit(self: Expr, sections: int) -> tuple[Expr, ...]:
    """The data cut along the second axis; a vector along its only one."""
    return tensor_split_evenly(self, sections, min(1, self.tensor.rank - 1))


@aten("hsplit.array")
def hsplit_at(self: Expr, indices: Sizes) -> tuple[Expr, ...]:
    """The data cut along the second axis at given places; a vector along its only one."""
    return tensor_split(self, indices, min(1, self.tensor.rank - 1))


@aten("vsplit.int")
def vsplit(self: Expr, sections: int) -> tuple[Expr, ...]:
    """The data cut along the first axis."""
    return tensor_split_evenly(self, sections, 0)


@aten("vsplit.array")
def vsplit_at(self: Expr, indices: Sizes) -> tuple[Expr, ...]:
    """The data cut along the first axis at given places."""
    return tensor_split(self, indices, 0)


@aten("dsplit.int")
def dsplit(self: Expr, sections: int) -> tuple[Expr, ...]:
    """The data cut along the third axis."""
    return tensor_split_evenly(self, sections, 2)


@aten("dsplit.array")
def dsplit_at(self: Expr, indices: Sizes) -> tuple[Expr, ...]:
    """The data cut along the third axis at given places."""
    return tensor_split(self, indices, 2)
