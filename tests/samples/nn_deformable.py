"""Deformable convolutions, and correlations of two images."""

from __future__ import annotations

import numpy as np
import torch
from torchvision.ops import deform_conv2d

from tests.samples.layouts import permuted
from tests.samples.making import f32, sample
from torchrelay import op

CLOSE = {"rtol": 2e-5, "atol": 2e-5}


def seen(offset, kernel, stride=(1, 1), padding=(0, 0), dilation=(1, 1)):
    """1 for every tap that is at no negative row or column, 0 for the others."""
    moves = offset.unflatten(1, (-1, *kernel, 2))
    inside = torch.ones_like(moves[..., 0, :, :], dtype=torch.bool)
    for axis in range(2):
        taps = torch.arange(kernel[axis]) * dilation[axis] - padding[axis]
        steps = torch.arange(offset.shape[2 + axis]) * stride[axis]
        taps = taps.reshape((-1, 1, 1, 1) if axis == 0 else (-1, 1, 1))
        steps = steps.reshape((-1, 1) if axis == 0 else (-1,))
        inside &= moves[..., axis, :, :] + taps + steps >= 0
    return inside.flatten(1, 3).to(offset.dtype)


def deformed(data, offset, weight, **attributes):
    """A row of a deformable convolution."""
    source, kernel = attributes.get("data_layout", "NCHW"), attributes.get("kernel_layout", "OIHW")
    names = {"strides": "stride", "padding": "padding", "dilation": "dilation"}
    options = {torch_name: attributes[name] for name, torch_name in names.items() if name in attributes}

    def judge(x, o, w):
        parts = permuted(x, source, "NCHW"), permuted(o, source, "NCHW"), permuted(w, kernel, "OIHW")
        x, o, w = [part.contiguous() for part in parts]
        # torch fades in places before the first row or column too; in Relay these see nothing.
        return permuted(deform_conv2d(x, o, w, mask=seen(o, w.shape[2:], **options), **options), "NCHW", source)

    return sample(data, offset, weight, torch=judge, **CLOSE, **attributes)


def compared(first, second, size=1, most=1, step=1, step2=1, padding=(0, 0, 0, 0), multiply=True):
    """A row of a correlation, patch by patch."""

    def judge(a, b):
        around = ((0, 0), (0, 0), padding[::2], padding[1::2])
        a, b = np.pad(a, around), np.pad(b, around)
        border = 2 * (most + size // 2)
        rows, columns = range(most, a.shape[2] - border + most, step), range(most, a.shape[3] - border + most, step)
        moves = range(-(most // step2) * step2, most + 1, step2)
        channels = [(down, right) for down in moves for right in moves]
        result = np.zeros((len(a), len(channels), len(rows), len(columns)), a.dtype)
        for n, channel, i, j in np.ndindex(*result.shape):
            (y, x), (down, right) = (rows[i], columns[j]), channels[channel]
            one = a[n, :, y : y + size, x : x + size]
            two = b[n, :, y + down : y + down + size, x + right : x + right + size]
            result[n, channel, i, j] = (one * two if multiply else abs(one - two)).mean()
        return result

    return sample(
        first,
        second,
        numpy=judge,
        kernel_size=size,
        max_displacement=most,
        stride1=step,
        stride2=step2,
        padding=padding,
        is_multiply=multiply,
        **CLOSE,
    )


ROWS = {
    op.nn.deformable_conv2d: [
        deformed(f32(2, 4, 6, 7), f32(2, 18, 4, 5), f32(6, 4, 3, 3)),
        deformed(
            f32(2, 4, 6, 7),
            f32(2, 36, 6, 7, low=-3, high=3),
            f32(6, 2, 3, 3),
            padding=(1, 1),
            deformable_groups=2,
            groups=2,
            channels=6,
            kernel_size=(3, 3),
        ),
        deformed(f32(1, 2, 8, 8), f32(1, 12, 3, 3), f32(3, 2, 2, 3), strides=(2, 2), dilation=(2, 1)),
        deformed(f32(1, 6, 7, 4), f32(1, 4, 5, 18), f32(3, 3, 4, 2), data_layout="NHWC", kernel_layout="HWIO"),
    ],
    op.nn.correlation: [
        compared(f32(1, 3, 6, 7), f32(1, 3, 6, 7, seed=1), most=2, padding=(2, 2, 2, 2)),
        compared(f32(1, 3, 6, 7), f32(1, 3, 6, 7, seed=1), size=3, most=2, step=2, step2=2, padding=(3, 3, 3, 3)),
        compared(f32(2, 3, 6, 7), f32(2, 3, 6, 7, seed=1), size=3, padding=(1, 2, 3, 1), multiply=False),
        compared(f32(1, 2, 8, 8), f32(1, 2, 8, 8, seed=1), most=3, step2=2),
    ],
}
