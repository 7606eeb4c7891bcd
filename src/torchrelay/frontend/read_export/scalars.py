"""Python's arithmetic on symbolic sizes as torch's scalar operators."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence

import torch

from torchrelay.frontend.graph import Arg, TorchValue
from torchrelay.frontend.schema import schema_for

__all__ = ["scalar_call"]

_NAMES: Mapping[Callable[..., object], str] = {
    operator.add: "aten::add",
    operator.sub: "aten::sub",
    operator.mul: "aten::mul",
    operator.floordiv: "aten::floordiv",
    operator.truediv: "aten::div",
    operator.mod: "aten::remainder",
    operator.pow: "aten::pow",
    operator.neg: "aten::neg",
    operator.eq: "aten::eq",
    operator.ne: "aten::ne",
    operator.lt: "aten::lt",
    operator.le: "aten::le",
    operator.gt: "aten::gt",
    operator.ge: "aten::ge",
    operator.and_: "aten::__and__",
    operator.or_: "aten::__or__",
    operator.xor: "aten::__xor__",
    operator.not_: "aten::__not__",
    abs: "prim::abs",
    math.ceil: "aten::ceil",
    math.floor: "aten::floor",
    math.sqrt: "aten::sqrt",
    math.trunc: "aten::Int.Scalar",
    torch.sym_float: "aten::Float.Scalar",
    torch.sym_int: "aten::Int.Scalar",
    torch.sym_max: "prim::max",
    torch.sym_min: "prim::min",
    torch.sym_not: "aten::__not__",
    torch.sym_sqrt: "aten::sqrt",
}
"""Python's functions on numbers by the operator of the same meaning; its overload follows from the kinds of the numbers."""


def scalar_call(function: object, args: Sequence[Arg]) -> tuple[str, dict[str, Arg]] | None:
    """The operator and arguments of a Python function on sizes and numbers; None for a function that is not known."""
    if not callable(function) or function not in _NAMES:
        return None
    name, kinds = _NAMES[function], _kinds(args)
    if function is operator.pow and kinds == "int":
        kinds = "int_to_int"
    schema = schema_for(name if "." in name else f"{name}.{kinds}") or schema_for(f"{name}.default")
    return None if schema is None else (schema.target, schema.bind(args))


def _kinds(args: Sequence[Arg]) -> str:
    """``int``, ``float``, ``int_float`` and the like, as torch names the overloads of its scalar operators."""
    kinds = dict.fromkeys(arg.type.kind if isinstance(arg, TorchValue) else type(arg).__name__ for arg in args)
    return "_".join(kinds)
