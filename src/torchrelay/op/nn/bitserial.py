"""Integers of a few bits: packed bit by bit into words, and multiplied as such."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import VOID, Attrs, DType, Fusion, Index, Indices, TensorType, Type, attrs, operator, shapes
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array
from torchrelay.op._products import narrowed, product
from torchrelay.op._windows import convolved, padded, per_axis, sides

__all__ = ["bitpack", "bitserial_conv2d", "bitserial_dense"]


@attrs("relay.attrs.BitPackAttrs")
class BitPackAttrs(Attrs):
    bits: int = 1
    """How many bits of each element are kept."""
    pack_axis: int = 1
    """The axis whose elements go into words together."""
    bit_axis: int = -1
    """Where the new axis of the bits stands; -1 for none, where there is one bit."""
    pack_type: DType = VOID
    """The dtype of the words."""
    name: str = "BitPack"
    """What the step is called."""


@operator("nn.bitpack", BitPackAttrs, Fusion.INJECTIVE, level=2)
def bitpack(data: TensorType, attrs: BitPackAttrs) -> Type:
    """The bits of integers in words: one word for each bit of as many elements as a word has bits, the first highest."""
    axis, width = shapes.normal_axis(attrs.pack_axis, data.rank), attrs.pack_type.bits
    if attrs.pack_type.code != "uint":
        raise WrongArgument(f"pack_type is {attrs.pack_type}, but must be an unsigned integer, such as uint32")
    if not data.dtype.is_int:
        raise TypeMismatch(f"the data must be integers, not {data.dtype}")
    size = data.shape[axis]
    if isinstance(size, int) and size % width:
        raise TypeMismatch(f"axis {axis} of size {size} does not fill words of {width} bits")
    least = -1 if attrs.bits == 1 else 0
    if not least <= attrs.bit_axis <= data.rank:
        raise WrongArgument(f"bit_axis is {attrs.bit_axis}, but must be from {least} to {data.rank}")
    shape = [*data.shape[:axis], shapes.floor_div(size, width), *data.shape[axis + 1 :]]
    if attrs.bit_axis >= 0:
        shape.insert(attrs.bit_axis, attrs.bits)
    return TensorType(tuple(shape), attrs.pack_type)


@bitpack.reference
def bitpack_numpy(data: Array, attrs: BitPackAttrs) -> Array:
    width, words = attrs.pack_type.bits, attrs.pack_type.numpy
    moved = np.moveaxis(data, attrs.pack_axis, -1)
    grouped = moved.reshape(*moved.shape[:-1], moved.shape[-1] // width, width)
    places = np.array([1 << place for place in reversed(range(width))], words)
    planes = [((grouped >> bit & 1).astype(words) * places).sum(-1, dtype=words) for bit in range(attrs.bits)]
    packed = [np.moveaxis(plane, -1, attrs.pack_axis) for plane in planes]
    return packed[0] if attrs.bit_axis < 0 else np.stack(packed, attrs.bit_axis)


class _Weighted(Protocol):
    @property
    def weight_bits(self) -> int: ...
    @property
    def unipolar(self) -> bool: ...


def _weights(weight: Array, attrs: _Weighted) -> Array:
    """What the kept bits of weights stand for: each 0 for -1 where they are unipolar."""
    kept = weight.astype(np.int64) & (2**attrs.weight_bits - 1)
    return 2 * kept - (2**attrs.weight_bits - 1) if attrs.unipolar else kept


@attrs("relay.attrs.BinaryConv2DAttrs")
class BinaryConv2DAttrs(Attrs):
    strides: Indices = (1, 1)
    """The step of the window."""
    padding: Indices = (0, 0)
    """Zeros before and after: one value, one for each axis, or all before and then all after."""
    kernel_size: Indices = (3, 3)
    """The size of the kernel."""
    channels: Index | None = None
    """The number of output channels."""
    activation_bits: int = 1
    """How many bits of the data count."""
    weight_bits: int = 1
    """How many bits of the weight count."""
    data_layout: str = "NCHW"
    """The layout of the data and of the result."""
    kernel_layout: str = "OIHW"
    """The layout of the weight."""
    pack_dtype: DType = VOID
    """The dtype of the words that an engine packs bits into."""
    out_dtype: DType = VOID
    """The dtype of the result; that of the data when void."""
    unipolar: bool = True
    """Whether a bit 0 of the weight stands for -1."""


@operator("nn.bitserial_conv2d", BinaryConv2DAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=2)
def bitserial_conv2d(data: TensorType, weight: TensorType, attrs: BinaryConv2DAttrs) -> Type:
    """The two-dimensional convolution of integers of a few bits."""
    layout = Layout.parse(attrs.data_layout)
    batch, channels, *sizes = layout.to("NCHW", data.shape)
    outputs, inputs, *kernel = Layout.parse(attrs.kernel_layout).to("OIHW", weight.shape, "the weight")
    if not shapes.dims_fit(channels, inputs):
        raise TypeMismatch(f"the data has {channels} channels, but the weight takes {inputs}")
    if attrs.channels is not None and not shapes.dims_fit(attrs.channels, outputs):
        raise TypeMismatch(f"channels is {attrs.channels}, but the weight makes {outputs}")
    if not all(map(shapes.dims_fit, attrs.kernel_size, kernel)):
        raise TypeMismatch(f"kernel_size is {attrs.kernel_size}, but the weight has {tuple(kernel)}")
    (strides, taps) = per_axis(2, strides=attrs.strides, kernel_size=attrs.kernel_size)
    before, after = sides(attrs.padding, 2)
    spatial = [shapes.window(sizes[a], taps[a], strides[a], 1, before[a] + after[a]) for a in range(2)]
    made = outputs if attrs.channels is None else shapes.known(outputs, attrs.channels)
    return TensorType(layout.of("NCHW", (batch, made, *spatial)), attrs.out_dtype or data.dtype)


@bitserial_conv2d.reference
def bitserial_conv2d_numpy(data: Array, weight: Array, attrs: BinaryConv2DAttrs) -> Array:
    layout = Layout.parse(attrs.data_layout)
    kept = (layout.array_to("NCHW", data) & (2**attrs.activation_bits - 1)).astype(np.float64)
    kernel = _weights(Layout.parse(attrs.kernel_layout).array_to("OIHW", weight), attrs).astype(np.float64)
    (strides,) = per_axis(2, strides=attrs.strides)
    result = convolved(padded(kept, *sides(attrs.padding, 2)), kernel, strides, (1, 1), 1)
    return layout.array_of("NCHW", narrowed(result, attrs.out_dtype.numpy if attrs.out_dtype else data.dtype))


@attrs("relay.attrs.BinaryDenseAttrs")
class BinaryDenseAttrs(Attrs):
    units: Index | None
    """The number of results; that of the weight when None."""
    data_bits: int = 1
    """How many bits of the data count."""
    weight_bits: int = 1
    """How many bits of the weight count."""
    pack_dtype: DType = VOID
    """The dtype of the words that an engine packs bits into."""
    out_dtype: DType = VOID
    """The dtype of the result; that of the data when void."""
    unipolar: bool = True
    """Whether a bit 0 of the weight stands for -1."""


@operator("nn.bitserial_dense", BinaryDenseAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=1)
def bitserial_dense(data: TensorType, weight: TensorType, attrs: BinaryDenseAttrs) -> Type:
    """Data (..., k) times the transpose of weight (units, k), integers of a few bits."""
    if weight.rank != 2 or data.rank < 1:
        raise TypeMismatch(f"data (..., k) and weight (units, k) are needed, not ranks {data.rank} and {weight.rank}")
    if not shapes.dims_fit(data.shape[-1], weight.shape[1]):
        raise TypeMismatch(f"data ends in {data.shape[-1]}, weight in {weight.shape[1]}; the two must be equal")
    if attrs.units is not None and not shapes.dims_fit(attrs.units, weight.shape[0]):
        raise TypeMismatch(f"units is {attrs.units}, but the weight makes {weight.shape[0]}")
    units = weight.shape[0] if attrs.units is None else shapes.known(weight.shape[0], attrs.units)
    return TensorType((*data.shape[:-1], units), attrs.out_dtype or data.dtype)


@bitserial_dense.reference
def bitserial_dense_numpy(data: Array, weight: Array, attrs: BinaryDenseAttrs) -> Array:
    kept = data.astype(np.int64) & (2**attrs.data_bits - 1)
    return product(kept, _weights(weight, attrs).T, attrs.out_dtype.numpy if attrs.out_dtype else data.dtype)
