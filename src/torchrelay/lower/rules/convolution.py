"""Convolutions of every rank, transposed ones too, said with ``nn.conv2d``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torchrelay import op
from torchrelay.ir import Call, Dim, Expr, const, fields_of, shapes
from torchrelay.lower.rule import Kept, lowers

__all__: list[str] = []

_LAYOUTS = {1: ("NCW", "OIW"), 2: ("NCHW", "OIHW"), 3: ("NCDHW", "OIDHW")}


def _sides(padding: Sequence[int], rank: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The padding before and after each spatial axis; one value for all, one for each axis, or both sides in full."""
    if len(padding) == 1:
        padding = tuple(padding) * rank
    if len(padding) == rank:
        padding = (*padding, *padding)
    return tuple(padding[:rank]), tuple(padding[rank:])


def _other_layout(attrs: Any, rank: int, kernel_layouts: Sequence[str]) -> Kept | None:
    data_layout = _LAYOUTS[rank][0]
    if (
        attrs.data_layout == data_layout
        and attrs.kernel_layout in kernel_layouts
        and attrs.out_layout in ("", data_layout)
    ):
        return None
    given = f"data {attrs.data_layout}, kernel {attrs.kernel_layout}, result {attrs.out_layout or attrs.data_layout}"
    return Kept(f"only the layout {data_layout} with {kernel_layouts[0]} is known to the rule, not {given}")


@lowers(op.nn.conv1d)
def conv1d_as_conv2d(call: Call) -> Expr | Kept:
    """A 1-D convolution is a 2-D one over an axis of size 1."""
    attrs, (data, weight) = fields_of(call), call.args
    other = _other_layout(attrs, 1, ("OIW",))
    if other is not None:
        return other
    (before,), (after,) = _sides(attrs.padding, 1)
    result = op.nn.conv2d(
        op.expand_dims(data, axis=2),
        op.expand_dims(weight, axis=2),
        strides=(1, *attrs.strides),
        padding=(0, before, 0, after),
        dilation=(1, *attrs.dilation),
        groups=attrs.groups,
        channels=weight.shape[0],
        kernel_size=(1, weight.shape[2]),
        out_dtype=attrs.out_dtype,
    )
    return op.squeeze(result, axis=(2,))


@lowers(op.nn.conv3d)
def conv3d_as_conv2d(call: Call) -> Expr | Kept:
    """A 3-D convolution is a 2-D one whose channels are the channels at every depth tap of the kernel, over a batch of
    every output depth.
    """
    attrs, (data, weight) = fields_of(call), call.args
    other = _other_layout(attrs, 3, ("OIDHW",))
    if other is not None:
        return other
    batch, channels, *_ = sizes = shapes.static(data.shape, "the rule")
    out_channels, group_channels, taps, height, width = shapes.static(weight.shape, "the rule")
    before, after = _sides(attrs.padding, 3)
    stride, dilation = attrs.strides[0], attrs.dilation[0]
    depth = shapes.window(sizes[2], taps, stride, dilation, before[0] + after[0])
    assert isinstance(depth, int), "every size is known here"
    padded = _padded_depth(data, before[0], after[0])
    slices = [_every(padded, tap * dilation, stride, depth) for tap in range(taps)]
    stacked = op.transpose(op.stack(slices, axis=2), axes=(0, 3, 1, 2, 4, 5))
    result = op.nn.conv2d(
        _reshaped(stacked, (batch * depth, channels * taps, *stacked.shape[4:])),
        op.reshape(weight, newshape=(out_channels, group_channels * taps, height, width)),
        strides=attrs.strides[1:],
        padding=(*before[1:], *after[1:]),
        dilation=attrs.dilation[1:],
        groups=attrs.groups,
        channels=out_channels,
        kernel_size=(height, width),
        out_dtype=attrs.out_dtype,
    )
    unfolded = _reshaped(result, (batch, depth, *result.shape[1:]))
    return op.transpose(unfolded, axes=(0, 2, 1, 3, 4))


def _reshaped(data: Expr, shape: Sequence[Dim]) -> Expr:
    """The data in that shape, in which a 0 is a size."""
    sizes = shapes.static(shape, "the rule")
    return op.reshape(data, newshape=sizes, allowzero=0 in sizes)


def _padded_depth(data: Expr, before: int, after: int) -> Expr:
    if not before and not after:
        return data
    sides = ((0, 0), (0, 0), (before, after), (0, 0), (0, 0))
    return op.nn.pad(data, const(0, data.dtype), pad_width=sides)


def _every(data: Expr, start: int, stride: int, count: int) -> Expr:
    """``count`` depths of a volume, ``stride`` apart from ``start`` on."""
    end = start + (count - 1) * stride + 1
    return op.strided_slice(data, begin=(start,), end=(end,), strides=(stride,), axes=(2,))


@lowers(op.nn.conv1d_transpose)
def conv1d_transpose_as_conv2d(call: Call) -> Expr | Kept:
    """A transposed convolution is a convolution of the dilated input with the flipped kernel; see ``_transposed``."""
    other = _other_layout(fields_of(call), 1, ("IOW", "OIW"))
    if other is not None:
        return other
    data, weight = (op.expand_dims(arg, axis=2) for arg in call.args)
    return op.squeeze(_transposed(fields_of(call), data, weight, extra_axes=1), axis=(2,))


@lowers(op.nn.conv2d_transpose)
def conv2d_transpose_as_conv2d(call: Call) -> Expr | Kept:
    """A transposed convolution is a convolution of the dilated input with the flipped kernel; see ``_transposed``."""
    return _other_layout(fields_of(call), 2, ("IOHW", "OIHW")) or _transposed(fields_of(call), *call.args)


@lowers(op.nn.conv3d_transpose)
def conv3d_transpose_as_conv3d(call: Call) -> Expr | Kept:
    """A transposed convolution is a convolution of the dilated input with the flipped kernel; see ``_transposed``."""
    return _other_layout(fields_of(call), 3, ("IODHW", "OIDHW")) or _transposed(fields_of(call), *call.args)


_CONVOLUTION = {2: op.nn.conv2d, 3: op.nn.conv3d}


def _transposed(attrs: Any, data: Expr, weight: Expr, *, extra_axes: int = 0) -> Expr:
    """The convolution that a transposed one equals, over data and weight with ``extra_axes`` axes of size 1 put first.

    The input is dilated by the strides, the kernel flipped, its channel axes exchanged; of a kernel that reaches ``r``
    the padding ``p`` becomes ``r - 1 - p``, and what output_padding adds stands after. Weight: (in, out / groups, ...).
    """
    kernel = shapes.static(weight.shape[2:], "the rule")
    rank = len(kernel)
    strides, dilation = (1,) * extra_axes + tuple(attrs.strides), (1,) * extra_axes + tuple(attrs.dilation)
    before, after = (((0,) * extra_axes + side) for side in _sides(attrs.padding, rank - extra_axes))
    beyond = (0,) * extra_axes + tuple(attrs.output_padding)
    reach = [d * (k - 1) for d, k in zip(dilation, kernel, strict=True)]
    low = [r - p for r, p in zip(reach, before, strict=True)]
    high = [r - p + o for r, p, o in zip(reach, after, beyond, strict=True)]
    dilated = op.nn.dilate(data, strides=(1, 1, *strides))
    flipped = _flipped(weight, attrs.groups, kernel)
    return _CONVOLUTION[rank](
        _cropped(dilated, low, high),
        flipped,
        padding=(*(max(side, 0) for side in low), *(max(side, 0) for side in high)),
        strides=(1,) * rank,
        dilation=dilation,
        groups=attrs.groups,
        channels=flipped.shape[0],
        kernel_size=kernel,
        out_dtype=attrs.out_dtype,
    )


def _flipped(weight: Expr, groups: int, kernel: tuple[int, ...]) -> Expr:
    """(in, out / groups, *kernel) as (out, in / groups, *kernel), the kernel turned around along every axis.

    All the taps in one axis, reversed, are the taps turned around along each axis.
    """
    inputs, outputs = shapes.static(weight.shape[:2], "the rule")
    turned = op.reverse(op.reshape(weight, newshape=(inputs, outputs, -1)), axis=2)
    spatial = range(len(kernel))
    if groups == 1:
        shaped = op.reshape(turned, newshape=(inputs, outputs, *kernel))
        return op.transpose(shaped, axes=(1, 0, *(2 + axis for axis in spatial)))
    grouped = op.reshape(turned, newshape=(groups, inputs // groups, outputs, *kernel))
    exchanged = op.transpose(grouped, axes=(0, 2, 1, *(3 + axis for axis in spatial)))
    return op.reshape(exchanged, newshape=(groups * outputs, inputs // groups, *kernel))


def _cropped(data: Expr, low: Sequence[int], high: Sequence[int]) -> Expr:
    """The data without what a padding below 0 takes away on either side of each spatial axis."""
    axes = [axis for axis in range(len(low)) if low[axis] < 0 or high[axis] < 0]
    if not axes:
        return data
    sizes = shapes.static(data.shape[2:], "a padding larger than the kernel")
    return op.strided_slice(
        data,
        begin=tuple(max(-low[axis], 0) for axis in axes),
        end=tuple(sizes[axis] - max(-high[axis], 0) for axis in axes),
        strides=(1,) * len(axes),
        axes=tuple(2 + axis for axis in axes),
    )
