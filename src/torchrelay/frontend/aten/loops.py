"""Steps that are repeated while the program runs: a function of Relay's that calls itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torchrelay import op
from torchrelay.frontend.promote import INT64
from torchrelay.ir import (
    Call,
    Constant,
    Expr,
    Function,
    FuncType,
    If,
    Let,
    Tuple,
    TupleGetItem,
    TupleType,
    Var,
    const,
)

__all__ = ["counted", "repeated"]

Values = Sequence[Expr]


def repeated(
    state: Values, using: Values, goes_on: Callable[[Values, Values], Expr], step: Callable[[Values, Values], Values]
) -> tuple[Expr, ...]:
    """The values after ``step`` was taken as long as ``goes_on``, a truth value of rank 0, holds of them.

    A step keeps the type of every value; ``using`` is what both read beside the values, the same in every step.
    """
    params = [Var(f"state{place}", value.type) for place, value in enumerate(state)]
    kinds = [value.type for value in state if value.type is not None]
    result = kinds[0] if len(kinds) == 1 else TupleType(tuple(kinds))
    given = [
        value if isinstance(value, Var | Constant) else Var(f"given{place}", value.type)
        for place, value in enumerate(using)
    ]
    own = Var("repeat", FuncType(tuple(kinds), result))
    done: Expr = params[0] if len(params) == 1 else Tuple(tuple(params))
    body = If(goes_on(params, given), Call(own, tuple(step(params, given))), done)
    whole: Expr = Let(own, Function(tuple(params), body, ret_type=result), Call(own, tuple(state)))
    for var, value in zip(given, using, strict=True):
        if var is not value and isinstance(var, Var):
            whole = Let(var, value, whole)
    return (whole,) if len(state) == 1 else tuple([TupleGetItem(whole, place) for place in range(len(state))])


def counted(
    count: int, state: Values, using: Values, step: Callable[[Expr, Values, Values], Values]
) -> tuple[Expr, ...]:
    """The values after so many steps, each of which is told its number, from 0 up, as an int64 of rank 0."""
    if not count:
        return tuple(state)

    def goes_on(values: Values, _: Values) -> Expr:
        return op.less(values[0], const(count, INT64))

    def next_step(values: Values, given: Values) -> Values:
        number, *rest = values
        return (op.add(number, const(1, INT64)), *step(number, rest, given))

    return repeated((const(0, INT64), *state), using, goes_on, next_step)[1:]
