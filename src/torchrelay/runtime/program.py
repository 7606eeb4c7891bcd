"""A function as straight lists of steps over numbered slots, made once and run many times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from torchrelay.errors import IllFormed
from torchrelay.ir import (
    Call,
    Constant,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    Match,
    Operator,
    Pattern,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    Var,
    children,
    free_vars,
    pattern_vars,
)

__all__ = ["Block", "Clause", "Program", "Step", "compiled"]


@dataclass(slots=True)
class Step:
    """One expression: where its parts are, where its value goes, and which slots nothing needs after it."""

    expr: Expr
    inputs: tuple[int, ...]
    output: int
    blocks: tuple[Block, ...] = ()
    clauses: tuple[Clause, ...] = ()
    program: Program | None = None
    captured: tuple[tuple[int, int], ...] = ()
    """For a function value: slot in its program, slot outside."""
    dead: tuple[int, ...] = ()


@dataclass(slots=True)
class Block:
    """Steps that run one after the other; the value is in slot ``result``."""

    steps: list[Step]
    result: int


@dataclass(frozen=True, slots=True)
class Clause:
    """One arm of a match: the pattern, the slot of each variable it binds, the steps of its result."""

    pattern: Pattern
    slots: Mapping[Var, int]
    block: Block


@dataclass(slots=True)
class Program:
    """A function compiled: the slots of its parameters, how many slots it needs, what constants lie in them."""

    params: tuple[int, ...]
    slots: int
    block: Block
    constants: list[tuple[int, object]] = field(default_factory=list)


class _Compiler:
    """Gives slots to expressions and orders them into blocks."""

    def __init__(self) -> None:
        self.slot: dict[Expr, int] = {}
        self.constants: list[tuple[int, object]] = []
        self.count = 0

    def fresh(self, expr: Expr) -> int:
        self.slot[expr] = self.count
        self.count += 1
        return self.count - 1

    def block(self, root: Expr) -> Block:
        """The steps that compute ``root`` from what has slots already.

        Branches are blocks of their own: what only a branch needs is computed only when it is taken. What a branch computes
        is forgotten outside of it, and computed again where something else needs it too.
        """
        steps: list[Step] = []
        for expr in self._order(root):
            step = self._step(expr)
            if step is not None:
                steps.append(step)
        return Block(steps, self.slot[root])

    def _order(self, root: Expr) -> Iterator[Expr]:
        """What to compute, in order, without what has a slot and without the inside of branches and functions."""
        seen: set[Expr] = set()
        stack: list[tuple[Expr, bool]] = [(root, False)]
        while stack:
            expr, expanded = stack.pop()
            if expanded:
                yield expr
                continue
            if expr in seen or expr in self.slot:
                continue
            seen.add(expr)
            stack.append((expr, True))
            stack.extend([(part, False) for part in reversed(_computed_before(expr))])

    def _step(self, expr: Expr) -> Step | None:
        if expr in self.slot:
            # A variable whose let came before it in the order.
            return None
        match expr:
            case Constant(data=data):
                self.constants.append((self.fresh(expr), data.view(np.ndarray)))
                return None
            case Operator() | Constructor():
                self.constants.append((self.fresh(expr), expr))
                return None
            case Let(value=_, body=body):
                self.slot[expr] = self.slot[body]
                return None
            case _Bind(var, value):
                self.slot[expr] = self.slot[var] = self.slot[value]
                return None
            case Var(name=name):
                raise IllFormed(f"the variable %{name} is not bound", place=expr.place)
            case If(true_branch=left, false_branch=right, cond=cond):
                blocks = (self._branch(left), self._branch(right))
                return Step(expr, (self.slot[cond],), self.fresh(expr), blocks=blocks)
            case Match(data=data):
                clauses = tuple([self._clause(c.lhs, c.rhs) for c in expr.clauses])
                return Step(expr, (self.slot[data],), self.fresh(expr), clauses=clauses)
            case Function():
                return self._function(expr)
            case _:
                inputs = tuple([self.slot[part] for part in _computed_before(expr)])
                return Step(expr, inputs, self.fresh(expr))

    def _branch(self, root: Expr) -> Block:
        outside = dict(self.slot)
        block = self.block(root)
        self.slot = outside
        return block

    def _clause(self, pattern: Pattern, result: Expr) -> Clause:
        outside = dict(self.slot)
        slots = {var: self.fresh(var) for var in pattern_vars(pattern)}
        block = self.block(result)
        self.slot = outside
        return Clause(pattern, slots, block)

    def _function(self, function: Function) -> Step:
        captured = free_vars(function)
        inner = _Compiler()
        places = tuple([(inner.fresh(var), self._outer(var)) for var in captured])
        step = Step(function, (), self.fresh(function), captured=places)
        step.program = inner.program(function)
        return step

    def _outer(self, var: Var) -> int:
        if var not in self.slot:
            # A function that refers to itself through the let that binds it: its own slot comes next.
            return self.count
        return self.slot[var]

    def program(self, function: Function) -> Program:
        params = tuple([self.fresh(param) for param in function.params])
        block = self.block(function.body)
        _mark_dead(block, self.count)
        return Program(params, self.count, block, self.constants)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Bind(Expr):
    """Stands in the order where a let's value is known and its variable is not yet."""

    var: Var
    value: Expr


def _computed_before(expr: Expr) -> Sequence[Expr]:
    match expr:
        case Let(var=var, value=value, body=body):
            return (value, _Bind(var, value), body)
        case If(cond=cond):
            return (cond,)
        case Match(data=data):
            return (data,)
        case Function() | _Bind():
            return ()
        case Call(op=Operator() | Constructor(), args=args):
            return args
        case RefCreate() | RefRead() | RefWrite() | Tuple() | TupleGetItem() | Call():
            return children(expr)
        case GlobalVar():
            return ()
        case _:
            return children(expr)


def _used(step: Step) -> Iterator[int]:
    stack = [step]
    while stack:
        part = stack.pop()
        yield from part.inputs
        yield from (outside for _, outside in part.captured)
        for block in (*part.blocks, *(clause.block for clause in part.clauses)):
            yield block.result
            stack.extend(block.steps)


def _mark_dead(block: Block, slots: int) -> None:
    """Notes in each step the slots whose last use it is."""
    needed = bytearray(slots)
    needed[block.result] = True
    for step in reversed(block.steps):
        dead = []
        for slot in _used(step):
            if not needed[slot]:
                needed[slot] = True
                if slot != step.output:
                    dead.append(slot)
        step.dead = tuple(dead)


def compiled(function: Function) -> Program:
    """The program of a function without free variables. Raises IllFormed for one that has some."""
    return _Compiler().program(function)
