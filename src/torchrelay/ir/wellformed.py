"""The rules that a program keeps beside its types: every variable bound once and used inside its scope, every name there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from torchrelay.errors import IllFormed
from torchrelay.ir.exhaustive import unmatched
from torchrelay.ir.expr import (
    Call,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    Let,
    Match,
    Pattern,
    PatternConstructor,
    PatternTuple,
    Var,
)
from torchrelay.ir.module import IRModule
from torchrelay.ir.types import FuncType, GlobalTypeVar, Type, TypeCall, TypeVar, parts_of_type
from torchrelay.ir.visit import children, pattern_vars, post_order

__all__ = ["check_well_formed"]


def check_well_formed(program: IRModule | Expr) -> None:
    """Raises IllFormed for a variable or a type variable that is bound twice or used outside of its scope.

    In a module also for a function, a data type or a constructor that it does not have, for a data type or a constructor
    with a wrong number of arguments, and for a complete match that leaves out a case.
    """
    if isinstance(program, Expr):
        _Scopes().check(program)
        return
    scopes = _Scopes()
    for data in program.type_definitions.values():
        for constructor in data.constructors:
            for t in constructor.inputs:
                _check_kinds(t, program, constructor)
    for function in program.functions.values():
        scopes.check(function)
        for node in post_order(function):
            _check_names(node, program)


def _check_names(node: Expr, module: IRModule) -> None:
    match node:
        case GlobalVar(name=name) if node not in module:
            raise IllFormed(f"the module has no function @{name}", place=node.place)
        case Constructor():
            _check_constructor(node, None, module, node)
        case Match(clauses=clauses):
            for clause in clauses:
                _check_pattern(clause.lhs, module, node)
            left_out = unmatched([clause.lhs for clause in clauses], module.type_definitions) if node.complete else None
            if left_out is not None:
                raise IllFormed(f"the match leaves out the case {left_out}", place=node.place)
        case _:
            pass
    for t in _annotations(node):
        _check_kinds(t, module, node)


def _check_constructor(constructor: Constructor, fields: int | None, module: IRModule, node: Expr) -> None:
    definition = module.type_definitions.get(constructor.belong_to.name)
    if definition is None or constructor.name not in [known.name for known in definition.constructors]:
        raise IllFormed(f"the module has no constructor {constructor.name}", place=node.place)
    if fields is not None and fields != len(constructor.inputs):
        wanted = len(constructor.inputs)
        raise IllFormed(f"the constructor {constructor.name} has {fields} fields, but takes {wanted}", place=node.place)


def _check_pattern(pattern: Pattern, module: IRModule, node: Expr) -> None:
    stack = [pattern]
    while stack:
        part = stack.pop()
        if isinstance(part, PatternConstructor):
            _check_constructor(part.constructor, len(part.patterns), module, node)
        if isinstance(part, PatternConstructor | PatternTuple):
            stack.extend(part.patterns)


def _annotations(node: Expr) -> list[Type]:
    """The types that a node has in its text, but for those of its parts."""
    match node:
        case Var(type_annotation=t) | Function(ret_type=t):
            return [] if t is None else [t]
        case Call(type_args=type_args):
            return list(type_args)
        case _:
            return []


def _check_kinds(t: Type, module: IRModule, node: Expr) -> None:
    for part in parts_of_type(t):
        if not isinstance(part, TypeCall) or not isinstance(part.func, GlobalTypeVar):
            continue
        definition = module.type_definitions.get(part.func.name)
        if definition is None:
            raise IllFormed(f"the module has no data type {part.func.name}", place=node.place)
        if len(part.args) != len(definition.type_vars):
            wanted = len(definition.type_vars)
            message = f"the data type {part.func.name} has {len(part.args)} arguments, but takes {wanted}"
            raise IllFormed(message, place=node.place)


Event = tuple[Callable[[Expr], "list[Event]"], Expr]


@dataclass(slots=True)
class _Scopes:
    """The variables that are bound anywhere, and those in scope; a shared node is looked at where it is met first."""

    bound: set[Var | TypeVar] = field(default_factory=set[Var | TypeVar])
    scope: set[Var | TypeVar] = field(default_factory=set[Var | TypeVar])
    seen: set[Expr] = field(default_factory=set[Expr])

    def check(self, root: Expr) -> None:
        stack: list[Event] = [(self._visit, root)]
        while stack:
            event, node = stack.pop()
            stack.extend(reversed(event(node)))

    def _enter(self, variable: Var | TypeVar, node: Expr) -> None:
        if variable in self.bound:
            raise IllFormed(f"the {_noun(variable)} is bound twice", place=node.place)
        self.bound.add(variable)
        self.scope.add(variable)

    def _open(self, node: Expr) -> list[Event]:
        """The variables that the node binds come into scope."""
        for variable in _binds(node):
            self._enter(variable, node)
        return []

    def _close(self, node: Expr) -> list[Event]:
        self.scope.difference_update(_binds(node))
        return []

    def _visit(self, node: Expr) -> list[Event]:
        if isinstance(node, Var):
            self._check_use(node, node)
            return []
        if node in self.seen:
            return []
        self.seen.add(node)
        inside: list[Event] = [(self._visit, part) for part in _inside(node)]
        outside: list[Event] = [(self._visit, part) for part in _outside(node)]
        return [*outside, (self._open, node), (self._types, node), *inside, (self._close, node)]

    def _types(self, node: Expr) -> list[Event]:
        binders = [variable for variable in _binds(node) if isinstance(variable, Var)]
        for t in (t for owner in (node, *binders) for t in _annotations(owner)):
            parts = list(parts_of_type(t))
            own = {variable for part in parts if isinstance(part, FuncType) for variable in part.type_params}
            for part in parts:
                if isinstance(part, TypeVar) and part not in own:
                    self._check_use(part, node)
        return []

    def _check_use(self, variable: Var | TypeVar, node: Expr) -> None:
        if variable not in self.scope:
            raise IllFormed(f"the {_noun(variable)} is used where it is not bound", place=node.place)


def _noun(variable: Var | TypeVar) -> str:
    return f"variable %{variable.name}" if isinstance(variable, Var) else f"type variable {variable.name}"


def _binds(node: Expr) -> tuple[Var | TypeVar, ...]:
    match node:
        case Function(params=params, type_params=type_params):
            return (*type_params, *params)
        case Let(var=var):
            return (var,)
        case Match(clauses=clauses):
            return tuple([var for clause in clauses for var in pattern_vars(clause.lhs)])
        case _:
            return ()


def _inside(node: Expr) -> tuple[Expr, ...]:
    """The parts in the scope of what the node binds."""
    match node:
        case Function(body=body):
            return (body,)
        case Let(value=value, body=body) if isinstance(value, Function):
            # A function may refer to itself through the let that binds it.
            return (value, body)
        case Let(body=body):
            return (body,)
        case Match(clauses=clauses):
            return tuple([clause.rhs for clause in clauses])
        case _:
            return ()


def _outside(node: Expr) -> tuple[Expr, ...]:
    """The parts that do not see what the node binds."""
    match node:
        case Function():
            return ()
        case Let(value=value):
            return () if isinstance(value, Function) else (value,)
        case Match(data=data):
            return (data,)
        case _:
            return children(node)
