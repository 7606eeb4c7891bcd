"""The names of tvm.relay over torchrelay: a script written for tvm.relay moves over by changing its imports.

``from torchrelay import relay`` and, where it says tvm, ``import torchrelay as tvm``.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence

from torchrelay import errors, formats
from torchrelay.ir import Expr, IRModule, Operator as Op, Pattern, Type
from torchrelay.relay import (
    adt,
    analysis,
    annotation,
    build_module,
    core,
    expr,
    expr_functor,
    expressions,
    function,
    image,
    loops,
    nn,
    op,
    param_dict,
    prelude,
    qnn,
    random,
    scope_builder,
    transform,
    ty,
    vision,
)
from torchrelay.relay.absent import absent
from torchrelay.relay.executor import Executor, create_executor
from torchrelay.relay.expr_functor import ExprFunctor, ExprMutator, ExprVisitor
from torchrelay.relay.functions import TupleWrapper, as_expr
from torchrelay.relay.prelude import Prelude
from torchrelay.relay.scope_builder import ScopeBuilder
from torchrelay.relay.substitution import bind
from torchrelay.runtime import load_param_dict, save_param_dict

__all__ = [
    "Executor",
    "Expr",
    "ExprFunctor",
    "ExprMutator",
    "ExprVisitor",
    "Op",
    "Pattern",
    "Prelude",
    "ScopeBuilder",
    "TupleWrapper",
    "Type",
    "adt",
    "analysis",
    "annotation",
    "astext",
    "bind",
    "build_module",
    "create_executor",
    "expr",
    "expr_functor",
    "fromtext",
    "function",
    "image",
    "load_param_dict",
    "loops",
    "nn",
    "op",
    "param_dict",
    "parse",
    "parse_expr",
    "prelude",
    "pretty_print",
    "qnn",
    "random",
    "save_param_dict",
    "scope_builder",
    "transform",
    "ty",
    "vision",
    *expressions.__all__,
    *core.__all__,
]
globals().update({name: getattr(part, name) for part in (expressions, core) for name in part.__all__})


def parse(
    source: str,
    source_name: str = "from_string",
    init_module: IRModule | None = None,
    init_meta_table: Mapping[str, Sequence[object]] | None = None,
) -> IRModule:
    """The module of a text, over another module. Raises what ``torchrelay.parse`` raises."""
    return formats.parse(source, source_name, init_module=init_module, init_meta_table=init_meta_table)


def fromtext(source: str, source_name: str = "from_string") -> IRModule:
    """The module of a text."""
    return formats.parse(source, source_name)


def parse_expr(source: str) -> Expr:
    """The expression of a text."""
    return formats.parse_expr(source)


def astext(obj: Expr | IRModule, show_meta_data: bool = True, annotate: None = None) -> str:
    """Relay text. Raises WrongUsage for an ``annotate``, which torchrelay has not."""
    if annotate is not None:
        raise errors.WrongUsage("astext has no annotate")
    return formats.astext(as_expr(obj, "obj") if not isinstance(obj, IRModule) else obj, show_meta_data=show_meta_data)


def pretty_print(obj: Expr | IRModule) -> None:
    """Prints Relay text without its version line."""
    print(obj)  # noqa: T201 that is what it is for


def __getattr__(name: str) -> object:
    if name == "frontend":
        return importlib.import_module("torchrelay.relay.frontend")
    raise absent(__name__, name, __all__)
