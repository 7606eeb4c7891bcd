"""Transposed convolutions in one, two and three dimensions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from torchrelay.op._windows import per_axis, sides, spread

P = ParamSpec("P")

__all__ = ["conv1d_transpose", "conv2d_transpose", "conv3d_transpose"]

KERNEL = {1: "IOW", 2: "IOHW", 3: "IODHW"}
"""I is the number of input channels, O that of output channels in each group."""


@attrs("relay.attrs.Conv1DTransposeAttrs")
class Conv1DTransposeAttrs(Attrs):
    channels: Index | None = None
    """The number of output channels; that of the weight when left out."""
    kernel_size: Indices | None = None
    """The size of the kernel; that of the weight when left out."""
    strides: Indices = (1,)
    """The distance that neighbouring inputs have in the result."""
    output_padding: Indices = (0,)
    """What the result has more at its end."""
    padding: Indices = (0,)
    """What is taken off the result: one value, one for each axis, or all before and then all after."""
    dilation: Indices = (1,)
    """The distance of neighbouring taps."""
    groups: int = 1
    """How many groups the channels form; each sees only its own."""
    data_layout: str = "NCW"
    """The layout of the data."""
    kernel_layout: str = "IOW"
    """The layout of the weight."""
    out_layout: str = ""
    """The layout of the result; that of the data when empty."""
    out_dtype: DType = VOID
    """The dtype of the result and of the sum; that of the data when void."""


@attrs("relay.attrs.Conv2DTransposeAttrs")
class Conv2DTransposeAttrs(Attrs):
    channels: Index | None = None
    """The number of output channels; that of the weight when left out."""
    kernel_size: Indices | None = None
    """The size of the kernel; that of the weight when left out."""
    strides: Indices = (1, 1)
    """The distance that neighbouring inputs have in the result."""
    output_padding: Indices = (0, 0)
    """What the result has more at its end."""
    padding: Indices = (0, 0)
    """What is taken off the result: one value, one for each axis, or all before and then all after."""
    dilation: Indices = (1, 1)
    """The distance of neighbouring taps."""
    groups: int = 1
    """How many groups the channels form; each sees only its own."""
    data_layout: str = "NCHW"
    """The layout of the data."""
    kernel_layout: str = "IOHW"
    """The layout of the weight."""
    out_layout: str = ""
    """The layout of the result; that of the data when empty."""
    out_dtype: DType = VOID
    """The dtype of the result and of the sum; that of the data when void."""


@attrs("relay.attrs.Conv3DTransposeAttrs")
class Conv3DTransposeAttrs(Attrs):
    channels: Index | None = None
    """The number of output channels; that of the weight when left out."""
    kernel_size: Indices | None = None
    """The size of the kernel; that of the weight when left out."""
    strides: Indices = (1, 1, 1)
    """The distance that neighbouring inputs have in the result."""
    output_padding: Indices = (0, 0, 0)
    """What the result has more at its end."""
    padding: Indices = (0, 0, 0)
    """What is taken off the result: one value, one for each axis, or all before and then all after."""
    dilation: Indices = (1, 1, 1)
    """The distance of neighbouring taps."""
    groups: int = 1
    """How many groups the channels form; each sees only its own."""
    data_layout: String = "NCDHW"
    """The layout of the data."""
    kernel_layout: String = "IODHW"
    """The layout of the weight."""
    out_layout: String = ""
    """The layout of the result; that of the data when empty."""
    out_dtype: DType = VOID
    """The dtype of the result and of the sum; that of the data when void."""


TransposeAttrs = Conv1DTransposeAttrs | Conv2DTransposeAttrs | Conv3DTransposeAttrs


@dataclass(frozen=True, slots=True)
class _Spreading:
    """How far data reaches along each spatial axis of the result."""

    strides: tuple[int, ...]
    dilation: tuple[int, ...]
    more: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]

    @staticmethod
    def of(attrs: TransposeAttrs, rank: int) -> _Spreading:
        strides, dilation = per_axis(rank, strides=attrs.strides, dilation=attrs.dilation)
        (more,) = per_axis(rank, least=0, output_padding=attrs.output_padding)
        return _Spreading(strides, dilation, more, *sides(attrs.padding, rank))

    def full(self, axis: int, size: Dim, kernel: Dim) -> Dim:
        """The size of the result before padding is taken off."""
        reach = shapes.add(shapes.multiply(shapes.subtract(kernel, 1), self.dilation[axis]), 1)
        return shapes.add(shapes.multiply(shapes.subtract(size, 1), self.strides[axis]), reach)


def _relation(data: TensorType, weight: TensorType, attrs: TransposeAttrs, rank: int) -> TensorType:
    batch, channels, *sizes = Layout.parse(attrs.data_layout).to(DATA[rank], data.shape)
    inputs, outputs, *kernel = Layout.parse(attrs.kernel_layout).to(KERNEL[rank], weight.shape, "the weight")
    _check_channels(channels, inputs, attrs.groups)
    made = _known_outputs(shapes.multiply(outputs, attrs.groups), attrs)
    kernel = _known_kernel(kernel, attrs)
    spreading = _Spreading.of(attrs, rank)
    spatial = list[Dim]()
    for axis in range(rank):
        full = spreading.full(axis, sizes[axis], kernel[axis])
        off = spreading.before[axis] + spreading.after[axis] - spreading.more[axis]
        size = shapes.subtract(full, off)
        if isinstance(size, int) and size < 0:
            raise TypeMismatch(f"padding takes more off spatial axis {axis} than its {full}")
        spatial.append(size)
    target = Layout.parse(attrs.out_layout or attrs.data_layout)
    return TensorType(target.of(DATA[rank], (batch, made, *spatial)), attrs.out_dtype or data.dtype)


def _check_channels(channels: Dim, inputs: Dim, groups: int) -> None:
    if groups < 1:
        raise WrongArgument(f"groups is {groups}, but must be 1 or more")
    if not shapes.dims_fit(channels, inputs):
        raise TypeMismatch(f"the data has {channels} channels, but the weight takes {inputs}")
    if isinstance(channels, int) and channels % groups:
        raise TypeMismatch(f"{channels} channels do not form {groups} groups")


def _known_outputs(made: Dim, attrs: TransposeAttrs) -> Dim:
    if attrs.channels is None:
        return made
    if not shapes.dims_fit(attrs.channels, made):
        raise TypeMismatch(f"channels is {attrs.channels}, but the weight makes {made}")
    return shapes.known(made, attrs.channels)


def _known_kernel(kernel: Sequence[Dim], attrs: TransposeAttrs) -> list[Dim]:
    sizes = attrs.kernel_size or kernel
    if len(sizes) != len(kernel) or not all(map(shapes.dims_fit, sizes, kernel)):
        raise TypeMismatch(f"kernel_size is {tuple(sizes)}, but the weight has {tuple(kernel)}")
    return list(map(shapes.known, kernel, sizes))


def _reference(data: Array, weight: Array, attrs: TransposeAttrs, rank: int) -> Array:
    out = attrs.out_dtype.numpy if attrs.out_dtype else data.dtype
    source = Layout.parse(attrs.data_layout).array_to(DATA[rank], data)
    kernel = Layout.parse(attrs.kernel_layout).array_to(KERNEL[rank], weight)
    dtype = summing_dtype(source, kernel, kernel[:, :1].size, out)
    spreading = _Spreading.of(attrs, rank)
    cuts, sizes = list[slice](), list[int]()
    for axis in range(rank):
        size = spreading.full(axis, source.shape[2 + axis], kernel.shape[2 + axis])
        assert isinstance(size, int), "an array has known sizes"
        end = size - spreading.after[axis] + spreading.more[axis]
        sizes.append(max(size, end))
        cuts.append(slice(spreading.before[axis], end))
    source, kernel = source.astype(dtype, copy=False), kernel.astype(dtype, copy=False)
    result = spread(source, kernel, spreading.strides, spreading.dilation, attrs.groups, sizes)
    result = narrowed(result[(slice(None), slice(None), *cuts)], out)
    return Layout.parse(attrs.out_layout or attrs.data_layout).array_of(DATA[rank], result)


def _weight_follows(
    types: Sequence[TensorType | None], attrs: TransposeAttrs, rank: int
) -> Sequence[TensorType | None]:
    data, weight = types
    if data is None or weight is not None or attrs.channels is None or attrs.kernel_size is None:
        return types
    channels = Layout.parse(attrs.data_layout).to(DATA[rank], data.shape)[1]
    shape = (channels, shapes.floor_div(attrs.channels, attrs.groups), *attrs.kernel_size)
    return data, TensorType(Layout.parse(attrs.kernel_layout).of(KERNEL[rank], shape), data.dtype)


def _transposed(rank: int, record: Callable[P, TransposeAttrs], doc: str) -> Operator[Concatenate[Arg, Arg, P]]:
    def relation(data: TensorType, weight: TensorType, attrs: TransposeAttrs) -> Type:
        return _relation(data, weight, attrs, rank)

    relation.__doc__ = doc
    made = operator(f"nn.conv{rank}d_transpose", record, Fusion.OUT_ELEMWISE_FUSABLE, level=2)(relation)
    made.reference(partial(_reference, rank=rank))
    made.completes(partial(_weight_follows, rank=rank))
    return made


conv1d_transpose = _transposed(1, Conv1DTransposeAttrs, "Each element spreads the kernel over the width of the result.")
conv2d_transpose = _transposed(2, Conv2DTransposeAttrs, "Each element spreads the kernel over height and width.")
conv3d_transpose = _transposed(3, Conv3DTransposeAttrs, "Each element spreads the kernel over depth, height and width.")
