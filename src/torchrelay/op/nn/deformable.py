"""Convolutions whose taps see the data at places of their own, and correlations of two images."""

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
    Shape,
    String,
    TensorType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array
from torchrelay.op._sampling import interpolated
from torchrelay.op._windows import padded, per_axis, sides

__all__ = ["correlation", "deformable_conv2d"]


@attrs("relay.attrs.DeformableConv2DAttrs")
class DeformableConv2DAttrs(Attrs):
    strides: Indices = (1, 1)
    """The step of the window."""
    padding: Indices = (0, 0)
    """Zeros before and after: one value, one for each axis, or all before and then all after."""
    dilation: Indices = (1, 1)
    """The distance of neighbouring taps."""
    deformable_groups: int = 1
    """How many groups the channels form, each with offsets of its own."""
    groups: int = 1
    """How many groups the channels form; each sees only its own."""
    channels: Index | None = None
    """The number of output channels; that of the weight when left out."""
    kernel_size: Indices | None = None
    """The size of the kernel; that of the weight when left out."""
    data_layout: str = "NCHW"
    """The layout of the data and of the offsets."""
    kernel_layout: str = "OIHW"
    """The layout of the weight."""
    out_layout: str = ""
    """The layout of the result; that of the data when empty."""
    out_dtype: DType = VOID
    """The dtype of the result; that of the data when void."""


def _result_shape(data: Shape, kernel: Sequence[Dim], attrs: DeformableConv2DAttrs) -> Shape:
    strides, dilation = per_axis(2, strides=attrs.strides, dilation=attrs.dilation)
    before, after = sides(attrs.padding, 2)
    spatial = [
        shapes.window(data[2 + axis], kernel[2 + axis], strides[axis], dilation[axis], before[axis] + after[axis])
        for axis in range(2)
    ]
    return (data[0], kernel[0], *spatial)


def _offset_shape(result: Shape, kernel: Sequence[Dim], attrs: DeformableConv2DAttrs) -> Shape:
    return (result[0], shapes.multiply(2 * attrs.deformable_groups, shapes.product(kernel[2:])), *result[2:])


@operator("nn.deformable_conv2d", DeformableConv2DAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=5)
def deformable_conv2d(data: TensorType, offset: TensorType, weight: TensorType, attrs: DeformableConv2DAttrs) -> Type:
    """The two-dimensional convolution whose taps are moved by offsets: for each group and tap one down and one right."""
    layout = Layout.parse(attrs.data_layout)
    source = layout.to("NCHW", data.shape)
    kernel = Layout.parse(attrs.kernel_layout).to("OIHW", weight.shape, "the weight")
    taken = shapes.multiply(kernel[1], attrs.groups)
    if not shapes.dims_fit(source[1], taken):
        raise TypeMismatch(f"the data has {source[1]} channels, but the weight takes {taken}")
    if attrs.channels is not None and not shapes.dims_fit(attrs.channels, kernel[0]):
        raise TypeMismatch(f"channels is {attrs.channels}, but the weight makes {kernel[0]}")
    if isinstance(source[1], int) and source[1] % attrs.deformable_groups:
        raise TypeMismatch(f"{source[1]} channels do not form {attrs.deformable_groups} groups of offsets")
    result = _result_shape(source, kernel, attrs)
    wanted = _offset_shape(result, kernel, attrs)
    if not all(map(shapes.dims_fit, layout.to("NCHW", offset.shape, "the offsets"), wanted)):
        raise TypeMismatch(f"the offsets must have the shape {layout.of('NCHW', wanted)}, not {offset.shape}")
    target = Layout.parse(attrs.out_layout or attrs.data_layout)
    return TensorType(target.of("NCHW", result), attrs.out_dtype or data.dtype)


@deformable_conv2d.completes
def offset_and_weight_follow(
    types: tuple[TensorType | None, ...], attrs: DeformableConv2DAttrs
) -> tuple[TensorType | None, ...]:
    data, offset, weight = types
    if data is None:
        return types
    layout, weights = Layout.parse(attrs.data_layout), Layout.parse(attrs.kernel_layout)
    source = layout.to("NCHW", data.shape)
    if weight is None and attrs.channels is not None and attrs.kernel_size is not None:
        shape = (attrs.channels, shapes.floor_div(source[1], attrs.groups), *attrs.kernel_size)
        weight = TensorType(weights.of("OIHW", shape), data.dtype)
    if offset is None and weight is not None:
        kernel = weights.to("OIHW", weight.shape, "the weight")
        wanted = _offset_shape(_result_shape(source, kernel, attrs), kernel, attrs)
        offset = TensorType(layout.of("NCHW", wanted), data.dtype)
    return data, offset, weight


def _columns(source: Array, moves: Array, kernel: Sequence[int], attrs: DeformableConv2DAttrs) -> Array:
    """What each tap sees: (N, C, taps, height, width)."""
    strides, dilation = per_axis(2, strides=attrs.strides, dilation=attrs.dilation)
    (top, left), _ = sides(attrs.padding, 2)
    batch, channels = source.shape[:2]
    *_, height, width = moves.shape
    groups, count = attrs.deformable_groups, kernel[0] * kernel[1]
    moves = moves.reshape(batch * groups, count, 2, height, width)
    images = source.reshape(batch * groups, channels // groups, *source.shape[2:])
    taps, rows, columns = (np.arange(end, dtype=np.int64) for end in (count, height, width))
    down = (taps // kernel[1] * dilation[0]).reshape(-1, 1, 1) + rows[:, None] * strides[0]
    right = (taps % kernel[1] * dilation[1]).reshape(-1, 1, 1) + columns * strides[1]
    places = [moves[:, :, 0] + (down - top), moves[:, :, 1] + (right - left)]
    # Relay's: a place before the first row or column sees nothing, however near; one behind the last fades out.
    inside = ((places[0] >= 0) & (places[1] >= 0))[:, None]
    seen = interpolated(images, places) * inside
    return seen.reshape(batch, channels, count, height, width)


@deformable_conv2d.reference
def deformable_conv2d_numpy(data: Array, offset: Array, weight: Array, attrs: DeformableConv2DAttrs) -> Array:
    layout = Layout.parse(attrs.data_layout)
    source, moves = layout.array_to("NCHW", data), layout.array_to("NCHW", offset)
    kernel = Layout.parse(attrs.kernel_layout).array_to("OIHW", weight)
    seen = _columns(source, moves, kernel.shape[2:], attrs)
    batch, outputs, groups = len(source), len(kernel), attrs.groups
    depth = kernel[0].size
    columns = seen.reshape(batch, groups, depth, -1)
    result = np.matmul(kernel.reshape(groups, outputs // groups, depth), columns)
    result = result.reshape(batch, outputs, *seen.shape[3:])
    dtype = attrs.out_dtype.numpy if attrs.out_dtype else data.dtype
    return Layout.parse(attrs.out_layout or attrs.data_layout).array_of("NCHW", result.astype(dtype, copy=False))


@attrs("relay.attrs.CorrelationAttrs")
class CorrelationAttrs(Attrs):
    kernel_size: int = 1
    """The side of the patches that are compared, an odd number."""
    max_displacement: int = 1
    """How far the second image is moved at most, up, down and to both sides."""
    stride1: int = 1
    """The step of the patches in the first image."""
    stride2: int = 1
    """The step of the displacements."""
    padding: Indices = (0, 0)
    """Zeros around both images."""
    is_multiply: bool = True
    """Whether elements are multiplied; otherwise the absolute difference is taken."""
    layout: String = "NCHW"
    """The layout of the data."""


def _border(attrs: CorrelationAttrs) -> int:
    return attrs.max_displacement + (attrs.kernel_size - 1) // 2


def _displacements(attrs: CorrelationAttrs) -> list[int]:
    steps = attrs.max_displacement // attrs.stride2
    return [step * attrs.stride2 for step in range(-steps, steps + 1)]


def _patches(size: Dim, around: int, attrs: CorrelationAttrs) -> Dim:
    free = shapes.subtract(shapes.add(size, around), 2 * _border(attrs))
    if isinstance(free, int) and free < 1:
        raise TypeMismatch(f"a side of {size} has no room for a border of {_border(attrs)}")
    return shapes.ceil_div(free, attrs.stride1)


@operator("nn.correlation", CorrelationAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=2)
def correlation(data1: TensorType, data2: TensorType, attrs: CorrelationAttrs) -> Type:
    """For each displacement the mean product of a patch of one image and the displaced patch of another."""
    if attrs.layout != "NCHW":
        raise WrongArgument(f"layout is {attrs.layout!r}, but must be NCHW")
    if attrs.kernel_size % 2 == 0:
        raise WrongArgument(f"kernel_size is {attrs.kernel_size}, but must be odd")
    if data1.rank != 4 or data2.rank != 4 or not all(map(shapes.dims_fit, data1.shape, data2.shape)):
        raise TypeMismatch(f"two images of one shape NCHW are needed, not {data1.shape} and {data2.shape}")
    before, after = sides(attrs.padding, 2)
    spatial = [_patches(data1.shape[2 + axis], before[axis] + after[axis], attrs) for axis in range(2)]
    return TensorType((data1.shape[0], len(_displacements(attrs)) ** 2, *spatial), data1.dtype)


def _distance(a: Array, b: Array) -> Array:
    return np.abs(a - b)


@correlation.reference
def correlation_numpy(data1: Array, data2: Array, attrs: CorrelationAttrs) -> Array:
    before, after = sides(attrs.padding, 2)
    first, second = padded(data1, before, after), padded(data2, before, after)
    sizes = [int(-(-(size - 2 * _border(attrs)) // attrs.stride1)) for size in first.shape[2:]]
    taps, step, start = attrs.kernel_size, attrs.stride1, attrs.max_displacement
    combine = np.multiply if attrs.is_multiply else _distance

    def patches(images: Array, row: int, column: int) -> Array:
        rows, columns = (
            slice(at, at + (size - 1) * step + 1, step) for at, size in zip((row, column), sizes, strict=True)
        )
        return images[:, :, rows, columns]

    moves = _displacements(attrs)
    result = np.zeros((len(data1), len(moves) ** 2, *sizes), data1.dtype)
    for channel, (down, right) in enumerate((down, right) for down in moves for right in moves):
        for row in range(start, start + taps):
            for column in range(start, start + taps):
                pair = patches(first, row, column), patches(second, row + down, column + right)
                result[:, channel] += combine(*pair).sum(1)
    return result / data1.dtype.type(taps * taps * data1.shape[1])
