"""Converters of quantized convolutions and linear layers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.nn.windows import batched, each, unbatched
from torchrelay.frontend.aten.quantized.values import (
    FLOAT,
    INT,
    ZERO,
    clipped,
    parameter,
    product,
    quantized,
    requantized,
)
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.graph import Scales
from torchrelay.frontend.promote import Computed, Quantized
from torchrelay.frontend.registry import torch_op
from torchrelay.frontend.scales import vectors_of
from torchrelay.ir import DType, Expr, const, shapes

__all__: list[str] = []

UINT8 = DType.parse("uint8")
Held = Mapping[str, Any]
"""What packed parameters hold, by name."""


def _weight(packed: Held) -> Quantized:
    if packed["scale"] is None:
        raise UnsupportedProgram("packed parameters whose weight is not quantized")
    scale, zero = vectors_of(Scales(packed["scale"], packed["zero_point"], packed["axis"]))
    return Quantized(packed["weight"], scale, zero, packed["axis"])


def _with_bias(sums: Expr, bias: Expr | None, scale: Expr, axis: int) -> Expr:
    if bias is None:
        return sums
    return op.nn.bias_add(sums, op.qnn.quantize(bias, scale, ZERO, out_dtype=INT, axis=0), axis=axis)


def _product(data: Quantized, weight: Quantized) -> Expr:
    """The rows of the data, along its last axis, times the transpose of the weight, as int32 sums."""
    rows = data.expr if data.expr.tensor.rank == 2 else reshaped(data.expr, (-1, data.expr.shape[-1]))
    return op.qnn.dense(
        rows,
        weight.expr,
        data.zero_point,
        weight.zero_point,
        data.scale,
        weight.scale,
        units=weight.expr.shape[0],
        out_dtype=INT,
    )


@torch_op("quantized::linear.default")
def linear(
    X: Quantized,  # noqa: N803
    W_prepack: Held,  # noqa: N803
    Y_scale_i: float | Computed,  # noqa: N803
    Y_zero_point_i: int | Computed,  # noqa: N803
) -> Quantized:
    """A quantized linear layer."""
    weight = _weight(W_prepack)
    scale = product(X.scale, weight.scale)
    sums = _with_bias(_product(X, weight), W_prepack["bias"], scale, 1)
    output = parameter(Y_scale_i, FLOAT), parameter(Y_zero_point_i, INT)
    made = requantized(sums, scale, 1, output, X.expr.dtype)
    return Quantized(reshaped(made.expr, (*X.expr.shape[:-1], weight.expr.shape[0])), *output)


@torch_op("quantized::linear_relu.default")
def linear_relu(
    X: Quantized,  # noqa: N803
    W_prepack: Held,  # noqa: N803
    Y_scale_i: float | Computed,  # noqa: N803
    Y_zero_point_i: int | Computed,  # noqa: N803
) -> Quantized:
    """A quantized linear layer, and no less than 0."""
    return clipped(linear(X, W_prepack, Y_scale_i, Y_zero_point_i), 0, None)


def _convolved(data: Quantized, packed: Held, output: tuple[Expr, Expr], rank: int) -> Quantized:
    weight = _weight(packed)
    source, added = batched(data.expr, rank)
    # The packed parameters of one axis are those of two, of which the first has size 1.
    flat = rank == 1
    if flat:
        source = op.expand_dims(source, axis=2)
    kernel = weight.expr
    if flat and kernel.tensor.rank == 3:
        kernel = op.expand_dims(kernel, axis=2)
    axes = 3 if rank == 3 else 2
    options: dict[str, Any] = {name: each(packed[name], axes) for name in ("stride", "padding", "dilation")}
    if flat:
        options = {name: (0 if name == "padding" else 1, value[-1]) for name, value in options.items()}
    shared: dict[str, Any] = {
        "strides": options["stride"],
        "padding": options["padding"] * 2,
        "dilation": options["dilation"],
        "groups": packed["groups"],
        "kernel_size": kernel.shape[2:],
        "out_dtype": INT,
    }
    parameters = (data.zero_point, weight.zero_point, data.scale, weight.scale)
    if packed["transpose"]:
        if rank == 3 or weight.axis is not None:
            raise UnsupportedProgram("a quantized transposed convolution over three axes, or with a scale per channel")
        extra = each(packed["output_padding"], 2)
        shared["output_padding"] = (0, extra[-1]) if flat else extra
        shared["channels"] = shapes.multiply(kernel.shape[1], packed["groups"])
        sums = op.qnn.conv2d_transpose(source, kernel, *parameters, **shared)
    elif rank == 3:
        sums = _sums_3d(source, data.zero_point, weight, shared)
    else:
        sums = op.qnn.conv2d(source, kernel, *parameters, channels=kernel.shape[0], **shared)
    scale = product(data.scale, weight.scale)
    sums = _with_bias(sums, packed["bias"], scale, 1)
    made = requantized(sums, scale, 1, output, data.expr.dtype).expr
    made = op.squeeze(made, axis=(2,)) if flat else made
    return Quantized(unbatched(made, added), *output)


def _sums_3d(source: Expr, zero_point: Expr, weight: Quantized, shared: dict[str, Any]) -> Expr:
    """Relay has no quantized convolution over three axes: one of int32, the zero points taken off before."""
    kernel = op.cast(weight.expr, dtype=INT)
    zero = weight.zero_point
    zero = op.reshape(zero, newshape=(-1, 1, 1, 1, 1)) if zero.tensor.rank else zero
    data = op.subtract(op.cast(source, dtype=INT), zero_point)
    return op.nn.conv3d(data, op.subtract(kernel, zero), channels=kernel.shape[0], **shared)


def _output(scale: float | Computed, zero_point: int | Computed) -> tuple[Expr, Expr]:
    return parameter(scale, FLOAT), parameter(zero_point, INT)


def _declare(name: str, rank: int, *, relu: bool) -> None:
    @torch_op(name)
    def convolution(
        qx: Quantized, packed_weight: Held, output_scale: float | Computed, output_zero_point: int | Computed
    ) -> Quantized:
        made = _convolved(qx, packed_weight, _output(output_scale, output_zero_point), rank)
        return clipped(made, 0, None) if relu else made

    assert convolution.__name__, "it is declared"


for _rank, _overload in ((1, "default"), (2, "new"), (3, "new")):
    _declare(f"quantized::conv{_rank}d.{_overload}", _rank, relu=False)
    _declare(f"quantized::conv{_rank}d_relu.{_overload}", _rank, relu=True)
for _rank in (1, 2):
    _declare(f"quantized::conv_transpose{_rank}d.default", _rank, relu=False)


@torch_op("quantized::linear_dynamic.default")
def linear_dynamic(X: Expr, W_prepack: Held, reduce_range: bool = False) -> Expr:  # noqa: N803
    """A linear layer on data that is quantized by its own least and largest element; its result is real."""
    weight = _weight(W_prepack)
    data = quantized(X, *chosen(X, 127 if reduce_range else 255), UINT8)
    scale = op.multiply(data.scale, weight.scale)
    result = op.qnn.dequantize(_product(data, weight), scale, ZERO, out_dtype=FLOAT, axis=1)
    if W_prepack["bias"] is not None:
        result = op.nn.bias_add(result, W_prepack["bias"], axis=1)
    return reshaped(result, (*X.shape[:-1], weight.expr.shape[0]))


@torch_op("quantized::linear_relu_dynamic.default")
def linear_relu_dynamic(X: Expr, W_prepack: Held, reduce_range: bool = False) -> Expr:  # noqa: N803
    """A linear layer on data that is quantized by its own range, and no less than 0."""
    return op.nn.relu(linear_dynamic(X, W_prepack, reduce_range))


def chosen(data: Expr, largest: int) -> tuple[Expr, Expr]:
    """Scale and zero point that bring a tensor between 0 and ``largest``, as torch chooses them while the program runs."""
    double = DType.parse("float64")

    def held(value: float) -> Expr:
        return const(value, double)

    low = op.minimum(op.cast(op.min(data, axis=None), dtype=double), held(0.0))
    high = op.maximum(op.cast(op.max(data, axis=None), dtype=double), held(0.0))
    span = op.divide(op.subtract(high, low), held(largest))
    least = 6.1e-5
    grown = op.divide(held(least), span)
    small = op.less(span, held(least))
    nothing = op.equal(span, held(0.0))
    scale = op.where(nothing, held(0.1), op.where(small, held(least), span))
    low = op.where(op.logical_and(small, op.logical_not(nothing)), op.multiply(low, grown), low)
    high = op.where(op.logical_and(small, op.logical_not(nothing)), op.multiply(high, grown), high)
    from_low, from_high = op.divide(low, scale), op.divide(high, scale)
    # The end of the range that loses less decides.
    nearer = op.less(op.abs(from_low), op.add(held(largest), op.abs(from_high)))
    zero = op.where(nearer, op.negative(from_low), op.subtract(held(largest), from_high))
    zero = op.clip(op.round(zero), a_min=0.0, a_max=float(largest))
    return op.cast(scale, dtype=FLOAT), op.cast(zero, dtype=INT)
