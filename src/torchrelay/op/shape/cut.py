"""Slices: regular parts of a tensor, read and replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    ANY,
    Any,
    Attrs,
    Dim,
    Fusion,
    Integers,
    String,
    TensorType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_same_dtype

__all__ = ["slice_like", "sliding_window", "strided_set", "strided_slice"]


@attrs("relay.attrs.StridedSliceAttrs")
class StridedSliceAttrs(Attrs):
    begin: Integers | None
    """Where each slice begins."""
    end: Integers | None
    """Where each slice ends, or its size in mode ``size`` (-1: to the end)."""
    strides: Integers | None
    """The step of each slice; 1 for those left out."""
    slice_mode: String = "end"
    """``end`` or ``size``; the steps of a size are 1."""
    axes: Integers | None
    """The axes to slice; the first ones for None."""


def _cuts(attrs: StridedSliceAttrs, rank: int) -> Mapping[int, slice]:
    """For each sliced axis its slice as written, not yet clipped to the size of the axis."""
    begin, end, steps = attrs.begin or (), attrs.end or (), attrs.strides or ()
    axes = range(len(begin)) if attrs.axes is None else shapes.normal_axes(attrs.axes, rank)
    if len(begin) > rank or len(axes) != len(begin):
        raise WrongArgument(f"{len(begin)} slices are given for {len(axes)} axes of a value of rank {rank}")
    if 0 in steps:
        raise WrongArgument("a stride of 0 has no meaning")
    if attrs.slice_mode not in ("end", "size"):
        raise WrongArgument(f"slice_mode is {attrs.slice_mode!r}, but must be end or size")
    if attrs.slice_mode == "size":
        return {axis: _of_size(start, size) for axis, start, size in zip(axes, begin, end, strict=True)}
    count = len(begin)
    ends, strides = (*end, *(None,) * (count - len(end))), (*steps, *(1,) * (count - len(steps)))
    return {axis: slice(begin[i], ends[i], strides[i]) for i, axis in enumerate(axes)}


def _of_size(begin: int, size: int) -> slice:
    end = begin + size
    return slice(begin, None if size < 0 or (begin < 0 and end >= 0) else end, 1)


def _clipped(cut: slice, size: int) -> slice:
    start, stop, step = cut.indices(size)
    return slice(start, None if stop < 0 else stop, step)


def _size(dim: Dim, cut: slice) -> Dim:
    return ANY if isinstance(dim, Any) else len(range(*cut.indices(dim)))


@operator("strided_slice", StridedSliceAttrs, Fusion.INJECTIVE, level=4)
def strided_slice(data: TensorType, attrs: StridedSliceAttrs) -> Type:
    """A slice along some axes; begins and ends count from the end when negative, and are clipped to the dim."""
    sizes = list(data.shape)
    for axis, cut in _cuts(attrs, data.rank).items():
        sizes[axis] = _size(sizes[axis], cut)
    return TensorType(tuple(sizes), data.dtype)


@strided_slice.reference
def strided_slice_numpy(data: Array, attrs: StridedSliceAttrs) -> Array:
    places = [slice(None)] * data.ndim
    for axis, cut in _cuts(attrs, data.ndim).items():
        places[axis] = _clipped(cut, data.shape[axis])
    return data[tuple(places)]


@operator("strided_set", None, Fusion.INJECTIVE, level=4)
def strided_set(data: TensorType, v: TensorType, begin: TensorType, end: TensorType, strides: TensorType) -> Type:
    """The data with ``v`` put into a slice of it."""
    check_same_dtype(data=data, v=v)
    return data


@strided_set.reference
def strided_set_numpy(data: Array, v: Array, begin: Array, end: Array, strides: Array) -> Array:
    steps = [*strides.tolist(), *(1,) * (len(begin) - len(strides))]
    ends = [*end.tolist(), *data.shape[len(end) :]]
    cuts = [slice(*cut) for cut in zip(begin.tolist(), ends, steps, strict=False)]
    result = data.copy()
    result[tuple([_clipped(cut, size) for cut, size in zip(cuts, data.shape, strict=False)])] = v
    return result


@attrs("relay.attrs.SliceLikeAttrs")
class SliceLikeAttrs(Attrs):
    axes: Integers | None
    """The axes to cut; all that both have for None and for an empty list."""


def _shared_axes(attrs: SliceLikeAttrs, rank: int, other: int) -> Sequence[int]:
    if not attrs.axes:
        return range(min(rank, other))
    axes = shapes.normal_axes(attrs.axes, rank)
    for axis in axes:
        shapes.normal_axis(axis, other)
    return axes


@operator("slice_like", SliceLikeAttrs, Fusion.INJECTIVE, level=10)
def slice_like(data: TensorType, shape_like: TensorType, attrs: SliceLikeAttrs) -> Type:
    """The first elements along axes, as many as another tensor has."""
    sizes = list(data.shape)
    for axis in _shared_axes(attrs, data.rank, shape_like.rank):
        have, want = sizes[axis], shape_like.shape[axis]
        if isinstance(have, int) and isinstance(want, int) and want > have:
            raise TypeMismatch(f"axis {axis} has {have} elements, fewer than the {want} to keep")
        sizes[axis] = want
    return TensorType(tuple(sizes), data.dtype)


@slice_like.reference
def slice_like_numpy(data: Array, shape_like: Array, attrs: SliceLikeAttrs) -> Array:
    places = [slice(None)] * data.ndim
    for axis in _shared_axes(attrs, data.ndim, shape_like.ndim):
        places[axis] = slice(shape_like.shape[axis])
    return data[tuple(places)]


@attrs("relay.attrs.SlidingWindowAttrs")
class SlidingWindowAttrs(Attrs):
    axis: int
    """The first axis that the window spans; it spans that one and all after it."""
    window_shape: Integers
    """The size of the window along each of these axes."""
    strides: Integers
    """The step of the window along each of these axes."""


def _window_axis(attrs: SlidingWindowAttrs, rank: int) -> int:
    axis = shapes.normal_axis(attrs.axis, rank)
    if not len(attrs.window_shape) == len(attrs.strides) == rank - axis:
        raise WrongArgument(
            f"window_shape and strides must have {rank - axis} entries, one for each axis from {axis} on,"
            f" not {len(attrs.window_shape)} and {len(attrs.strides)}"
        )
    if min((*attrs.window_shape, *attrs.strides)) < 1:
        raise WrongArgument(f"window_shape {attrs.window_shape} and strides {attrs.strides} must be 1 or more")
    return axis


@operator("sliding_window", SlidingWindowAttrs, Fusion.OPAQUE, level=10)
def sliding_window(data: TensorType, attrs: SlidingWindowAttrs) -> Type:
    """The window at each of its places: axes before ``axis``, the places, then the window."""
    axis = _window_axis(attrs, data.rank)
    places = [
        shapes.window(dim, size, stride, 1, 0)
        for dim, size, stride in zip(data.shape[axis:], attrs.window_shape, attrs.strides, strict=True)
    ]
    if any(isinstance(count, int) and count < 1 for count in places):
        raise TypeMismatch(f"a window of {attrs.window_shape} does not fit into {data.shape[axis:]}")
    return TensorType((*data.shape[:axis], *places, *attrs.window_shape), data.dtype)


@sliding_window.reference
def sliding_window_numpy(data: Array, attrs: SlidingWindowAttrs) -> Array:
    axis = _window_axis(attrs, data.ndim)
    views = np.lib.stride_tricks.sliding_window_view(data, attrs.window_shape, tuple(range(axis, data.ndim)))
    return views[(*(slice(None),) * axis, *(slice(None, None, stride) for stride in attrs.strides))]
