"""Convolutions in one, two and three dimensions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    VOID,
    Attrs,
    Dim,
    DType,
    Fusion,
    Index,
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
from torchrelay.op._windows import convolved, padded, sides

__all__ = ["conv1d", "conv2d", "conv3d"]

DATA = {1: "NCW", 2: "NCHW", 3: "NCDHW"}
KERNEL = {1: "OIW", 2: "OIHW", 3: "OIDHW"}


@attrs("relay.attrs.Conv1DAttrs")
class Conv1DAttrs(Attrs):
    strides: Indices = (1,)
    """The step of the window."""
    padding: Indices = (0, 0)
    """Zeros before and after: one value, one for each axis, or all before and then all after."""
    dilation: Indices = (1,)
    """The distance of neighbouring taps."""
    groups: int = 1
    """How many groups the channels form; each sees only its own."""
    channels: Index | None = None
    """The number of output channels; that of the weight when left out."""
    kernel_size: Indices | None = None
    """The size of the kernel; that of the weight when left out."""
    data_layout: String = "NCW"
    """The layout of the data."""
    kernel_layout: String = "OIW"
    """The layout of the weight."""
    out_layout: String = ""
    """The layout of the result; that of the data when empty."""
    out_dtype: DType = VOID
    """The dtype of the result and of the sum; that of the data when void."""


@attrs("relay.attrs.Conv2DAttrs")
class Conv2DAttrs(Attrs):
    strides: Indices = (1, 1)
    """The step of the window."""
    padding: Indices = (0, 0)
    """Zeros before and after: one value, one for each axis, or all before and then all after."""
    dilation: Indices = (1, 1)
    """The distance of neighbouring taps."""
    groups: int = 1
    """How many groups the channels form; each sees only its own."""
    channels: Index | None = None
    """The number of output channels; that of the weight when left out."""
    kernel_size: Indices | None = None
    """The size of the kernel; that of the weight when left out."""
    data_layout: String = "NCHW"
    """The layout of the data."""
    kernel_layout: String = "OIHW"
    """The layout of the weight."""
    out_layout: String = ""
    """The layout of the result; that of the data when empty."""
    out_dtype: DType = VOID
    """The dtype of the result and of the sum; that of the data when void."""


@attrs("relay.attrs.Conv3DAttrs")
class Conv3DAttrs(Attrs):
    strides: Indices = (1, 1, 1)
    """The step of the window."""
    padding: Indices = (0, 0, 0)
    """Zeros before and after: one value, one for each axis, or all before and then all after."""
    dilation: Indices = (1, 1, 1)
    """The distance of neighbouring taps."""
    groups: int = 1
    """How many groups the channels form; each sees only its own."""
    channels: Index | None = None
    """The number of output channels; that of the weight when left out."""
    kernel_size: Indices | None = None
    """The size of the kernel; that of the weight when left out."""
    data_layout: String = "NCDHW"
    """The layout of the data."""
    kernel_layout: String = "OIDHW"
    """The layout of the weight."""
    out_layout: String = ""
    """The layout of the result; that of the data when empty."""
    out_dtype: DType = VOID
    """The dtype of the result and of the sum; that of the data when void."""


ConvAttrs = Conv1DAttrs | Conv2DAttrs | Conv3DAttrs


def check_spatial(rank: int, **values: Sequence[Dim]) -> None:
    """Raises WrongArgument for an attribute without one value for each spatial axis."""
    for name, value in values.items():
        if len(value) != rank:
            raise WrongArgument(f"{name} has {len(value)} values, but must have {rank}")


def _relation(data: TensorType, weight: TensorType, attrs: ConvAttrs, rank: int) -> TensorType:
    source = Layout.parse(attrs.data_layout)
    batch, channels, *sizes = source.to(DATA[rank], data.shape)
    kernel = Layout.parse(attrs.kernel_layout).to(KERNEL[rank], weight.shape, "the weight")
    check_spatial(rank, strides=attrs.strides, dilation=attrs.dilation, kernel_size=attrs.kernel_size or kernel[2:])
    _check_channels(channels, kernel, attrs)
    before, after = sides(attrs.padding, rank)
    spatial = [
        shapes.window(size, k, int(s), int(d), b + a)
        for size, k, s, d, b, a in zip(sizes, kernel[2:], attrs.strides, attrs.dilation, before, after, strict=True)
    ]
    for axis, size in enumerate(spatial):
        if isinstance(size, int) and size < 0:
            raise TypeMismatch(f"a kernel of {kernel[2:][axis]} does not fit spatial axis {axis} of size {sizes[axis]}")
    target = Layout.parse(attrs.out_layout or attrs.data_layout)
    return TensorType(target.of(DATA[rank], (batch, kernel[0], *spatial)), attrs.out_dtype or data.dtype)


def _check_channels(channels: Dim, kernel: Sequence[Dim], attrs: ConvAttrs) -> None:
    if not shapes.dims_fit(channels, shapes.multiply(kernel[1], attrs.groups)):
        raise TypeMismatch(
            f"the data has {channels} channels, a weight with {kernel[1]} in each of {attrs.groups} groups takes "
            f"{shapes.multiply(kernel[1], attrs.groups)}"
        )
    if attrs.channels is not None and not shapes.dims_fit(attrs.channels, kernel[0]):
        raise TypeMismatch(f"channels is {attrs.channels}, but the weight makes {kernel[0]}")
    given = attrs.kernel_size
    if given is not None and not all(map(shapes.dims_fit, given, kernel[2:])):
        raise TypeMismatch(f"kernel_size is {tuple(given)}, but the weight has {tuple(kernel[2:])}")


def computing_dtype(data: Array, out: np.dtype) -> np.dtype:
    """The dtype to sum in: float32 for narrower floats, that of the result otherwise."""
    return np.dtype(np.float32) if out.kind not in "iub" and out.itemsize < 4 else out


def _reference(data: Array, weight: Array, attrs: ConvAttrs, rank: int) -> Array:
    out = attrs.out_dtype.numpy if attrs.out_dtype else data.dtype
    sum_dtype = computing_dtype(data, out)
    source = Layout.parse(attrs.data_layout).array_to(DATA[rank], data).astype(sum_dtype, copy=False)
    kernel = Layout.parse(attrs.kernel_layout).array_to(KERNEL[rank], weight).astype(sum_dtype, copy=False)
    source = padded(source, *sides(attrs.padding, rank))
    result = convolved(source, kernel, attrs.strides, attrs.dilation, attrs.groups).astype(out, copy=False)
    return Layout.parse(attrs.out_layout or attrs.data_layout).array_of(DATA[rank], result)


def _weight_follows(types: Sequence[TensorType | None], attrs: ConvAttrs, rank: int) -> Sequence[TensorType | None]:
    data, weight = types
    if data is None or weight is not None or attrs.channels is None or attrs.kernel_size is None:
        return types
    channels = Layout.parse(attrs.data_layout).to(DATA[rank], data.shape)[1]
    shape = (attrs.channels, shapes.floor_div(channels, attrs.groups), *attrs.kernel_size)
    return data, TensorType(Layout.parse(attrs.kernel_layout).of(KERNEL[rank], shape), data.dtype)


def _convolution(rank: int, record: type[ConvAttrs], doc: str) -> Operator[...]:
    def relation(data: TensorType, weight: TensorType, attrs: ConvAttrs) -> Type:
        return _relation(data, weight, attrs, rank)

    relation.__doc__ = doc
    made = operator(f"nn.conv{rank}d", record, Fusion.OUT_ELEMWISE_FUSABLE, level=2)(relation)
    made.reference(lambda data, weight, attrs: _reference(data, weight, attrs, rank))
    made.completes(lambda types, attrs: _weight_follows(types, attrs, rank))
    return made


conv1d = _convolution(1, Conv1DAttrs, "The sum of a window over channels and width times a weight, at every place.")
conv2d = _convolution(2, Conv2DAttrs, "The sum of a window over channels, height and width times a weight.")
conv3d = _convolution(3, Conv3DAttrs, "The sum of a window over channels, depth, height and width times a weight.")
