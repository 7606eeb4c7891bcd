"""Every declared operator by its name."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from torchrelay.errors import IllFormed, WrongArgument

if TYPE_CHECKING:
    from torchrelay.ir.operator import Operator

__all__ = ["find", "get", "names", "register"]

_OPERATORS: dict[str, Operator[...]] = {}


def register(name: str, operator: Operator[...]) -> None:
    """Enters an operator. Raises IllFormed for a name that is taken."""
    if name in _OPERATORS:
        raise IllFormed(f"the operator {name} is declared twice")
    _OPERATORS[name] = operator


def find(name: str) -> Operator[...] | None:
    """The operator of that name, or None."""
    return _OPERATORS.get(name)


def get(name: str) -> Operator[...]:
    """The operator of that name. Raises WrongArgument with the nearest names where there is none."""
    found = _OPERATORS.get(name)
    if found is None:
        near = difflib.get_close_matches(name, _OPERATORS, 3)
        raise WrongArgument(f"there is no operator {name!r}", hint=f"did you mean {', '.join(near)}?" if near else "")
    return found


def names() -> list[str]:
    """The names of all operators, sorted."""
    return sorted(_OPERATORS)
