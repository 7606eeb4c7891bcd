"""Arithmetic, logic, bits and comparisons of two tensors, with broadcasting."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from torchrelay.ir import Fusion, TensorType, Type, operator, shapes
from torchrelay.op._numpy import Array, trunc_divide as trunc_quotient
from torchrelay.op._relations import binary, check_same_dtype, compare

__all__ = [
    "add",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "divide",
    "equal",
    "floor_divide",
    "floor_mod",
    "greater",
    "greater_equal",
    "left_shift",
    "less",
    "less_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "not_equal",
    "power",
    "right_shift",
    "subtract",
    "trunc_divide",
    "trunc_mod",
    "where",
]


Function = Callable[[Array, Array], Array]


def _divide(lhs: Array, rhs: Array) -> Array:
    return trunc_quotient(lhs, rhs) if lhs.dtype.kind in "iu" else np.divide(lhs, rhs)


def _subtract(lhs: Array, rhs: Array) -> Array:
    return np.logical_xor(lhs, rhs) if lhs.dtype.kind == "b" else np.subtract(lhs, rhs)


def _power(lhs: Array, rhs: Array) -> Array:
    if lhs.dtype.kind != "i":
        return np.power(lhs, rhs)
    positive = np.power(lhs, np.maximum(rhs, 0))
    reciprocal = (np.abs(lhs) == 1) * np.where(rhs % 2 == 0, 1, lhs)
    return np.where(rhs < 0, reciprocal, positive).astype(lhs.dtype, copy=False)


def _as_given(function: Function) -> Function:
    """The truth value in the dtype of the inputs."""
    return lambda lhs, rhs: function(lhs, rhs).astype(lhs.dtype, copy=False)


add = binary("add", np.add, "The sum.")
subtract = binary("subtract", _subtract, "The difference.")
multiply = binary("multiply", np.multiply, "The product.")
divide = binary("divide", _divide, "The quotient; that of integers is rounded toward zero.")
floor_divide = binary("floor_divide", np.floor_divide, "The quotient rounded down.")
trunc_divide = binary("trunc_divide", trunc_quotient, "The quotient rounded toward zero.")
mod = binary("mod", np.fmod, "The remainder with the sign of the dividend.")
floor_mod = binary("floor_mod", np.mod, "The remainder with the sign of the divisor.")
trunc_mod = binary("trunc_mod", np.fmod, "The remainder with the sign of the dividend.")
power = binary("power", _power, "The first to the power of the second; a fraction of integers loses it.", level=4)
maximum = binary("maximum", np.maximum, "The larger of the two; NaN where either is NaN.", level=4)
minimum = binary("minimum", np.minimum, "The smaller of the two; NaN where either is NaN.", level=4)
left_shift = binary("left_shift", np.left_shift, "The bits moved toward the high end.", level=4)
right_shift = binary("right_shift", np.right_shift, "The bits moved toward the low end; the sign stays.", level=4)
bitwise_and = binary("bitwise_and", np.bitwise_and, "The bits that both have.", level=4)
bitwise_or = binary("bitwise_or", np.bitwise_or, "The bits that either has.", level=4)
bitwise_xor = binary("bitwise_xor", np.bitwise_xor, "The bits that only one has.", level=4)
logical_and = binary("logical_and", _as_given(np.logical_and), "Whether both are true, in their dtype.", level=4)
logical_or = binary("logical_or", _as_given(np.logical_or), "Whether one is true, in their dtype.", level=4)
logical_xor = binary("logical_xor", _as_given(np.logical_xor), "Whether only one is true, in their dtype.", level=4)
equal = compare("equal", np.equal, "Whether the two are equal.")
not_equal = compare("not_equal", np.not_equal, "Whether the two differ.")
less = compare("less", np.less, "Whether the first is smaller.")
less_equal = compare("less_equal", np.less_equal, "Whether the first is not larger.")
greater = compare("greater", np.greater, "Whether the first is larger.")
greater_equal = compare("greater_equal", np.greater_equal, "Whether the first is not smaller.")


@operator("where", None, Fusion.BROADCAST, level=4)
def where(condition: TensorType, x: TensorType, y: TensorType) -> Type:
    """The element of ``x`` where the condition is true (not 0), of ``y`` elsewhere."""
    check_same_dtype(x=x, y=y)
    return TensorType(shapes.broadcast(condition.shape, shapes.broadcast(x.shape, y.shape)), x.dtype)


@where.reference
def where_numpy(condition: Array, x: Array, y: Array) -> Array:
    return np.where(condition.astype(bool, copy=False), x, y)
