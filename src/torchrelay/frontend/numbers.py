"""What torch itself makes of numbers, texts and lists of them, where they are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import torch

from torchrelay.frontend.schema import Schema, scalar_type_number
from torchrelay.ir import DType

__all__ = ["NOT_COMPUTED", "NotComputed", "by_torch"]


class NotComputed:
    """There is no result: torch raises on these values, or has no such operator."""


NOT_COMPUTED = NotComputed()


def by_torch(schema: Schema, values: Sequence[object]) -> object | NotComputed:
    """The result of the operator on plain values; lists are given and come back as tuples, a dtype is its number."""
    operation = _operation(schema.name, schema.target.rpartition(".")[2])
    if operation is None:
        return NOT_COMPUTED
    try:
        return _as_tuples(operation(*map(_as_lists, values)))
    except (RuntimeError, TypeError, IndexError):  # what the program would raise, it raises when it runs
        return NOT_COMPUTED


@cache
def _operation(name: str, overload: str) -> Callable[..., object] | None:
    found = torch._C._get_operation_overload(name, "" if overload == "default" else overload)
    return None if found is None else found[0]


def _as_lists(value: object) -> object:
    if isinstance(value, DType):
        return scalar_type_number(value)
    return [_as_lists(part) for part in value] if isinstance(value, tuple) else value


def _as_tuples(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _as_tuples(part) for key, part in value.items()}
    return tuple([_as_tuples(part) for part in value]) if isinstance(value, list | tuple) else value
