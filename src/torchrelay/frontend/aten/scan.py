"""Converters of what runs along an axis: sums, products, extremes of all elements up to each one."""

from __future__ import annotations

from collections.abc import Callable

from torchrelay import op
from torchrelay.frontend.aten.arithmetic import logaddexp
from torchrelay.frontend.aten.create import ranged
from torchrelay.frontend.aten.reduce import summed
from torchrelay.frontend.aten.shape.broadcast import broadcast
from torchrelay.frontend.aten.shape.cut import size_along, slice_axis
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import INT64
from torchrelay.frontend.registry import aten
from torchrelay.ir import DType, Expr, Operator, const, shapes

__all__: list[str] = []

Parts = tuple[Expr, ...]


@aten("cumsum.default")
def cumsum(self: Expr, dim: int, *, dtype: DType | None = None) -> Expr:
    """The sum of all elements up to each one along an axis."""
    data = summed(self, dtype)
    return op.cumsum(data, axis=dim, dtype=data.dtype) if data.tensor.rank else data


@aten("cumprod.default")
def cumprod(self: Expr, dim: int, *, dtype: DType | None = None) -> Expr:
    """The product of all elements up to each one along an axis."""
    data = summed(self, dtype)
    return op.cumprod(data, axis=dim, dtype=data.dtype) if data.tensor.rank else data


def scanned(parts: Parts, axis: int, combine: Callable[[Parts, Parts], Parts]) -> Parts:
    """For each place what ``combine`` makes of all places up to it, by steps of 1, 2, 4, ..."""
    size = size_along(parts[0], axis, "a running extreme")
    step = 1
    while step < size:
        kept = tuple([slice_axis(part, axis, 0, step) for part in parts])
        before = tuple([slice_axis(part, axis, 0, size - step) for part in parts])
        later = tuple([slice_axis(part, axis, step, size) for part in parts])
        made = combine(before, later)
        parts = tuple([op.concatenate(pair, axis=axis) for pair in zip(kept, made, strict=True)])
        step *= 2
    return parts


def _running(data: Expr, dim: int, wins: Operator[...]) -> Parts:
    """The running extreme and the last place where it was found; NaN once met stays."""
    if not data.tensor.rank:
        return data, const(0, INT64)
    axis = shapes.normal_axis(dim, data.tensor.rank)
    size = size_along(data, axis, "a running extreme")
    line = (1,) * axis + (size,) + (1,) * (data.tensor.rank - 1 - axis)
    places = broadcast(reshaped(ranged(0, size, 1, INT64), line), data.shape)

    def combine(before: Parts, later: Parts) -> Parts:
        takes = wins(later[0], before[0])
        if data.dtype.is_float:
            takes = op.logical_or(op.isnan(later[0]), op.logical_and(op.logical_not(op.isnan(before[0])), takes))
        return tuple([op.where(takes, new, old) for new, old in zip(later, before, strict=True)])

    return scanned((data, places), axis, combine)


@aten("cummax.default")
def cummax(self: Expr, dim: int) -> Parts:
    """The largest element up to each one along an axis, and where it is."""
    return _running(self, dim, op.greater_equal)


@aten("cummin.default")
def cummin(self: Expr, dim: int) -> Parts:
    """The smallest element up to each one along an axis, and where it is."""
    return _running(self, dim, op.less_equal)


@aten("logcumsumexp.default")
def logcumsumexp(self: Expr, dim: int) -> Expr:
    """The logarithm of the sum of exponentials of all elements up to each one along an axis."""
    if not self.tensor.rank:
        return self
    axis = shapes.normal_axis(dim, self.tensor.rank)
    return scanned((self,), axis, lambda before, later: (logaddexp(before[0], later[0]),))[0]


@aten("diff.default")
def diff(self: Expr, n: int = 1, dim: int = -1, prepend: Expr | None = None, append: Expr | None = None) -> Expr:
    """The difference of neighbours along an axis, so many times over."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    parts = [part for part in (prepend, self, append) if part is not None]
    data = op.concatenate(parts, axis=axis) if len(parts) > 1 else self
    for _ in range(n):
        size = size_along(data, axis, "a difference")
        later, before = slice_axis(data, axis, 1, size), slice_axis(data, axis, 0, max(size - 1, 0))
        data = op.not_equal(later, before) if data.dtype.is_bool else op.subtract(later, before)
    return data
