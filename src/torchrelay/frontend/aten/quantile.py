"""Converters of quantiles."""

from __future__ import annotations

import math

from torchrelay import op
from torchrelay.frontend.aten.arithmetic import lerp
from torchrelay.frontend.aten.elementwise import round_half_even
from torchrelay.frontend.aten.shape.cut import size_along
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.aten.shape.reshape import ravel, reshaped
from torchrelay.frontend.aten.sort import sort
from torchrelay.frontend.promote import INT64
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const, shapes

__all__: list[str] = []


def _found(ordered: Expr, shares: Expr, axis: int, interpolation: str) -> Expr:
    """The elements at shares of the sorted data; the axis of the shares takes the place of the one searched."""
    position = op.multiply(shares, const(size_along(ordered, axis, "a quantile") - 1, shares.dtype))
    low, high = op.floor(position), op.ceil(position)
    if interpolation == "nearest":
        low = high = round_half_even(position)
    below, above = (op.take(ordered, op.cast(at, dtype=INT64), axis=axis) for at in (low, high))
    if interpolation == "higher":
        return above
    if interpolation not in ("linear", "midpoint"):
        return below
    weight = const(0.5, shares.dtype) if interpolation == "midpoint" else op.subtract(position, low)
    beside = ordered.tensor.rank - 1 - axis
    return lerp(below, above, reshaped(weight, (*weight.shape, *(1,) * beside)) if weight.shape else weight)


def _quantiles(data: Expr, shares: Expr, dim: int | None, keepdim: bool, interpolation: str) -> Expr:
    """The elements at shares of the sorted data, with the axis of the shares at the front."""
    line = ravel(data) if dim is None or not data.tensor.rank else data
    axis = shapes.normal_axis(dim or 0, line.tensor.rank)
    count = shares.tensor.rank
    found = _found(sort(line, axis)[0], shares, axis, interpolation)
    spoiled = op.any(op.isnan(line), axis=(axis,), keepdims=bool(count))
    found = op.where(spoiled, const(math.nan, data.dtype), found)
    if count:
        found = permuted(found, [axis, *range(axis), *range(axis + 1, found.tensor.rank)])
    if not keepdim:
        return found
    kept = [1 if dim is None or i == axis else size for i, size in enumerate(data.shape)]
    return reshaped(found, (*shares.shape, *kept))


@aten("quantile.default")
def quantile(
    self: Expr, q: Expr, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Expr:
    """The elements that shares of all along an axis are smaller than."""
    return _quantiles(self, q, dim, keepdim, interpolation)


@aten("quantile.scalar")
def quantile_one(
    self: Expr, q: float, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Expr:
    """The element that a share of all along an axis are smaller than."""
    return _quantiles(self, const(q, self.dtype), dim, keepdim, interpolation)
