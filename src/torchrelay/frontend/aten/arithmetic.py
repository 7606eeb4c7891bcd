"""Converters of arithmetic, comparisons and logic on two tensors or a tensor and a number."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.aten.elementwise import clipped, truth
from torchrelay.frontend.promote import Number, Promote, as_dtype, as_tensor, promoted, result_dtype
from torchrelay.frontend.registry import aten, one_to_one
from torchrelay.ir import Expr, Operator, const

__all__: list[str] = []

Operand = Expr | Number


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


@aten("div.Tensor", "div.Scalar", "divide.Tensor", "true_divide.Tensor", promote=Promote.INT_TO_FLOAT)
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


@aten("div.Tensor_mode", "div.Scalar_mode", "divide.Tensor_mode")
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
one_to_one("fmod.Tensor", op.trunc_mod, promote=Promote.SAME)
one_to_one("fmod.Scalar", op.trunc_mod, promote=Promote.SAME)


@aten("pow.Tensor_Tensor", "pow.Tensor_Scalar", "pow.Scalar", promote=Promote.SAME)
def power(self: Expr, exponent: Expr) -> Expr:
    """Self to the power of the exponent."""
    return op.power(self, exponent)


def _comparison(name: str, operator: Operator[...]) -> None:
    one_to_one(f"{name}.Tensor", operator, promote=Promote.SAME)
    one_to_one(f"{name}.Scalar", operator, promote=Promote.SAME)


_comparison("eq", op.equal)
_comparison("ne", op.not_equal)
_comparison("lt", op.less)
_comparison("le", op.less_equal)
_comparison("gt", op.greater)
_comparison("ge", op.greater_equal)


@aten("maximum.default", "max.other", promote=Promote.SAME)
def maximum(self: Expr, other: Expr) -> Expr:
    """The larger of the two; NaN where either is."""
    return op.logical_or(self, other) if self.dtype.is_bool else op.maximum(self, other)


@aten("minimum.default", "min.other", promote=Promote.SAME)
def minimum(self: Expr, other: Expr) -> Expr:
    """The smaller of the two; NaN where either is."""
    return op.logical_and(self, other) if self.dtype.is_bool else op.minimum(self, other)


@aten("fmax.default", promote=Promote.SAME)
def fmax(self: Expr, other: Expr) -> Expr:
    """The larger of the two; the other where one is NaN."""
    if not self.dtype.is_float:
        return maximum(self, other)
    return op.where(op.isnan(self), other, op.where(op.isnan(other), self, op.maximum(self, other)))


@aten("fmin.default", promote=Promote.SAME)
def fmin(self: Expr, other: Expr) -> Expr:
    """The smaller of the two; the other where one is NaN."""
    if not self.dtype.is_float:
        return minimum(self, other)
    return op.where(op.isnan(self), other, op.where(op.isnan(other), self, op.minimum(self, other)))


def _logic(name: str, operator: Operator[...]) -> None:
    def converter(self: Expr, other: Expr) -> Expr:
        return operator(truth(self), truth(other))

    converter.__doc__ = f"{operator.doc.rstrip('.')}, of what is not 0."
    aten(f"{name}.default")(converter)


_logic("logical_and", op.logical_and)
_logic("logical_or", op.logical_or)
_logic("logical_xor", op.logical_xor)


def _bits(name: str, of_bits: Operator[...], of_truth: Operator[...]) -> None:
    def converter(self: Expr, other: Expr) -> Expr:
        return of_truth(self, other) if self.dtype.is_bool else of_bits(self, other)

    converter.__doc__ = f"{of_bits.doc.rstrip('.')}; of truth values the logic of the same name."
    overloads = [f"{name}.Tensor", f"{name}.Scalar"]
    short = {"bitwise_and": "__and__", "bitwise_or": "__or__", "bitwise_xor": "__xor__"}[name]
    aten(*overloads, f"{short}.Tensor", f"{short}.Scalar", promote=Promote.SAME)(converter)


_bits("bitwise_and", op.bitwise_and, op.logical_and)
_bits("bitwise_or", op.bitwise_or, op.logical_or)
_bits("bitwise_xor", op.bitwise_xor, op.logical_xor)


@aten(
    "bitwise_left_shift.Tensor",
    "bitwise_left_shift.Tensor_Scalar",
    "__lshift__.Tensor",
    "__lshift__.Scalar",
    promote=Promote.SAME,
)
def left_shift(self: Expr, other: Expr) -> Expr:
    """The bits moved toward the high end."""
    return op.left_shift(self, other)


@aten(
    "bitwise_right_shift.Tensor",
    "bitwise_right_shift.Tensor_Scalar",
    "__rshift__.Tensor",
    "__rshift__.Scalar",
    promote=Promote.SAME,
)
def right_shift(self: Expr, other: Expr) -> Expr:
    """The bits moved toward the low end."""
    return op.right_shift(self, other)


@aten("where.self", "where.ScalarSelf", "where.ScalarOther", "where.Scalar")
def where(condition: Expr, self: Operand, other: Operand) -> Expr:
    """The element of ``self`` where the condition is true, of ``other`` elsewhere."""
    left, right = promoted((self, other), Promote.SAME)
    return op.where(truth(condition), left, right)


@aten("masked_fill.Scalar", "masked_fill.Tensor")
def masked_fill(self: Expr, mask: Expr, value: Operand) -> Expr:
    """The tensor with a value where the mask is true."""
    return op.where(truth(mask), as_tensor(value, self.dtype), self)


@aten("clamp.default", "clip.default")
def clamp(self: Expr, min: Number | None = None, max: Number | None = None) -> Expr:
    """Each element within bounds, either of which may be absent."""
    bounds = [bound for bound in (min, max) if bound is not None]
    data = as_dtype(self, result_dtype([self, *bounds]))
    if data.dtype.is_float:
        return clipped(data, min, max)
    low = op.maximum(data, as_tensor(min, data.dtype)) if min is not None else data
    return op.minimum(low, as_tensor(max, data.dtype)) if max is not None else low


@aten("clamp.Tensor", "clip.Tensor")
def clamp_tensor(self: Expr, min: Expr | None = None, max: Expr | None = None) -> Expr:
    """Each element within bounds of its own, either of which may be absent."""
    given = [value for value in (self, min, max) if value is not None]
    data, *bounds = promoted(given, Promote.SAME)
    if min is not None:
        data = op.maximum(data, bounds.pop(0))
    return op.minimum(data, bounds.pop(0)) if max is not None else data


@aten("clamp_min.default", "clamp_min.Tensor")
def clamp_min(self: Expr, min: Operand) -> Expr:
    """Each element, at least a bound."""
    left, right = promoted((self, min), Promote.SAME)
    return op.maximum(left, right)


@aten("clamp_max.default", "clamp_max.Tensor")
def clamp_max(self: Expr, max: Operand) -> Expr:
    """Each element, at most a bound."""
    left, right = promoted((self, max), Promote.SAME)
    return op.minimum(left, right)


@aten("addcmul.default")
def addcmul(self: Expr, tensor1: Expr, tensor2: Expr, *, value: Number = 1) -> Expr:
    """Self + value * tensor1 * tensor2."""
    base, left, right = promoted((self, tensor1, tensor2), Promote.SAME)
    return op.add(base, _scaled(op.multiply(left, right), value))


@aten("addcdiv.default")
def addcdiv(self: Expr, tensor1: Expr, tensor2: Expr, *, value: Number = 1) -> Expr:
    """Self + value * tensor1 / tensor2."""
    base, left, right = promoted((self, tensor1, tensor2), Promote.INT_TO_FLOAT)
    return op.add(base, _scaled(op.divide(left, right), value))


@aten("lerp.Scalar", "lerp.Tensor")
def lerp(self: Expr, end: Expr, weight: Operand) -> Expr:
    """Self + weight * (end - self), from whichever end is nearer."""
    share = as_tensor(weight, self.dtype)
    distance = op.subtract(end, self)
    near = op.add(self, op.multiply(share, distance))
    far = op.subtract(end, op.multiply(distance, op.subtract(const(1, self.dtype), share)))
    return op.where(op.less(op.abs(share), const(0.5, self.dtype)), near, far)
