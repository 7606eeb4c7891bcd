"""Converters of activations: functions of each element, or along an axis, between layers."""

from __future__ import annotations

import math

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.bounds import clipped
from torchrelay.frontend.aten.elementwise import expm1, log1p
from torchrelay.frontend.promote import BOOL, DEFAULT_FLOAT, Number, as_dtype, as_tensor, rounded_once
from torchrelay.frontend.registry import aten
from torchrelay.ir import DType, Expr, const, shapes

__all__: list[str] = []


@aten("relu.default")
def relu(self: Expr) -> Expr:
    """Each element, or 0 where it is negative."""
    return op.nn.relu(self)


@aten("relu6.default")
def relu6(self: Expr) -> Expr:
    """Each element within 0 and 6."""
    return clipped(self, 0, 6)


@aten("hardtanh.default")
def hardtanh(self: Expr, min_val: Number = -1, max_val: Number = 1) -> Expr:
    """Each element within two bounds."""
    return clipped(self, min_val, max_val)


@aten("hardsigmoid.default")
@rounded_once
def hardsigmoid(self: Expr) -> Expr:
    """clip(x + 3, 0, 6) / 6."""
    return op.divide(clipped(op.add(self, const(3, self.dtype)), 0, 6), const(6, self.dtype))


@aten("hardswish.default")
@rounded_once
def hardswish(self: Expr) -> Expr:
    """X * clip(x + 3, 0, 6) / 6."""
    inner = clipped(op.add(self, const(3, self.dtype)), 0, 6)
    return op.divide(op.multiply(self, inner), const(6, self.dtype))


@aten("silu.default")
@rounded_once
def silu(self: Expr) -> Expr:
    """X * sigmoid(x)."""
    return op.multiply(self, op.sigmoid(self))


@aten("mish.default")
@rounded_once
def mish(self: Expr) -> Expr:
    """X * tanh(softplus(x))."""
    return op.multiply(self, op.tanh(softplus(self)))


@aten("softplus.default")
@rounded_once
def softplus(self: Expr, beta: Number = 1, threshold: Number = 20) -> Expr:
    """log(1 + exp(beta x)) / beta, and x itself where beta x is beyond the threshold."""
    scale = const(beta, self.dtype)
    scaled = op.multiply(self, scale) if beta != 1 else self
    # max(x, 0) + log1p(exp(-|x|)) neither overflows nor loses digits.
    inner = op.add(op.nn.relu(scaled), log1p(op.exp(op.negative(op.abs(scaled)))))
    soft = op.divide(inner, scale) if beta != 1 else inner
    return op.where(op.greater(scaled, const(threshold, self.dtype)), self, soft)


@aten("log_sigmoid.default")
@rounded_once
def log_sigmoid(self: Expr) -> Expr:
    """log(sigmoid(x)) = min(x, 0) - log1p(exp(-|x|))."""
    zero = const(0, self.dtype)
    return op.subtract(op.minimum(self, zero), log1p(op.exp(op.negative(op.abs(self)))))


@aten("elu.default")
@rounded_once
def elu(self: Expr, alpha: Number = 1, scale: Number = 1, input_scale: Number = 1) -> Expr:
    """Scale * x above 0, scale * alpha * (exp(input_scale * x) - 1) below."""
    below = expm1(op.multiply(self, const(input_scale, self.dtype)) if input_scale != 1 else self)
    scaled = op.multiply(below, const(alpha * scale, self.dtype))
    above = op.multiply(self, const(scale, self.dtype)) if scale != 1 else self
    return op.where(op.greater(self, const(0, self.dtype)), above, scaled)


@aten("selu.default")
def selu(self: Expr) -> Expr:
    """Elu with the constants of self-normalising networks."""
    return elu(self, 1.6732632423543772, 1.0507009873554805)


@aten("celu.default")
def celu(self: Expr, alpha: Number = 1) -> Expr:
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    return elu(self, alpha, 1, 1 / alpha)


@aten("rrelu.default", ignore=("generator",))
def rrelu(self: Expr, lower: Number = 1 / 8, upper: Number = 1 / 3, training: bool = False) -> Expr:
    """Each element, times the middle of two slopes where it is negative. Raises UnsupportedProgram in training."""
    if training:
        raise UnsupportedProgram("rrelu in training gives other values each time", hint="call model.eval() first")
    return op.nn.leaky_relu(self, alpha=(lower + upper) / 2)


@aten("leaky_relu.default")
def leaky_relu(self: Expr, negative_slope: Number = 0.01) -> Expr:
    """Each element, times a slope where it is negative."""
    return op.nn.leaky_relu(self, alpha=negative_slope)


@aten("prelu.default")
def prelu(self: Expr, weight: Expr) -> Expr:
    """Each element, times the slope of its channel where it is negative."""
    if shapes.product(weight.shape) == 1:
        slope = op.reshape(weight, newshape=())
        return op.where(op.greater(self, const(0, self.dtype)), self, op.multiply(self, slope))
    return op.nn.prelu(self, weight, axis=1)


@aten("threshold.default")
def threshold(self: Expr, threshold: Number, value: Number) -> Expr:
    """Each element above the threshold, a value in place of the others."""
    bound, other = as_tensor(threshold, self.dtype), as_tensor(value, self.dtype)
    return op.where(op.less_equal(self, bound), op.full_like(self, other), self)


@aten("hardshrink.default")
def hardshrink(self: Expr, lambd: Number = 0.5) -> Expr:
    """Each element, 0 where it is within -lambd and lambd."""
    inside = op.less_equal(op.abs(self), const(lambd, self.dtype))
    return op.where(inside, op.zeros_like(self), self)


@aten("softshrink.default")
def softshrink(self: Expr, lambd: Number = 0.5) -> Expr:
    """Each element moved toward 0 by lambd, at most to 0."""
    bound = const(lambd, self.dtype)
    above = op.nn.relu(op.subtract(self, bound))
    below = op.nn.relu(op.subtract(op.negative(self), bound))
    return op.subtract(above, below)


@aten("gelu.default")
@rounded_once
def gelu(self: Expr, approximate: str = "none") -> Expr:
    """X times the share of a normal distribution below x, exactly or by a tanh."""
    half, one = const(0.5, self.dtype), const(1, self.dtype)
    if approximate == "tanh":
        cubic = op.multiply(op.multiply(op.multiply(self, self), self), const(0.044715, self.dtype))
        inner = op.multiply(op.add(self, cubic), const(math.sqrt(2 / math.pi), self.dtype))
        return op.multiply(op.multiply(self, half), op.add(one, op.tanh(inner)))
    share = op.add(one, op.erf(op.multiply(self, const(math.sqrt(0.5), self.dtype))))
    return op.multiply(op.multiply(self, half), share)


@aten("glu.default")
@rounded_once
def glu(self: Expr, dim: int = -1) -> Expr:
    """One half along an axis times the sigmoid of the other."""
    left, right = op.split(self, indices_or_sections=2, axis=dim)
    return op.multiply(left, op.sigmoid(right))


@aten("softmax.int", "_softmax.default", ignore=("half_to_float",))
def softmax(self: Expr, dim: int, dtype: object = None) -> Expr:
    """Exponentials scaled to sum to one along an axis."""
    return op.nn.softmax(_floating(self, dtype), axis=dim) if self.tensor.rank else op.ones_like(_floating(self, dtype))


@aten("log_softmax.int", "_log_softmax.default", ignore=("half_to_float",))
def log_softmax(self: Expr, dim: int, dtype: object = None) -> Expr:
    """The logarithm of the softmax along an axis."""
    data = _floating(self, dtype)
    return op.nn.log_softmax(data, axis=dim) if self.tensor.rank else op.zeros_like(data)


def _floating(data: Expr, dtype: object) -> Expr:
    from torchrelay.ir import DType

    if isinstance(dtype, DType):
        return as_dtype(data, dtype)
    return data if data.dtype.is_float else op.cast(data, dtype=DEFAULT_FLOAT)


@aten("_safe_softmax.default")
def safe_softmax(self: Expr, dim: int, dtype: DType | None = None) -> Expr:
    """The softmax along an axis; zeros where nothing but -infinity stands along it."""
    data = _floating(self, dtype)
    possible = op.greater(op.max(data, axis=(dim,), keepdims=True), const(-math.inf, data.dtype))
    return op.where(possible, op.nn.softmax(data, axis=dim), op.zeros_like(data))


@aten("native_dropout.default", ignore=("p",))
def native_dropout(input: Expr, train: bool | None) -> tuple[Expr, Expr]:
    """The tensor itself, and that all of it is kept. Raises UnsupportedProgram in training."""
    return dropout(input, train is None or train), op.ones_like(op.cast(input, dtype=BOOL))


@aten(
    "dropout.default",
    "feature_dropout.default",
    "alpha_dropout.default",
    "feature_alpha_dropout.default",
    ignore=("p",),
)
def dropout(input: Expr, train: bool) -> Expr:
    """The tensor itself: in inference nothing is dropped. Raises UnsupportedProgram in training."""
    if train:
        raise UnsupportedProgram("dropout in training gives other values each time", hint="call model.eval() first")
    return input
