"""Branches and loops in Relay: ``If``, and a recursive function bound by ``let``.

What is known before the program runs decides at once: a branch whose condition is known is the block that it takes. A loop is
written out turn by turn only where it is asked for, or where its body needs to know the turn (a list that grows, a size that
changes with the turn) and the number of turns is known.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Protocol

from torchrelay import op
from torchrelay.errors import TorchRelayError, UnsupportedProgram
from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode
from torchrelay.frontend.merge import (
    Form,
    form_of,
    merged_form,
    packed,
    slots_in,
    unpacked,
    values_for,
    with_exprs,
)
from torchrelay.frontend.promote import BOOL, INT64, Computed, as_tensor
from torchrelay.frontend.registry import Result
from torchrelay.frontend.scope import Captures, Scope, known
from torchrelay.ir import Call, Expr, Function, FuncType, If, Let, TupleType, Type, Var, const

__all__ = ["CONTROL", "BlockConverter", "branch", "loop"]

CONTROL = frozenset({"prim::If.default", "prim::Loop.default"})
MOST_TURNS = 10_000
"""How many turns of a loop are written out at most."""


class BlockConverter(Protocol):
    """What converting a branch or a loop needs of the conversion around it."""

    @property
    def unroll_loops(self) -> bool:
        """Whether loops of a known number of turns are written out."""
        ...

    def block(self, scope: Scope, block: TorchGraph) -> tuple[Result, ...]:
        """The nodes of the block converted in that scope, and its results."""
        ...

    def mark(self) -> int:
        """Where the record of the conversion stands."""
        ...

    def rewind(self, mark: int) -> None:
        """Forgets what was recorded since."""
        ...


def branch(run: BlockConverter, scope: Scope, node: TorchNode) -> tuple[Result, ...]:
    """What an If gives. Raises UnsupportedProgram where its blocks give values that have no type in common."""
    condition = known(scope, node.args["condition"])
    if not isinstance(condition, Computed | Expr):
        return run.block(scope, node.blocks[0 if condition else 1])
    taken, other = (run.block(Scope({}, scope.__getitem__), block) for block in node.blocks)
    forms = [left if _same(left, right) else None for left, right in zip(taken, other, strict=True)]
    merged = [
        None if form is not None else merged_form(form_of(left), form_of(right))
        for form, left, right in zip(forms, taken, other, strict=True)
    ]
    slots = [slot for form in merged for slot in slots_in(form)]
    exprs: list[Expr] = []
    if slots:
        sides = [_flattened(merged, side) for side in (taken, other)]
        whole = If(as_tensor(condition, BOOL), *map(packed, sides))
        exprs = unpacked(whole, len(slots))
    made = with_exprs(tuple(merged), exprs)
    assert isinstance(made, tuple), "the form is a tuple"
    return tuple([value if form is None else form for form, value in zip(forms, made, strict=True)])


def _same(left: Result, right: Result) -> bool:
    """Whether both are one value that was there before the branch."""
    if isinstance(left, Computed) and isinstance(right, Computed):
        return left.expr is right.expr
    return left is not None and left is right


def _flattened(forms: Sequence[Form], values: Sequence[Result]) -> list[Expr]:
    return [expr for form, value in zip(forms, values, strict=True) for expr in values_for(form, value)]


def loop(run: BlockConverter, scope: Scope, node: TorchNode) -> tuple[Result, ...]:
    """What a Loop leaves in the values that it carries.

    Raises UnsupportedProgram where these have no type that holds in every turn, and the loop cannot be written out.
    """
    count, condition = known(scope, node.args["trip_count"]), known(scope, node.args["condition"])
    carried = known(scope, node.args["carried"])
    assert isinstance(carried, tuple), "a loop carries a tuple"
    if condition is False or (isinstance(count, int) and count <= 0):
        return carried
    mark = run.mark()
    can_write_out = isinstance(count, int) and condition is True
    if run.unroll_loops and can_write_out:
        written = _written_out(run, scope, node, count, carried)
        if written is not None:
            return written
        run.rewind(mark)
    try:
        return _recursive(run, scope, node, carried)
    except TorchRelayError:
        run.rewind(mark)
        if not can_write_out:
            raise
        written = _written_out(run, scope, node, count, carried)
        if written is None:
            raise
        return written


def _written_out(
    run: BlockConverter, scope: Scope, node: TorchNode, count: object, carried: tuple[Result, ...]
) -> tuple[Result, ...] | None:
    """The loop turn by turn; None where whether it goes on is not known in every turn, or it has too many."""
    (body,) = node.blocks
    assert isinstance(count, int), "the caller looked"
    turn = 0
    while turn < count:
        if turn >= MOST_TURNS:
            return None
        names = [value.name for value in body.inputs]
        inner = Scope(dict(zip(names, (turn, *carried), strict=True)), scope.__getitem__)
        goes_on, *after = run.block(inner, body)
        carried = tuple(after)
        turn += 1
        if goes_on is False:
            break
        if goes_on is not True and turn < count:
            return None
    return carried


def _recursive(run: BlockConverter, scope: Scope, node: TorchNode, carried: tuple[Result, ...]) -> tuple[Result, ...]:
    """The loop as a function that calls itself with the values of the next turn.

    What is known of the carried values is first what is known of them before the loop, and what holds after a turn too once
    the body has been converted on it: twice or three times in most loops.
    """
    mark = run.mark()
    form = form_of(carried)
    while True:
        turn = _Turn(scope, node, form)
        goes_on, *after = run.block(turn.scope, node.blocks[0])
        wider = merged_form(form, form_of(tuple(after)))
        if wider == form:
            return turn.function(goes_on, tuple(after), carried)
        form = wider
        run.rewind(mark)


class _Turn:
    """One turn of a loop whose carried values have that form: its variables, and the scope of its body."""

    def __init__(self, scope: Scope, node: TorchNode, form: Form) -> None:
        self._node, self._form = node, form
        (body,) = node.blocks
        names = _slot_names(form, [value.name for value in body.inputs[1:]])
        self._vars = [Var(name, slot.type) for name, slot in zip(names, slots_in(form), strict=True)]
        self._index = Var(body.inputs[0].name, const(0, INT64).type)
        self._outer = scope
        self._captures = Captures(scope)
        values = with_exprs(form, self._vars)
        assert isinstance(values, tuple), "a loop carries a tuple"
        inputs = dict(zip([value.name for value in body.inputs[1:]], values, strict=True))
        self.scope = Scope(inputs, self._found)
        self._counts = not _is_endless(node.args["trip_count"])

    def _found(self, name: str) -> Result:
        if name == self._index.name:
            self._counts = True
            return Computed(self._index)
        return self._captures(name)

    def function(self, goes_on: Result, after: tuple[Result, ...], carried: tuple[Result, ...]) -> tuple[Result, ...]:
        """The values after the loop: those that the function gives for the values before it."""
        node, form = self._node, self._form
        if not self._vars:
            with_no_slots = with_exprs(form, ())
            assert isinstance(with_no_slots, tuple), "a loop carries a tuple"
            return with_no_slots
        condition = known(self._outer, node.args["condition"])
        asks = goes_on is not True or isinstance(condition, Computed | Expr)
        test = Var("continue", const(True).type)
        params, first, following = [*self._vars], values_for(form, carried), values_for(form, after)
        if asks:
            params.insert(0, test)
            first.insert(0, _truth(condition))
            following.insert(0, _truth(goes_on))
        tests: list[Expr] = [test] if asks else []
        if self._counts:
            params.insert(0, self._index)
            first.insert(0, const(0, INT64))
            following.insert(0, op.add(self._index, const(1, INT64)))
            if not _is_endless(node.args["trip_count"]):
                tests.insert(0, op.less(self._index, self._count()))
        if not tests:
            raise UnsupportedProgram("a loop without end")
        return self._bound(params, first, following, tests)

    def _count(self) -> Expr:
        count = self._captures.of(known(self._outer, self._node.args["trip_count"]), "trip_count")
        assert isinstance(count, Expr | Computed | int), "a number of turns"
        return as_tensor(count, INT64)

    def _bound(
        self, params: Sequence[Var], first: Sequence[Expr], following: Sequence[Expr], tests: Sequence[Expr]
    ) -> tuple[Result, ...]:
        kinds = [var.type for var in self._vars if var.type is not None]
        result: Type = kinds[0] if len(kinds) == 1 else TupleType(tuple(kinds))
        own = Var("while_loop", FuncType(tuple([var.type for var in params if var.type is not None]), result))
        test = tests[0] if len(tests) == 1 else op.logical_and(*tests)
        body = If(test, Call(own, tuple(following)), packed(self._vars))
        whole: Expr = Let(own, Function(tuple(params), body, ret_type=result), Call(own, tuple(first)))
        for expr, var in reversed(self._captures.bound.items()):
            whole = Let(var, expr, whole)
        made = with_exprs(self._form, unpacked(whole, len(self._vars)))
        assert isinstance(made, tuple), "a loop carries a tuple"
        return made


def _truth(value: Result) -> Expr:
    assert isinstance(value, bool | Computed | Expr), "a condition is a truth value"
    return as_tensor(value, BOOL)


def _is_endless(count: Arg) -> bool:
    """Whether the number of turns is that of a while loop, which only its condition ends."""
    return type(count) is int and count >= sys.maxsize


def _slot_names(form: Form, names: Sequence[str]) -> list[str]:
    assert isinstance(form, tuple), "a loop carries a tuple"
    return [name for part, name in zip(form, names, strict=True) for _ in slots_in(part)]
