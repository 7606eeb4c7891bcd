"""Converters of comparisons, logic and bits."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.promote import (
    Promote,
    promoted,
)
from torchrelay.frontend.registry import aten, one_to_one
from torchrelay.ir import Expr, Operator, const, shapes

__all__: list[str] = []


def _comparison(name: str, operator: Operator[...]) -> None:
    one_to_one(f"{name}.Tensor", operator, promote=Promote.SAME)
    one_to_one(f"{name}.Scalar", operator, promote=Promote.SAME)


_comparison("eq", op.equal)

_comparison("ne", op.not_equal)

_comparison("lt", op.less)

_comparison("le", op.less_equal)

_comparison("gt", op.greater)

_comparison("ge", op.greater_equal)


def truth(value: Expr) -> Expr:
    """Whether each element is not 0."""
    return value if value.dtype.is_bool else op.not_equal(value, const(0, value.dtype))


@aten("logical_not.default")
def logical_not(self: Expr) -> Expr:
    """Whether each element is 0."""
    return op.logical_not(truth(self))


def _logic(name: str, operator: Operator[...]) -> None:
    def converter(self: Expr, other: Expr) -> Expr:
        return operator(truth(self), truth(other))

    converter.__doc__ = f"{operator.doc.rstrip('.')}, of what is not 0."
    aten(f"{name}.default")(converter)


_logic("logical_and", op.logical_and)

_logic("logical_or", op.logical_or)

_logic("logical_xor", op.logical_xor)


@aten("bitwise_not.default")
def bitwise_not(self: Expr) -> Expr:
    """Every bit turned over; of truth values the opposite."""
    return op.logical_not(self) if self.dtype.is_bool else op.bitwise_not(self)


def _bits(name: str, of_bits: Operator[...], of_truth: Operator[...]) -> None:
    def converter(self: Expr, other: Expr) -> Expr:
        return of_truth(self, other) if self.dtype.is_bool else of_bits(self, other)

    converter.__doc__ = f"{of_bits.doc.rstrip('.')}; of truth values the logic of the same name."
    overloads = [f"{name}.Tensor", f"{name}.Scalar", f"{name}.Scalar_Tensor"]
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


@aten("isclose.default", promote=Promote.SAME)
def isclose(self: Expr, other: Expr, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Expr:
    """Whether the two differ by no more than atol + rtol * |other|."""
    same = op.equal(self, other)
    if equal_nan and self.dtype.is_float:
        same = op.logical_or(same, op.logical_and(op.isnan(self), op.isnan(other)))
    left, right = promoted((self, other), Promote.INT_TO_FLOAT)
    allowed = op.add(const(atol, left.dtype), op.abs(op.multiply(const(rtol, left.dtype), right)))
    distance = op.abs(op.subtract(left, right))
    return op.logical_or(same, op.logical_and(op.isfinite(distance), op.less_equal(distance, allowed)))


@aten("isin.Tensor_Tensor", ignore=("assume_unique",))
def isin(elements: Expr, test_elements: Expr, *, invert: bool = False) -> Expr:
    """Whether each element is among the test elements; with ``invert`` whether it is not."""
    left, right = promoted((elements, test_elements), Promote.SAME)
    flat = op.reshape(right, newshape=(-1,))
    found = op.any(op.equal(op.expand_dims(left, axis=-1), flat), axis=(-1,))
    return op.logical_not(found) if invert else found


@aten("equal.default")
def same_tensor(self: Expr, other: Expr) -> Expr:
    """Whether the two have the same shape and values."""
    if not all(map(shapes.dims_fit, self.shape, other.shape)) or len(self.shape) != len(other.shape):
        return const(False)
    return op.all(op.equal(self, other))
