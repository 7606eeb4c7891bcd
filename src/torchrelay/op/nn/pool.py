"""Pools: the largest or the mean of a window, windows made to fit a result, and whole axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import (
    Attrs,
    Dim,
    Fusion,
    Indices,
    Operator,
    String,
    TensorType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array
from torchrelay.op._windows import padded, sides, taps
from torchrelay.op.nn.conv import DATA, check_spatial

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "global_avg_pool2d",
    "global_max_pool2d",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
]


@attrs("relay.attrs.MaxPool1DAttrs")
class MaxPool1DAttrs(Attrs):
    pool_size: Indices
    """The size of the window."""
    strides: Indices = (1,)
    """The step of the window."""
    dilation: Indices = (1,)
    """The distance of neighbouring taps."""
    padding: Indices = (0,)
    """What is added around: one value, one for each axis, or all before and then all after."""
    layout: str = "NCW"
    """The layout of the data."""
    out_layout: String = ""
    """The layout of the result; that of the data when empty."""
    ceil_mode: bool = False
    """Whether a window may reach beyond the end."""


@attrs("relay.attrs.MaxPool2DAttrs")
class MaxPool2DAttrs(Attrs):
    pool_size: Indices
    """The size of the window."""
    strides: Indices = (1, 1)
    """The step of the window."""
    dilation: Indices = (1, 1)
    """The distance of neighbouring taps."""
    padding: Indices = (0, 0)
    """What is added around: one value, one for each axis, or all before and then all after."""
    layout: String = "NCHW"
    """The layout of the data."""
    out_layout: String = ""
    """The layout of the result; that of the data when empty."""
    ceil_mode: bool = False
    """Whether a window may reach beyond the end."""


@attrs("relay.attrs.MaxPool3DAttrs")
class MaxPool3DAttrs(Attrs):
    pool_size: Indices
    """The size of the window."""
    strides: Indices = (1, 1, 1)
    """The step of the window."""
    dilation: Indices = (1, 1, 1)
    """The distance of neighbouring taps."""
    padding: Indices = (0, 0, 0)
    """What is added around: one value, one for each axis, or all before and then all after."""
    layout: str = "NCDHW"
    """The layout of the data."""
    out_layout: String = ""
    """The layout of the result; that of the data when empty."""
    ceil_mode: bool = False
    """Whether a window may reach beyond the end."""


@attrs("relay.attrs.AvgPool1DAttrs")
class AvgPool1DAttrs(MaxPool1DAttrs):
    count_include_pad: bool = False
    """Whether what is added around counts in the mean."""


@attrs("relay.attrs.AvgPool2DAttrs")
class AvgPool2DAttrs(MaxPool2DAttrs):
    count_include_pad: bool = False
    """Whether what is added around counts in the mean."""


@attrs("relay.attrs.AvgPool3DAttrs")
class AvgPool3DAttrs(MaxPool3DAttrs):
    count_include_pad: bool = False
    """Whether what is added around counts in the mean."""


PoolAttrs = MaxPool1DAttrs | MaxPool2DAttrs | MaxPool3DAttrs


def _pooled_sizes(sizes: Sequence[Dim], attrs: PoolAttrs, rank: int) -> list[Dim]:
    before, after = sides(attrs.padding, rank)
    found: list[Dim] = []
    for axis in range(rank):
        step, spacing = int(attrs.strides[axis]), int(attrs.dilation[axis])
        around = before[axis] + after[axis]
        size = shapes.window(sizes[axis], attrs.pool_size[axis], step, spacing, around, ceil_mode=attrs.ceil_mode)
        if isinstance(size, int) and size < 0:
            raise TypeMismatch(f"a window of {attrs.pool_size[axis]} does not fit spatial axis {axis} of {sizes[axis]}")
        found.append(size)
    return found


def _relation(data: TensorType, attrs: PoolAttrs, rank: int) -> TensorType:
    check_spatial(rank, pool_size=attrs.pool_size, strides=attrs.strides, dilation=attrs.dilation)
    layout = Layout.parse(attrs.layout)
    batch, channels, *sizes = layout.to(DATA[rank], data.shape)
    shape = (batch, channels, *_pooled_sizes(sizes, attrs, rank))
    return TensorType(Layout.parse(attrs.out_layout or attrs.layout).of(DATA[rank], shape), data.dtype)


def _least(dtype: np.dtype) -> float:
    return -np.inf if dtype.kind not in "iu" else int(np.iinfo(dtype).min)


class _Windows:
    """The windows of a pool over an array: the array in its plain layout, padded with a value, and where taps fall."""

    def __init__(self, data: Array, attrs: PoolAttrs, rank: int, value: float) -> None:
        self.attrs, self.rank = attrs, rank
        self.source = Layout.parse(attrs.layout).array_to(DATA[rank], data)
        self.sizes = self.source.shape[2:]
        self.before, self.after = sides(attrs.padding, rank)
        self.out = [int(size) for size in _pooled_sizes(self.sizes, attrs, rank)]
        ends = zip(self.out, attrs.strides, attrs.pool_size, attrs.dilation, strict=True)
        reach = [(size - 1) * step + (window - 1) * spacing + 1 for size, step, window, spacing in ends]
        beyond = [max(need - size - low, 0) for need, size, low in zip(reach, self.sizes, self.before, strict=True)]
        self.padded = padded(self.source, self.before, beyond, value)

    def reduced(self, combine: Callable[..., Array]) -> Array:
        """The taps combined one after the other."""
        attrs, result = self.attrs, None
        for _, view in taps(self.padded, attrs.pool_size, attrs.strides, attrs.dilation, self.out):
            result = view.copy() if result is None else combine(result, view, out=result)
        assert result is not None, "a window has at least one tap"
        return result

    def counts(self, *, include_pad: bool) -> Array:
        """How many taps of each window count, over the spatial axes."""
        total = np.ones((1,) * self.rank)
        for axis in range(self.rank):
            places = np.arange(self.out[axis])[:, None] * self.attrs.strides[axis] - self.before[axis]
            seen = places + np.arange(self.attrs.pool_size[axis]) * self.attrs.dilation[axis]
            low = -self.before[axis] if include_pad else 0
            high = self.sizes[axis] + (self.after[axis] if include_pad else 0)
            count = ((seen >= low) & (seen < high)).sum(1)
            total = total * count.reshape(-1, *(1,) * (self.rank - 1 - axis))
        return total

    def laid_out(self, result: Array) -> Array:
        return Layout.parse(self.attrs.out_layout or self.attrs.layout).array_of(DATA[self.rank], result)


def _max(data: Array, attrs: PoolAttrs, rank: int) -> Array:
    windows = _Windows(data, attrs, rank, _least(data.dtype))
    return windows.laid_out(windows.reduced(np.maximum))


def _mean(data: Array, attrs: AvgPool1DAttrs, rank: int) -> Array:
    windows = _Windows(data, attrs, rank, 0)
    total = windows.reduced(np.add)
    counts = windows.counts(include_pad=attrs.count_include_pad)
    if data.dtype.kind in "iu":
        return windows.laid_out((total // np.maximum(counts, 1).astype(data.dtype)).astype(data.dtype))
    # A window that lies wholly in the padding has the mean 0.
    return windows.laid_out((total / np.maximum(counts, 1).astype(data.dtype)).astype(data.dtype, copy=False))


def _pool(name: str, rank: int, record: type[PoolAttrs], meaning: Callable[..., Array], doc: str) -> Operator[...]:
    def relation(data: TensorType, attrs: PoolAttrs) -> Type:
        return _relation(data, attrs, rank)

    relation.__doc__ = doc
    made = operator(name, record, Fusion.OUT_ELEMWISE_FUSABLE, level=2)(relation)
    made.reference(lambda data, attrs: meaning(data, attrs, rank))
    return made


max_pool1d = _pool("nn.max_pool1d", 1, MaxPool1DAttrs, _max, "The largest element of a window over width.")
max_pool2d = _pool("nn.max_pool2d", 2, MaxPool2DAttrs, _max, "The largest element of a window over height and width.")
max_pool3d = _pool("nn.max_pool3d", 3, MaxPool3DAttrs, _max, "The largest of a window over depth, height and width.")
avg_pool1d = _pool("nn.avg_pool1d", 1, AvgPool1DAttrs, _mean, "The mean of a window over width.")
avg_pool2d = _pool("nn.avg_pool2d", 2, AvgPool2DAttrs, _mean, "The mean of a window over height and width.")
avg_pool3d = _pool("nn.avg_pool3d", 3, AvgPool3DAttrs, _mean, "The mean of a window over depth, height and width.")


@attrs("relay.attrs.AdaptivePool1DAttrs")
class AdaptivePool1DAttrs(Attrs):
    output_size: Indices = ()
    """The size of each spatial axis of the result; one value for all; that of the data when empty."""
    layout: str = "NCW"
    """The layout of the data."""
    out_layout: String = ""
    """The layout of the result; that of the data when empty."""


@attrs("relay.attrs.AdaptivePool2DAttrs")
class AdaptivePool2DAttrs(Attrs):
    output_size: Indices = ()
    """The size of each spatial axis of the result; one value for all; that of the data when empty."""
    layout: str = "NCHW"
    """The layout of the data."""
    out_layout: String = ""
    """The layout of the result; that of the data when empty."""


@attrs("relay.attrs.AdaptivePool3DAttrs")
class AdaptivePool3DAttrs(Attrs):
    output_size: Indices = ()
    """The size of each spatial axis of the result; one value for all; that of the data when empty."""
    layout: str = "NCDHW"
    """The layout of the data."""
    out_layout: String = ""
    """The layout of the result; that of the data when empty."""


AdaptiveAttrs = AdaptivePool1DAttrs | AdaptivePool2DAttrs | AdaptivePool3DAttrs


def _target(attrs: AdaptiveAttrs, sizes: Sequence[Dim], rank: int) -> Sequence[Dim]:
    wanted = attrs.output_size * rank if len(attrs.output_size) == 1 else attrs.output_size
    if not wanted:
        return sizes
    check_spatial(rank, output_size=wanted)
    return wanted


def _fitted(data: Array, axis: int, size: int, reduce: Callable[..., Array]) -> Array:
    """The axis reduced to ``size`` windows of as equal a width as can be."""
    have = data.shape[axis]
    if have == size:
        return data
    if have % size == 0:
        cut = data.reshape(*data.shape[:axis], size, have // size, *data.shape[axis + 1 :])
        return reduce(cut, axis + 1)
    bounds = [(i * have // size, -(-(i + 1) * have // size)) for i in range(size)]
    parts = [reduce(data[(slice(None),) * axis + (slice(start, end),)], axis) for start, end in bounds]
    return np.stack(parts, axis)


def _adaptive(
    name: str, rank: int, record: type[AdaptiveAttrs], reduce: Callable[..., Array], doc: str
) -> Operator[...]:
    def relation(data: TensorType, attrs: AdaptiveAttrs) -> Type:
        batch, channels, *sizes = Layout.parse(attrs.layout).to(DATA[rank], data.shape)
        shape = (batch, channels, *_target(attrs, sizes, rank))
        return TensorType(Layout.parse(attrs.out_layout or attrs.layout).of(DATA[rank], shape), data.dtype)

    def reference(data: Array, attrs: AdaptiveAttrs) -> Array:
        result = Layout.parse(attrs.layout).array_to(DATA[rank], data)
        for axis, size in enumerate(_target(attrs, result.shape[2:], rank)):
            result = _fitted(result, 2 + axis, int(size), reduce)
        return Layout.parse(attrs.out_layout or attrs.layout).array_of(DATA[rank], result)

    relation.__doc__ = doc
    made = operator(name, record, Fusion.OUT_ELEMWISE_FUSABLE, level=10)(relation)
    made.reference(reference)
    return made


_ADAPTIVE = {1: AdaptivePool1DAttrs, 2: AdaptivePool2DAttrs, 3: AdaptivePool3DAttrs}
_MEAN_DOC = "The mean of windows that split each spatial axis into a given number."
_MAX_DOC = "The largest element of windows that split each spatial axis into a given number."


def _mean_along(data: Array, axis: int) -> Array:
    return data.mean(axis, dtype=data.dtype)


adaptive_avg_pool1d = _adaptive("nn.adaptive_avg_pool1d", 1, _ADAPTIVE[1], _mean_along, _MEAN_DOC)
adaptive_avg_pool2d = _adaptive("nn.adaptive_avg_pool2d", 2, _ADAPTIVE[2], _mean_along, _MEAN_DOC)
adaptive_avg_pool3d = _adaptive("nn.adaptive_avg_pool3d", 3, _ADAPTIVE[3], _mean_along, _MEAN_DOC)
adaptive_max_pool1d = _adaptive("nn.adaptive_max_pool1d", 1, _ADAPTIVE[1], np.max, _MAX_DOC)
adaptive_max_pool2d = _adaptive("nn.adaptive_max_pool2d", 2, _ADAPTIVE[2], np.max, _MAX_DOC)
adaptive_max_pool3d = _adaptive("nn.adaptive_max_pool3d", 3, _ADAPTIVE[3], np.max, _MAX_DOC)


@attrs("relay.attrs.GlobalPool2DAttrs")
class GlobalPool2DAttrs(Attrs):
    layout: String = "NCHW"
    """The layout of the data."""
    out_layout: String = ""
    """The layout of the result; that of the data when empty."""


def _whole(name: str, reduce: Callable[..., Array], doc: str) -> Operator[...]:
    def relation(data: TensorType, attrs: GlobalPool2DAttrs) -> Type:
        batch, channels, *_ = Layout.parse(attrs.layout).to("NCHW", data.shape)
        target = Layout.parse(attrs.out_layout or attrs.layout)
        return TensorType(target.of("NCHW", (batch, channels, 1, 1)), data.dtype)

    def reference(data: Array, attrs: GlobalPool2DAttrs) -> Array:
        source = Layout.parse(attrs.layout).array_to("NCHW", data)
        result = reduce(source, (2, 3), keepdims=True).astype(data.dtype, copy=False)
        return Layout.parse(attrs.out_layout or attrs.layout).array_of("NCHW", result)

    relation.__doc__ = doc
    made = operator(name, GlobalPool2DAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=2)(relation)
    made.reference(reference)
    return made


global_avg_pool2d = _whole("nn.global_avg_pool2d", np.mean, "The mean over height and width.")
global_max_pool2d = _whole("nn.global_max_pool2d", np.max, "The largest element over height and width.")
