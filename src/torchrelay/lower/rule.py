"""Lowering rules: how a call of one operator is said with others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torchrelay.ir import Call, Expr, Operator

__all__ = ["Kept", "Rule", "lowers", "rules_for"]


@dataclass(frozen=True, slots=True)
class Kept:
    """A rule holds back, and why."""

    reason: str


Rule = Callable[[Call], Expr | Kept]


_RULES: dict[str, list[Rule]] = defaultdict(list)


def lowers(operator: Operator[...]) -> Callable[[Rule], Rule]:
    """Declares the decorated function as a way to say a call of the operator with others; its docstring is the law.

    It gives an expression of the same type and value, or Kept with the reason why not. Rules are tried in order.
    """

    def declare(rule: Rule) -> Rule:
        _RULES[operator.name].append(rule)
        return rule

    return declare


def rules_for(operator: Operator[...]) -> Sequence[Rule]:
    """The rules for that operator, in the order they are tried."""
    return tuple(_RULES[operator.name]) if operator.name in _RULES else ()
