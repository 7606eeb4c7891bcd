"""Padding, dilation, flattening."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.samples.making import array, f32, f64, i8, i32, i64, sample
from torchrelay import op


def flat(widths):
    """Widths as torch's ``pad`` takes them."""
    return [side for pair in reversed(widths) for side in pair]


def constant(data, value, *widths):
    """A row of padding with a value."""
    judge = lambda x, v: F.pad(x, flat(widths), value=v.item())
    return sample(data, array(value, str(data.dtype)), pad_width=widths, torch=judge)


def mirrored(data, mode, *widths):
    """A row of padding with the data's own elements."""
    return sample(data, f32(), pad_width=widths, pad_mode=mode, numpy=lambda x, v: np.pad(x, widths, mode))


def dilated(x, strides, value):
    """The data with a value between neighbours, by a zero-stuffing transposed convolution in each axis."""
    result = x
    for axis, step in enumerate(strides):
        parts = result.unbind(axis)
        filler = torch.full_like(parts[0], value)
        rows = [part for place in parts for part in (place, *[filler] * (step - 1))]
        result = torch.stack(rows[: len(rows) - step + 1], axis)
    return result


ROWS = {
    op.nn.pad: [
        constant(f32(2, 3), 1.5, (1, 2), (0, 3)),
        constant(f32(2, 3, 4, 5), 0, (0, 0), (0, 0), (1, 1), (2, 0)),
        constant(f32(4, 5), 7, (-1, 0), (1, -2)),
        constant(f32(4, 5), 7, (-3, 2), (1, -2)),
        constant(i8(2, 3), -128, (1, 0), (0, 1)),
        constant(i64(3), 2**40, (1, 1)),
        constant(f64(3), -np.inf, (1, 1)),
        sample(i32(3), f32(), pad_width=((1, 1),), numpy=lambda x, v: np.pad(x, 1, constant_values=int(v))),
        sample(f32(2, 3), f32(), pad_width=((0, 0), (0, 0)), torch=lambda x, v: x),
        mirrored(f32(3, 4), "edge", (1, 2), (2, 1)),
        mirrored(f32(3, 4), "reflect", (1, 2), (3, 1)),
        mirrored(f32(2, 3, 4), "reflect", (0, 0), (0, 0), (2, 2)),
        constant(f32(0, 3), 1, (1, 1), (0, 0)),
    ],
    op.nn.mirror_pad: [
        sample(f32(3, 4), pad_width=((1, 2), (3, 4)), numpy=lambda x: np.pad(x, ((1, 2), (3, 4)), "symmetric")),
        sample(
            f32(3, 4),
            mode="REFLECT",
            pad_width=((1, 2), (3, 0)),
            numpy=lambda x: np.pad(x, ((1, 2), (3, 0)), "reflect"),
        ),
        sample(
            f32(1, 2, 4, 5),
            mode="REFLECT",
            pad_width=((0, 0), (0, 0), (1, 3), (2, 1)),
            torch=lambda x: F.pad(x, (2, 1, 1, 3), "reflect"),
        ),
        sample(i32(3), pad_width=((1, 1),), numpy=lambda x: np.pad(x, 1, "symmetric")),
    ],
    op.nn.dilate: [
        sample(f32(3, 4), strides=(2, 3), torch=lambda x: dilated(x, (2, 3), 0.0)),
        sample(f32(3, 4), strides=(1, 2), dilation_value=1.5, torch=lambda x: dilated(x, (1, 2), 1.5)),
        sample(f32(3, 4), strides=(1, 1), torch=lambda x: x),
        sample(i32(3), strides=(3,), dilation_value=7, torch=lambda x: dilated(x, (3,), 7)),
        sample(f32(1, 2, 3, 4), strides=(1, 1, 2, 2), torch=lambda x: dilated(x, (1, 1, 2, 2), 0.0)),
    ],
    op.nn.batch_flatten: [
        sample(f32(2, 3, 4), torch=lambda x: x.flatten(1)),
        sample(f32(2, 3), torch=lambda x: x),
        sample(f32(2), torch=lambda x: x.reshape(2, 1)),
        sample(f32(0, 3, 4), torch=lambda x: x.reshape(0, 12)),
    ],
}
