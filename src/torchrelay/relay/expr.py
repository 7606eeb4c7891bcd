"""The names of tvm.relay.expr: the kinds of expression, and shorter ways to make some."""

from torchrelay.ir import Expr, RelayExpr
from torchrelay.relay.expressions import (
    Call,
    Constant,
    GlobalVar,
    If,
    Let,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    Var,
    const,
    var,
)
from torchrelay.relay.functions import TupleWrapper
from torchrelay.relay.substitution import bind

__all__ = [
    "Call",
    "Constant",
    "Expr",
    "GlobalVar",
    "If",
    "Let",
    "RefCreate",
    "RefRead",
    "RefWrite",
    "RelayExpr",
    "Tuple",
    "TupleGetItem",
    "TupleWrapper",
    "Var",
    "bind",
    "const",
    "var",
]
