"""The names of tvm.relay.loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torchrelay.ir import Call, Expr, Function, If, Let, Tuple, Var
from torchrelay.relay.functions import as_expr

__all__ = ["while_loop"]


def while_loop(
    cond: Callable[..., Expr], loop_vars: Sequence[Expr], loop_bodies: Callable[..., Sequence[Expr] | Expr]
) -> Let:
    """A function from the first values of the loop to a tuple of the last ones.

    ``cond`` and ``loop_bodies`` take a variable for each of ``loop_vars`` and give whether to go on, and the next values.
    """
    loop = Var("while_loop")
    state = [_variable(value, f"arg{index}") for index, value in enumerate(loop_vars)]
    after = loop_bodies(*state)
    following = [after] if isinstance(after, Expr) else [as_expr(value, "a value of the loop") for value in after]
    again = If(as_expr(cond(*state), "cond"), Call(loop, tuple(following)), Tuple(tuple(state)))
    return Let(loop, Function(tuple(state), again), loop)


def _variable(value: Expr, name: str) -> Var:
    """A new variable for a value of the loop, under the name and the type of the value where it has them."""
    return Var(value.name, value.type_annotation) if isinstance(value, Var) else Var(name, value.type)
