"""Converters that keep elements within bounds: the larger, the smaller, clamps."""

from __future__ import annotations

import math

from torchrelay import op
from torchrelay.frontend.promote import (
    Number,
    Operand,
    Promote,
    as_dtype,
    as_tensor,
    promoted,
    result_dtype,
)
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr

__all__: list[str] = []


@aten("maximum.default", "max.other", promote=Promote.SAME)
def maximum(self: Expr, other: Expr) -> Expr:
    """The larger of the two; NaN where either is."""
    return op.logical_or(self, other) if self.dtype.is_bool else op.maximum(self, other)


@aten("minimum.default", "min.other", promote=Promote.SAME)
def minimum(self: Expr, other: Expr) -> Expr:
    """The smaller of the two; NaN where either is."""
    return op.logical_and(self, other) if self.dtype.is_bool else op.minimum(self, other)


@aten("fmax.default", promote=Promote.SAME)
def fmax(self: Expr, other: Expr) -> Expr:
    """The larger of the two; the other where one is NaN."""
    if not self.dtype.is_float:
        return maximum(self, other)
    return op.where(op.isnan(self), other, op.where(op.isnan(other), self, op.maximum(self, other)))


@aten("fmin.default", promote=Promote.SAME)
def fmin(self: Expr, other: Expr) -> Expr:
    """The smaller of the two; the other where one is NaN."""
    if not self.dtype.is_float:
        return minimum(self, other)
    return op.where(op.isnan(self), other, op.where(op.isnan(other), self, op.minimum(self, other)))


def clipped(self: Expr, low: float | None, high: float | None) -> Expr:
    """Each element within bounds, either of which may be absent; NaN stays."""
    return op.clip(self, a_min=-math.inf if low is None else low, a_max=math.inf if high is None else high)


@aten("clamp.default", "clip.default")
def clamp(self: Expr, min: Number | None = None, max: Number | None = None) -> Expr:
    """Each element within bounds, either of which may be absent."""
    bounds = [bound for bound in (min, max) if bound is not None]
    data = as_dtype(self, result_dtype([self, *bounds]))
    if data.dtype.is_float:
        return clipped(data, min, max)
    low = op.maximum(data, as_tensor(min, data.dtype)) if min is not None else data
    return op.minimum(low, as_tensor(max, data.dtype)) if max is not None else low


@aten("clamp.Tensor", "clip.Tensor")
def clamp_tensor(self: Expr, min: Expr | None = None, max: Expr | None = None) -> Expr:
    """Each element within bounds of its own, either of which may be absent."""
    given = [value for value in (self, min, max) if value is not None]
    data, *bounds = promoted(given, Promote.SAME)
    if min is not None:
        data = op.maximum(data, bounds.pop(0))
    return op.minimum(data, bounds.pop(0)) if max is not None else data


@aten("clamp_min.default", "clamp_min.Tensor")
def clamp_min(self: Expr, min: Operand) -> Expr:
    """Each element, at least a bound."""
    left, right = promoted((self, min), Promote.SAME)
    return op.maximum(left, right)


@aten("clamp_max.default", "clamp_max.Tensor")
def clamp_max(self: Expr, max: Operand) -> Expr:
    """Each element, at most a bound."""
    left, right = promoted((self, max), Promote.SAME)
    return op.minimum(left, right)
