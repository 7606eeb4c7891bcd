"""Blocks of pixels moved into the channels or the batch, and back."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    Any,
    Attrs,
    Dim,
    Fusion,
    Indices,
    Integers,
    TensorType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array

__all__ = ["batch_to_space_nd", "depth_to_space", "space_to_batch_nd", "space_to_depth"]


@attrs("relay.attrs.SubPixelAttrs")
class SubPixelAttrs(Attrs):
    block_size: int = 1
    """The side of a block of pixels."""
    layout: str = "NCHW"
    """The layout of the data."""
    mode: str = "DCR"
    """In which order a block's pixels lie in the channels: ``DCR`` pixel before channel, ``CRD`` channel before pixel."""


def _check(attrs: SubPixelAttrs) -> None:
    if attrs.block_size < 1:
        raise WrongArgument(f"block_size is {attrs.block_size}, but must be 1 or more")


@operator("nn.depth_to_space", SubPixelAttrs, Fusion.INJECTIVE, level=5)
def depth_to_space(data: TensorType, attrs: SubPixelAttrs) -> Type:
    """Blocks of pixels taken out of the channels."""
    _check(attrs)
    # TVM takes CDR, as its own programs write it, for CRD; the other way around it does not look at the mode.
    if attrs.mode not in ("DCR", "CRD", "CDR"):
        raise WrongArgument(f"mode is {attrs.mode!r}, but must be DCR or CRD")
    layout, block = Layout.parse(attrs.layout), attrs.block_size
    batch, channels, height, width = layout.to("NCHW", data.shape)
    if isinstance(channels, int) and channels % (block * block):
        raise TypeMismatch(f"{channels} channels do not hold blocks of {block} x {block}")
    shape = (batch, shapes.floor_div(channels, block * block), *(shapes.multiply(d, block) for d in (height, width)))
    return TensorType(layout.of("NCHW", shape), data.dtype)


@depth_to_space.reference
def depth_to_space_numpy(data: Array, attrs: SubPixelAttrs) -> Array:
    layout, block = Layout.parse(attrs.layout), attrs.block_size
    source = layout.array_to("NCHW", data)
    batch, channels, height, width = source.shape
    if attrs.mode == "DCR":
        cut = source.reshape(batch, block, block, channels // block**2, height, width).transpose(0, 3, 4, 1, 5, 2)
    else:
        cut = source.reshape(batch, channels // block**2, block, block, height, width).transpose(0, 1, 4, 2, 5, 3)
    return layout.array_of("NCHW", cut.reshape(batch, channels // block**2, height * block, width * block))


@operator("nn.space_to_depth", SubPixelAttrs, Fusion.INJECTIVE, level=5)
def space_to_depth(data: TensorType, attrs: SubPixelAttrs) -> Type:
    """Blocks of pixels put into the channels."""
    _check(attrs)
    layout, block = Layout.parse(attrs.layout), attrs.block_size
    batch, channels, height, width = layout.to("NCHW", data.shape)
    for size in (height, width):
        if isinstance(size, int) and size % block:
            raise TypeMismatch(f"a side of {size} is not cut into blocks of {block}")
    shape = (batch, shapes.multiply(channels, block * block), *(shapes.floor_div(d, block) for d in (height, width)))
    return TensorType(layout.of("NCHW", shape), data.dtype)


@space_to_depth.reference
def space_to_depth_numpy(data: Array, attrs: SubPixelAttrs) -> Array:
    layout, block = Layout.parse(attrs.layout), attrs.block_size
    source = layout.array_to("NCHW", data)
    batch, channels, height, width = source.shape
    cut = source.reshape(batch, channels, height // block, block, width // block, block).transpose(0, 3, 5, 1, 2, 4)
    return layout.array_of("NCHW", cut.reshape(batch, channels * block**2, height // block, width // block))


@attrs("relay.attrs.SpaceToBatchNDAttrs")
class SpaceToBatchNDAttrs(Attrs):
    block_shape: Integers = (1, 1)
    """The size of a block along each axis after the batch."""
    paddings: tuple[Indices, ...]
    """For each of these axes how much is added before and after."""
    pad_value: float = 0.0
    """What is added."""


@attrs("relay.attrs.BatchToSpaceNDAttrs")
class BatchToSpaceNDAttrs(Attrs):
    block_shape: Integers = (1, 1)
    """The size of a block along each axis after the batch."""
    crops: tuple[Indices, ...]
    """For each of these axes how much is taken off before and after."""


def _pairs(data: TensorType, block_shape: Integers, pairs: tuple[Indices, ...], name: str) -> list[tuple[int, ...]]:
    """The values at both ends of each axis. Raises WrongArgument where blocks and pairs do not fit the data."""
    count = len(block_shape)
    if count >= data.rank or any(block < 1 for block in block_shape):
        raise WrongArgument(f"block_shape is {block_shape}, but must have at most {data.rank - 1} values, 1 or more")
    if len(pairs) != count or any(len(pair) != 2 for pair in pairs):
        raise WrongArgument(f"{name} is {pairs}, but must have a pair for each of {count} axes")
    known = [shapes.static(pair, name) for pair in pairs]
    if any(min(pair) < 0 for pair in known):
        raise WrongArgument(f"{name} is {pairs}, but its values must be 0 or more")
    return known


def _cut(size: Dim, block: int) -> Dim:
    if isinstance(size, int) and size % block:
        raise TypeMismatch(f"a size of {size} is not cut into blocks of {block}")
    return shapes.floor_div(size, block)


@operator("nn.space_to_batch_nd", SpaceToBatchNDAttrs, Fusion.INJECTIVE, level=5)
def space_to_batch_nd(data: TensorType, attrs: SpaceToBatchNDAttrs) -> Type:
    """The data with something around it, and with each place of a block made a part of the batch."""
    blocks, count = attrs.block_shape, len(attrs.block_shape)
    around = _pairs(data, blocks, attrs.paddings, "paddings")
    grown = [shapes.add(size, sum(pair)) for size, pair in zip(data.shape[1:], around, strict=False)]
    sizes = [_cut(size, block) for size, block in zip(grown, blocks, strict=True)]
    batch = shapes.multiply(data.shape[0], shapes.product(blocks))
    return TensorType((batch, *sizes, *data.shape[1 + count :]), data.dtype)


@space_to_batch_nd.reference
def space_to_batch_nd_numpy(data: Array, attrs: SpaceToBatchNDAttrs) -> Array:
    count, blocks = len(attrs.block_shape), attrs.block_shape
    widths = [
        (0, 0),
        *(shapes.static(pair, "paddings") for pair in attrs.paddings),
        *[(0, 0)] * (data.ndim - 1 - count),
    ]
    around = np.pad(data, widths, constant_values=data.dtype.type(attrs.pad_value))
    batch, *sizes = around.shape
    cut = [part for size, block in zip(sizes, blocks, strict=False) for part in (size // block, block)]
    split = around.reshape(batch, *cut, *sizes[count:])
    inner, outer = range(2, 2 + 2 * count, 2), range(1, 1 + 2 * count, 2)
    moved = split.transpose(*inner, 0, *outer, *range(1 + 2 * count, split.ndim))
    return moved.reshape(batch * int(np.prod(blocks)), *cut[::2], *sizes[count:])


@operator("nn.batch_to_space_nd", BatchToSpaceNDAttrs, Fusion.INJECTIVE, level=5)
def batch_to_space_nd(data: TensorType, attrs: BatchToSpaceNDAttrs) -> Type:
    """The data with parts of the batch made places of blocks, and with something taken off its ends.

    Parts at the end of the batch that make no whole block are dropped.
    """
    blocks, count = attrs.block_shape, len(attrs.block_shape)
    off = _pairs(data, blocks, attrs.crops, "crops")
    batch = shapes.floor_div(data.shape[0], int(np.prod(blocks)))
    sizes = list[Dim]()
    for size, block, pair in zip(data.shape[1:], blocks, off, strict=False):
        left = shapes.subtract(shapes.multiply(size, block), sum(pair))
        if not isinstance(left, Any) and left < 0:
            raise WrongArgument(f"crops {pair} take more off than the {size} x {block} there are")
        sizes.append(left)
    return TensorType((batch, *sizes, *data.shape[1 + count :]), data.dtype)


@batch_to_space_nd.reference
def batch_to_space_nd_numpy(data: Array, attrs: BatchToSpaceNDAttrs) -> Array:
    count, blocks = len(attrs.block_shape), attrs.block_shape
    parts, *sizes = data.shape
    batch = parts // int(np.prod(blocks))
    split = data[: batch * int(np.prod(blocks))].reshape(*blocks, batch, *sizes)
    spatial = [axis for pair in zip(range(count + 1, 2 * count + 1), range(count), strict=True) for axis in pair]
    moved = split.transpose(count, *spatial, *range(2 * count + 1, split.ndim))
    grown = [size * block for size, block in zip(sizes, blocks, strict=False)]
    whole = moved.reshape(batch, *grown, *sizes[count:])
    crops = [shapes.static(pair, "crops") for pair in attrs.crops]
    return whole[(slice(None), *(slice(a, size - b) for (a, b), size in zip(crops, grown, strict=True)))]
