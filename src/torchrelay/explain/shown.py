"""Values of the stages as plain data and as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set

import numpy as np

from torchrelay.errors import Place
from torchrelay.formats import value_text
from torchrelay.ir import (
    Attrs,
    AttrValue,
    Call,
    Constant,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    If,
    IRModule,
    Kind,
    Operator,
    TensorType,
    Tuple,
    TupleGetItem,
    Var,
)

__all__ = ["expr_line", "shown", "text_of_value"]

Plain = str | int | float | bool | list["Plain"] | dict[str, "Plain"] | None


def text_of_value(value: object) -> str:
    """One value in one line: a variable as the user's notes write it, an array by its shape, an expression in full."""
    if isinstance(value, Var):
        if isinstance(value.type, TensorType):
            return f"Var({value.name}, TensorType([{', '.join(map(str, value.type.shape))}], {value.type.dtype}))"
        return f"Var({value.name}, {value.type})"
    if isinstance(value, np.ndarray):
        return f"array of {value.dtype}{list(value.shape)}"
    if isinstance(value, Expr):
        return f"{expr_line(value)}: {value.type}"
    return str(value)


def shown(value: object) -> Plain:
    """The value as plain data for JSON."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Mapping):
        return {str(key): shown(part) for key, part in value.items()}
    if isinstance(value, Set):
        return [shown(part) for part in sorted(value, key=str)]
    if isinstance(value, Function | IRModule | Place):
        return str(value)
    if isinstance(value, Sequence):
        return [shown(part) for part in value]
    return text_of_value(value)


def _attributes(attrs: Attrs | None) -> list[str]:
    if attrs is None:
        return []

    def inner(_kind: Kind, value: AttrValue) -> str:
        return expr_line(value) if isinstance(value, Expr) else str(value)

    items = [(item, value) for item, value in attrs.items() if item.required or value != item.default]
    return [f"{item.name}={value_text(item.kind, value, inner)}" for item, value in items]


def expr_line(expr: Expr, names: Mapping[Expr, str] | None = None) -> str:
    """The expression in one line; what ``names`` has a name for is shown by it, except the expression itself."""
    known = names or {}
    texts: dict[Expr, str] = {}
    stack: list[tuple[Expr, bool]] = [(expr, False)]
    while stack:
        part, expanded = stack.pop()
        if part in texts:
            continue
        if part is not expr and part in known:
            texts[part] = f"%{known[part]}"
        elif expanded or not _parts(part):
            texts[part] = _line(part, texts.__getitem__)
        else:
            stack.append((part, True))
            stack.extend([(operand, False) for operand in _parts(part)])
    return texts[expr]


def _parts(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Call(op=op, args=args):
            return args if isinstance(op, Operator | Constructor | GlobalVar) else (op, *args)
        case Tuple(fields=fields):
            return fields
        case TupleGetItem(tuple_value=value):
            return (value,)
        case If(cond=cond):
            return (cond,)
        case _:
            return ()


def _line(expr: Expr, text: Callable[[Expr], str]) -> str:
    match expr:
        case Var(name=name):
            return f"%{name}"
        case Constant(data=data):
            return str(data[()]) if data.ndim == 0 else f"constant {data.dtype}{list(data.shape)}"
        case Call(op=op, args=args, attrs=attrs):
            callee = op.name if isinstance(op, Operator | Constructor | GlobalVar) else text(op)
            return f"{callee}({', '.join([*map(text, args), *_attributes(attrs)])})"
        case Tuple(fields=fields):
            return f"({', '.join(map(text, fields))})"
        case TupleGetItem(tuple_value=value, index=index):
            return f"{text(value)}.{index}"
        case If(cond=cond):
            return f"if ({text(cond)}) ..."
        case _:
            return f"<{type(expr).__name__}>"
