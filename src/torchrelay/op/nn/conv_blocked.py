"""Convolutions whose data or weight is cut into blocks, as code generators want them."""

from __future__ import annotations

import math

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Dim, Fusion, TensorType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array
from torchrelay.op.nn.conv import Conv2DAttrs, conv_numpy, conv_type

__all__ = [
    "contrib_conv2d_NCHWc",
    "contrib_conv2d_gemm_weight_transform",
    "contrib_conv2d_gemm_without_weight_transform",
    "contrib_depthwise_conv2d_NCHWc",
]


def _with_blocks(attrs: Conv2DAttrs, weight: tuple[Dim, ...]) -> Conv2DAttrs:
    """The record with the weight's blocks in its layout, where it names the axes alone."""
    if attrs.kernel_layout != "OIHW" or len(weight) != 6:
        return attrs
    inner, outer = shapes.static(weight[4:], "the weight's blocks")
    return attrs.replace(kernel_layout=f"OIHW{inner}i{outer}o")


@operator("nn.contrib_conv2d_NCHWc", Conv2DAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=10)
def contrib_conv2d_NCHWc(data: TensorType, weight: TensorType, attrs: Conv2DAttrs) -> Type:  # noqa: N802 Relay's name
    """The two-dimensional convolution of data in blocks of channels."""
    return conv_type(data, weight, _with_blocks(attrs, weight.shape), 2)


@contrib_conv2d_NCHWc.reference
def contrib_conv2d_nchwc_numpy(data: Array, weight: Array, attrs: Conv2DAttrs) -> Array:
    return conv_numpy(data, weight, _with_blocks(attrs, weight.shape), 2)


@operator("nn.contrib_depthwise_conv2d_NCHWc", Conv2DAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=10)
def contrib_depthwise_conv2d_NCHWc(data: TensorType, weight: TensorType, attrs: Conv2DAttrs) -> Type:  # noqa: N802 Relay's name
    """The two-dimensional convolution of data in blocks of channels, each channel on its own."""
    return conv_type(data, weight, _with_blocks(attrs, weight.shape), 2)


@contrib_depthwise_conv2d_NCHWc.reference
def contrib_depthwise_conv2d_nchwc_numpy(data: Array, weight: Array, attrs: Conv2DAttrs) -> Array:
    return conv_numpy(data, weight, _with_blocks(attrs, weight.shape), 2)


@attrs("relay.attrs.ConvGemmWeightTransformAttrs")
class ConvGemmWeightTransformAttrs(Attrs):
    tile_N: int  # noqa: N815 Relay's name
    """How many output channels a tile has."""
    tile_K: int  # noqa: N815 Relay's name
    """How many taps of the kernel, over all input channels, a tile has."""


_TILES = 4
"""Taps are filled up with zeros to a multiple of so many tiles."""


@operator("nn.contrib_conv2d_gemm_weight_transform", ConvGemmWeightTransformAttrs, Fusion.OUT_ELEMWISE_FUSABLE)
def contrib_conv2d_gemm_weight_transform(weights: TensorType, attrs: ConvGemmWeightTransformAttrs) -> Type:
    """A weight HWIO as a matrix of taps and output channels in tiles: (N / tile_N, K / tile_K, tile_K, tile_N).

    For 8-bit integers each tile is transposed.
    """
    if weights.rank != 4:
        raise TypeMismatch(f"the weight must be HWIO, not of rank {weights.rank}")
    taps = shapes.ceil_div(shapes.product(weights.shape[:3]), _TILES * attrs.tile_K)
    outer = shapes.ceil_div(weights.shape[3], attrs.tile_N), shapes.multiply(taps, _TILES)
    tile = (attrs.tile_N, attrs.tile_K) if weights.dtype.bits == 8 else (attrs.tile_K, attrs.tile_N)
    return TensorType((*outer, *tile), weights.dtype)


@contrib_conv2d_gemm_weight_transform.reference
def gemm_weight_numpy(weights: Array, attrs: ConvGemmWeightTransformAttrs) -> Array:
    outputs = weights.shape[3]
    matrix = weights.reshape(math.prod(weights.shape[:3]), outputs)
    more = -len(matrix) % (_TILES * attrs.tile_K), -outputs % attrs.tile_N
    matrix = np.pad(matrix, ((0, more[0]), (0, more[1])))
    tiles = matrix.reshape(-1, attrs.tile_K, matrix.shape[1] // attrs.tile_N, attrs.tile_N)
    return tiles.transpose(2, 0, 3, 1) if weights.dtype.itemsize == 1 else tiles.transpose(2, 0, 1, 3)


def _sizes(attrs: Conv2DAttrs, channels: Dim) -> tuple[Dim, ...]:
    """The shape HWIO of the weight before it was cut into tiles."""
    if attrs.channels is None or attrs.kernel_size is None:
        raise WrongArgument("channels and kernel_size must be given, because a weight in tiles does not tell them")
    return (*attrs.kernel_size, channels, attrs.channels)


@operator("nn.contrib_conv2d_gemm_without_weight_transform", Conv2DAttrs, Fusion.OUT_ELEMWISE_FUSABLE)
def contrib_conv2d_gemm_without_weight_transform(data: TensorType, weight: TensorType, attrs: Conv2DAttrs) -> Type:
    """The two-dimensional convolution of data NHWC with a weight in tiles."""
    if data.rank != 4 or weight.rank != 4 or attrs.data_layout != "NHWC" or attrs.groups != 1:
        raise TypeMismatch("data NHWC and a weight (N / tile_N, K / tile_K, tile_K, tile_N) in one group are needed")
    return conv_type(data, TensorType(_sizes(attrs, data.shape[3]), weight.dtype), _plain(attrs), 2)


def _plain(attrs: Conv2DAttrs) -> Conv2DAttrs:
    return attrs.replace(kernel_layout="HWIO")


@contrib_conv2d_gemm_without_weight_transform.reference
def conv2d_gemm_numpy(data: Array, weight: Array, attrs: Conv2DAttrs) -> Array:
    shape = shapes.static(_sizes(attrs, data.shape[3]), "the weight")
    tiles = weight.transpose(1, 3, 0, 2) if weight.dtype.itemsize == 1 else weight.transpose(1, 2, 0, 3)
    matrix = tiles.reshape(tiles.shape[0] * tiles.shape[1], -1)[: math.prod(shape[:3]), : shape[3]]
    return conv_numpy(data, matrix.reshape(shape), _plain(attrs), 2)
