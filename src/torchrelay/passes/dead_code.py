"""What nothing uses goes."""

from __future__ import annotations

from torchrelay.ir import (
    Call,
    Constructor,
    Expr,
    Function,
    IRModule,
    Let,
    Match,
    Operator,
    RefCreate,
    RefRead,
    RefWrite,
    Var,
    children,
    post_order,
    rebuild,
)
from torchrelay.passes.base import each_function, module_pass

__all__ = ["DeadCode"]


@module_pass("dead-code")
class DeadCode:
    """A let whose variable nothing that counts reads goes, unless its value does something besides giving a value.

    What may do so: a use of a cell, a stateful operator, a call of a function, a match that may fail.
    """

    def __call__(self, module: IRModule) -> IRModule:
        """The module without what nothing uses."""
        return each_function(module, _without_dead_lets)


def _without_dead_lets(function: Function) -> Expr:
    lets = [node for node in post_order(function) if isinstance(node, Let)]
    if not lets:
        return function
    acting = _acting(function)
    kept = _kept(function, acting)
    return rebuild(function, lambda node: node.body if isinstance(node, Let) and node.var not in kept else node)


def _acting(function: Function) -> set[Expr]:
    """The expressions whose evaluation does something; making a function value does not."""
    found: set[Expr] = set()
    for node in post_order(function):
        if isinstance(node, Function):
            continue
        if _acts(node) or any(part in found for part in children(node)):
            found.add(node)
    return found


def _acts(node: Expr) -> bool:
    if isinstance(node, Call):
        return node.op.stateful if isinstance(node.op, Operator) else not isinstance(node.op, Constructor)
    return isinstance(node, RefCreate | RefRead | RefWrite) or (isinstance(node, Match) and not node.complete)


def _kept(function: Function, acting: set[Expr]) -> set[Expr]:
    """The variables of lets that are read by what counts, or whose value acts."""
    waiting: dict[Expr, Expr] = {}
    kept: set[Expr] = set()
    seen: set[Expr] = set()
    stack: list[Expr] = [function]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, Let):
            waiting[node.var] = node.value
            # Read in the value of another let before this one was seen, the variable counts already.
            if node.value in acting or node.var in kept:
                kept.add(node.var)
                stack.append(node.value)
            stack.append(node.body)
            continue
        if isinstance(node, Var):
            kept.add(node)
            if node in waiting:
                stack.append(waiting[node])
            continue
        stack.extend(children(node))
    return kept
