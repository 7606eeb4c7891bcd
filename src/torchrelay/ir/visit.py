"""Walks over expressions: each node once, any depth, children before parents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from torchrelay.ir.expr import (
    Call,
    Clause,
    Expr,
    Function,
    If,
    Let,
    Match,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    Var,
)

__all__ = ["bind", "bound_vars", "children", "free_vars", "pattern_vars", "post_order", "rebuild", "with_children"]

Rewrite = Callable[[Expr], Expr]


def pattern_vars(pattern: Pattern) -> list[Var]:
    """The variables that a pattern binds, left to right."""
    found: list[Var] = []
    stack = [pattern]
    while stack:
        part = stack.pop()
        if isinstance(part, PatternVar):
            found.append(part.var)
        elif isinstance(part, PatternConstructor | PatternTuple):
            stack.extend(reversed(part.patterns))
    return found


def children(expr: Expr) -> tuple[Expr, ...]:  # noqa: C901 one case for each kind
    """The expressions that an expression is made of, binders first, in the order they are evaluated.

    The variables of the patterns of a match come before the results of their clauses.
    """
    match expr:
        case Call(op=op, args=args):
            return (op, *args)
        case Tuple(fields=fields):
            return fields
        case TupleGetItem(tuple_value=value):
            return (value,)
        case Let(var=var, value=value, body=body):
            return (var, value, body)
        case Function(params=params, body=body):
            return (*params, body)
        case If(cond=cond, true_branch=left, false_branch=right):
            return (cond, left, right)
        case Match(data=data, clauses=clauses):
            return (data, *(part for c in clauses for part in (*pattern_vars(c.lhs), c.rhs)))
        case RefCreate(value=value):
            return (value,)
        case RefRead(ref=ref):
            return (ref,)
        case RefWrite(ref=ref, value=value):
            return (ref, value)
        case _:
            return ()


def post_order(*roots: Expr) -> Iterator[Expr]:
    """Every expression under the roots, once each, children before parents, left to right."""
    seen: set[Expr] = set()
    # A None says that the parts of the expression below it are done.
    stack: list[Expr | None] = list(reversed(roots))
    while stack:
        item = stack.pop()
        if item is None:
            done = stack.pop()
            assert done is not None, "a None is put on an expression"
            yield done
            continue
        if item in seen:
            continue
        seen.add(item)
        parts = children(item)
        if not parts:
            yield item
            continue
        stack += (item, None)
        stack += [part for part in reversed(parts) if part not in seen]


def _with_pattern_vars(pattern: Pattern, new: Rewrite) -> Pattern:
    match pattern:
        case PatternVar(var):
            fresh = new(var)
            return pattern if fresh is var else PatternVar(_as_var(fresh))
        case PatternConstructor(constructor, patterns):
            parts = tuple([_with_pattern_vars(part, new) for part in patterns])
            return pattern if _all_same(parts, patterns) else PatternConstructor(constructor, parts)
        case PatternTuple(patterns):
            parts = tuple([_with_pattern_vars(part, new) for part in patterns])
            return pattern if _all_same(parts, patterns) else PatternTuple(parts)
        case _:
            return pattern


def _as_var(expr: Expr) -> Var:
    assert isinstance(expr, Var), "a binder can only become another variable"
    return expr


def _all_same(new: Iterable[object], old: Iterable[object]) -> bool:
    return all(a is b for a, b in zip(new, old, strict=True))


def _clause(clause: Clause, new: Rewrite) -> Clause:
    lhs, rhs = _with_pattern_vars(clause.lhs, new), new(clause.rhs)
    return clause if lhs is clause.lhs and rhs is clause.rhs else Clause(lhs, rhs)


def with_children(expr: Expr, new: Rewrite) -> Expr:  # noqa: C901 one case for each kind
    """The expression with ``new(child)`` for each child; the very same object where no child changes."""
    parts = children(expr)
    if _all_same([new(part) for part in parts], parts):
        return expr
    match expr:
        case Call(op=op, args=args):
            return replace(expr, op=new(op), args=tuple([new(arg) for arg in args]))
        case Tuple(fields=fields):
            return replace(expr, fields=tuple([new(part) for part in fields]))
        case TupleGetItem(tuple_value=value):
            return replace(expr, tuple_value=new(value))
        case Let(var=var, value=value, body=body):
            return replace(expr, var=_as_var(new(var)), value=new(value), body=new(body))
        case Function(params=params, body=body):
            return replace(expr, params=tuple([_as_var(new(p)) for p in params]), body=new(body))
        case If(cond=cond, true_branch=left, false_branch=right):
            return replace(expr, cond=new(cond), true_branch=new(left), false_branch=new(right))
        case Match(data=data, clauses=clauses):
            return replace(expr, data=new(data), clauses=tuple([_clause(c, new) for c in clauses]))
        case RefCreate(value=value):
            return replace(expr, value=new(value))
        case RefRead(ref=ref):
            return replace(expr, ref=new(ref))
        case RefWrite(ref=ref, value=value):
            return replace(expr, ref=new(ref), value=new(value))
        case _:
            return expr


def rebuild(expr: Expr, rewrite: Rewrite, known: Mapping[Expr, Expr] | None = None) -> Expr:
    """The expression with every node, children first, replaced by what ``rewrite`` gives for it; sharing is kept.

    ``known`` gives the results of some nodes in advance: those are taken as they are and not looked into.
    """
    done: dict[Expr, Expr] = dict(known or {})
    stack: list[tuple[Expr, bool]] = [(expr, False)]
    while stack:
        node, expanded = stack.pop()
        if node in done:
            continue
        if expanded:
            done[node] = rewrite(with_children(node, done.__getitem__))
            continue
        stack.append((node, True))
        stack.extend([(part, False) for part in reversed(children(node)) if part not in done])
    return done[expr]


def bind(expr: Expr, values: Mapping[Var, Expr]) -> Expr:
    """The expression with variables replaced by expressions."""
    known: dict[Expr, Expr] = {**values}
    return rebuild(expr, lambda node: node, known)


def bound_vars(expr: Expr) -> tuple[Var, ...]:
    """The variables that the expression binds (parameters, lets, patterns), in order of first sight."""
    bound: dict[Var, None] = {}
    for node in post_order(expr):
        if isinstance(node, Function):
            bound.update(dict.fromkeys(node.params))
        elif isinstance(node, Let):
            bound[node.var] = None
        elif isinstance(node, Match):
            bound.update(dict.fromkeys(var for clause in node.clauses for var in pattern_vars(clause.lhs)))
    return tuple(bound)


def free_vars(expr: Expr) -> tuple[Var, ...]:
    """The variables that the expression uses but does not bind, in order of first use."""
    bound = set(bound_vars(expr))
    return tuple([node for node in post_order(expr) if isinstance(node, Var) and node not in bound])
