"""Converters of operators that put elements in order, and of what is found by it."""

from __future__ import annotations

import math

from torchrelay import op
from torchrelay.frontend.aten.index import gather
from torchrelay.frontend.aten.shape.cut import size_along, slice_axis
from torchrelay.frontend.aten.shape.extents import Extent, extents, filled, with_extents
from torchrelay.frontend.aten.shape.reshape import ravel
from torchrelay.frontend.promote import INT32, INT64, Operand, Promote, as_dtype, promoted
from torchrelay.frontend.registry import aten
from torchrelay.ir import DType, Expr, const, shapes

__all__: list[str] = []


@aten("topk.default", ignore=("sorted",))
def topk(self: Expr, k: Extent, dim: int = -1, largest: bool = True) -> tuple[Expr, ...]:
    """The largest elements along an axis, and where they are."""
    if not self.tensor.rank:
        return self, const(0, INT64)
    axis = shapes.normal_axis(dim, self.tensor.rank)
    sizes = (*extents(self)[:axis], k, *extents(self)[axis + 1 :])
    if k == 0:
        return tuple([filled(const(0, dtype), sizes) for dtype in (self.dtype, INT64)])
    if isinstance(k, int):
        return tuple(op.topk(self, k=k, axis=axis, is_ascend=not largest, dtype=INT64))
    # Relay's topk gives everything for a k of 0: the elements in order, cut.
    whole = op.topk(self, k=0, axis=axis, is_ascend=not largest, dtype=INT64)
    return tuple([with_extents(slice_axis(part, axis, 0, k), sizes) for part in whole])


def _order(data: Expr, dim: int, *, descending: bool) -> Expr:
    if not data.tensor.rank:
        return const(0, INT64)
    return op.argsort(data, axis=dim, is_ascend=not descending, dtype=INT64)


@aten("sort.default", "sort.stable", ignore=("stable",))
def sort(self: Expr, dim: int = -1, descending: bool = False) -> tuple[Expr, Expr]:
    """The elements along an axis by size, and where they were."""
    order = _order(self, dim, descending=descending)
    return gather(self, dim, order) if self.tensor.rank else self, order


@aten("argsort.default", "argsort.stable", ignore=("stable",))
def argsort(self: Expr, dim: int = -1, descending: bool = False) -> Expr:
    """Where the elements along an axis are, by size."""
    return _order(self, dim, descending=descending)


@aten("msort.default")
def msort(self: Expr) -> Expr:
    """The elements along the first axis by size."""
    return sort(self, 0)[0]


def _ranked(data: Expr, rank: int, dim: int, *, keepdim: bool) -> tuple[Expr, Expr]:
    """The element that so many along an axis are smaller than, and where it is."""
    if not data.tensor.rank:
        return data, const(0, INT64)
    axis = shapes.normal_axis(dim, data.tensor.rank)
    found = [slice_axis(part, axis, rank, rank + 1) for part in sort(data, axis)]
    if not keepdim:
        found = [op.squeeze(part, axis=(axis,)) for part in found]
    return found[0], found[1]


@aten("kthvalue.default")
def kthvalue(self: Expr, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Expr, Expr]:
    """The k-th smallest element along an axis, and where it is."""
    return _ranked(self, k - 1, dim, keepdim=keepdim)


@aten("median.dim")
def median_dim(self: Expr, dim: int, keepdim: bool = False) -> tuple[Expr, Expr]:
    """The middle element along an axis, the lower of two, and where it is; the first NaN where there is one."""
    if not self.tensor.rank:
        return self, const(0, INT64)
    size = size_along(self, shapes.normal_axis(dim, self.tensor.rank), "a median")
    value, place = _ranked(self, (size - 1) // 2, dim, keepdim=keepdim)
    if not self.dtype.is_float:
        return value, place
    unknown = op.isnan(self)
    spoiled = op.any(unknown, axis=(dim,), keepdims=keepdim)
    first = op.argmax(op.cast(unknown, dtype=DType.parse("int8")), axis=(dim,), keepdims=keepdim)
    return op.where(spoiled, const(math.nan, self.dtype), value), op.where(spoiled, as_dtype(first, INT64), place)


@aten("median.default")
def median(self: Expr) -> Expr:
    """The middle element of all, the lower of two; NaN where there is one."""
    return median_dim(ravel(self), 0)[0]


@aten("searchsorted.Tensor", "searchsorted.Scalar")
def searchsorted(
    sorted_sequence: Expr,
    self: Operand,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Expr | None = None,
) -> Expr:
    """Where each value goes in a sequence, sorted or with the order of its elements given."""
    ordered = sorted_sequence if sorter is None else gather(sorted_sequence, -1, sorter)
    sequence, values = promoted((ordered, self), Promote.SAME)
    dtype = INT32 if out_int32 else INT64
    return op.searchsorted(sequence, values, right=right or side == "right", dtype=dtype)


@aten("bucketize.Tensor", "bucketize.Scalar")
def bucketize(self: Operand, boundaries: Expr, *, out_int32: bool = False, right: bool = False) -> Expr:
    """The number of the bucket between boundaries that each value is in."""
    return searchsorted(boundaries, self, out_int32=out_int32, right=right)
