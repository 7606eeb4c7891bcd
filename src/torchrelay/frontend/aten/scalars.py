"""Converters of arithmetic on Python numbers, which steers shapes and sizes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.promote import Number, Promote, promoted
from torchrelay.frontend.registry import Result, aten, torch_op
from torchrelay.ir import Expr, Operator

__all__: list[str] = []


def _pair(name: str, overloads: str, compute: Callable[[Number, Number], Number], relay: Operator[...] | None) -> None:
    def converter(a: Number | Expr, b: Number | Expr) -> Result:
        if not isinstance(a, Expr) and not isinstance(b, Expr):
            return compute(a, b)
        if relay is None:
            raise UnsupportedProgram(f"aten::{name} on a number that the program computes")
        return relay(*promoted((a, b), Promote.SAME))

    converter.__doc__ = f"{name} of two numbers."
    aten(*(f"{name}.{overload}" for overload in overloads.split()))(converter)


_NUMBERS = "int float int_float float_int"
_pair("add", _NUMBERS, operator.add, op.add)
_pair("sub", _NUMBERS, operator.sub, op.subtract)
_pair("mul", _NUMBERS, operator.mul, op.multiply)
_pair("div", "int float", operator.truediv, None)
_pair("floordiv", _NUMBERS, operator.floordiv, op.floor_divide)
_pair("remainder", _NUMBERS, operator.mod, op.floor_mod)
_pair("eq", f"{_NUMBERS} bool str", operator.eq, op.equal)
_pair("ne", f"{_NUMBERS} bool str", operator.ne, op.not_equal)
_pair("lt", _NUMBERS, operator.lt, op.less)
_pair("le", _NUMBERS, operator.le, op.less_equal)
_pair("gt", _NUMBERS, operator.gt, op.greater)
_pair("ge", _NUMBERS, operator.ge, op.greater_equal)
_pair("__and__", "bool", operator.and_, op.logical_and)
_pair("__or__", "bool", operator.or_, op.logical_or)


@aten("ceil.float", "ceil.int")
def ceil(a: Number) -> int:
    """The smallest integer not below a number."""
    return math.ceil(a)


@aten("floor.float", "floor.int")
def floor(a: Number) -> int:
    """The largest integer not above a number."""
    return math.floor(a)


@aten("neg.int", "neg.float")
def neg(a: Number) -> Number:
    """The number with the other sign."""
    return -a


@torch_op("prim::min.int", "prim::min.float")
def smaller(a: Number, b: Number) -> Number:
    """The smaller of two numbers."""
    return min(a, b)


@torch_op("prim::max.int", "prim::max.float")
def larger(a: Number, b: Number) -> Number:
    """The larger of two numbers."""
    return max(a, b)


@aten("sqrt.int", "sqrt.float")
def sqrt(a: Number) -> float:
    """The square root of a number."""
    return math.sqrt(a)


@aten("__is__.default")
def is_same(self: Result, obj: Result) -> bool:
    """Whether both are None, or the same."""
    return self is obj


@aten("__isnot__.default")
def is_other(self: Result, obj: Result) -> bool:
    """Whether one is None and the other is not."""
    return self is not obj


@aten("__not__.default")
def negation(self: Result) -> bool:
    """The other truth value. Raises UnsupportedProgram for one that the program computes."""
    if isinstance(self, Expr):
        raise UnsupportedProgram("a truth value that the program computes steers its structure")
    return not self


@torch_op("prim::unchecked_cast.default", "prim::unchecked_unwrap_optional.default")
def unchecked(self: Result) -> Result:
    """The value itself: what TorchScript knows of its type has no meaning here."""
    return self


@aten("_unwrap_optional.default")
def unwrapped(optional: Result) -> Result:
    """The value itself, which is not None."""
    return optional
