"""Rewrites a module until only the operators of a profile remain, or says which call cannot go and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from torchrelay.errors import Diagnostic, LoweringError, expect
from torchrelay.ir import Call, Expr, Function, IRModule, Operator, Tuple, TupleGetItem, at, rebuild
from torchrelay.lower import rules as _rules
from torchrelay.lower.profile import Profile, load_profile
from torchrelay.lower.rule import Kept, rules_for

__all__ = ["lower"]

assert _rules.__name__, "importing the rules declares them"

MAX_DEPTH = 8
"""How many rules may follow one another on one call before they are taken to go round in a circle."""

Params = Mapping[str, np.ndarray]


class _Refused(Exception):
    """A call that the profile does not take and that no rule brings into it."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic


@dataclass(frozen=True, slots=True)
class _Lowering:
    profile: Profile
    done: Callable[[int], None] | None = None

    def settled(self, node: Expr, depth: int = 0) -> Expr:
        """The node said with the profile's operators. Raises _Refused."""
        if isinstance(node, TupleGetItem) and isinstance(node.tuple_value, Tuple):
            return node.tuple_value.fields[node.index]
        if not isinstance(node, Call) or not isinstance(node.op, Operator):
            return node
        refusal = self.profile.refusal(node)
        if not refusal:
            return node
        return self._by_rule(node, node.op, refusal, depth)

    def _by_rule(self, call: Call, operator: Operator[...], refusal: str, depth: int) -> Expr:
        reasons = [refusal]
        for rule in rules_for(operator) if depth < MAX_DEPTH else ():
            with at(call.place):
                result = rule(call)
            if isinstance(result, Kept):
                reasons.append(f"{rule.__name__}: {result.reason}")
                continue
            try:
                known = {arg: arg for arg in call.args}
                return rebuild(result, lambda node: self.settled(node, depth + 1), known)
            except _Refused as refused:
                reasons.append(f"{rule.__name__} leads to: {refused.diagnostic.message}")
        if len(reasons) == 1:
            reasons.append(f"there is no rule that says {operator.name} with other operators")
        shown = ", ".join(str(arg.type) for arg in call.args)
        message = f"{operator.name}({shown}) cannot be brought into the profile {self.profile.name}: {refusal}"
        raise _Refused(Diagnostic(LoweringError.code, message, call.place, tuple(reasons[1:])))


def lower(mod: IRModule, params: Params, profile: str | Path | Profile) -> tuple[IRModule, dict[str, np.ndarray]]:
    """The module said with the operators of a profile only, and the same parameters.

    ``profile`` is the name of one that ships (``conv2d-only``), the path of a TOML file, or a Profile. The result computes
    the same values. Raises ProfileError for a bad profile; LoweringError, naming every call that cannot be brought into
    it with its place and the reason.
    """
    expect(mod, IRModule, "lower takes a module first")
    expect(params, Mapping, "lower takes the parameters by name second")
    lowering = _Lowering(load_profile(profile))
    refused: list[Diagnostic] = []

    def settled(node: Expr) -> Expr:
        try:
            return lowering.settled(node)
        except _Refused as refusal:
            refused.append(refusal.diagnostic)
            return node

    functions: dict[str, Function] = {}
    for name, function in mod.functions.items():
        lowered = rebuild(function, settled)
        assert isinstance(lowered, Function), "a function is rebuilt into a function"
        functions[name] = lowered
    if refused:
        count = f"{len(refused)} call{'s' if len(refused) > 1 else ''}"
        raise LoweringError(f"{count} cannot be brought into the profile", diagnostics=refused)
    return mod.with_functions(functions), dict(params)
