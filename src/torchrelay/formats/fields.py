"""One row for each kind of attribute field: its text form and its JSON form."""

from __future__ import annotations

import math
from collections.abc import Callable

from torchrelay.ir import AttrValue, Int64, Kind

__all__ = ["double_text", "float_digits", "int_text", "string_text", "value_text"]


def float_digits(value: float) -> str:
    """The fewest digits that read back as the same double, in the form Relay's reader takes: no ``.0`` at the end.

    >>> float_digits(1.0), float_digits(1e-05), float_digits(float("-inf"))
    ('1', '1e-05', '-inf')
    """
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text


def double_text(value: float) -> str:
    """A double attribute: ``0.1f``, ``inff``, ``nanf``."""
    return f"{float_digits(value)}f"


def int_text(value: int) -> str:
    """An integer attribute; one of 64 bits says so, as TVM prints it.

    >>> int_text(3), int_text(2**40)
    ('3', '1099511627776i64')
    """
    return f"{int(value)}i64" if isinstance(value, Int64) or not -(2**31) <= value < 2**31 else str(int(value))


def string_text(value: str) -> str:
    """A text between quotes, with the escapes that Relay's printer writes."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def _bool_text(value: object) -> str:
    return "True" if value else "False"


def _integer_text(value: AttrValue) -> str:
    if type(value) is int and -(2**31) <= value < 2**31:
        return str(value)
    return int_text(value) if isinstance(value, int) else str(value)


_TEXT: dict[str, Callable[[AttrValue], str]] = {
    "int": str,
    "Integer": _integer_text,
    "Index": _integer_text,
    "float": lambda value: double_text(_number(value)),
    "Float": lambda value: double_text(_number(value)),
    "Number": lambda value: double_text(_number(value)),
    "bool": _bool_text,
    "Boolean": _bool_text,
    "str": lambda value: string_text(str(value)),
    "String": lambda value: string_text(str(value)),
    "dtype": lambda value: string_text(str(value)),
}


def _number(value: AttrValue) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def value_text(kind: Kind, value: AttrValue, meta_text: Callable[[Kind, AttrValue], str]) -> str:
    """The text of a field's value; ``meta_text`` gives that of one that stands in the metadata section."""
    if kind.name == "optional":
        return "None" if value is None or kind.element is None else value_text(kind.element, value, meta_text)
    if kind.name in ("list", "one_or_list"):
        if not isinstance(value, tuple):
            return str(value)
        assert kind.element is not None, "a list has a kind of element"
        element = kind.element
        plain = _TEXT.get(element.name)
        texts = map(plain, value) if plain is not None else [value_text(element, part, meta_text) for part in value]
        return f"[{', '.join(texts)}]"
    if kind.name in ("expr", "device", "EnvFunc"):
        return meta_text(kind, value)
    return _TEXT[kind.name](value)
