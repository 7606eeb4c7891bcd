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
from torchrelay.op._relations import check_integers, check_same_dtype

__all__ = ["slice_like", "sliding_window", "strided_set", "strided_slice"]


_END = 2**31 - 1
"""An end beyond every axis."""


@attrs("relay.attrs.StridedSliceAttrs")
class StridedSliceAttrs(Attrs):
    begin: Integers | None
    """Where each slice begins."""
    end: Integers | None
    """Where each slice ends, or its size in mode ``size`` (-1: to the end)."""
    strides: Integers | None
    """The step of each slice."""
    slice_mode: String = "end"
    """``end`` or ``size``; the steps of a size are 1."""
    axes: Integers | None
    """The axes to slice; the first ones for None."""


def _padded(values: Sequence[int], rank: int, default: int) -> tuple[int, ...]:
    return (*values, *(default,) * (rank - len(values)))


def _cuts(attrs: StridedSliceAttrs, rank: int) -> Mapping[int, slice]:
    """For each sliced axis its slice as written, not yet clipped to the size of the axis."""
    begin, end, steps, axes = attrs.begin, attrs.end, attrs.strides, attrs.axes
    if begin is None or end is None or steps is None:
        raise WrongArgument("the attributes begin, end and strides must be given")
    if 0 in steps:
        raise WrongArgument("a stride of 0 has no meaning")
    sized = attrs.slice_mode == "size"
    if axes is None:
        if max(len(begin), len(end), len(steps)) > rank:
            raise WrongArgument(f"there are more slices in {begin}, {end} or {steps} than {rank} axes")
        axes = range(rank)
        begin, end, steps = _padded(begin, rank, 0), _padded(end, rank, -1 if sized else _END), _padded(steps, rank, 1)
    elif not len(axes) == len(begin) == len(end) == len(steps):
        raise WrongArgument(
            f"begin {begin}, end {end} and strides {steps} must have one entry for each of the axes {axes}"
        )
    elif min(axes, default=0) < 0:
        raise WrongArgument(f"axes is {axes}, but must be counted from the front")
    ends = [_END if size < 0 else start + size for start, size in zip(begin, end, strict=True)] if sized else end
    taken = shapes.normal_axes(axes, rank)
    return {
        axis: slice(*cut) for axis, *cut in zip(taken, begin, ends, (1,) * len(end) if sized else steps, strict=True)
    }


def _size(dim: Dim, cut: slice, axis: int) -> Dim:
    if isinstance(dim, Any):
        return ANY
    start, stop, step = cut.indices(dim)
    if (stop - start) * step < 0:
        raise WrongArgument(
            f"the slice from {cut.start} to {cut.stop} by {cut.step} of axis {axis} ends before it begins"
        )
    return len(range(start, stop, step))


def _clipped(cut: slice, size: int) -> slice:
    start, stop, step = cut.indices(size)
    return slice(start, None if stop < 0 else stop, step)


@operator("strided_slice", StridedSliceAttrs, Fusion.INJECTIVE, level=4)
def strided_slice(data: TensorType, attrs: StridedSliceAttrs) -> Type:
    """A slice along some axes; begins and ends count from the end when negative, and are clipped to the dim."""
    sizes = list(data.shape)
    for axis, cut in _cuts(attrs, data.rank).items():
        sizes[axis] = _size(sizes[axis], cut, axis)
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
    check_integers(begin=begin, end=end, strides=strides)
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
    """The axes to cut; all that both have for None."""


def _shared_axes(attrs: SliceLikeAttrs, rank: int, other: int) -> Sequence[int]:
    if attrs.axes is None:
        return range(min(rank, other))
    if not attrs.axes:
        raise WrongArgument("axes is empty, but must name an axis or be None")
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
    axis = attrs.axis
    if not 0 <= axis < rank:
        raise WrongArgument(f"axis is {axis}, but must be from 0 to {rank - 1}")
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
