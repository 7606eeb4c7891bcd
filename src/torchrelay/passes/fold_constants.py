"""What follows from constants is computed before the program runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay.ir import Attrs, Call, Constant, Expr, IRModule, Operator, Tuple, TupleGetItem, TupleType, rebuild
from torchrelay.passes.base import each_function, module_pass

__all__ = ["FoldConstants", "folded"]


@module_pass("fold-constants")
class FoldConstants:
    """Calls of operators on constants become the constants that they give.

    A call without inputs (zeros, ones) stays, as do stateful operators and results larger than ``max_elements``.
    """

    max_elements: int = 2**24

    def __call__(self, module: IRModule) -> IRModule:
        """The module with what is constant computed."""
        return each_function(module, lambda function: rebuild(function, self._step))

    def _step(self, expr: Expr) -> Expr:
        return folded(expr, self.max_elements)


def folded(expr: Expr, max_elements: int) -> Expr:
    """The expression as a constant, or a tuple of constants, if it is a call on constants; else itself."""
    if isinstance(expr, TupleGetItem) and isinstance(expr.tuple_value, Tuple):
        return expr.tuple_value.fields[expr.index]
    if not isinstance(expr, Call) or not isinstance(expr.op, Operator) or not expr.args or expr.op.stateful:
        return expr
    values = [_value(arg) for arg in expr.args]
    if any(value is None for value in values):
        return expr
    result = _computed(expr.op, values, expr.attrs)
    if sum(part.size for part in result) > max_elements:
        return expr
    constants = tuple([Constant(part, place=expr.place) for part in result])
    return Tuple(constants, place=expr.place) if isinstance(expr.type, TupleType) else constants[0]


def _value(arg: Expr) -> np.ndarray | tuple[np.ndarray, ...] | None:
    if isinstance(arg, Constant):
        return arg.data
    if isinstance(arg, Tuple):
        parts = [part.data for part in arg.fields if isinstance(part, Constant)]
        return tuple(parts) if len(parts) == len(arg.fields) else None
    return None


def _computed(operator: Operator[...], values: Sequence[object], attrs: Attrs | None) -> list[np.ndarray]:
    with np.errstate(all="ignore"):
        result = operator.meaning(*values) if attrs is None else operator.meaning(*values, attrs)
    return [np.asarray(part) for part in (result if isinstance(result, tuple) else (result,))]
