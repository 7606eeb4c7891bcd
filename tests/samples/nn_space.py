"""Blocks of pixels in the channels or the batch, and buffers."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.samples.layouts import permuted
from tests.samples.making import f32, f64, i32, sample
from torchrelay import op


def laid_out(function, data, **attributes):
    """A row judged by a function of the data in the layout NCHW."""
    layout = attributes.get("layout", "NCHW")
    return sample(data, torch=lambda x: permuted(function(permuted(x, layout, "NCHW")), "NCHW", layout), **attributes)


def pixel_first(x, block):
    """``pixel_shuffle`` of channels in which the pixel of a block comes before the channel."""
    batch, channels, *sides = x.shape
    swapped = x.reshape(batch, block**2, channels // block**2, *sides).transpose(1, 2)
    return F.pixel_shuffle(swapped.reshape(x.shape), block)


def to_pixel_first(x, block):
    """``pixel_unshuffle`` into channels in which the pixel of a block comes before the channel."""
    result = F.pixel_unshuffle(x, block)
    batch, channels, *sides = result.shape
    return result.reshape(batch, channels // block**2, block**2, *sides).transpose(1, 2).reshape(result.shape)


def to_batch(data, blocks, paddings, **options):
    """A row of places made parts of the batch, by strided slices."""

    def judge(x):
        around = ((0, 0), *paddings, *((0, 0),) * (x.ndim - 1 - len(blocks)))
        wide = np.pad(x, around, constant_values=options.get("pad_value", 0))
        parts = [
            wide[(slice(None), *(slice(start, None, step) for start, step in zip(at, blocks, strict=True)))]
            for at in np.ndindex(*blocks)
        ]
        return np.concatenate(parts)

    return sample(data, numpy=judge, block_shape=blocks, paddings=paddings, **options)


def from_batch(data, blocks, crops):
    """A row of parts of the batch made places, by strided slices."""

    def judge(x):
        count = np.prod(blocks)
        parts = np.split(x[: len(x) // count * count], count)
        sizes = [size * block for size, block in zip(x.shape[1:], blocks, strict=False)]
        whole = np.empty((len(parts[0]), *sizes, *x.shape[1 + len(blocks) :]), x.dtype)
        for part, at in zip(parts, np.ndindex(*blocks), strict=True):
            whole[(slice(None), *(slice(start, None, step) for start, step in zip(at, blocks, strict=True)))] = part
        cut = [slice(low, size - high) for (low, high), size in zip(crops, sizes, strict=True)]
        return whole[(slice(None), *cut)]

    return sample(data, numpy=judge, block_shape=blocks, crops=crops)


ROWS = {
    op.nn.depth_to_space: [
        laid_out(lambda x: pixel_first(x, 2), f32(2, 12, 3, 4), block_size=2),
        laid_out(lambda x: F.pixel_shuffle(x, 2), f32(2, 12, 3, 4), block_size=2, mode="CRD"),
        laid_out(lambda x: pixel_first(x, 3), f32(2, 3, 4, 18), block_size=3, layout="NHWC"),
        laid_out(lambda x: F.pixel_shuffle(x, 2), f32(2, 3, 4, 12), block_size=2, layout="NHWC", mode="CRD"),
        laid_out(lambda x: F.pixel_shuffle(x, 2), f32(2, 12, 3, 4), block_size=2, mode="CDR"),
        laid_out(lambda x: x, f32(2, 3, 4, 5), block_size=1),
    ],
    op.nn.space_to_depth: [
        laid_out(lambda x: to_pixel_first(x, 2), f32(2, 3, 4, 6), block_size=2, mode=""),
        laid_out(lambda x: to_pixel_first(x, 2), f32(2, 3, 4, 6), block_size=2),
        laid_out(lambda x: to_pixel_first(x, 3), f32(2, 3, 6, 2), block_size=3, layout="NHWC"),
        laid_out(lambda x: x, f32(2, 3, 4, 5), block_size=1),
    ],
    op.nn.space_to_batch_nd: [
        to_batch(f32(2, 4, 6, 3), (2, 3), ((0, 0), (1, 2))),
        to_batch(f32(2, 5, 6), (2,), ((1, 0),), pad_value=1.5),
        to_batch(i32(1, 3, 4, 2), (2, 2), ((1, 2), (0, 0))),
        to_batch(f32(1, 4, 4, 6), (2, 1, 3), ((0, 0), (0, 0), (0, 0))),
    ],
    op.nn.batch_to_space_nd: [
        from_batch(f32(12, 2, 3, 3), (2, 3), ((0, 0), (1, 2))),
        from_batch(f32(4, 3, 2), (2,), ((1, 0),)),
        from_batch(f32(8, 2, 3, 4), (2, 2), ((1, 0), (0, 1))),
        from_batch(f32(7, 2, 3), (3,), ((0, 0),)),
        from_batch(f32(1, 3, 3, 4), (2, 2), ((0, 1), (0, 1))),
        from_batch(f32(6, 2, 4, 2), (2, 1, 3), ((0, 0), (0, 0), (0, 0))),
    ],
    op.nn.fifo_buffer: [
        sample(f32(1, 2, 3), f32(1, 5, 3), axis=1, torch=lambda x, b: torch.cat([b, x], 1)[:, -5:]),
        sample(f32(6, 2), f32(5, 2), torch=lambda x, b: x[-5:]),
        sample(f64(2, 1), f64(2, 4), axis=-1, torch=lambda x, b: torch.cat([b[:, 1:], x], 1)),
    ],
}
