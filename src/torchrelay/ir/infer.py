"""The types of a whole program, found by unification: for text and JSON, where types are left out, and after a pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import overload

from torchrelay.errors import TorchRelayError, TypeMismatch
from torchrelay.ir.constraints import CONDITION, Typing, placed
from torchrelay.ir.expr import (
    Call,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    Match,
    RefWrite,
    Var,
    at,
    with_type,
)
from torchrelay.ir.module import IRModule
from torchrelay.ir.operator import Operator
from torchrelay.ir.types import FuncType, IncompleteType, Type, is_known
from torchrelay.ir.unify import matched
from torchrelay.ir.visit import bound_vars, children, post_order, with_children

__all__ = ["infer_types"]


@overload
def infer_types(program: IRModule) -> IRModule: ...
@overload
def infer_types(program: Expr) -> Expr: ...
def infer_types(program: IRModule | Expr) -> IRModule | Expr:
    """The program with every expression typed, every variable annotated and every result type written.

    What is typed already is kept as it is. Raises TypeMismatch with the place, and with both types where two do not match,
    for a type that nothing determines, and for a complete match that leaves out a case; IllFormed for an untyped
    use of a function that is not there. Linear in the number of nodes.
    """
    if isinstance(program, Expr):
        return _typed([program], IRModule())[0]
    names = list(program.functions)
    typed = _typed([program[name] for name in names], program)
    functions = {name: function for name, function in zip(names, typed, strict=True) if isinstance(function, Function)}
    return program.with_functions(functions)


def _typed(roots: Sequence[Expr], module: IRModule) -> list[Expr]:
    settled = _settled(roots, module.functions)
    typing = Typing(module.functions, module.type_definitions, settled)
    for root in roots:
        typing.walk(root)
    done: dict[Expr, Expr] = {}
    for node in post_order(*roots):
        if node in settled or isinstance(node, Operator | Constructor):
            done[node] = node
            continue
        try:
            with at(node.place):
                made = _with_choice(with_children(node, done.__getitem__), typing.type_args(node))
                done[node] = _with_type(node, made, typing.resolved(node))
        except TorchRelayError as error:
            raise placed(error, node) from None
    return [done[root] for root in roots]


def _settled(roots: Sequence[Expr], functions: Mapping[str, Function]) -> set[Expr]:
    """The expressions that stay as they are: typed, and made of such."""
    settled: set[Expr] = set()
    unannotated = {var for root in roots for var in bound_vars(root) if not is_known(var.type_annotation)}

    def stays(node: Expr) -> bool:
        if isinstance(node, GlobalVar):
            # Two of one name are equal, and one of them may have no type or an old one.
            return is_known(node.type) and (node.name not in functions or functions[node.name].type == node.type)
        return node in settled or isinstance(node, Operator | Constructor)

    for node in post_order(*roots):
        can_stay = not isinstance(node, GlobalVar) and node not in unannotated and _is_whole(node)
        if can_stay and all(map(stays, children(node))):
            settled.add(node)
    return settled


def _is_whole(node: Expr) -> bool:
    """Whether the node has a type, and its parts, which have theirs, fit each other."""
    if not is_known(node.type):
        return False
    match node:
        case Let(var=var, value=value):
            return _fits(var.type, value.type)
        case If(cond=cond, true_branch=left, false_branch=right):
            return cond.type == CONDITION and _fits(left.type, right.type)
        case Function(ret_type=ret_type, body=body):
            return is_known(ret_type) and _fits(ret_type, body.type)
        case Call(op=op, args=args, type_args=type_args):
            chosen = bool(type_args) or not isinstance(op.type, FuncType) or not op.type.type_params
            return chosen and not any(isinstance(arg, Operator) for arg in args)
        case Match() | RefWrite():
            return False
        case _:
            return True


def _fits(wanted: Type | None, given: Type | None) -> bool:
    return wanted is not None and given is not None and matched(wanted, given, {})


def _with_choice(made: Expr, type_args: tuple[Type, ...]) -> Expr:
    """The call of a polymorphic function with the type arguments found for it."""
    if not isinstance(made, Call) or made.type_args == type_args or not all(map(is_known, type_args)):
        return made
    return with_type(replace(made, type_args=type_args), made.type)


def _with_type(node: Expr, made: Expr, found: Type | None) -> Expr:
    """The node made anew of its typed parts, with the type that was found for it."""
    found = node.type if found is None else found
    if found is None or isinstance(found, IncompleteType):
        raise TypeMismatch(f"the type of {_noun(node)} cannot be inferred", hint="annotate what it depends on")
    match made:
        case Var(type_annotation=annotation):
            made = made if is_known(annotation) else replace(made, type_annotation=found)
        case Function(ret_type=ret_type) if not is_known(ret_type) and isinstance(found, FuncType):
            made = replace(made, ret_type=found.ret_type)
        case GlobalVar():
            return made if made.type == found else with_type(made, found)
        case _:
            pass
    return made if is_known(made.type) else with_type(made, found)


def _noun(node: Expr) -> str:
    match node:
        case Var(name=name):
            return f"%{name}"
        case Call(op=Operator(name=name) | GlobalVar(name=name) | Constructor(name=name)):
            return f"this call of {name}"
        case _:
            return f"this {type(node).__name__}"
