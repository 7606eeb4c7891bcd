"""Operators that change the shape of a tensor or the order of its elements, join tensors and cut them."""

from __future__ import annotations

import numpy as np
import torch

from tests.samples.making import array, f32, i8, i32, i64, sample
from torchrelay import op

DATA = f32(2, 3, 4)


def reshapes(shape, newshape, wanted, **options):
    """A row of one new shape, judged by the sizes it means."""
    return sample(f32(*shape), newshape=newshape, numpy=lambda x: x.reshape(wanted), **options)


def unblocked(x):
    """NCHW of NCHW4c."""
    batch, outer, height, width, inner = x.shape
    return x.transpose(0, 1, 4, 2, 3).reshape(batch, outer * inner, height, width)


def blocked(x, size):
    """NCHW4c, or with another size of block, of NCHW, with zeros where channels are missing."""
    batch, channels, height, width = x.shape
    blocks = -(-channels // size)
    full = np.zeros((batch, blocks * size, height, width), x.dtype)
    full[:, :channels] = x
    return full.reshape(batch, blocks, size, height, width).transpose(0, 1, 3, 4, 2)


def reversed_rows(x, lengths, axis, batch):
    """The head of each sequence turned around, in a loop."""
    result = np.moveaxis(x.copy(), (batch, axis), (0, 1))
    for row, length in zip(result, lengths, strict=True):
        row[:length] = row[:length][::-1].copy()
    return np.moveaxis(result, (0, 1), (batch, axis))


ROWS = {
    op.reshape: [
        reshapes((2, 3, 4), (6, 4), (6, 4)),
        reshapes((2, 3, 4), (0, -1), (2, 12)),
        reshapes((2, 3, 4), (-2,), (2, 3, 4)),
        reshapes((2, 3, 4), (-3, 4), (6, 4)),
        reshapes((2, 3, 4), (-4, 1, 2, -2), (1, 2, 3, 4)),
        reshapes((2, 3, 4), (2, -4, -1, 3, -2), (2, 1, 3, 4)),
        reshapes((2, 3, 4), (2, 0, 0, 1), (2, 3, 4, 1)),
        reshapes((2, 3, 4), (-1, 0, 4), (2, 3, 4)),
        reshapes((2, 3, 4), (0, 2, -1), (2, 2, 6)),
        reshapes((), (1,), (1,)),
        reshapes((1,), (), ()),
        reshapes((0, 3), (0, -1), (0, 3)),
        reshapes((0, 3), (3, 0), (3, 0), allowzero=True),
        reshapes((0, 3), (-1, 3), (0, 3)),
        sample(f32(3, 2).T, newshape=(-1,), torch=lambda x: x.reshape(-1)),
    ],
    op.contrib_reverse_reshape: [
        reshapes((10, 5, 4), (-1, 0), (50, 4)),
        reshapes((2, 3, 4, 5), (-3, 0, 0), (6, 4, 5)),
        reshapes((2, 3, 4, 5), (-2, 0, -3), (2, 3, 20)),
        reshapes((8, 3), (2, 4, -4, 0), (2, 4, 3)),
    ],
    op.reshape_like: [
        sample(DATA, f32(6, 4), numpy=lambda x, y: x.reshape(6, 4)),
        sample(f32(30, 7), f32(15, 2, 4), lhs_end=1, rhs_end=2, numpy=lambda x, y: x.reshape(15, 2, 7)),
        sample(f32(2, 6), f32(2, 3, 2), lhs_begin=-1, rhs_begin=1, numpy=lambda x, y: x.reshape(2, 3, 2)),
    ],
    op.expand_dims: [
        sample(DATA, axis=3, num_newaxis=2, numpy=lambda x: x[..., None, None]),
        sample(DATA, axis=-1, num_newaxis=2, numpy=lambda x: x[..., None, None]),
        sample(f32(2, 3), axis=-2, num_newaxis=2, numpy=lambda x: x[:, None, None]),
        sample(DATA, axis=0, torch=lambda x: x.unsqueeze(0)),
        sample(f32(), axis=-1, torch=lambda x: x.unsqueeze(-1)),
        sample(DATA, axis=1, num_newaxis=0, numpy=lambda x: x),
    ],
    op.squeeze: [
        sample(f32(1, 3, 1), known_dims=True, torch=lambda x: x.squeeze()),
        sample(f32(1, 3, 1), axis=(0,), torch=lambda x: x.squeeze(0)),
        sample(f32(1, 3, 1), axis=(-1, 0), torch=lambda x: x.squeeze((0, 2))),
        sample(f32(1, 3, 1), axis=(), numpy=lambda x: x),
        sample(f32(1, 3, 1), axis=(0, -3), torch=lambda x: x.squeeze(0)),
    ],
    op.transpose: [
        sample(DATA, axes=None, torch=lambda x: x.permute(2, 1, 0)),
        sample(DATA, axes=(0, 2, -2), torch=lambda x: x.permute(0, 2, 1)),
        sample(f32(), axes=None, numpy=lambda x: x),
    ],
    op.reverse: [sample(DATA, axis=1, torch=lambda x: x.flip(1)), sample(DATA, axis=-1, torch=lambda x: x.flip(2))],
    op.reverse_sequence: [
        sample(DATA, array([3, 1], "int64"), numpy=lambda x, n: reversed_rows(x, n, 1, 0)),
        sample(DATA, array([2, 0, 1], "int32"), seq_axis=0, batch_axis=1, numpy=lambda x, n: reversed_rows(x, n, 0, 1)),
        sample(
            DATA, array([2, 3, 9], "int32"), seq_axis=-1, batch_axis=1, numpy=lambda x, n: reversed_rows(x, n, 2, 1)
        ),
    ],
    op.layout_transform: [
        sample(f32(1, 8, 5, 6), src_layout="NCHW", dst_layout="NHWC", torch=lambda x: x.permute(0, 2, 3, 1)),
        sample(f32(1, 8, 5, 6), src_layout="NCHW", dst_layout="NCHW", numpy=lambda x: x),
        sample(f32(1, 8, 5, 6), src_layout="NCHW", dst_layout="NCHW4c", numpy=lambda x: blocked(x, 4)),
        sample(f32(1, 7, 5, 6), src_layout="NCHW", dst_layout="NCHW4c", numpy=lambda x: blocked(x, 4)),
        sample(f32(1, 2, 5, 6, 4), src_layout="NCHW4c", dst_layout="NCHW", numpy=unblocked),
        sample(f32(1, 3, 5, 6, 4), src_layout="NCHW4c", dst_layout="NCHW8c", numpy=lambda x: blocked(unblocked(x), 8)),
        sample(
            f32(16, 8, 3, 3),
            src_layout="OIHW",
            dst_layout="OIHW4i8o",
            numpy=lambda x: x.reshape(2, 8, 2, 4, 3, 3).transpose(0, 2, 4, 5, 3, 1),
        ),
    ],
    op.broadcast_to: [
        sample(f32(1, 3), shape=(2, 3), torch=lambda x: x.expand(2, 3)),
        sample(f32(3), shape=(4, 2, 3), torch=lambda x: x.expand(4, 2, 3)),
        sample(f32(), shape=(), torch=lambda x: x),
    ],
    op.broadcast_to_like: [sample(f32(1, 3), f32(4, 2, 3), torch=lambda x, y: x.expand_as(y))],
    op.collapse_sum_like: [
        sample(f32(4, 2, 3), f32(1, 3), numpy=lambda x, y: x.sum((0, 1))[None]),
        sample(f32(4, 3), f32(4, 3), numpy=lambda x, y: x),
    ],
    op.collapse_sum_to: [
        sample(f32(4, 3), array([1, 3], "int64"), shape=(1, 3), numpy=lambda x, shape: x.sum(0, keepdims=True)),
        sample(f32(4, 3), array([3], "int64"), shape=(3,), numpy=lambda x, shape: x.sum(0)),
        sample(f32(4, 3), array([3], "int64"), shape=None, known_dims=True, numpy=lambda x, shape: x.sum(0)),
    ],
    op.repeat: [
        sample(DATA, repeats=2, axis=1, torch=lambda x: x.repeat_interleave(2, 1)),
        sample(DATA, repeats=3, axis=-1, torch=lambda x: x.repeat_interleave(3, 2)),
    ],
    op.tile: [
        sample(DATA, reps=(2,), torch=lambda x: x.tile(2)),
        sample(DATA, reps=(2, 1, 1, 3), torch=lambda x: x.tile(2, 1, 1, 3)),
        sample(DATA, reps=(), torch=lambda x: x),
        sample(f32(), reps=(2, 3), torch=lambda x: x.tile(2, 3)),
    ],
    op.meshgrid: [
        sample((f32(3), f32(4), f32()), indexing="xy", numpy=lambda parts: tuple(np.meshgrid(*parts))),
        sample((f32(3), f32(4)), torch=lambda parts: torch.meshgrid(*parts, indexing="ij")),
        sample((i64(3),), indexing="xy", numpy=lambda parts: parts),
    ],
    op.concatenate: [
        sample((DATA, DATA), axis=-1, torch=lambda parts: torch.cat(parts, -1)),
        sample((DATA, f32(5, 3, 4), f32(0, 3, 4)), torch=torch.cat),
        sample((i8(3),), axis=0, torch=torch.cat),
    ],
    op.stack: [
        sample((DATA, DATA + 1), axis=3, torch=lambda parts: torch.stack(parts, 3)),
        sample((DATA, DATA + 1), axis=-4, torch=torch.stack),
        sample((f32(), f32(seed=1)), torch=torch.stack),
    ],
    op.split: [
        sample(DATA, indices_or_sections=2, torch=lambda x: x.chunk(2)),
        sample(DATA, indices_or_sections=(1, 3), axis=2, torch=lambda x: x.tensor_split((1, 3), 2)),
        sample(DATA, indices_or_sections=(1, 2), axis=-1, torch=lambda x: x.tensor_split((1, 2), 2)),
        sample(DATA, indices_or_sections=(), axis=2, torch=lambda x: (x,)),
    ],
    op.strided_slice: [
        sample(DATA, begin=(0, 1), end=(2, 3), strides=(1, 1), axes=None, numpy=lambda x: x[:, 1:3]),
        sample(DATA, begin=(0,), end=(10,), strides=(), axes=None, numpy=lambda x: x),
        sample(DATA, begin=(-1,), end=(-100,), strides=(-1,), axes=None, numpy=lambda x: x[::-1]),
        sample(DATA, begin=(-10,), end=(1,), strides=(1,), axes=None, numpy=lambda x: x[:1]),
        sample(DATA, begin=(5,), end=(9,), strides=(1,), axes=None, numpy=lambda x: x[:0]),
        sample(DATA, begin=(1,), end=(2**31 - 1,), strides=(2,), axes=(2,), numpy=lambda x: x[:, :, 1::2]),
        sample(DATA, begin=(3, 0), end=(0, 1), strides=(-2, 1), axes=(2, 0), numpy=lambda x: x[:1, :, 3:0:-2]),
        sample(DATA, begin=(1,), end=(-1,), strides=(1,), slice_mode="size", axes=None, numpy=lambda x: x[1:]),
        sample(
            DATA, begin=(1, 1), end=(1, 2), strides=(2, 2), slice_mode="size", axes=None, numpy=lambda x: x[1:2, 1:3]
        ),
        sample(DATA, begin=(-2,), end=(1,), strides=(1,), slice_mode="size", axes=(2,), numpy=lambda x: x[:, :, 2:3]),
        sample(DATA, begin=(1,), end=(2, 3), strides=(1, 1, 2), axes=None, numpy=lambda x: x[1:2, :3, ::2]),
        sample(DATA, begin=(), end=(), strides=(), axes=None, numpy=lambda x: x),
    ],
    op.strided_set: [
        sample(
            f32(3, 4),
            f32(2, 2, seed=1),
            array([0, 1], "int64"),
            array([2, 4], "int64"),
            array([1, 2], "int64"),
            torch=lambda x, v, *_: torch.cat([x[:2].slice_scatter(v, 1, 1, 4, 2), x[2:]]),
        ),
        sample(
            f32(4),
            f32(3, seed=1),
            array([3], "int32"),
            array([0], "int32"),
            array([-1], "int32"),
            numpy=lambda x, v, *_: array([x[0], v[2], v[1], v[0]]),
        ),
    ],
    op.slice_like: [
        sample(DATA, f32(1, 2, 3), axes=None, numpy=lambda x, y: x[:1, :2, :3]),
        sample(DATA, f32(1, 2), axes=None, numpy=lambda x, y: x[:1, :2]),
        sample(DATA, f32(1, 9), axes=(0,), numpy=lambda x, y: x[:1]),
        sample(DATA, f32(9, 9, 3), axes=(-1,), numpy=lambda x, y: x[:, :, :3]),
    ],
    op.sliding_window: [
        sample(DATA, axis=1, window_shape=(2, 3), strides=(1, 1), torch=lambda x: x.unfold(1, 2, 1).unfold(2, 3, 1)),
        sample(DATA, axis=2, window_shape=(2,), strides=(2,), torch=lambda x: x.unfold(2, 2, 2)),
        sample(
            DATA,
            axis=0,
            window_shape=(2, 2, 2),
            strides=(1, 1, 2),
            torch=lambda x: x.unfold(0, 2, 1).unfold(1, 2, 1).unfold(2, 2, 2),
        ),
    ],
    op.shape_of: [
        sample(DATA, dtype="int32", numpy=lambda x: array([2, 3, 4], "int32")),
        sample(f32(0, 2), dtype="int64", numpy=lambda x: array([0, 2], "int64")),
    ],
    op.ndarray_size: [
        sample(DATA, dtype="int32", numpy=lambda x: array(24, "int32")),
        sample(i32(), dtype="int64", numpy=lambda x: array(1, "int64")),
    ],
}
