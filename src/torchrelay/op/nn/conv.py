"""Convolutions in one, two and three dimensions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Concatenate, ParamSpec

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    VOID,
    Arg,
    Attrs,
    Dim,
    DType,
    Fusion,
    Index,
    Indices,
    Operator,
    Shape,
    String,
    TensorType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._layout import DATA, Layout
from torchrelay.op._numpy import Array
from torchrelay.op._products import narrowed, summing_dtype
from torchrelay.op._windows import convolved, padded, per_axis, sides

P = ParamSpec("P")

__all__ = ["Conv2DAttrs", "Conv3DAttrs", "ConvAttrs", "conv1d", "conv2d", "conv3d", "conv_numpy", "conv_type"]

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


def _kernel(channels: Dim, weight: TensorType, attrs: ConvAttrs, rank: int) -> Shape:
    """(O, I, *sizes) of the weight, with dims known from the record where the weight has them unknown.

    A depthwise weight may also be (C, multiplier, *sizes): its outputs are the product of the two.
    """
    kernel = Layout.parse(attrs.kernel_layout).to(KERNEL[rank], weight.shape, "the weight")
    if _is_multiplied(channels, kernel, attrs):
        kernel = (shapes.multiply(kernel[0], kernel[1]), 1, *kernel[2:])
    wanted = attrs.channels if attrs.channels is not None else kernel[0]
    if not shapes.dims_fit(wanted, kernel[0]):
        raise TypeMismatch(f"channels is {attrs.channels}, but the weight makes {kernel[0]}")
    sizes = attrs.kernel_size or kernel[2:]
    if len(sizes) != rank or not all(map(shapes.dims_fit, sizes, kernel[2:])):
        raise TypeMismatch(f"kernel_size is {tuple(sizes)}, but the weight has {tuple(kernel[2:])}")
    return (shapes.known(kernel[0], wanted), kernel[1], *map(shapes.known, kernel[2:], sizes))


def _is_multiplied(channels: Dim, kernel: Sequence[Dim], attrs: ConvAttrs) -> bool:
    return attrs.groups > 1 and channels == attrs.groups == kernel[0] and isinstance(kernel[1], int) and kernel[1] > 1


def conv_type(data: TensorType, weight: TensorType, attrs: ConvAttrs, rank: int) -> TensorType:
    """The type of a convolution of that spatial rank."""
    batch, channels, *sizes = Layout.parse(attrs.data_layout).to(DATA[rank], data.shape)
    strides, dilation = per_axis(rank, strides=attrs.strides, dilation=attrs.dilation)
    outputs, inputs, *kernel = _kernel(channels, weight, attrs, rank)
    _check_groups(channels, outputs, inputs, attrs.groups)
    before, after = sides(attrs.padding, rank)
    spatial = list[Dim]()
    for axis, size in enumerate(sizes):
        places = shapes.window(size, kernel[axis], strides[axis], dilation[axis], before[axis] + after[axis])
        if isinstance(places, int) and places < 0:
            raise TypeMismatch(f"a kernel of {kernel[axis]} does not fit spatial axis {axis} of size {size}")
        spatial.append(places)
    target = Layout.parse(attrs.out_layout or attrs.data_layout)
    return TensorType(target.of(DATA[rank], (batch, outputs, *spatial)), attrs.out_dtype or data.dtype)


def _check_groups(channels: Dim, outputs: Dim, inputs: Dim, groups: int) -> None:
    if groups < 1:
        raise WrongArgument(f"groups is {groups}, but must be 1 or more")
    taken = shapes.multiply(inputs, groups)
    if not shapes.dims_fit(channels, taken):
        raise TypeMismatch(
            f"the data has {channels} channels, but a weight of {inputs} in {groups} groups takes {taken}"
        )
    if isinstance(outputs, int) and outputs % groups:
        raise TypeMismatch(f"{outputs} output channels do not form {groups} groups")


def conv_numpy(data: Array, weight: Array, attrs: ConvAttrs, rank: int) -> Array:
    """A convolution of that spatial rank."""
    out = attrs.out_dtype.numpy if attrs.out_dtype else data.dtype
    source = Layout.parse(attrs.data_layout).array_to(DATA[rank], data)
    kernel = Layout.parse(attrs.kernel_layout).array_to(KERNEL[rank], weight)
    if _is_multiplied(source.shape[1], kernel.shape, attrs):
        kernel = kernel.reshape(-1, 1, *kernel.shape[2:])
    dtype = summing_dtype(source, kernel, math.prod(kernel.shape[1:]), out)
    wide = padded(source.astype(dtype, copy=False), *sides(attrs.padding, rank))
    strides, dilation = per_axis(rank, strides=attrs.strides, dilation=attrs.dilation)
    result = convolved(wide, kernel.astype(dtype, copy=False), strides, dilation, attrs.groups)
    return Layout.parse(attrs.out_layout or attrs.data_layout).array_of(DATA[rank], narrowed(result, out))


def _weight_follows(types: Sequence[TensorType | None], attrs: ConvAttrs, rank: int) -> Sequence[TensorType | None]:
    data, weight = types
    if data is None or weight is not None or attrs.channels is None or attrs.kernel_size is None:
        return types
    if rank > 1 and attrs.groups > 1:
        return types  # a depthwise weight has two forms
    channels = Layout.parse(attrs.data_layout).to(DATA[rank], data.shape)[1]
    shape = (attrs.channels, shapes.floor_div(channels, attrs.groups), *attrs.kernel_size)
    return data, TensorType(Layout.parse(attrs.kernel_layout).of(KERNEL[rank], shape), data.dtype)


def _convolution(rank: int, record: Callable[P, ConvAttrs], doc: str) -> Operator[Concatenate[Arg, Arg, P]]:
    def relation(data: TensorType, weight: TensorType, attrs: ConvAttrs) -> Type:
        return conv_type(data, weight, attrs, rank)

    relation.__doc__ = doc
    made = operator(f"nn.conv{rank}d", record, Fusion.OUT_ELEMWISE_FUSABLE, level=2)(relation)
    made.reference(partial(conv_numpy, rank=rank))
    made.completes(partial(_weight_follows, rank=rank))
    return made


conv1d = _convolution(1, Conv1DAttrs, "The sum of a window over channels and width times a weight, at every place.")
conv2d = _convolution(2, Conv2DAttrs, "The sum of a window over channels, height and width times a weight.")
conv3d = _convolution(3, Conv3DAttrs, "The sum of a window over channels, depth, height and width times a weight.")
