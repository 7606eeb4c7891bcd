"""Convolutions by Winograd's way: weights transformed beforehand, and convolutions that take such weights."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    VOID,
    Attrs,
    Dim,
    DType,
    Fusion,
    TensorType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array
from torchrelay.op.nn.conv import Conv2DAttrs, Conv3DAttrs, conv_numpy, conv_type

__all__ = [
    "contrib_conv2d_winograd_nnpack_weight_transform",
    "contrib_conv2d_winograd_weight_transform",
    "contrib_conv2d_winograd_without_weight_transform",
    "contrib_conv3d_winograd_weight_transform",
    "contrib_conv3d_winograd_without_weight_transform",
]

_FIRST = (0, -1, 1, 1 / 2)
_SEVEN = (*_FIRST, -1 / 2, 2, -2)
_POINTS = {
    **{count: _FIRST[:count] for count in range(1, 5)},
    5: (*_FIRST, -2),
    6: (*_FIRST, -2, -1 / 2),
    7: _SEVEN,
    8: (*_SEVEN, -1 / 4),
    9: (*_SEVEN, -1 / 4, 4),
    10: (*_SEVEN, -1 / 4, 3 / 4, -4 / 3),
}
"""The finite points at which polynomials are taken, by their number; the last point is infinity."""


def _points(tile: int, taps: int) -> tuple[float, ...]:
    count = tile + taps - 2
    if count not in _POINTS:
        most = max(_POINTS) + 2
        raise WrongArgument(
            f"tile_size {tile} and a kernel of {taps} make {tile + taps}, but must make from 3 to {most}"
        )
    return _POINTS[count]


def kernel_transform(tile: int, taps: int) -> Array:
    """The matrix (tile + taps - 1, taps) that takes a kernel to its values at the points (Cook and Toom)."""
    points = np.array(_points(tile, taps))
    distances = points[:, None] - points
    np.fill_diagonal(distances, 1)
    shares = 1 / distances.prod(1)
    shares[0] = abs(shares[0])
    rows = points[:, None] ** np.arange(taps) * shares[:, None]
    last = np.eye(1, taps, taps - 1)
    return np.concatenate([rows, last])


def _transformed(data: Array, axis: int, matrix: Array) -> Array:
    return np.moveaxis(np.tensordot(matrix, data, (1, axis)), 0, axis)


@attrs("relay.attrs.ConvWinogradWeightTransformAttrs")
class ConvWinogradWeightTransformAttrs(Attrs):
    tile_size: int
    """How many results a tile makes along each axis."""


def _tiled(taps: Dim, tile: int) -> Dim:
    if isinstance(taps, int):
        _points(tile, taps)
    return shapes.add(taps, tile - 1)


@operator("nn.contrib_conv2d_winograd_weight_transform", ConvWinogradWeightTransformAttrs, Fusion.OUT_ELEMWISE_FUSABLE)
def contrib_conv2d_winograd_weight_transform(weight: TensorType, attrs: ConvWinogradWeightTransformAttrs) -> Type:
    """A weight OIHW with its kernels at the points of tiles: (tile + H - 1, tile + W - 1, O, I)."""
    if weight.rank != 4:
        raise TypeMismatch(f"the weight must be OIHW, not of rank {weight.rank}")
    outputs, inputs, *kernel = weight.shape
    return TensorType((*(_tiled(taps, attrs.tile_size) for taps in kernel), outputs, inputs), weight.dtype)


@contrib_conv2d_winograd_weight_transform.reference
def winograd_weight_2d(weight: Array, attrs: ConvWinogradWeightTransformAttrs) -> Array:
    result = weight
    for axis in (2, 3):
        result = _transformed(result, axis, kernel_transform(attrs.tile_size, weight.shape[axis]))
    return result.transpose(2, 3, 0, 1).astype(weight.dtype)


def _has_depth(depth: Dim) -> bool:
    """Whether the depth of a kernel is worth a transform; other kernels are transformed along height and width alone."""
    return isinstance(depth, int) and 2 < depth < 8


@operator("nn.contrib_conv3d_winograd_weight_transform", ConvWinogradWeightTransformAttrs, Fusion.OUT_ELEMWISE_FUSABLE)
def contrib_conv3d_winograd_weight_transform(weight: TensorType, attrs: ConvWinogradWeightTransformAttrs) -> Type:
    """A weight OIDHW with its kernels at the points of tiles: (tile + D - 1, tile + H - 1, tile + W - 1, O, I).

    Kernels of a depth below 3 or above 7 are as many of two dimensions: (tile + H - 1, tile + W - 1, D, O, I).
    """
    if weight.rank != 5:
        raise TypeMismatch(f"the weight must be OIDHW, not of rank {weight.rank}")
    outputs, inputs, *kernel = weight.shape
    (depth,) = shapes.static(kernel[:1], "the depth of the kernel")
    height, width = (_tiled(taps, attrs.tile_size) for taps in kernel[1:])
    tile = (_tiled(depth, attrs.tile_size), height, width) if _has_depth(depth) else (height, width, depth)
    return TensorType((*tile, outputs, inputs), weight.dtype)


@contrib_conv3d_winograd_weight_transform.reference
def winograd_weight_3d(weight: Array, attrs: ConvWinogradWeightTransformAttrs) -> Array:
    result, has_depth = weight, _has_depth(weight.shape[2])
    for axis in (2, 3, 4) if has_depth else (3, 4):
        result = _transformed(result, axis, kernel_transform(attrs.tile_size, weight.shape[axis]))
    order = (2, 3, 4, 0, 1) if has_depth else (3, 4, 2, 0, 1)
    return result.transpose(order).astype(weight.dtype)


class _Tiles(Attrs):
    tile_size: int
    """How many results a tile makes along each axis."""


@attrs("relay.attrs.Conv2DWinogradAttrs")
class Conv2DWinogradAttrs(Conv2DAttrs, _Tiles):
    pass


@attrs("relay.attrs.Conv3DWinogradAttrs")
class Conv3DWinogradAttrs(Conv3DAttrs, _Tiles):
    data_layout: str = "NCDHW"
    kernel_layout: str = "OIDHW"
    out_layout: str = ""


WinogradAttrs = Conv2DWinogradAttrs | Conv3DWinogradAttrs


def _kernel(attrs: WinogradAttrs) -> tuple[int, ...]:
    if attrs.channels is None or attrs.kernel_size is None:
        raise WrongArgument("channels and kernel_size must be given, because a transformed weight does not tell them")
    if attrs.groups != 1:
        raise WrongArgument(f"groups is {attrs.groups}, but must be 1")
    return shapes.static(attrs.kernel_size, "kernel_size")


def _convolution_type(data: TensorType, weight: TensorType, attrs: WinogradAttrs, rank: int) -> TensorType:
    kernel, tile = _kernel(attrs), attrs.tile_size
    height, width = (_tiled(taps, tile) for taps in kernel[-2:])
    inputs = Layout.parse(attrs.data_layout).to("NCHW" if rank == 2 else "NCDHW", data.shape)[1]
    sizes: tuple[Dim, ...] = (height, width, *kernel[:-2])
    if rank == 3 and _has_depth(kernel[0]):
        sizes = (_tiled(kernel[0], tile), height, width)
    wanted: tuple[Dim, ...] = (*sizes, inputs, attrs.channels or 0)
    if weight.rank != len(wanted) or not all(map(shapes.dims_fit, weight.shape, wanted)):
        raise TypeMismatch(f"the transformed weight must have the shape {wanted}, not {weight.shape}")
    plain = TensorType((attrs.channels or 0, inputs, *kernel), weight.dtype)
    return conv_type(data, plain, attrs.replace(kernel_layout="OIHW" if rank == 2 else "OIDHW"), rank)


def _restored(weight: Array, attrs: WinogradAttrs) -> Array:
    """The weight O I *kernel that the transformed weight *tile I O was made of."""
    kernel = _kernel(attrs)
    result = weight.astype(np.float64, copy=False)
    if len(kernel) == 3 and not _has_depth(kernel[0]):
        result = np.moveaxis(result, 2, 0)
    for axis, taps in enumerate(kernel):
        if axis > 0 or len(kernel) == 2 or _has_depth(taps):
            result = _transformed(result, axis, np.linalg.pinv(kernel_transform(attrs.tile_size, taps)))
    return np.moveaxis(result, (-1, -2), (0, 1)).astype(weight.dtype)


def _convolution_numpy(data: Array, weight: Array, attrs: WinogradAttrs, rank: int) -> Array:
    return conv_numpy(
        data, _restored(weight, attrs), attrs.replace(kernel_layout="OIHW" if rank == 2 else "OIDHW"), rank
    )


@operator("nn.contrib_conv2d_winograd_without_weight_transform", Conv2DWinogradAttrs, Fusion.OUT_ELEMWISE_FUSABLE)
def contrib_conv2d_winograd_without_weight_transform(
    data: TensorType, weight: TensorType, attrs: Conv2DWinogradAttrs
) -> Type:
    """The two-dimensional convolution with a transformed weight (tile + H - 1, tile + W - 1, I, O)."""
    return _convolution_type(data, weight, attrs, 2)


@contrib_conv2d_winograd_without_weight_transform.reference
def contrib_conv2d_winograd_without_weight_transform_numpy(
    data: Array, weight: Array, attrs: Conv2DWinogradAttrs
) -> Array:
    return _convolution_numpy(data, weight, attrs, 2)


@operator("nn.contrib_conv3d_winograd_without_weight_transform", Conv3DWinogradAttrs, Fusion.OUT_ELEMWISE_FUSABLE)
def contrib_conv3d_winograd_without_weight_transform(
    data: TensorType, weight: TensorType, attrs: Conv3DWinogradAttrs
) -> Type:
    """The three-dimensional convolution with a transformed weight (*tile, I, O)."""
    return _convolution_type(data, weight, attrs, 3)


@contrib_conv3d_winograd_without_weight_transform.reference
def contrib_conv3d_winograd_without_weight_transform_numpy(
    data: Array, weight: Array, attrs: Conv3DWinogradAttrs
) -> Array:
    return _convolution_numpy(data, weight, attrs, 3)


@attrs("relay.attrs.Conv2DWinogradNNPACKWeightTransformAttrs")
class Conv2DWinogradNNPACKWeightTransformAttrs(Attrs):
    convolution_algorithm: int
    """NNPACK's number of the algorithm: 3 is Winograd's in float32, 6 in float16."""
    out_dtype: DType = VOID
    """The dtype of the result; that of the weight when void."""


@operator("nn.contrib_conv2d_winograd_nnpack_weight_transform", Conv2DWinogradNNPACKWeightTransformAttrs, Fusion.OPAQUE)
def contrib_conv2d_winograd_nnpack_weight_transform(
    weight: TensorType, attrs: Conv2DWinogradNNPACKWeightTransformAttrs
) -> Type:
    """A weight OIHW of 3 x 3 kernels with its kernels at the points of NNPACK's tiles: (O, I, 8, 8)."""
    if weight.rank != 4 or not all(shapes.dims_fit(taps, 3) for taps in weight.shape[2:]):
        raise TypeMismatch(f"the weight must be OIHW with kernels of 3 x 3, not of shape {weight.shape}")
    if attrs.convolution_algorithm not in (3, 6):
        raise WrongArgument(f"convolution_algorithm is {attrs.convolution_algorithm}, but must be 3 or 6 (Winograd's)")
    return TensorType((*weight.shape[:2], 8, 8), attrs.out_dtype or weight.dtype)


_NNPACK = np.array(
    [
        [1, 0, 0],
        [-2 / 9, -2 / 9, -2 / 9],
        [-2 / 9, 2 / 9, -2 / 9],
        [1 / 90, 1 / 45, 2 / 45],
        [1 / 90, -1 / 45, 2 / 45],
        [32 / 45, 16 / 45, 8 / 45],
        [32 / 45, -16 / 45, 8 / 45],
        [0, 0, 1],
    ]
)


@contrib_conv2d_winograd_nnpack_weight_transform.reference
def nnpack_weight_numpy(weight: Array, attrs: Conv2DWinogradNNPACKWeightTransformAttrs) -> Array:
    dtype = attrs.out_dtype.numpy if attrs.out_dtype else weight.dtype
    return _transformed(_transformed(weight, 2, _NNPACK), 3, _NNPACK).astype(dtype)
