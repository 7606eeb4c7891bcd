"""Converters of operators on the matrices of a tensor."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const

__all__: list[str] = []


@aten("triu.default")
def triu(self: Expr, diagonal: int = 0) -> Expr:
    """The upper triangle of each matrix."""
    return op.trilu(self, const(diagonal), upper=True)


@aten("tril.default")
def tril(self: Expr, diagonal: int = 0) -> Expr:
    """The lower triangle of each matrix."""
    return op.trilu(self, const(diagonal), upper=False)
