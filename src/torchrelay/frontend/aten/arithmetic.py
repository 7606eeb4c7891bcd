"""Converters of arithmetic on two tensors or a tensor and a number."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.promote import (
    Number,
    Promote,
    as_tensor,
    promoted,
)
from torchrelay.frontend.registry import aten, one_to_one
from torchrelay.ir import Expr, const

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
