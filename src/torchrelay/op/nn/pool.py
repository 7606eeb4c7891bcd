"""Pools: the largest element or the mean of a window at every place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Concatenate, ParamSpec

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import (
    Arg,
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
from torchrelay.op._layout import DATA, Layout
from torchrelay.op._numpy import Array, trunc_divide
from torchrelay.op._windows import padded, per_axis, sides, taps

P = ParamSpec("P")

__all__ = [
    "MaxPool2DAttrs",
    "Windows",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "least",
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
    """Without meaning: the result has the layout of the data."""
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
    """Without meaning: the result has the layout of the data."""
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
    """Without meaning: the result has the layout of the data."""
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


@dataclass(frozen=True, slots=True)
class Windows:
    """The windows of a pool along each spatial axis."""

    size: tuple[int, ...]
    strides: tuple[int, ...]
    dilation: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    ceil_mode: bool

    @staticmethod
    def of(attrs: PoolAttrs, rank: int) -> Windows:
        """The windows that a record describes."""
        dilation = attrs.dilation or (1,) * rank
        size, strides, spacing = per_axis(rank, pool_size=attrs.pool_size, strides=attrs.strides, dilation=dilation)
        before, after = sides(attrs.padding, rank)
        return Windows(size, strides, spacing, before, after, attrs.ceil_mode)

    def places(self, axis: int, size: Dim) -> Dim:
        """How many windows there are along an axis. Raises TypeMismatch where not even one fits."""
        window, around = self.size[axis], self.before[axis] + self.after[axis]
        ceil_mode = self.ceil_mode
        found = shapes.window(size, window, self.strides[axis], self.dilation[axis], around, ceil_mode=ceil_mode)
        if isinstance(found, int) and found < 0:
            raise TypeMismatch(f"a window of {window} does not fit spatial axis {axis} of size {size}")
        return found

    def result_sizes(self, sizes: Sequence[int]) -> list[int]:
        """How many windows there are along each axis."""
        places = [self.places(axis, size) for axis, size in enumerate(sizes)]
        return [place for place in places if isinstance(place, int)]

    def padded(self, data: Array, value: float) -> Array:
        """(N, C, *spatial) with ``value`` around it, as far as windows reach."""
        beyond = list[int]()
        for axis, places in enumerate(self.result_sizes(data.shape[2:])):
            reach = (places - 1) * self.strides[axis] + (self.size[axis] - 1) * self.dilation[axis] + 1
            beyond.append(max(reach - data.shape[2 + axis] - self.before[axis], 0))
        return padded(data, self.before, beyond, value)

    def taps(self, around: Array, places: Sequence[int]) -> Iterator[Array]:
        """For each tap the view of the padded array that it sees."""
        return (view for _, view in taps(around, self.size, self.strides, self.dilation, places))

    def counts(self, sizes: Sequence[int], *, include_pad: bool) -> Array:
        """How many taps of each window count, over the spatial axes."""
        total = np.ones((1,) * len(sizes), np.int64)
        for axis, places in enumerate(self.result_sizes(sizes)):
            starts = np.arange(places)[:, None] * self.strides[axis] - self.before[axis]
            seen = starts + np.arange(self.size[axis]) * self.dilation[axis]
            low = -self.before[axis] if include_pad else 0
            high = sizes[axis] + (self.after[axis] if include_pad else 0)
            count = ((seen >= low) & (seen < high)).sum(1)
            total = total * count.reshape(-1, *(1,) * (len(sizes) - 1 - axis))
        return total


def _relation(data: TensorType, attrs: PoolAttrs, rank: int) -> TensorType:
    windows = Windows.of(attrs, rank)
    layout = Layout.parse(attrs.layout)
    batch, channels, *sizes = layout.to(DATA[rank], data.shape)
    shape = (batch, channels, *[windows.places(axis, size) for axis, size in enumerate(sizes)])
    return TensorType(layout.of(DATA[rank], shape), data.dtype)


def least(dtype: np.dtype) -> float:
    """The least element of a dtype."""
    return -np.inf if dtype.kind not in "iu" else int(np.iinfo(dtype).min)


def _combined(views: Iterator[Array], combine: Callable[..., Array]) -> Array:
    result = next(views).copy()
    for view in views:
        combine(result, view, out=result)
    return result


def _max(data: Array, attrs: PoolAttrs, rank: int) -> Array:
    windows, sizes = Windows.of(attrs, rank), data.shape[2:]
    around = windows.padded(data, least(data.dtype))
    result = _combined(windows.taps(around, windows.result_sizes(sizes)), np.maximum)
    if data.dtype.kind != "f" or not any((*windows.before, *windows.after)):
        return result
    # A window that lies wholly in the padding has the least finite number.
    empty = windows.counts(sizes, include_pad=False) == 0
    return np.where(empty, np.finfo(data.dtype).min, result) if empty.any() else result


def _mean(data: Array, attrs: PoolAttrs, rank: int) -> Array:
    assert isinstance(attrs, AvgPool1DAttrs | AvgPool2DAttrs | AvgPool3DAttrs), "a mean has its own record"
    windows = Windows.of(attrs, rank)
    sizes = data.shape[2:]
    wide = data.astype(np.int64) if data.dtype.kind in "iu" else data
    total = _combined(windows.taps(windows.padded(wide, 0), windows.result_sizes(sizes)), np.add)
    # A window that lies wholly in the padding has the mean 0.
    counts = np.maximum(windows.counts(sizes, include_pad=attrs.count_include_pad), 1).astype(wide.dtype)
    mean = trunc_divide(total, counts) if data.dtype.kind in "iu" else total / counts
    return mean.astype(data.dtype, copy=False)


def _pool(
    name: str, rank: int, record: Callable[P, PoolAttrs], meaning: Callable[..., Array], doc: str
) -> Operator[Concatenate[Arg, P]]:
    def relation(data: TensorType, attrs: PoolAttrs) -> Type:
        return _relation(data, attrs, rank)

    def reference(data: Array, attrs: PoolAttrs) -> Array:
        layout = Layout.parse(attrs.layout)
        return layout.array_of(DATA[rank], meaning(layout.array_to(DATA[rank], data), attrs, rank))

    relation.__doc__ = doc
    made = operator(name, record, Fusion.OUT_ELEMWISE_FUSABLE, level=2)(relation)
    made.reference(reference)
    return made


max_pool1d = _pool("nn.max_pool1d", 1, MaxPool1DAttrs, _max, "The largest element of a window over width.")
max_pool2d = _pool("nn.max_pool2d", 2, MaxPool2DAttrs, _max, "The largest element of a window over height and width.")
max_pool3d = _pool("nn.max_pool3d", 3, MaxPool3DAttrs, _max, "The largest of a window over depth, height and width.")
avg_pool1d = _pool("nn.avg_pool1d", 1, AvgPool1DAttrs, _mean, "The mean of a window over width.")
avg_pool2d = _pool("nn.avg_pool2d", 2, AvgPool2DAttrs, _mean, "The mean of a window over height and width.")
avg_pool3d = _pool("nn.avg_pool3d", 3, AvgPool3DAttrs, _mean, "The mean of a window over depth, height and width.")
