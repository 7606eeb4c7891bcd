"""Converters of operators that write to lists and mappings: each gives what the written one is afterwards, behind its result.

Which values are in a list is known before the program runs; what these values are need not be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.containers import elements, entries, joined_lists, lengthened, row_of
from torchrelay.frontend.aten.shape.join import select_scatter
from torchrelay.frontend.promote import Computed, Grown
from torchrelay.frontend.registry import Result, aten, converters, torch_op
from torchrelay.frontend.structure import KEYS

__all__ = ["LIST_WRITERS"]


@torch_op("prim::ListConstruct.default")
def new_list(elements: Result) -> Result:
    """A list that is written to later."""
    return elements


@torch_op("prim::DictConstruct.default")
def new_mapping(keys: Result, values: Result) -> Result:
    """A mapping that is written to later, or whose keys are no texts."""
    return dict(zip(_keys(keys), elements(values), strict=True))


def _keys(keys: Result) -> list[str]:
    """The keys, which must be known. They are texts, or numbers, which a mapping of results holds as well."""
    return [_key(key) for key in elements(keys)]


def _key(key: Result) -> str:
    if not isinstance(key, str | int | float):
        raise UnsupportedProgram("a key of a mapping is computed while the program runs, but must be known here")
    return cast("str", key)


def _place(idx: Result, count: int) -> int:
    if not isinstance(idx, int):
        raise UnsupportedProgram("which element is written is computed while the program runs, but must be known here")
    if not -count <= idx < count:
        raise UnsupportedProgram(f"there is no element {idx} in a list of {count}")
    return idx


@aten("append.t")
def append(self: Result, el: Result) -> Result:
    """One more at the end."""
    if isinstance(self, Grown):
        return lengthened(self, (el,))
    return (*elements(self), el)


@aten("_set_item.t")
def set_element(l: Result, idx: Result, el: Result) -> Result:  # noqa: E741 the schema's name
    """Another value in one place."""
    if isinstance(l, Grown) and isinstance(idx, int | Computed):
        return Grown(select_scatter(l.expr, row_of(l, el), 0, idx), l.computed)
    made = list(elements(l))
    made[_place(idx, len(made))] = el
    return tuple(made)


@aten("insert.t")
def insert(self: Result, idx: int, el: Result) -> Result:
    """One more before a place."""
    made = list(elements(self))
    made.insert(idx, el)
    return tuple(made)


@aten("pop.t")
def pop(self: Result, idx: Result = -1) -> Result:
    """One taken out, and the list without it."""
    made = list(elements(self))
    taken = made.pop(_place(idx, len(made)))
    return (taken, tuple(made))


@aten("Delete.t")
def delete(self: Result, idx: Result) -> Result:
    """The list without one."""
    made = list(elements(self))
    del made[_place(idx, len(made))]
    return tuple(made)


@aten("extend.t")
def extend(self: Result, other: Result) -> Result:
    """Several more at the end."""
    return joined_lists(self, other)


@aten("clear.t")
def clear(self: Result) -> Result:
    """No elements."""
    return ()


@aten("reverse.t")
def reverse(self: Result) -> Result:
    """The elements in the opposite order."""
    return tuple(reversed(elements(self)))


@aten("remove.int", "remove.float", "remove.bool", "remove.str")
def remove(self: Result, el: Result) -> Result:
    """The list without the first that equals a number or a text."""
    made = list(_known_values(self))
    if el not in made:
        raise UnsupportedProgram(f"{el!r} is not in the list that it is removed from")
    made.remove(el)
    return tuple(made)


@aten("sort.int", "sort.float", "sort.bool", "sort.str")
def sort(self: Result, reverse: bool = False) -> Result:
    """The numbers or texts in order."""
    return tuple(sorted(_known_values(self), reverse=reverse))  # pyright: ignore[reportArgumentType, reportCallIssue] all of one kind


def _known_values(values: Result) -> Sequence[Result]:
    found = elements(values)
    if not all(isinstance(value, bool | int | float | str) for value in found):
        raise UnsupportedProgram("a list of what is computed while the program runs, but must be known here")
    return found


def _of_every_key(name: str, converter: Callable[..., Result], prefix: str = "") -> None:
    torch_op(*(f"aten::{name}.{prefix}{key}" for key in KEYS))(converter)


def _set_entry(l: Result, idx: Result, v: Result) -> Result:  # noqa: E741 the schema's name
    """The mapping with a value under a key."""
    return {**entries(l), _key(idx): v}


def _delete_entry(self: Result, key: Result) -> Result:
    """The mapping without a key."""
    _, rest = _without(self, key)
    return rest


def _pop_entry(self: Result, key: Result) -> Result:
    """The value under a key, and the mapping without it."""
    return _without(self, key)


def _pop_entry_or(self: Result, key: Result, default_value: Result) -> Result:
    """The value under a key or another, and the mapping without the key."""
    return _without(self, key) if _key(key) in entries(self) else (default_value, entries(self))


def _without(mapping: Result, key: Result) -> tuple[Result, Mapping[str, Result]]:
    made = dict(entries(mapping))
    if _key(key) not in made:
        raise UnsupportedProgram(f"there is no key {key!r} in the mapping")
    taken = made.pop(_key(key))
    return taken, made


def _update(self: Result, to_add: Result) -> Result:
    """The mapping with another's entries."""
    return {**entries(self), **entries(to_add)}


def _set_default(self: Result, key: Result, default_value: Result) -> Result:
    """The value under a key, which is there afterwards, and the mapping."""
    made = {_key(key): default_value, **entries(self)} if _key(key) not in entries(self) else entries(self)
    return (made[_key(key)], {**entries(self), **made})


def _clear_mapping(self: Result) -> Result:
    """No entries."""
    return {}


_of_every_key("_set_item", _set_entry)
_of_every_key("Delete", _delete_entry, "Dict_")
_of_every_key("pop", _pop_entry, "Dict_")
_of_every_key("pop", _pop_entry_or, "Dict_default_")
_of_every_key("update", _update)
_of_every_key("setdefault", _set_default)
_of_every_key("clear", _clear_mapping)

LIST_WRITERS = frozenset(target for target, made in converters().items() if made.function.__module__ == __name__)
"""The operators of this file: what they do with values is the same whatever the values are."""
