"""Converters of operators on each element of one tensor."""

from __future__ import annotations

import math

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.promote import Number, Promote, as_tensor
from torchrelay.frontend.registry import aten, one_to_one
from torchrelay.ir import Expr, const, shapes

__all__: list[str] = []

one_to_one("neg.default", op.negative)
one_to_one("negative.default", op.negative)

for _name, _operator in {
    "acos": op.acos,
    "arccos": op.acos,
    "acosh": op.acosh,
    "asin": op.asin,
    "arcsin": op.asin,
    "asinh": op.asinh,
    "atan": op.atan,
    "arctan": op.atan,
    "atanh": op.atanh,
    "cos": op.cos,
    "cosh": op.cosh,
    "erf": op.erf,
    "exp": op.exp,
    "log": op.log,
    "log10": op.log10,
    "log2": op.log2,
    "rsqrt": op.rsqrt,
    "sigmoid": op.sigmoid,
    "sin": op.sin,
    "sinh": op.sinh,
    "sqrt": op.sqrt,
    "tan": op.tan,
    "tanh": op.tanh,
    "special_erf": op.erf,
    "special_expit": op.sigmoid,
}.items():
    one_to_one(f"{_name}.default", _operator, promote=Promote.INT_TO_FLOAT)


def _whole_already(self: Expr) -> bool:
    """Whether the elements are integers or truth values, which rounding leaves as they are."""
    return not self.dtype.is_float


@aten("ceil.default")
def ceil(self: Expr) -> Expr:
    """The smallest whole number not below each element."""
    return self if _whole_already(self) else op.ceil(self)


@aten("floor.default")
def floor(self: Expr) -> Expr:
    """The largest whole number not above each element."""
    return self if _whole_already(self) else op.floor(self)


@aten("trunc.default", "fix.default")
def trunc(self: Expr) -> Expr:
    """Each element without its fraction."""
    return self if _whole_already(self) else op.trunc(self)


@aten("round.default")
def round_half_even(self: Expr) -> Expr:
    """The nearest whole number, halves to the even one: Relay's round takes halves away from zero."""
    if _whole_already(self):
        return self
    half, two = const(0.5, self.dtype), const(2, self.dtype)
    away = op.round(self)
    even = op.multiply(op.round(op.divide(self, two)), two)
    return op.where(op.equal(op.abs(op.subtract(self, op.trunc(self))), half), even, away)


@aten("abs.default", "absolute.default")
def absolute(self: Expr) -> Expr:
    """The absolute value of each element."""
    return self if self.dtype.is_bool or self.dtype.code == "uint" else op.abs(self)


@aten("relu.default")
def relu(self: Expr) -> Expr:
    """Each element, or 0 where it is negative."""
    return op.nn.relu(self)


@aten("bitwise_not.default")
def bitwise_not(self: Expr) -> Expr:
    """Every bit turned over; of truth values the opposite."""
    return op.logical_not(self) if self.dtype.is_bool else op.bitwise_not(self)


def truth(value: Expr) -> Expr:
    """Whether each element is not 0."""
    return value if value.dtype.is_bool else op.not_equal(value, const(0, value.dtype))


@aten("logical_not.default")
def logical_not(self: Expr) -> Expr:
    """Whether each element is 0."""
    return op.logical_not(truth(self))


@aten("sign.default", "sgn.default")
def sign(self: Expr) -> Expr:
    """-1, 0 or 1 by the sign of each element."""
    return self if self.dtype.is_bool else op.sign(self)


@aten("square.default", promote=Promote.BOOL_TO_LONG)
def square(self: Expr) -> Expr:
    """Each element times itself."""
    return op.multiply(self, self)


@aten("reciprocal.default", promote=Promote.INT_TO_FLOAT)
def reciprocal(self: Expr) -> Expr:
    """One over each element."""
    return op.divide(const(1, self.dtype), self)


@aten("expm1.default", "special_expm1.default", promote=Promote.INT_TO_FLOAT)
def expm1(self: Expr) -> Expr:
    """exp(x) - 1; for small x by 2 tanh(x/2) / (1 - tanh(x/2)), which keeps the digits that the difference loses."""
    one, two = const(1, self.dtype), const(2, self.dtype)
    tangent = op.tanh(op.divide(self, two))
    small = op.divide(op.multiply(two, tangent), op.subtract(one, tangent))
    return op.where(op.less(op.abs(self), one), small, op.subtract(op.exp(self), one))


@aten("log1p.default", promote=Promote.INT_TO_FLOAT)
def log1p(self: Expr) -> Expr:
    """log(1 + x); for small x by 2 atanh(x / (2 + x)), which keeps the digits that the sum loses."""
    one, two = const(1, self.dtype), const(2, self.dtype)
    small = op.multiply(two, op.atanh(op.divide(self, op.add(self, two))))
    return op.where(op.less(op.abs(self), const(0.5, self.dtype)), small, op.log(op.add(self, one)))


@aten("exp2.default", "special_exp2.default", promote=Promote.INT_TO_FLOAT)
def exp2(self: Expr) -> Expr:
    """2 to the power of each element."""
    return op.power(const(2, self.dtype), self)


@aten("frac.default")
def frac(self: Expr) -> Expr:
    """The fraction of each element."""
    return op.subtract(self, op.trunc(self))


@aten("isnan.default")
def isnan(self: Expr) -> Expr:
    """Whether each element is NaN."""
    return op.isnan(self) if self.dtype.is_float else op.zeros(shape=self.shape, dtype="bool")


@aten("isinf.default")
def isinf(self: Expr) -> Expr:
    """Whether each element is infinite."""
    return op.isinf(self) if self.dtype.is_float else op.zeros(shape=self.shape, dtype="bool")


@aten("isfinite.default")
def isfinite(self: Expr) -> Expr:
    """Whether each element is neither infinite nor NaN."""
    return op.isfinite(self) if self.dtype.is_float else op.ones(shape=self.shape, dtype="bool")


def clipped(self: Expr, low: float | None, high: float | None) -> Expr:
    """Each element within bounds, either of which may be absent; NaN stays."""
    return op.clip(self, a_min=-math.inf if low is None else low, a_max=math.inf if high is None else high)


@aten("relu6.default")
def relu6(self: Expr) -> Expr:
    """Each element within 0 and 6."""
    return clipped(self, 0, 6)


@aten("hardtanh.default")
def hardtanh(self: Expr, min_val: Number = -1, max_val: Number = 1) -> Expr:
    """Each element within two bounds."""
    return clipped(self, min_val, max_val)


@aten("hardsigmoid.default")
def hardsigmoid(self: Expr) -> Expr:
    """clip(x + 3, 0, 6) / 6."""
    return op.divide(clipped(op.add(self, const(3, self.dtype)), 0, 6), const(6, self.dtype))


@aten("hardswish.default")
def hardswish(self: Expr) -> Expr:
    """X * clip(x + 3, 0, 6) / 6."""
    inner = clipped(op.add(self, const(3, self.dtype)), 0, 6)
    return op.divide(op.multiply(self, inner), const(6, self.dtype))


@aten("silu.default")
def silu(self: Expr) -> Expr:
    """X * sigmoid(x)."""
    return op.multiply(self, op.sigmoid(self))


@aten("mish.default")
def mish(self: Expr) -> Expr:
    """X * tanh(softplus(x))."""
    return op.multiply(self, op.tanh(softplus(self)))


@aten("softplus.default")
def softplus(self: Expr, beta: Number = 1, threshold: Number = 20) -> Expr:
    """log(1 + exp(beta x)) / beta, and x itself where beta x is beyond the threshold."""
    scale = const(beta, self.dtype)
    scaled = op.multiply(self, scale) if beta != 1 else self
    # max(x, 0) + log1p(exp(-|x|)) neither overflows nor loses digits.
    inner = op.add(op.nn.relu(scaled), log1p(op.exp(op.negative(op.abs(scaled)))))
    soft = op.divide(inner, scale) if beta != 1 else inner
    return op.where(op.greater(scaled, const(threshold, self.dtype)), self, soft)


@aten("log_sigmoid.default")
def log_sigmoid(self: Expr) -> Expr:
    """log(sigmoid(x)) = min(x, 0) - log1p(exp(-|x|))."""
    zero = const(0, self.dtype)
    return op.subtract(op.minimum(self, zero), log1p(op.exp(op.negative(op.abs(self)))))


@aten("softsign.default", promote=Promote.INT_TO_FLOAT)
def softsign(self: Expr) -> Expr:
    """X / (1 + |x|)."""
    return op.divide(self, op.add(const(1, self.dtype), op.abs(self)))


@aten("elu.default")
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


@aten("tanhshrink.default")
def tanhshrink(self: Expr) -> Expr:
    """X - tanh(x)."""
    return op.subtract(self, op.tanh(self))


@aten("gelu.default")
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
def glu(self: Expr, dim: int = -1) -> Expr:
    """One half along an axis times the sigmoid of the other."""
    left, right = op.split(self, indices_or_sections=2, axis=dim)
    return op.multiply(left, op.sigmoid(right))


@aten("alias.default", "detach.default", "lift_fresh.default", "lift_fresh_copy.default", "positive.default")
def itself(self: Expr) -> Expr:
    """The tensor itself: sharing memory and gradients have no meaning in Relay."""
    return self


@aten("clone.default", "contiguous.default", ignore=("memory_format",))
def same_values(self: Expr) -> Expr:
    """The tensor itself: where it lies in memory has no meaning in Relay."""
    return self


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
