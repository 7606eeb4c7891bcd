"""Values that may be one of several, depending on what the program computes: after a branch, in every turn of a loop."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from torchrelay import op
from torchrelay.errors import TypeMismatch, UnsupportedProgram
from torchrelay.frontend.promote import BLANK, FLOAT64, Blank, Computed, Grown, Operand, as_tensor
from torchrelay.frontend.registry import Result
from torchrelay.ir import (
    ANY,
    Call,
    Expr,
    Function,
    TensorType,
    Tuple,
    TupleGetItem,
    TupleType,
    Type,
    Var,
    const,
    joined,
    shapes,
)

__all__ = ["Form", "Slot", "form_of", "merged_form", "packed", "slots_in", "unpacked", "values_for", "with_exprs"]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that an expression of that type fills; ``computed`` where it stands for a number, ``grown`` for a list."""

    type: Type
    computed: bool
    grown: bool = False


Form = Slot | int | float | bool | str | None | object | Sequence["Form"] | Mapping[str, "Form"]
"""What is known of a value whatever the program computes: numbers, texts and structure, with slots for the rest."""


def form_of(value: Result) -> Form:
    """The form of a value: its expressions as slots."""
    if isinstance(value, Computed):
        return Slot(_type(value.expr), computed=True)
    if isinstance(value, Grown):
        return Slot(_type(value.expr), value.computed, grown=True)
    if isinstance(value, Expr):
        if isinstance(value.type, TupleType):
            return tuple([Slot(part, computed=False) for part in value.type.fields])
        return Slot(_type(value), computed=False)
    if isinstance(value, tuple):
        return tuple([form_of(part) for part in value])
    if isinstance(value, Mapping):
        return {key: form_of(part) for key, part in value.items()}
    return value


def _type(expr: Expr) -> Type:
    assert expr.type is not None, "an expression of a conversion has its type"
    return expr.type


def _is_number(form: Form) -> bool:
    return isinstance(form, bool | int | float) or (isinstance(form, Slot) and form.computed and not form.grown)


def _number(form: Form) -> Type:
    if isinstance(form, Slot):
        return form.type
    assert isinstance(form, bool | int | float), "the caller looked"
    return _type(as_tensor(form, FLOAT64 if isinstance(form, float) else None))


def merged_form(left: Form, right: Form) -> Form:
    """The form that values of both forms have. Raises UnsupportedProgram where there is none."""
    if isinstance(left, Blank) or isinstance(right, Blank):
        return right if isinstance(left, Blank) else left
    if _is_number(left) and _is_number(right):
        if type(left) is type(right) and left == right:
            return left
        return Slot(_joined(_number(left), _number(right)), computed=True)
    if _is_list(left) and _is_list(right) and _length(left) != _length(right):
        return _grown(left, right)
    if isinstance(left, Slot) and isinstance(right, Slot) and left.grown == right.grown:
        return Slot(_joined(left.type, right.type), left.computed, left.grown)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return tuple([merged_form(a, b) for a, b in zip(left, right, strict=True)])
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        if set(left) != set(right):
            raise UnsupportedProgram("which keys a mapping has depends on what the program computes")
        return {key: merged_form(part, right[key]) for key, part in left.items()}
    if type(left) is type(right) and left == right:
        return left
    raise UnsupportedProgram(
        f"a value is {_noun(left)} or {_noun(right)}, depending on what the program computes",
        hint="give both branches a value of the same kind",
    )


def _is_list(form: Form) -> bool:
    return isinstance(form, tuple) or (isinstance(form, Slot) and form.grown)


def _length(form: Form) -> int | None:
    return len(form) if isinstance(form, tuple) else None


def _grown(*lists: Form) -> Slot:
    """A list that is as long as any of these: of tensors of one type, or of numbers."""
    parts = [part for form in lists if isinstance(form, tuple) for part in form]
    rows = [form.type for form in lists if isinstance(form, Slot)]
    computed = all(map(_is_number, parts)) and all(form.computed for form in lists if isinstance(form, Slot))
    if not computed and not all(isinstance(part, Slot) and not part.computed for part in parts):
        lengths = " or ".join(str(len(form)) for form in lists if isinstance(form, tuple))
        raise UnsupportedProgram(
            f"how long a list is depends on what the program computes ({lengths}), and its elements are no tensors"
        )
    for part in parts:
        kind = part.type if isinstance(part, Slot) else _number(part)
        if not isinstance(kind, TensorType):
            raise UnsupportedProgram(f"how long a list of {kind} is depends on what the program computes")
        rows.append(TensorType((ANY, *kind.shape), kind.dtype))
    row = functools.reduce(_joined, rows)
    assert isinstance(row, TensorType), "tensors have a tensor type in common"
    if not shapes.is_static(row.shape[1:]):
        raise UnsupportedProgram(
            "how long a list is depends on what the program computes, and so do its elements' shapes"
        )
    return Slot(row, computed, grown=True)


def _joined(left: Type, right: Type) -> Type:
    try:
        found = joined(left, right)
    except TypeMismatch:
        message = f"a value is of type {left} or {right}, depending on what the program computes"
        raise UnsupportedProgram(message, hint="give it one rank and dtype") from None
    assert found is not None, "both are known"
    return found


def _noun(form: Form) -> str:
    if isinstance(form, Slot):
        return "a number" if form.computed else f"a tensor {form.type}"
    return f"several values ({len(form)})" if isinstance(form, tuple | Mapping) else repr(form)


def slots_in(form: Form) -> list[Slot]:
    """The slots of a form in order."""
    if isinstance(form, Slot):
        return [form]
    parts = form if isinstance(form, tuple) else list(form.values()) if isinstance(form, Mapping) else ()
    return [slot for part in parts for slot in slots_in(part)]


def values_for(form: Form, value: Result) -> list[Expr]:
    """What a value puts into the slots of a form that it has."""
    if isinstance(form, Slot):
        return [_filling(form, value)]
    if isinstance(form, tuple):
        parts: Sequence[Result]
        if isinstance(value, Blank):
            parts = [BLANK] * len(form)
        else:
            parts = tuple(value) if isinstance(value, Expr | tuple) else ()  # pyright: ignore[reportArgumentType] of type tuple
        return [expr for part, given in zip(form, parts, strict=True) for expr in values_for(part, given)]
    if isinstance(form, Mapping):
        given = value if isinstance(value, Mapping) else dict.fromkeys(form, BLANK)
        return [expr for key, part in form.items() for expr in values_for(part, given[key])]
    return []


def _filling(slot: Slot, value: Result) -> Expr:
    """The value as an expression of the type of the slot; anything of that type where it is never read."""
    kind = slot.type
    if slot.grown:
        value = _rows(value, kind)
    if isinstance(value, Blank):
        if not isinstance(kind, TensorType):
            raise UnsupportedProgram(f"a value of type {kind} is not set before a loop")
        shape = tuple([size if isinstance(size, int) else 0 for size in kind.shape])
        value = op.zeros(shape=shape, dtype=kind.dtype) if shape else const(0, kind.dtype)
    elif not isinstance(value, Expr):
        assert isinstance(value, Computed | bool | int | float), "the form of a number"
        assert isinstance(kind, TensorType), "a number is a tensor in Relay"
        value = as_tensor(value, kind.dtype)
    return value if value.type == kind else _widened(value, kind)


def _rows(value: Result, kind: Type) -> Result:
    """The elements of a list along the first axis of one tensor; what is never read as it is."""
    if not isinstance(value, tuple):
        return value.expr if isinstance(value, Grown) else value
    if not value:
        return BLANK
    assert isinstance(kind, TensorType), "a list grows in a tensor"
    exprs = [part if isinstance(part, Expr) else as_tensor(_operand(part), kind.dtype) for part in value]
    return op.stack(exprs, axis=0)


def _operand(value: Result) -> Operand:
    assert isinstance(value, Computed | bool | int | float), "an element of a list of numbers"
    return value


def _widened(value: Expr, kind: Type) -> Expr:
    """The value as one of a type that knows less of it: what a function gives that takes and returns that type."""
    var = Var("x", kind)
    return Call(Function((var,), var, ret_type=kind), (value,))


def with_exprs(form: Form, exprs: Sequence[Expr]) -> Result:
    """The value of that form with the expressions in its slots, in order."""
    return _with_next(form, list(reversed(exprs)))


def _with_next(form: Form, rest: list[Expr]) -> Result:
    if isinstance(form, Slot):
        expr = rest.pop()
        if form.grown:
            return Grown(expr, form.computed)
        return Computed(expr) if form.computed else expr
    if isinstance(form, tuple):
        return tuple([_with_next(part, rest) for part in form])
    if isinstance(form, Mapping):
        return {key: _with_next(part, rest) for key, part in form.items()}
    return form  # pyright: ignore[reportReturnType] what is known is a result as it is


def packed(exprs: Sequence[Expr]) -> Expr:
    """Several expressions as one: itself where it is one."""
    return exprs[0] if len(exprs) == 1 else Tuple(tuple(exprs))


def unpacked(expr: Expr, count: int) -> list[Expr]:
    """The expressions that were packed as one."""
    return [expr] if count == 1 else [TupleGetItem(expr, index) for index in range(count)]
