"""Converters of operators that put elements in order."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.registry import aten
from torchrelay.ir import DType, Expr, shapes

__all__: list[str] = []


@aten("topk.default", ignore=("sorted",))
def topk(self: Expr, k: int, dim: int = -1, largest: bool = True) -> tuple[Expr, ...]:
    """The largest elements along an axis, and where they are."""
    return tuple(op.topk(self, k=k, axis=dim, is_ascend=not largest, dtype=DType.parse("int64")))


@aten("sort.default", "sort.stable", ignore=("stable",))
def sort(self: Expr, dim: int = -1, descending: bool = False) -> tuple[Expr, Expr]:
    """The elements along an axis by size, and where they were."""
    order = op.argsort(self, axis=dim, is_ascend=not descending, dtype=DType.parse("int64"))
    return op.gather(self, order, axis=shapes.normal_axis(dim, self.tensor.rank)), order


@aten("argsort.default", "argsort.stable", ignore=("stable",))
def argsort(self: Expr, dim: int = -1, descending: bool = False) -> Expr:
    """Where the elements along an axis are, by size."""
    return op.argsort(self, axis=dim, is_ascend=not descending, dtype=DType.parse("int64"))
