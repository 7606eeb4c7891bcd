"""Converters of arithmetic on numbers that the program computes; where they are known torch itself computes."""

from __future__ import annotations

from collections.abc import Callable

from torchrelay import op
from torchrelay.frontend.promote import FLOAT64, INT64, Computed, Operand, as_tensor
from torchrelay.frontend.registry import aten, torch_op
from torchrelay.ir import DType, Expr, Operator

__all__: list[str] = []


def numbers(*values: Operand, dtype: DType | None = None) -> list[Expr]:
    """Numbers as expressions of one dtype: float64 where one of them is a float, unless another is wanted."""
    exprs = [as_tensor(value, FLOAT64 if isinstance(value, float) else None) for value in values]
    common = dtype or next((expr.dtype for expr in exprs if expr.dtype.is_float), None)
    return [as_tensor(expr, common) for expr in exprs]


def _pair(targets: str, meaning: Callable[[Expr, Expr], Expr], *, dtype: DType | None = None) -> None:
    def converter(a: Operand, b: Operand) -> Computed:
        return Computed(meaning(*numbers(a, b, dtype=dtype)))

    converter.__doc__ = f"{targets.split()[0]} of two numbers."
    torch_op(*targets.split())(converter)


def _number_pairs(name: str, operator: Operator[...]) -> None:
    overloads = ("int", "float", "int_float", "float_int")
    _pair(" ".join(f"{name}.{overload}" for overload in overloads), operator)


_number_pairs("aten::add", op.add)
_number_pairs("aten::sub", op.subtract)
_number_pairs("aten::mul", op.multiply)
_number_pairs("aten::floordiv", op.floor_divide)
_number_pairs("aten::remainder", op.floor_mod)
_number_pairs("aten::eq", op.equal)
_number_pairs("aten::ne", op.not_equal)
_number_pairs("aten::lt", op.less)
_number_pairs("aten::le", op.less_equal)
_number_pairs("aten::gt", op.greater)
_number_pairs("aten::ge", op.greater_equal)
_number_pairs("prim::min", op.minimum)
_number_pairs("prim::max", op.maximum)
_pair("aten::div.int aten::div.float aten::div.default", op.divide, dtype=FLOAT64)
_pair("aten::pow.int aten::pow.float aten::pow.int_float aten::pow.float_int", op.power, dtype=FLOAT64)
_pair("aten::eq.bool", op.equal)
_pair("aten::ne.bool", op.not_equal)
_pair("aten::__and__.bool", op.logical_and)
_pair("aten::__or__.bool", op.logical_or)
_pair("aten::__xor__.bool", op.logical_xor)
_pair("aten::__and__.int", op.bitwise_and)
_pair("aten::__or__.int", op.bitwise_or)
_pair("aten::__xor__.int", op.bitwise_xor)
_pair("aten::__lshift__.int", op.left_shift)
_pair("aten::__rshift__.int", op.right_shift)


def _single(targets: str, meaning: Callable[[Expr], Expr]) -> None:
    def converter(a: Operand) -> Computed:
        return Computed(meaning(*numbers(a)))

    converter.__doc__ = f"{targets.split()[0]} of a number."
    torch_op(*targets.split())(converter)


_single("aten::neg.int aten::neg.float", op.negative)
_single("prim::abs.int prim::abs.float", op.abs)
_single("aten::ceil.float", lambda a: op.cast(op.ceil(a), dtype=INT64))
_single("aten::floor.float", lambda a: op.cast(op.floor(a), dtype=INT64))
_single("aten::sqrt.int aten::sqrt.float", lambda a: op.sqrt(as_tensor(a, FLOAT64)))


@aten("__not__.default")
def negation(self: Operand) -> Computed:
    """The other truth value."""
    return Computed(op.logical_not(as_tensor(self)))
