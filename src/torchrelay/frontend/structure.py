"""Operators that only take values apart and put them together, where which values these are is known.

They mean the same to a reader, on the arguments of nodes, as to the conversion, on what these are in Relay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torchrelay.frontend.graph import TorchValue

__all__ = ["KEYS", "STRUCTURAL", "UNKNOWN", "Unknown"]


class Unknown:
    """The result of a node that only running the program can give."""


UNKNOWN = Unknown()
KEYS = ("str", "int", "bool", "float")
"""The kinds of keys that a mapping may have, by which its overloads are named."""
Meaning = Callable[[Sequence[Any]], Any]
"""From the arguments of an operator, in order, to its result, UNKNOWN where that is not known."""


def _is(inputs: Sequence[Any]) -> Any:
    """``is``, where one side is None."""
    for one, other in ((inputs[0], inputs[1]), (inputs[1], inputs[0])):
        if one is not None:
            continue
        if not isinstance(other, TorchValue):
            return other is None
        if other.type.kind not in ("Optional", "Any", "None"):
            return False
    return UNKNOWN


def _is_not(inputs: Sequence[Any]) -> Any:
    same = _is(inputs)
    return UNKNOWN if isinstance(same, Unknown) else not same


def _first(inputs: Sequence[Any]) -> Any:
    return inputs[0]


def _unwrapped(inputs: Sequence[Any]) -> Any:
    return UNKNOWN if inputs[0] is None else inputs[0]


def _length(inputs: Sequence[Any]) -> Any:
    return len(inputs[0]) if isinstance(inputs[0], tuple | Mapping | str) else UNKNOWN


def _element(inputs: Sequence[Any]) -> Any:
    whole, index = inputs[0], inputs[1]
    if isinstance(whole, tuple) and type(index) is int and -len(whole) <= index < len(whole):
        return whole[index]
    return UNKNOWN


def _entry(inputs: Sequence[Any]) -> Any:
    whole, key = inputs[0], inputs[1]
    if isinstance(whole, Mapping) and isinstance(key, str | int | float) and key in whole:
        return whole[key]
    return UNKNOWN


def _entry_or(inputs: Sequence[Any]) -> Any:
    whole, key = inputs[0], inputs[1]
    if isinstance(whole, Mapping) and isinstance(key, str | int | float):
        return whole.get(key, inputs[2] if len(inputs) > 2 else None)
    return UNKNOWN


def _has_key(inputs: Sequence[Any]) -> Any:
    whole, key = inputs[0], inputs[1]
    return key in whole if isinstance(whole, Mapping) and isinstance(key, str | int | float) else UNKNOWN


def _part(inputs: Sequence[Any]) -> Any:
    whole, *bounds = inputs
    if not isinstance(whole, tuple | str) or not all(bound is None or type(bound) is int for bound in bounds):
        return UNKNOWN
    return whole[slice(*[bound if isinstance(bound, int) else None for bound in bounds])]


def _joined(inputs: Sequence[Any]) -> Any:
    left, right = inputs[0], inputs[1]
    return left + right if isinstance(left, tuple) and isinstance(right, tuple) else UNKNOWN


def _repeated(inputs: Sequence[Any]) -> Any:
    whole, times = inputs[0], inputs[1]
    return whole * times if isinstance(whole, tuple) and type(times) is int else UNKNOWN


def _same_list(inputs: Sequence[Any]) -> Any:
    return inputs[0] if isinstance(inputs[0], tuple) else UNKNOWN


def _keys(inputs: Sequence[Any]) -> Any:
    return tuple(inputs[0]) if isinstance(inputs[0], Mapping) else UNKNOWN


def _values(inputs: Sequence[Any]) -> Any:
    return tuple(inputs[0].values()) if isinstance(inputs[0], Mapping) else UNKNOWN


def _items(inputs: Sequence[Any]) -> Any:
    return tuple(inputs[0].items()) if isinstance(inputs[0], Mapping) else UNKNOWN


def _same_mapping(inputs: Sequence[Any]) -> Any:
    return inputs[0] if isinstance(inputs[0], Mapping) else UNKNOWN


def _member(inputs: Sequence[Any]) -> Any:
    whole, value = inputs
    if not isinstance(whole, tuple) or not all(isinstance(part, bool | int | float | str) for part in (*whole, value)):
        return UNKNOWN
    return value in whole


def _of_every_key(name: str, meaning: Meaning) -> dict[str, Meaning]:
    return {f"aten::{name}{key}": meaning for key in KEYS}


STRUCTURAL: Mapping[str, Meaning] = {
    "aten::__is__.default": _is,
    "aten::__isnot__.default": _is_not,
    "aten::_unwrap_optional.default": _unwrapped,
    "prim::unchecked_cast.default": _first,
    "prim::unchecked_unwrap_optional.default": _first,
    "aten::len.t": _length,
    "aten::len.str": _length,
    "aten::__getitem__.t": _element,
    "prim::TupleIndex.default": _element,
    **{f"aten::__contains__.{kind}_list": _member for kind in ("int", "float", "str")},
    "aten::slice.t": _part,
    "aten::slice.str": _part,
    "aten::add.t": _joined,
    "aten::mul.left_t": _repeated,
    "aten::list.t": _same_list,
    "aten::copy.t": _same_list,
    **_of_every_key("__getitem__.Dict_", _entry),
    **_of_every_key("get.", _entry_or),
    **_of_every_key("get.default_", _entry_or),
    **_of_every_key("__contains__.", _has_key),
    **_of_every_key("keys.", _keys),
    **_of_every_key("values.", _values),
    **_of_every_key("items.", _items),
    **_of_every_key("len.Dict_", _length),
    **_of_every_key("copy.Dict_", _same_mapping),
}
