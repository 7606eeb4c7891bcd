"""Functions of each element of a quantized tensor."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from torchrelay.errors import WrongArgument
from torchrelay.ir import Arg, DType, Fusion, Operator, TensorType, Type, operator, shapes
from torchrelay.op._numpy import Array, erf as real_erf, trunc_divide
from torchrelay.op.nn.activation import LeakyReluAttrs, SoftmaxAttrs
from torchrelay.op.qnn._scales import BYTES, check_dtype, check_single, rescaled, saturated, times, to_quantized

__all__ = [
    "abs",
    "erf",
    "exp",
    "hardswish",
    "leaky_relu",
    "log",
    "rsqrt",
    "sigmoid",
    "softmax",
    "sqrt",
    "tanh",
]

PART, NONE = np.array(2.0**-7, np.float32), np.array(0, np.int32)
"""The scale and the zero point of the shares that softmax computes."""

Function = Callable[[Array], Array]
Unary = Operator[[Arg, Arg, Arg, Arg, Arg]]


def _unary(name: str, function: Function, doc: str, fusion: Fusion | None = None) -> Unary:
    """A function of bytes: a table of what it is for each of the 256."""

    def relation(
        data: TensorType,
        scale: TensorType,
        zero_point: TensorType,
        output_scale: TensorType,
        output_zero_point: TensorType,
    ) -> Type:
        check_dtype(BYTES, data=data)
        check_single(scale=scale, zero_point=zero_point)
        check_single(output_scale=output_scale, output_zero_point=output_zero_point)
        return data

    def meaning(data: Array, scale: Array, zero_point: Array, output_scale: Array, output_zero_point: Array) -> Array:
        values = np.arange(256, dtype=np.uint8).view(data.dtype).astype(np.int32)
        real = function((values - zero_point).astype(np.float32) * scale)
        return to_quantized(real, output_scale, output_zero_point, DType.of(data.dtype))[data.view(np.uint8)]

    relation.__doc__ = doc
    made = operator(name, None, fusion, level=11)(relation)
    made.reference(meaning)
    return made


def _rsqrt(data: Array) -> Array:
    return 1 / np.sqrt(data)


def _sigmoid(data: Array) -> Array:
    return 1 / (1 + np.exp(-data))


def _hardswish(data: Array) -> Array:
    return data * np.clip(data + 3, 0, 6) / 6


abs = _unary("qnn.abs", np.abs, "The absolute value of quantized numbers, quantized.")
erf = _unary("qnn.erf", real_erf, "The error function of quantized numbers, quantized.")
exp = _unary("qnn.exp", np.exp, "The exponential of quantized numbers, quantized.")
hardswish = _unary("qnn.hardswish", _hardswish, "x * min(max(x + 3, 0), 6) / 6 of quantized numbers, quantized.")
log = _unary("qnn.log", np.log, "The natural logarithm of quantized numbers, quantized.")
rsqrt = _unary("qnn.rsqrt", _rsqrt, "One by the square root of quantized numbers, quantized.")
sigmoid = _unary("qnn.sigmoid", _sigmoid, "The logistic function of quantized numbers, quantized.")
sqrt = _unary("qnn.sqrt", np.sqrt, "The square root of quantized numbers, quantized.")
tanh = _unary("qnn.tanh", np.tanh, "The hyperbolic tangent of quantized numbers, quantized.", Fusion.ELEMWISE)


@operator("qnn.leaky_relu", LeakyReluAttrs, None, level=11)
def leaky_relu(
    data: TensorType,
    input_scale: TensorType,
    input_zero_point: TensorType,
    output_scale: TensorType,
    output_zero_point: TensorType,
    attrs: LeakyReluAttrs,
) -> Type:
    """Quantized numbers under the output's parameters, times ``alpha`` where they are negative."""
    check_dtype(BYTES, data=data)
    check_single(input_scale=input_scale, input_zero_point=input_zero_point)
    check_single(output_scale=output_scale, output_zero_point=output_zero_point)
    return data


@leaky_relu.reference
def leaky_relu_numpy(
    data: Array,
    input_scale: Array,
    input_zero_point: Array,
    output_scale: Array,
    output_zero_point: Array,
    attrs: LeakyReluAttrs,
) -> Array:
    moved = rescaled(data, input_scale, input_zero_point, output_scale, output_zero_point)
    # Relay scales the number and its zero point apart: each is rounded on its own.
    negative = times(moved, attrs.alpha) + times(output_zero_point, 1 - attrs.alpha)
    return saturated(np.where(data < input_zero_point, negative, moved), DType.of(data.dtype))


@operator("qnn.softmax", SoftmaxAttrs, None, level=11)
def softmax(
    data: TensorType,
    scale: TensorType,
    zero_point: TensorType,
    output_scale: TensorType,
    output_zero_point: TensorType,
    attrs: SoftmaxAttrs,
) -> Type:
    """Softmax of int8 along ``axis`` in integers alone: powers of two with linear steps between; ``scale`` is 1 at most."""
    check_dtype(("int8",), data=data)
    check_single(scale=scale, zero_point=zero_point)
    check_single(output_scale=output_scale, output_zero_point=output_zero_point)
    shapes.normal_axis(attrs.axis, data.rank)
    return data


@softmax.reference
def softmax_numpy(
    data: Array,
    scale: Array,
    zero_point: Array,
    output_scale: Array,
    output_zero_point: Array,
    attrs: SoftmaxAttrs,
) -> Array:
    if scale > 1:
        raise WrongArgument(f"qnn.softmax: scale is {scale}, but must be 1 or less")
    shifted = data.astype(np.int32) - zero_point
    below = shifted - shifted.max(attrs.axis, keepdims=True)
    doublings = below + (below >> 1) - (below >> 4)  # times log2(e), about
    one = np.rint(1 / scale).astype(np.int32)
    halvings = np.clip(trunc_divide(doublings, np.broadcast_to(-one, doublings.shape)), 0, 20)
    fraction = ((doublings + halvings * one) >> 1) + one
    powers = fraction << (halvings.max(attrs.axis, keepdims=True) - halvings)
    total = powers.sum(attrs.axis, keepdims=True, dtype=np.int32)
    share = (trunc_divide(np.full_like(total, 2**30), total) * powers) >> 23
    moved = rescaled(share, PART, NONE, output_scale, output_zero_point)
    return saturated(moved, DType.of(data.dtype))
