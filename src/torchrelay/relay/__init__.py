"""The names of tvm.relay over torchrelay: a script written for tvm.relay moves over by changing its imports.

``from torchrelay import relay`` and, where it says tvm, ``import torchrelay as tvm``.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence

import numpy as np

from torchrelay import errors, formats, ir
from torchrelay.ir import Expr, IRModule, Operator as Op, Pattern, Type
from torchrelay.relay import analysis, annotation, core, expressions, image, nn, op, qnn, random, transform, vision
from torchrelay.relay.executor import Executor, create_executor
from torchrelay.relay.expr_functor import ExprFunctor, ExprMutator, ExprVisitor
from torchrelay.relay.functions import TupleWrapper, as_expr
from torchrelay.relay.prelude import Prelude
from torchrelay.relay.scope_builder import ScopeBuilder

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
    "analysis",
    "annotation",
    "astext",
    "bind",
    "create_executor",
    "fromtext",
    "image",
    "load_param_dict",
    "nn",
    "op",
    "parse",
    "parse_expr",
    "pretty_print",
    "qnn",
    "random",
    "save_param_dict",
    "transform",
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


def bind(expr: Expr, binds: Mapping[ir.Var, Expr]) -> Expr:
    """The expression with variables replaced by expressions."""
    return ir.bind(as_expr(expr, "expr"), {var: as_expr(value, "binds") for var, value in binds.items()})


def save_param_dict(params: Mapping[str, np.ndarray]) -> bytes:
    """Parameters in TVM's binary format."""
    data = formats.save_params(params)
    assert data is not None, "without a path the bytes come back"
    return data


def load_param_dict(param_bytes: bytes) -> dict[str, np.ndarray]:
    """The parameters of TVM's binary format, as NDArray over the bytes. Raises BadFile."""
    return {name: array.view(ir.NDArray) for name, array in formats.load_params(bytes(param_bytes)).items()}


def __getattr__(name: str) -> object:
    if name == "frontend":
        return importlib.import_module("torchrelay.relay.frontend")
    if name in ("build", "optimize", "vm", "build_module", "backend"):
        hint = "torchrelay builds nothing; relay.create_executor runs a program, save() hands it to a real TVM"
        raise AttributeError(f"torchrelay.relay has no {name}: {hint}")
    raise AttributeError(f"module 'torchrelay.relay' has no attribute {name!r}")
