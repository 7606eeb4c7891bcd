"""Whether the patterns of a match cover every value, and which value they leave out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torchrelay.ir.expr import Constructor, Pattern, PatternConstructor, PatternTuple, PatternWildcard
from torchrelay.ir.types import TypeData

__all__ = ["unmatched"]

Row = tuple[Pattern, ...]


def unmatched(patterns: Sequence[Pattern], definitions: Mapping[str, TypeData]) -> str | None:
    """The text of a pattern whose values none of the patterns match, or None where there is none.

    A constructor of a data type that is not defined counts as its only one.
    """
    found = _left_out([(pattern,) for pattern in patterns], 1, definitions)
    return None if found is None else found[0]


def _left_out(rows: Sequence[Row], width: int, definitions: Mapping[str, TypeData]) -> list[str] | None:
    """One text for each column, of values that no row matches; the first column decides what the rows are split by."""
    if width == 0:
        return None if rows else []
    firsts = [row[0] for row in rows]
    split = next((first for first in firsts if isinstance(first, PatternConstructor | PatternTuple)), None)
    if split is None:
        rest = _left_out([row[1:] for row in rows], width - 1, definitions)
        return None if rest is None else ["_", *rest]
    if isinstance(split, PatternTuple):
        count = len(split.patterns)
        opened = [row for row in (_opened(row, None, count) for row in rows) if row is not None]
        found = _left_out(opened, count + width - 1, definitions)
        return None if found is None else [f"({', '.join(found[:count])})", *found[count:]]
    for constructor in _constructors(split.constructor, definitions):
        count = len(constructor.inputs)
        opened = [row for row in (_opened(row, constructor, count) for row in rows) if row is not None]
        found = _left_out(opened, count + width - 1, definitions)
        if found is not None:
            shown = f"{constructor.name}({', '.join(found[:count])})" if count else constructor.name
            return [shown, *found[count:]]
    return None


def _constructors(one: Constructor, definitions: Mapping[str, TypeData]) -> Sequence[Constructor]:
    defined = definitions.get(one.belong_to.name)
    return (one,) if defined is None else defined.constructors


def _opened(row: Row, constructor: Constructor | None, count: int) -> Row | None:
    """The row with the parts of its first pattern in its place; None where it does not match the constructor."""
    first, rest = row[0], row[1:]
    if isinstance(first, PatternTuple):
        return (*first.patterns, *rest)
    if isinstance(first, PatternConstructor):
        if constructor is not None and first.constructor.name != constructor.name:
            return None
        return (*first.patterns, *rest)
    return (*([PatternWildcard()] * count), *rest)
