"""Variables replaced by what they stand for."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from torchrelay import ir
from torchrelay.errors import WrongArgument
from torchrelay.ir import Expr, Function, Var
from torchrelay.relay.functions import as_expr

__all__ = ["bind", "bind_params_by_name"]


def bind(expr: Expr, binds: Mapping[Var, Expr]) -> Expr:
    """The expression with variables replaced by expressions; a function loses the parameters that are."""
    values = {var: as_expr(value, "binds") for var, value in binds.items()}
    if not isinstance(expr, Function):
        return ir.bind(as_expr(expr, "expr"), values)
    params = tuple([param for param in expr.params if param not in values])
    return ir.Function(
        params, ir.bind(expr.body, values), expr.ret_type, expr.type_params, expr.attrs, place=expr.place
    )


def bind_params_by_name(func: Function, params: Mapping[str, np.ndarray]) -> Function:
    """The function with constants in place of the parameters of these names; names that it has not are left alone.

    Raises WrongArgument where two parameters have one of the names.
    """
    names = [param.name for param in func.params]
    twice = sorted({name for name in params if names.count(name) > 1})
    if twice:
        raise WrongArgument(f"more than one parameter is named {', '.join(twice)}")
    values = {param: ir.Constant(np.asarray(params[param.name])) for param in func.params if param.name in params}
    bound = bind(func, values)
    assert isinstance(bound, Function), "a function stays one"
    return bound
