"""Converters of distances and losses."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const

__all__: list[str] = []


@aten("cosine_similarity.default")
def cosine_similarity(x1: Expr, x2: Expr, dim: int = 1, eps: float = 1e-8) -> Expr:
    """The cosine of the angle between two vectors along an axis."""

    def length(value: Expr) -> Expr:
        root = op.sqrt(op.sum(op.multiply(value, value), axis=(dim,), keepdims=True))
        return op.maximum(root, const(eps, value.dtype))

    return op.sum(op.multiply(op.divide(x1, length(x1)), op.divide(x2, length(x2))), axis=(dim,))
