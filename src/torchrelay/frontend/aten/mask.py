"""Converters that choose elements by a mask."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.aten.compare import truth
from torchrelay.frontend.promote import (
    Number,
    Promote,
    as_tensor,
    promoted,
)
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr

__all__: list[str] = []

Operand = Expr | Number


@aten("where.self", "where.ScalarSelf", "where.ScalarOther", "where.Scalar")
def where(condition: Expr, self: Operand, other: Operand) -> Expr:
    """The element of ``self`` where the condition is true, of ``other`` elsewhere."""
    left, right = promoted((self, other), Promote.SAME)
    return op.where(truth(condition), left, right)


@aten("masked_fill.Scalar", "masked_fill.Tensor")
def masked_fill(self: Expr, mask: Expr, value: Operand) -> Expr:
    """The tensor with a value where the mask is true."""
    return op.where(truth(mask), as_tensor(value, self.dtype), self)
