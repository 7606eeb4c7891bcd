"""Converters of arithmetic on two tensors or a tensor and a number."""

from __future__ import annotations

import math

from torchrelay import op
from torchrelay.frontend.aten.elementwise import has_sign, log1p
from torchrelay.frontend.promote import FLOAT64, Number, Operand, Promote, as_tensor, promoted, rounded_once
from torchrelay.frontend.registry import aten, one_to_one
from torchrelay.ir import Expr, const

__all__: list[str] = []


def _scaled(other: Expr, alpha: Number) -> Expr:
    return other if alpha == 1 else op.multiply(other, as_tensor(alpha, other.dtype))


@aten("add.Tensor", "add.Scalar", promote=Promote.SAME)
def add(self: Expr, other: Expr, *, alpha: Number = 1) -> Expr:
    """Self + alpha * other; of truth values whether one is true."""
    if self.dtype.is_bool:
        return op.logical_or(self, other) if alpha else self
    return op.add(self, _scaled(other, alpha))


@aten("sub.Tensor", "sub.Scalar", "subtract.Tensor", promote=Promote.SAME)
def sub(self: Expr, other: Expr, *, alpha: Number = 1) -> Expr:
    """Self - alpha * other."""
    return op.subtract(self, _scaled(other, alpha))


@aten("rsub.Tensor", "rsub.Scalar", promote=Promote.SAME)
def rsub(self: Expr, other: Expr, alpha: Number = 1) -> Expr:
    """Other - alpha * self."""
    return op.subtract(other, _scaled(self, alpha))


@aten("mul.Tensor", "mul.Scalar", "multiply.Tensor", "multiply.Scalar", promote=Promote.SAME)
def mul(self: Expr, other: Expr) -> Expr:
    """Self * other; of truth values whether both are true."""
    return op.logical_and(self, other) if self.dtype.is_bool else op.multiply(self, other)


@aten(
    "div.Tensor",
    "div.Scalar",
    "divide.Tensor",
    "divide.Scalar",
    "true_divide.Tensor",
    "true_divide.Scalar",
    promote=Promote.INT_TO_FLOAT,
)
def div(self: Expr, other: Expr) -> Expr:
    """Self / other."""
    return op.divide(self, other)


def _floor_quotient(self: Expr, other: Expr) -> Expr:
    """The quotient rounded down.

    Of floats by the remainder, as Python does: rounding the rounded quotient is off by one where that is a whole number.
    """
    if not self.dtype.is_float:
        return op.floor_divide(self, other)
    zero, one, half = (const(value, self.dtype) for value in (0, 1, 0.5))
    remainder = op.trunc_mod(self, other)
    quotient = op.divide(op.subtract(self, remainder), other)
    other_sign = op.not_equal(op.less(other, zero), op.less(remainder, zero))
    inexact = op.logical_and(op.not_equal(remainder, zero), other_sign)
    quotient = op.where(inexact, op.subtract(quotient, one), quotient)
    floored = op.floor(quotient)
    floored = op.where(op.greater(op.subtract(quotient, floored), half), op.add(floored, one), floored)
    return op.where(op.equal(other, zero), op.divide(self, other), floored)


@aten("div.Tensor_mode", "div.Scalar_mode", "divide.Tensor_mode", "divide.Scalar_mode")
def div_mode(self: Operand, other: Operand, *, rounding_mode: str | None) -> Expr:
    """The quotient as it is, rounded down or toward zero."""
    if rounding_mode is None:
        left, right = promoted((self, other), Promote.INT_TO_FLOAT)
        return op.divide(left, right)
    left, right = promoted((self, other), Promote.SAME)
    if rounding_mode == "floor":
        return _floor_quotient(left, right)
    return op.trunc(op.divide(left, right)) if left.dtype.is_float else op.trunc_divide(left, right)


@aten("floor_divide.default", "floor_divide.Scalar", promote=Promote.SAME)
def floor_divide(self: Expr, other: Expr) -> Expr:
    """The quotient rounded down."""
    return _floor_quotient(self, other)


one_to_one("remainder.Tensor", op.floor_mod, promote=Promote.SAME)

one_to_one("remainder.Scalar", op.floor_mod, promote=Promote.SAME)
one_to_one("remainder.Scalar_Tensor", op.floor_mod, promote=Promote.SAME)

one_to_one("fmod.Tensor", op.trunc_mod, promote=Promote.SAME)

one_to_one("fmod.Scalar", op.trunc_mod, promote=Promote.SAME)


@aten("pow.Tensor_Tensor", "pow.Tensor_Scalar", "pow.Scalar", promote=Promote.SAME)
def power(self: Expr, exponent: Expr) -> Expr:
    """Self to the power of the exponent."""
    return op.power(self, exponent)


@aten("addcmul.default")
def addcmul(self: Expr, tensor1: Expr, tensor2: Expr, *, value: Number = 1) -> Expr:
    """Self + value * tensor1 * tensor2."""
    base, left, right = promoted((self, tensor1, tensor2), Promote.SAME)
    return op.add(base, _scaled(op.multiply(left, right), value))


@aten("addcdiv.default")
@rounded_once
def addcdiv(self: Expr, tensor1: Expr, tensor2: Expr, *, value: Number = 1) -> Expr:
    """Self + value * tensor1 / tensor2."""
    base, left, right = promoted((self, tensor1, tensor2), Promote.INT_TO_FLOAT)
    return op.add(base, _scaled(op.divide(left, right), value))


@aten("lerp.Scalar", "lerp.Tensor")
@rounded_once
def lerp(self: Expr, end: Expr, weight: Operand) -> Expr:
    """Self + weight * (end - self), from whichever end is nearer."""
    share = as_tensor(weight, self.dtype)
    distance = op.subtract(end, self)
    near = op.add(self, op.multiply(share, distance))
    far = op.subtract(end, op.multiply(distance, op.subtract(const(1, self.dtype), share)))
    return op.where(op.less(op.abs(share), const(0.5, self.dtype)), near, far)


@aten("float_power.Tensor_Tensor", "float_power.Tensor_Scalar", "float_power.Scalar")
def float_power(self: Operand, exponent: Operand) -> Expr:
    """Self to the power of the exponent, in float64."""
    return op.power(as_tensor(self, FLOAT64), as_tensor(exponent, FLOAT64))


@aten("atan2.default", "arctan2.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def atan2(self: Expr, other: Expr) -> Expr:
    """The angle of the point (other, self), in all four quadrants; signed zeros and infinities as C has them."""
    height, width = op.abs(self), op.abs(other)
    even = op.where(
        op.equal(height, const(0, self.dtype)), height, op.full_like(height, const(math.pi / 4, self.dtype))
    )
    angle = op.where(op.equal(height, width), even, op.atan(op.divide(height, width)))
    angle = op.where(has_sign(other), op.subtract(const(math.pi, self.dtype), angle), angle)
    return op.where(has_sign(self), op.negative(angle), angle)


@aten("hypot.default", promote=Promote.SAME)
@rounded_once
def hypot(self: Expr, other: Expr) -> Expr:
    """The length of the vector (self, other), scaled by the larger side so that nothing overflows."""
    left, right = op.abs(self), op.abs(other)
    large, small = op.maximum(left, right), op.minimum(left, right)
    ratio = op.divide(small, large)
    length = op.multiply(large, op.sqrt(op.add(op.multiply(ratio, ratio), const(1, self.dtype))))
    length = op.where(op.equal(small, const(0, self.dtype)), large, length)
    endless = op.logical_or(op.isinf(left), op.isinf(right))  # also beside NaN, as C has it
    return op.where(endless, const(math.inf, self.dtype), length)


@rounded_once
def _log_of_sum(self: Expr, other: Expr, scale: float) -> Expr:
    """log(exp(x scale) + exp(y scale)) / scale, by the distance of the two."""
    factor = const(scale, self.dtype)
    distance = op.negative(op.abs(op.subtract(self, other)))
    total = op.add(op.maximum(self, other), op.divide(log1p(op.exp(op.multiply(distance, factor))), factor))
    return op.where(op.logical_and(op.equal(self, other), op.isinf(self)), self, total)


@aten("logaddexp.default", promote=Promote.INT_TO_FLOAT)
def logaddexp(self: Expr, other: Expr) -> Expr:
    """log(exp(self) + exp(other))."""
    return _log_of_sum(self, other, 1)


@aten("logaddexp2.default", promote=Promote.INT_TO_FLOAT)
def logaddexp2(self: Expr, other: Expr) -> Expr:
    """log2(2^self + 2^other)."""
    return _log_of_sum(self, other, math.log(2))


@aten("copysign.Tensor", "copysign.Scalar", promote=Promote.INT_TO_FLOAT)
def copysign(self: Expr, other: Expr) -> Expr:
    """The magnitude of self with the sign of the other."""
    size = op.abs(self)
    return op.where(has_sign(other), op.negative(size), size)


@aten("xlogy.Tensor", "xlogy.Scalar_Other", "xlogy.Scalar_Self", "special_xlogy.default", promote=Promote.INT_TO_FLOAT)
def xlogy(self: Expr, other: Expr) -> Expr:
    """Self * log(other); 0 where self is 0 and the other is no NaN."""
    product = op.multiply(self, op.log(other))
    nothing = op.logical_and(op.equal(self, const(0, self.dtype)), op.logical_not(op.isnan(other)))
    return op.where(nothing, const(0, self.dtype), product)


@aten("special_xlog1py.default", promote=Promote.INT_TO_FLOAT)
def xlog1py(self: Expr, other: Expr) -> Expr:
    """Self * log(1 + other); 0 where self is 0 and the other is no NaN."""
    product = op.multiply(self, log1p(other))
    nothing = op.logical_and(op.equal(self, const(0, self.dtype)), op.logical_not(op.isnan(other)))
    return op.where(nothing, const(0, self.dtype), product)


@aten("heaviside.default", promote=Promote.SAME)
def heaviside(self: Expr, values: Expr) -> Expr:
    """0 below 0, 1 above, a value of its own at 0."""
    zero, one = const(0, self.dtype), const(1, self.dtype)
    step = op.where(op.greater(self, zero), one, zero)
    step = op.where(op.equal(self, zero), values, step)
    return op.where(op.isnan(self), zero, step) if self.dtype.is_float else step
