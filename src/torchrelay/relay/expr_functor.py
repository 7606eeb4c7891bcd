"""Visitors and mutators of expressions, to be derived from: one method for each kind."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from torchrelay import ir
from torchrelay.ir import Expr, Type
from torchrelay.relay.functions import TupleWrapper

__all__ = ["ExprFunctor", "ExprMutator", "ExprVisitor"]

_METHODS = {
    ir.Function: "visit_function",
    ir.Call: "visit_call",
    ir.Let: "visit_let",
    ir.Var: "visit_var",
    ir.GlobalVar: "visit_global_var",
    ir.If: "visit_if",
    ir.Tuple: "visit_tuple",
    ir.TupleGetItem: "visit_tuple_getitem",
    ir.Constant: "visit_constant",
    ir.Operator: "visit_op",
    ir.RefCreate: "visit_ref_create",
    ir.RefRead: "visit_ref_read",
    ir.RefWrite: "visit_ref_write",
    ir.Constructor: "visit_constructor",
    ir.Match: "visit_match",
}
_FRAMES = 12
"""The frames that a visit of one node may take: the method of a user, that of its base, visit, and what is between."""


@contextmanager
def _room_for(expr: Expr) -> Generator[None]:
    """Lets visits nest as deep as the expression is: a method that visits its parts is recursive by nature."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + _FRAMES * sum(1 for _ in ir.post_order(expr)))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class ExprFunctor:
    """Gives each kind of expression to a method of its own, each node once: what it gives is kept and given again."""

    def __init__(self) -> None:
        self.memo_map: dict[Expr, object] = {}
        self._nested = False

    def visit(self, expr: Expr) -> object:
        """What the method for the kind of the expression gives. Raises NotImplementedError where there is none."""
        if isinstance(expr, TupleWrapper):
            expr = expr.tuple_value
        if expr in self.memo_map:
            return self.memo_map[expr]
        if self._nested:
            return self._visited(expr)
        self._nested = True
        try:
            with _room_for(expr):
                return self._visited(expr)
        finally:
            self._nested = False

    def _visited(self, expr: Expr) -> object:
        self.memo_map[expr] = result = getattr(self, _METHODS[type(expr)])(expr)
        return result

    def visit_type(self, typ: Type) -> Type:
        """A type, which is left as it is."""
        return typ

    def _not_there(self, part: Any, /) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no method {_METHODS[type(part)]}")

    visit_function = visit_let = visit_call = visit_var = visit_if = visit_tuple = visit_tuple_getitem = _not_there
    visit_global_var = visit_op = visit_constant = visit_constructor = visit_match = _not_there
    visit_ref_create = visit_ref_write = visit_ref_read = _not_there


class ExprVisitor(ExprFunctor):
    """Visits every part of an expression; derive from it and write the methods of the kinds that matter."""

    def visit_tuple(self, tup: ir.Tuple) -> None:
        for part in tup.fields:
            self.visit(part)

    def visit_call(self, call: ir.Call) -> None:
        self.visit(call.op)
        for arg in call.args:
            self.visit(arg)

    def visit_var(self, var: ir.Var) -> None:
        pass

    def visit_let(self, let: ir.Let) -> None:
        self.visit(let.var)
        self.visit(let.value)
        self.visit(let.body)

    def visit_function(self, fn: ir.Function) -> None:
        for param in fn.params:
            self.visit(param)
        self.visit(fn.body)

    def visit_if(self, i: ir.If) -> None:
        self.visit(i.cond)
        self.visit(i.true_branch)
        self.visit(i.false_branch)

    def visit_global_var(self, gv: ir.GlobalVar) -> None:
        pass

    def visit_constructor(self, c: ir.Constructor) -> None:
        pass

    def visit_op(self, op: ir.Operator) -> None:
        pass

    def visit_constant(self, const: ir.Constant) -> None:
        pass

    def visit_ref_create(self, r: ir.RefCreate) -> None:
        self.visit(r.value)

    def visit_ref_read(self, r: ir.RefRead) -> None:
        self.visit(r.ref)

    def visit_ref_write(self, r: ir.RefWrite) -> None:
        self.visit(r.ref)
        self.visit(r.value)

    def visit_tuple_getitem(self, t: ir.TupleGetItem) -> None:
        self.visit(t.tuple_value)

    def visit_match(self, m: ir.Match) -> None:
        self.visit(m.data)
        for clause in m.clauses:
            self.visit(clause.rhs)


class ExprMutator(ExprFunctor):
    """Builds an expression anew from what the methods give for its parts; one whose parts stay the same stays itself."""

    def _new(self, part: Expr) -> Expr:
        made = self.visit(part)
        made = made.tuple_value if isinstance(made, TupleWrapper) else made
        assert isinstance(made, Expr), "a mutator's method gives an expression"
        return made

    def _rebuilt(self, expr: Expr) -> Expr:
        return ir.with_children(expr, self._new)

    def visit_function(self, fn: ir.Function) -> Expr:
        return self._rebuilt(fn)

    def visit_let(self, let: ir.Let) -> Expr:
        return self._rebuilt(let)

    def visit_call(self, call: ir.Call) -> Expr:
        return self._rebuilt(call)

    def visit_var(self, var: ir.Var) -> Expr:
        return var

    def visit_global_id(self, global_var: ir.GlobalVar) -> Expr:
        return global_var

    def visit_if(self, ite: ir.If) -> Expr:
        return self._rebuilt(ite)

    def visit_tuple(self, tup: ir.Tuple) -> Expr:
        return self._rebuilt(tup)

    def visit_tuple_getitem(self, op: ir.TupleGetItem) -> Expr:
        return self._rebuilt(op)

    def visit_global_var(self, gvar: ir.GlobalVar) -> Expr:
        return gvar

    def visit_op(self, op: ir.Operator) -> Expr:
        return op

    def visit_constant(self, const: ir.Constant) -> Expr:
        return const

    def visit_constructor(self, con: ir.Constructor) -> Expr:
        return con

    def visit_match(self, m: ir.Match) -> Expr:
        clauses = tuple([replace(clause, rhs=self._new(clause.rhs)) for clause in m.clauses])
        data = self._new(m.data)
        same = data is m.data and all(new.rhs is old.rhs for new, old in zip(clauses, m.clauses, strict=True))
        return m if same else replace(m, data=data, clauses=clauses)

    def visit_ref_create(self, r: ir.RefCreate) -> Expr:
        return self._rebuilt(r)

    def visit_ref_write(self, r: ir.RefWrite) -> Expr:
        return self._rebuilt(r)

    def visit_ref_read(self, r: ir.RefRead) -> Expr:
        return self._rebuilt(r)
