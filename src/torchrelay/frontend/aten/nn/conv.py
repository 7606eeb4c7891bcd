"""Converters of convolutions, transposed or not."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.aten.nn.windows import batched, each, unbatched
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import Expr, shapes

__all__: list[str] = []

_CONV = {1: op.nn.conv1d, 2: op.nn.conv2d, 3: op.nn.conv3d}

_TRANSPOSED = {1: op.nn.conv1d_transpose, 2: op.nn.conv2d_transpose, 3: op.nn.conv3d_transpose}

_BACKEND = ("benchmark", "deterministic", "cudnn_enabled", "allow_tf32")


def _with_bias(result: Expr, bias: Expr | None, axis: int = 1) -> Expr:
    return result if bias is None else op.nn.bias_add(result, bias, axis=axis)


def _convolved(
    data: Expr, weight: Expr, bias: Expr | None, stride: Sizes, sides: Sizes, dilation: Sizes, groups: int
) -> Expr:
    rank = weight.tensor.rank - 2
    source, added = batched(data, rank)
    result = _CONV[rank](
        source,
        weight,
        strides=each(stride, rank),
        padding=tuple(sides),
        dilation=each(dilation, rank),
        groups=groups,
        channels=weight.shape[0],
        kernel_size=weight.shape[2:],
    )
    return unbatched(_with_bias(result, bias), added)


def _both_sides(padding: int | Sizes, rank: int) -> tuple[int, ...]:
    return each(padding, rank) * 2


@aten("conv1d.default", "conv2d.default", "conv3d.default")
def convolution(
    input: Expr,
    weight: Expr,
    bias: Expr | None = None,
    stride: Sizes = (1,),
    padding: Sizes = (0,),
    dilation: Sizes = (1,),
    groups: int = 1,
) -> Expr:
    """A convolution over one, two or three axes."""
    return _convolved(input, weight, bias, stride, _both_sides(padding, weight.tensor.rank - 2), dilation, groups)


@aten("conv1d.padding", "conv2d.padding", "conv3d.padding")
def convolution_padded_by_name(
    input: Expr,
    weight: Expr,
    bias: Expr | None = None,
    stride: Sizes = (1,),
    padding: str = "valid",
    dilation: Sizes = (1,),
    groups: int = 1,
) -> Expr:
    """A convolution whose padding is ``valid`` (none) or ``same`` (as much as keeps the size, more of it at the end)."""
    rank = weight.tensor.rank - 2
    if padding == "valid":
        return _convolved(input, weight, bias, stride, (0,) * (2 * rank), dilation, groups)
    kernel = shapes.static(weight.shape[2:], "a convolution")
    total = [step * (size - 1) for step, size in zip(each(dilation, rank), kernel, strict=True)]
    before = [around // 2 for around in total]
    after = [around - low for around, low in zip(total, before, strict=True)]
    return _convolved(input, weight, bias, stride, (*before, *after), dilation, groups)


def _transposed_convolution(
    data: Expr,
    weight: Expr,
    bias: Expr | None,
    stride: Sizes,
    padding: Sizes,
    output_padding: Sizes,
    groups: int,
    dilation: Sizes,
) -> Expr:
    rank = weight.tensor.rank - 2
    source, added = batched(data, rank)
    result = _TRANSPOSED[rank](
        source,
        weight,
        channels=shapes.multiply(weight.shape[1], groups),
        kernel_size=weight.shape[2:],
        strides=each(stride, rank),
        output_padding=each(output_padding, rank),
        padding=_both_sides(padding, rank),
        dilation=each(dilation, rank),
        groups=groups,
    )
    return unbatched(_with_bias(result, bias), added)


@aten("conv_transpose1d.default", "conv_transpose2d.input", "conv_transpose3d.input")
def transposed_convolution(
    input: Expr,
    weight: Expr,
    bias: Expr | None = None,
    stride: Sizes = (1,),
    padding: Sizes = (0,),
    output_padding: Sizes = (0,),
    groups: int = 1,
    dilation: Sizes = (1,),
) -> Expr:
    """A transposed convolution over one, two or three axes."""
    return _transposed_convolution(input, weight, bias, stride, padding, output_padding, groups, dilation)


@aten("_convolution.default", "_convolution.deprecated", ignore=_BACKEND)
def any_convolution(
    input: Expr,
    weight: Expr,
    bias: Expr | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
) -> Expr:
    """A convolution, transposed or not."""
    if transposed:
        return _transposed_convolution(input, weight, bias, stride, padding, output_padding, groups, dilation)
    return _convolved(input, weight, bias, stride, _both_sides(padding, weight.tensor.rank - 2), dilation, groups)


@aten("convolution.default")
def convolution_core(
    input: Expr,
    weight: Expr,
    bias: Expr | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
) -> Expr:
    """A convolution, transposed or not."""
    return any_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)


@aten("_convolution_mode.default")
def convolution_mode(
    input: Expr, weight: Expr, bias: Expr | None, stride: Sizes, padding: str, dilation: Sizes, groups: int
) -> Expr:
    """A convolution whose padding is ``valid`` or ``same``."""
    return convolution_padded_by_name(input, weight, bias, stride, padding, dilation, groups)


@aten("conv_tbc.default")
def conv_tbc(self: Expr, weight: Expr, bias: Expr, pad: int = 0) -> Expr:
    """A convolution over the first axis of data (time, batch, channels)."""
    data, kernel = permuted(self, (1, 2, 0)), permuted(weight, (2, 1, 0))
    return permuted(convolution(data, kernel, bias, padding=(pad,)), (2, 0, 1))
