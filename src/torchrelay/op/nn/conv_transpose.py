"""Transposed convolutions in one, two and three dimensions."""

from __future__ import annotations

from collections.abc import Sequence

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
from torchrelay.op._windows import sides, spread
from torchrelay.op.nn.conv import DATA, check_spatial, computing_dtype

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


def _grown(size: Dim, kernel: Dim, stride: Dim, dilation: Dim) -> Dim:
    """The size of the result before padding is taken off."""
    reach = shapes.add(shapes.multiply(shapes.subtract(kernel, 1), dilation), 1)
    return shapes.add(shapes.multiply(shapes.subtract(size, 1), stride), reach)


def _relation(data: TensorType, weight: TensorType, attrs: TransposeAttrs, rank: int) -> TensorType:
    batch, channels, *sizes = Layout.parse(attrs.data_layout).to(DATA[rank], data.shape)
    kernel = Layout.parse(attrs.kernel_layout).to(KERNEL[rank], weight.shape, "the weight")
    check_spatial(rank, strides=attrs.strides, dilation=attrs.dilation, output_padding=attrs.output_padding)
    _check_channels(channels, kernel, attrs)
    before, after = sides(attrs.padding, rank)
    spatial: list[Dim] = []
    for axis in range(rank):
        full = _grown(sizes[axis], kernel[2 + axis], attrs.strides[axis], attrs.dilation[axis])
        size = shapes.add(shapes.subtract(full, before[axis] + after[axis]), attrs.output_padding[axis])
        if isinstance(size, int) and size < 0:
            raise TypeMismatch(f"padding takes more off spatial axis {axis} than its {full}")
        spatial.append(size)
    target = Layout.parse(attrs.out_layout or attrs.data_layout)
    shape = (batch, shapes.multiply(kernel[1], attrs.groups), *spatial)
    return TensorType(target.of(DATA[rank], shape), attrs.out_dtype or data.dtype)


def _check_channels(channels: Dim, kernel: Sequence[Dim], attrs: TransposeAttrs) -> None:
    if not shapes.dims_fit(channels, kernel[0]):
        raise TypeMismatch(f"the data has {channels} channels, the weight takes {kernel[0]}")
    if isinstance(channels, int) and channels % attrs.groups:
        raise TypeMismatch(f"{channels} channels do not form {attrs.groups} groups")
    made = shapes.multiply(kernel[1], attrs.groups)
    if attrs.channels is not None and not shapes.dims_fit(attrs.channels, made):
        raise TypeMismatch(f"channels is {attrs.channels}, but the weight makes {made}")
    given = attrs.kernel_size
    if given is not None and not all(map(shapes.dims_fit, given, kernel[2:])):
        raise WrongArgument(f"kernel_size is {tuple(given)}, but the weight has {tuple(kernel[2:])}")


def _reference(data: Array, weight: Array, attrs: TransposeAttrs, rank: int) -> Array:
    out = attrs.out_dtype.numpy if attrs.out_dtype else data.dtype
    sum_dtype = computing_dtype(data, out)
    source = Layout.parse(attrs.data_layout).array_to(DATA[rank], data).astype(sum_dtype, copy=False)
    kernel = Layout.parse(attrs.kernel_layout).array_to(KERNEL[rank], weight).astype(sum_dtype, copy=False)
    before, after = sides(attrs.padding, rank)
    cuts, full = list[slice](), list[int]()
    for axis in range(rank):
        size = (
            (source.shape[2 + axis] - 1) * attrs.strides[axis] + (kernel.shape[2 + axis] - 1) * attrs.dilation[axis] + 1
        )
        end = size - after[axis] + attrs.output_padding[axis]
        full.append(max(size, end))
        cuts.append(slice(before[axis], end))
    result = spread(source, kernel, attrs.strides, attrs.dilation, attrs.groups, full)
    result = result[(slice(None), slice(None), *cuts)].astype(out, copy=False)
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


def _transposed(rank: int, record: type[TransposeAttrs], doc: str) -> Operator[...]:
    def relation(data: TensorType, weight: TensorType, attrs: TransposeAttrs) -> Type:
        return _relation(data, weight, attrs, rank)

    relation.__doc__ = doc
    made = operator(f"nn.conv{rank}d_transpose", record, Fusion.OUT_ELEMWISE_FUSABLE, level=2)(relation)
    made.reference(lambda data, weight, attrs: _reference(data, weight, attrs, rank))
    made.completes(lambda types, attrs: _weight_follows(types, attrs, rank))
    return made


conv1d_transpose = _transposed(1, Conv1DTransposeAttrs, "Each element spreads the kernel over the width of the result.")
conv2d_transpose = _transposed(2, Conv2DTransposeAttrs, "Each element spreads the kernel over height and width.")
conv3d_transpose = _transposed(3, Conv3DTransposeAttrs, "Each element spreads the kernel over depth, height and width.")
