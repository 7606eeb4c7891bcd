"""Convolutions in blocks, with weights in tiles, and by Winograd's way."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.samples.layouts import ends, permuted
from tests.samples.making import array, f32, i8, sample, u8
from torchrelay import op
from torchrelay.op.nn.winograd import kernel_transform

CLOSE = {"rtol": 2e-5, "atol": 2e-5}


def convolved(x, w, padding=(0, 0), groups=1):
    """The convolution of torch in float64, with padding as Relay has it."""
    wide = F.pad(x.double(), ends(padding, w.ndim - 2))
    return (F.conv2d if w.ndim == 4 else F.conv3d)(wide, w.double(), groups=groups)


def blocked(data, weight, **attributes):
    """A row of a convolution of data in blocks."""
    source, kernel = attributes["data_layout"], attributes["kernel_layout"]

    def judge(x, w):
        parts = permuted(x, source, "NCHW"), permuted(w, kernel, "OIHW")
        result = convolved(*parts, attributes.get("padding", (0, 0)), attributes.get("groups", 1))
        return permuted(result.to(x.dtype), "NCHW", attributes.get("out_layout", source))

    return sample(data, weight, torch=judge, **CLOSE, **attributes)


def tiles(weights, rows, columns, swapped=False):
    """The matrix of a weight HWIO in tiles, with zeros at its ends, element by element."""
    matrix = weights.reshape(-1, weights.shape[-1])
    depth, width = -(-len(matrix) // (4 * rows)) * 4, -(-matrix.shape[1] // columns)
    result = np.zeros((width, depth, rows, columns), weights.dtype)
    for (row, column), value in np.ndenumerate(matrix):
        result[column // columns, row // rows, row % rows, column % columns] = value
    return result.swapaxes(2, 3) if swapped else result


def tiled(data, weight, padding=(0, 0), **options):
    """A row of a convolution of data NHWC with a weight HWIO in tiles of 4 x 8."""

    def judge(x, _):
        kernel = permuted(torch.from_numpy(weight), "HWIO", "OIHW")
        result = convolved(permuted(x, "NHWC", "NCHW"), kernel, padding)
        dtype = getattr(torch, options["out_dtype"]) if options else x.dtype
        return permuted(result.to(dtype), "NCHW", "NHWC")

    height, width, _, channels = weight.shape
    sizes = {"channels": channels, "kernel_size": (height, width)}
    layouts = {"data_layout": "NHWC", "kernel_layout": "HWIO"}
    weights = tiles(weight, 4, 8, swapped=weight.itemsize == 1)
    return sample(data, weights, torch=judge, padding=padding, **sizes, **layouts, **CLOSE, **options)


def at_points(weight, tile, axes):
    """A weight O I ... whose kernels are polynomials, taken at points along axes."""
    result = weight.astype("float64")
    for axis in axes:
        matrix = kernel_transform(tile, weight.shape[axis])
        result = np.moveaxis(np.moveaxis(result, axis, -1) @ matrix.T, -1, axis)
    return result


def winograd(data, weight, tile_size, padding):
    """A row of a convolution with a transformed weight."""
    rank = weight.ndim - 2
    flat = rank == 3 and not 2 < weight.shape[2] < 8
    axes = (3, 4) if flat else tuple(range(2, weight.ndim))
    order = (3, 4, 2, 1, 0) if flat else (*axes, 1, 0)
    transformed = at_points(weight, tile_size, axes).transpose(order).astype(weight.dtype)
    judge = lambda x, _: convolved(x, torch.from_numpy(weight), padding).to(x.dtype)
    sizes = {"channels": len(weight), "kernel_size": weight.shape[2:]}
    return sample(data, transformed, torch=judge, tile_size=tile_size, padding=padding, rtol=1e-3, atol=1e-4, **sizes)


def at_points_of_tile(tile, taps):
    """A row of a weight's transform, with the law that the kernel is found in it again."""

    def judge(weight):
        result = at_points(weight, tile, (2, 3))
        solve = np.linalg.pinv(kernel_transform(tile, taps))
        np.testing.assert_allclose(solve @ result @ solve.T, weight, rtol=1e-4, atol=1e-4)
        return result.transpose(2, 3, 0, 1).astype(weight.dtype)

    return sample(f32(2, 3, taps, taps), tile_size=tile, numpy=judge, rtol=1e-5, atol=1e-5)


HALVES = array([[1, 0, 0], [0.5, -0.5, 0.5], [0.5, 0.5, 0.5], [0, 0, 1]])
FIFTEENTHS = array([[15, 0, 0], [-5, 5, -5], [5, 5, 5], [-16, -8, -4], [1, -2, 4], [0, 0, 15]]) / np.float32(15)
NNPACK = np.array([[90, 0, 0], [-20, -20, -20], [-20, 20, -20], [1, 2, 4], [1, -2, 4], [64, 32, 16], [64, -32, 16]])
EIGHTHS = array([*NNPACK, [0, 0, 90]]) / np.float32(90)

ROWS = {
    op.nn.contrib_conv2d_NCHWc: [
        blocked(
            f32(1, 2, 6, 6, 4),
            f32(2, 2, 3, 3, 4, 8),
            padding=(1, 1),
            channels=16,
            kernel_size=(3, 3),
            data_layout="NCHW4c",
            kernel_layout="OIHW4i8o",
            out_layout="NCHW8c",
        ),
        blocked(f32(1, 2, 6, 6, 4), f32(3, 2, 3, 3, 4, 4), data_layout="NCHW4c", kernel_layout="OIHW4i4o"),
    ],
    op.nn.contrib_depthwise_conv2d_NCHWc: [
        blocked(
            f32(1, 2, 6, 6, 4),
            f32(2, 1, 3, 3, 1, 4),
            groups=8,
            padding=(1, 1),
            channels=8,
            kernel_size=(3, 3),
            data_layout="NCHW4c",
            kernel_layout="OIHW1i4o",
        ),
    ],
    op.nn.contrib_conv2d_gemm_weight_transform: [
        sample(f32(3, 3, 4, 10), tile_N=4, tile_K=4, numpy=lambda w: tiles(w, 4, 4)),
        sample(f32(1, 1, 17, 3), tile_N=4, tile_K=2, numpy=lambda w: tiles(w, 2, 4)),
        sample(i8(3, 3, 4, 10), tile_N=4, tile_K=16, numpy=lambda w: tiles(w, 16, 4, swapped=True)),
        sample(u8(1, 1, 64, 4), tile_N=4, tile_K=16, numpy=lambda w: tiles(w, 16, 4, swapped=True)),
    ],
    op.nn.contrib_conv2d_gemm_without_weight_transform: [
        tiled(f32(1, 6, 7, 4), f32(3, 3, 4, 10), padding=(1, 1)),
        tiled(i8(1, 6, 7, 3), i8(3, 3, 3, 5), out_dtype="int32"),
    ],
    op.nn.contrib_conv2d_winograd_weight_transform: [
        sample(f32(4, 3, 3, 3), tile_size=2, numpy=lambda w: np.einsum("ar,oirs,bs->aboi", HALVES, w, HALVES)),
        sample(f32(4, 3, 3, 3), tile_size=4, numpy=lambda w: np.einsum("ar,oirs,bs->aboi", FIFTEENTHS, w, FIFTEENTHS)),
        *[at_points_of_tile(tile, taps) for tile, taps in [(3, 3), (6, 3), (2, 5), (4, 5), (3, 7), (4, 7), (5, 7)]],
    ],
    op.nn.contrib_conv2d_winograd_without_weight_transform: [
        winograd(f32(1, 3, 6, 6), f32(4, 3, 3, 3), 2, (1, 1)),
        winograd(f32(1, 3, 6, 6), f32(4, 3, 3, 3), 4, (0, 0)),
        winograd(f32(1, 3, 8, 8), f32(4, 3, 5, 5), 4, (2, 2)),
    ],
    op.nn.contrib_conv3d_winograd_weight_transform: [
        sample(
            f32(4, 2, 3, 3, 3),
            tile_size=2,
            numpy=lambda w: np.einsum("ar,bs,ct,oirst->abcoi", HALVES, HALVES, HALVES, w),
            known_dims=True,
        ),
        sample(
            f32(4, 2, 1, 3, 3),
            tile_size=2,
            numpy=lambda w: np.einsum("ar,bs,oidrs->abdoi", HALVES, HALVES, w),
            known_dims=True,
        ),
    ],
    op.nn.contrib_conv3d_winograd_without_weight_transform: [
        winograd(f32(1, 2, 5, 6, 6), f32(3, 2, 3, 3, 3), 2, (1, 1, 1)),
        winograd(f32(1, 2, 5, 6, 6), f32(3, 2, 1, 3, 3), 4, (0, 1, 1)),
    ],
    op.nn.contrib_conv2d_winograd_nnpack_weight_transform: [
        sample(
            f32(4, 3, 3, 3),
            convolution_algorithm=3,
            numpy=lambda w: np.einsum("ar,oirs,bs->oiab", EIGHTHS, w, EIGHTHS),
        ),
    ],
}
