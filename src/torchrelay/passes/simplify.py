"""Calls that change nothing go, and neighbours that say one thing become one call."""

from __future__ import annotations

from collections.abc import Callable

from torchrelay import op
from torchrelay.ir import Call, Expr, IRModule, Operator, Tuple, TupleGetItem, at, fields_of, rebuild, shapes
from torchrelay.passes.base import each_function, module_pass

__all__ = ["Simplify", "simplified"]

Rule = Callable[[Call], Expr]
_RULES: dict[Operator[...], Rule] = {}


@module_pass("simplify")
class Simplify:
    """Reshapes, transposes, casts, squeezes, slices and broadcasts that change nothing go; two in a row become one."""

    def __call__(self, module: IRModule) -> IRModule:
        """The simpler module, which computes the very same values."""
        return each_function(module, lambda function: rebuild(function, simplified))


def simplified(expr: Expr) -> Expr:
    """The expression, whose parts are as simple as they get, said more simply; itself where it cannot be."""
    while True:
        simpler = _once(expr)
        if simpler is expr:
            return expr
        expr = simpler


def _once(expr: Expr) -> Expr:
    if isinstance(expr, TupleGetItem) and isinstance(expr.tuple_value, Tuple):
        return expr.tuple_value.fields[expr.index]
    if not isinstance(expr, Call) or not isinstance(expr.op, Operator) or expr.op not in _RULES or expr.type is None:
        return expr
    with at(expr.place):
        return _RULES[expr.op](expr)


def _simplifies(*operators: Operator[...]) -> Callable[[Rule], Rule]:
    def declare(rule: Rule) -> Rule:
        for operator in operators:
            _RULES[operator] = rule
        return rule

    return declare


def _inner(call: Call, *operators: Operator[...]) -> Call | None:
    """The call that the only input is, if it is one of these operators."""
    (data,) = call.args
    return data if isinstance(data, Call) and data.op in operators and data.args[0].type is not None else None


_SAME_ORDER = (op.reshape, op.expand_dims, op.squeeze)
"""Operators that give the elements of their input in the same order in another shape."""


@_simplifies(*_SAME_ORDER)
def _reshape(call: Call) -> Expr:
    """reshape(reshape(x, a), b) = reshape(x, b), and reshape(x, shape of x) = x, where the shapes are known."""
    if not shapes.is_static(call.shape):
        return call
    source = call
    while (inner := _inner(source, *_SAME_ORDER)) is not None and shapes.is_static(inner.args[0].shape):
        source = inner
    (data,) = source.args
    if data.type == call.type:
        return data
    if source is call:
        return call
    return op.reshape(data, newshape=shapes.static(call.shape, "a reshape"), allowzero=0 in call.shape)


@_simplifies(op.transpose)
def _transpose(call: Call) -> Expr:
    """Transposes in a row are one, and one that keeps the order is none."""
    (data,) = call.args
    axes = _axes(call)
    if axes == tuple(range(len(axes))):
        return data
    inner = _inner(call, op.transpose)
    if inner is None:
        return call
    before = _axes(inner)
    return op.transpose(inner.args[0], axes=tuple([before[axis] for axis in axes]))


def _axes(call: Call) -> tuple[int, ...]:
    rank, given = call.tensor.rank, fields_of(call).axes
    return tuple(range(rank))[::-1] if not given else shapes.normal_axes(given, rank)


@_simplifies(op.cast, op.broadcast_to)
def _same_type(call: Call) -> Expr:
    """A cast to the dtype and a broadcast to the shape that there is are none."""
    (data,) = call.args
    static = shapes.is_static(call.shape) or call.op is op.cast
    return data if data.type == call.type and static else call


@_simplifies(op.strided_slice)
def _whole_slice(call: Call) -> Expr:
    """A slice of everything in steps of 1 is none."""
    (data,), attrs = call.args, fields_of(call)
    whole = attrs.slice_mode == "end" and all(step == 1 for step in attrs.strides or ())
    return data if whole and shapes.is_static(call.shape) and data.type == call.type else call


@_simplifies(op.concatenate)
def _one_part(call: Call) -> Expr:
    """Joining one tensor is none."""
    (parts,) = call.args
    return parts.fields[0] if isinstance(parts, Tuple) and len(parts.fields) == 1 else call
