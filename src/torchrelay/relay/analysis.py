"""Questions about programs, under the names of tvm.relay.analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from torchrelay import ir
from torchrelay.errors import IllFormed
from torchrelay.ir import Call, Constant, Expr, Function, IRModule, Operator, TensorType, Tuple, Type, TypeVar, Var
from torchrelay.relay.absent import absent
from torchrelay.relay.functions import as_expr

__all__ = [
    "all_dtypes",
    "all_type_vars",
    "all_vars",
    "bound_type_vars",
    "bound_vars",
    "check_constant",
    "free_type_vars",
    "free_vars",
    "list_op_freqs",
    "post_order_visit",
    "unmatched_cases",
    "well_formed",
]


def post_order_visit(expr: Expr, fvisit: Callable[[Expr], object]) -> None:
    """Calls ``fvisit`` with every expression inside, once each, parts before wholes."""
    for node in ir.post_order(as_expr(expr, "expr")):
        fvisit(node)


def free_vars(expr: Expr) -> list[Var]:
    """The variables that are used but not bound, in order of first use."""
    return list(ir.free_vars(as_expr(expr, "expr")))


def bound_vars(expr: Expr) -> list[Var]:
    """The variables that parameters, lets and patterns bind."""
    return list(ir.bound_vars(expr))


def all_vars(expr: Expr) -> list[Var]:
    """Every variable, in order of first sight."""
    return list(dict.fromkeys(node for node in ir.post_order(as_expr(expr, "expr")) if isinstance(node, Var)))


def _types_written(expr: Expr | Type) -> Iterator[Type]:
    if isinstance(expr, Type):
        yield from ir.parts_of_type(expr)
        return
    for node in ir.post_order(expr):
        written: list[Type | None] = []
        if isinstance(node, Var):
            written = [node.type_annotation]
        elif isinstance(node, Function):
            written = [*node.type_params, node.ret_type]
        elif isinstance(node, Call):
            written = list(node.type_args)
        for kind in written:
            if kind is not None:
                yield from ir.parts_of_type(kind)


def all_type_vars(expr: Expr | Type, mod: IRModule | None = None) -> list[TypeVar]:
    """The type variables that are written, in order of first sight."""
    return list(dict.fromkeys(kind for kind in _types_written(expr) if isinstance(kind, TypeVar)))


def bound_type_vars(expr: Expr | Type, mod: IRModule | None = None) -> list[TypeVar]:
    """The type variables that functions bind."""
    if isinstance(expr, Type):
        parts = [part for part in ir.parts_of_type(expr) if isinstance(part, ir.FuncType)]
        return list(dict.fromkeys(param for part in parts for param in part.type_params))
    functions = [node for node in ir.post_order(expr) if isinstance(node, Function)]
    return list(dict.fromkeys(param for function in functions for param in function.type_params))


def free_type_vars(expr: Expr | Type, mod: IRModule | None = None) -> list[TypeVar]:
    """The type variables that are written but not bound."""
    bound = set(bound_type_vars(expr))
    return [kind for kind in all_type_vars(expr) if kind not in bound]


def all_dtypes(expr: Expr) -> set[str]:
    """The dtypes of all tensors inside. The expression must be typed."""
    kinds = [node.type for node in ir.post_order(expr) if node.type is not None and not isinstance(node, Operator)]
    parts = [part for kind in kinds for part in ir.parts_of_type(kind)]
    return {str(part.dtype) for part in parts if isinstance(part, TensorType)}


def list_op_freqs(mod: IRModule | Expr) -> dict[str, int]:
    """How many calls there are of each operator."""
    roots = list(mod.functions.values()) if isinstance(mod, IRModule) else [mod]
    calls = [node for node in ir.post_order(*roots) if isinstance(node, Call)]
    return dict(Counter(node.op.name for node in calls if isinstance(node.op, Operator)))


def check_constant(expr: Expr) -> bool:
    """Whether it is a constant, or a tuple of constants."""
    return all(isinstance(node, Constant | Tuple) for node in ir.post_order(expr))


def well_formed(expr: Expr | IRModule) -> bool:
    """Whether every variable is bound once and, unless it is free, used where it is bound.

    ``ir.check_well_formed`` says what is wrong.
    """
    try:
        ir.check_well_formed(expr if isinstance(expr, IRModule) else Function(ir.free_vars(expr), expr))
    except IllFormed:
        return False
    return True


def unmatched_cases(match: ir.Match, mod: IRModule | None = None) -> list[str]:
    """The text of a pattern that no clause takes, or nothing where the clauses take every value."""
    found = ir.unmatched([clause.lhs for clause in match.clauses], (mod or IRModule()).type_definitions)
    return [] if found is None else [found]


def __getattr__(name: str) -> object:
    raise absent(__name__, name, __all__)
