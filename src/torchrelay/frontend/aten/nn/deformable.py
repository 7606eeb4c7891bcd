"""The converter of torchvision's convolutions whose taps are moved by offsets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from torchrelay import op
from torchrelay.frontend.aten.shape.cut import slice_axis
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.registry import torch_op
from torchrelay.ir import Expr, const, shapes

__all__: list[str] = []

Pair = tuple[int, int]


@torch_op("torchvision::deform_conv2d.default")
def deform_conv2d(
    input: Expr,
    weight: Expr,
    offset: Expr,
    mask: Expr,
    bias: Expr,
    stride_h: int,
    stride_w: int,
    pad_h: int,
    pad_w: int,
    dilation_h: int,
    dilation_w: int,
    groups: int,
    offset_groups: int,
    use_mask: bool,
) -> Expr:
    """A convolution of images (N, C, H, W) whose taps are moved by offsets and, with a mask, weighted at every place.

    Relay has no mask: with one, a convolution for each channel whose weights choose one tap gives what every tap sees, and
    the masked taps are summed by a plain convolution.
    """
    window = _Window((stride_h, stride_w), (pad_h, pad_w), (dilation_h, dilation_w))
    if not use_mask:
        summed = _deformed(input, offset, weight, window, groups, offset_groups)
        return op.nn.bias_add(summed, bias)
    channels, *kernel = shapes.static((input.shape[1], *weight.shape[2:]), "a deformable convolution")
    taps = kernel[0] * kernel[1]
    chosen = np.tile(np.eye(taps).reshape(taps, 1, *kernel), (channels, 1, 1, 1))
    seen = _deformed(input, offset, const(chosen, weight.dtype), window, channels, offset_groups)
    places = seen.shape[2:]
    parts = reshaped(seen, (seen.shape[0], offset_groups, channels // offset_groups, taps, *places))
    weighed = op.multiply(parts, reshaped(mask, (seen.shape[0], offset_groups, 1, taps, *places)))
    summed = op.nn.conv2d(
        reshaped(weighed, seen.shape),
        reshaped(weight, (weight.shape[0], shapes.multiply(weight.shape[1], taps), 1, 1)),
        groups=groups,
        channels=weight.shape[0],
        kernel_size=(1, 1),
    )
    return op.nn.bias_add(summed, bias)


@dataclass(frozen=True, slots=True)
class _Window:
    """How a window moves: its steps, the zeros around the data, the distance of its taps."""

    strides: Pair
    padding: Pair
    dilation: Pair


def _deformed(data: Expr, offset: Expr, weight: Expr, window: _Window, groups: int, offset_groups: int) -> Expr:
    """The convolution, with a row and a column of zeros before the data and every tap one further.

    Relay sees nothing at negative places, torchvision fades in between -1 and 0.
    """
    rows, columns = window.padding
    moved = op.add(offset, const(1, offset.dtype))
    framed = op.nn.pad(data, const(0, data.dtype), pad_width=((0, 0), (0, 0), (1, 0), (1, 0)))
    result = op.nn.deformable_conv2d(
        framed,
        _with_room(moved, framed, weight, window),
        weight,
        strides=window.strides,
        padding=(rows, columns, max(rows - 1, 0), max(columns - 1, 0)),
        dilation=window.dilation,
        deformable_groups=offset_groups,
        groups=groups,
        channels=weight.shape[0],
        kernel_size=weight.shape[2:],
    )
    for axis in (2, 3):
        size = offset.shape[axis]
        if result.shape[axis] != size and isinstance(size, int):
            result = slice_axis(result, axis, 0, size)
    return result


def _with_room(offset: Expr, framed: Expr, weight: Expr, window: _Window) -> Expr:
    """The offsets with zeros for the windows that the frame alone makes room for, where nothing else is around the data."""
    more = []
    for axis in range(2):
        padding = window.padding[axis]
        sides = padding + max(padding - 1, 0)
        sizes = framed.shape[2 + axis], weight.shape[2 + axis]
        count = shapes.window(*sizes, window.strides[axis], window.dilation[axis], sides)
        have, count = shapes.static((offset.shape[2 + axis], count), "a deformable convolution")
        more.append(count - have)
    if not any(more):
        return offset
    return op.nn.pad(offset, const(0, offset.dtype), pad_width=((0, 0), (0, 0), (0, more[0]), (0, more[1])))
