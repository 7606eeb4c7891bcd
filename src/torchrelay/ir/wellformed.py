"""The rules that a program keeps beside its types: every variable bound once and used inside its scope, every name there."""

from __future__ import annotations

from torchrelay.errors import IllFormed
from torchrelay.ir.expr import Call, Constructor, Expr, Function, GlobalVar, Let, Match, Var
from torchrelay.ir.module import IRModule
from torchrelay.ir.visit import children, pattern_vars, post_order

__all__ = ["check_well_formed"]


def check_well_formed(program: IRModule | Expr) -> None:
    """Raises IllFormed for a variable that is bound twice or used outside of its scope, and, in a module, for a function or a
    constructor that it does not have.
    """
    if isinstance(program, Expr):
        _check_scopes(program, set())
        return
    bound: set[Var] = set()
    for function in program.functions.values():
        _check_scopes(function, bound)
        _check_names(function, program)


def _check_names(function: Function, module: IRModule) -> None:
    constructors = {c.name for data in module.type_definitions.values() for c in data.constructors}
    for node in post_order(function):
        if isinstance(node, GlobalVar) and node not in module:
            raise IllFormed(f"the module has no function @{node.name}", place=node.place)
        if isinstance(node, Constructor) and node.name not in constructors:
            raise IllFormed(f"the module has no constructor {node.name}", place=node.place)
        if isinstance(node, Call) and isinstance(node.op, Constructor) and len(node.args) != len(node.op.inputs):
            count = f"{len(node.args)} arguments, it takes {len(node.op.inputs)}"
            raise IllFormed(f"the constructor {node.op.name} is called with {count}", place=node.place)


Event = tuple[str, Expr]


def _check_scopes(root: Expr, bound: set[Var]) -> None:
    """Walks the program with the variables in scope; a shared node is looked at where it is met first."""
    scope: set[Var] = set()
    seen: set[Expr] = set()
    stack: list[Event] = [("visit", root)]
    while stack:
        event, node = stack.pop()
        if event == "open":
            assert isinstance(node, Var), "only variables have scopes"
            if node in bound:
                raise IllFormed(f"the variable %{node.name} is bound twice", place=node.place)
            bound.add(node)
            scope.add(node)
        elif event == "close":
            scope.discard(node)  # type: ignore[arg-type] only variables are closed
        elif isinstance(node, Var):
            if node not in scope:
                raise IllFormed(f"the variable %{node.name} is used where it is not bound", place=node.place)
        elif node not in seen:
            seen.add(node)
            stack.extend(reversed(_events(node)))


def _scoped(variables: tuple[Var, ...], body: Expr) -> list[Event]:
    return [*(("open", v) for v in variables), ("visit", body), *(("close", v) for v in variables)]


def _events(node: Expr) -> list[Event]:
    match node:
        case Function(params=params, body=body):
            return _scoped(params, body)
        case Let(var=var, value=value, body=body) if isinstance(value, Function):
            # A function may refer to itself through the let that binds it.
            return [("open", var), ("visit", value), ("visit", body), ("close", var)]
        case Let(var=var, value=value, body=body):
            return [("visit", value), *_scoped((var,), body)]
        case Match(data=data, clauses=clauses):
            arms = [event for clause in clauses for event in _scoped(tuple(pattern_vars(clause.lhs)), clause.rhs)]
            return [("visit", data), *arms]
        case _:
            return [("visit", part) for part in children(node)]
