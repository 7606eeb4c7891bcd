"""Converters of what the bits of floating-point numbers say: exponents, and neighbours."""

from __future__ import annotations

import math

import ml_dtypes

from torchrelay import op
from torchrelay.frontend.promote import INT32, Promote, as_dtype
from torchrelay.frontend.registry import aten
from torchrelay.ir import DType, Expr, const

__all__: list[str] = []


def _bits_of(value: Expr) -> Expr:
    return op.reinterpret(value, dtype=DType.parse(f"int{value.dtype.bits}"))


@aten("frexp.Tensor")
def frexp(self: Expr) -> tuple[Expr, Expr]:
    """A fraction of at least 1/2 and below 1, and the power of two that it is to be multiplied with; of 0 and what is not
    finite itself, and 0.
    """
    kind = ml_dtypes.finfo(self.dtype.numpy)
    width, bias = int(kind.nmant), 1 - int(kind.minexp)
    raised = width + 1
    subnormal = op.less(op.abs(self), const(float(kind.smallest_normal), self.dtype))
    normal = op.where(subnormal, op.multiply(self, const(2.0**raised, self.dtype)), self)
    bits = _bits_of(normal)
    places = const(width, bits.dtype)
    mask = (1 << (self.dtype.bits - 1 - width)) - 1
    biased = op.bitwise_and(op.right_shift(bits, places), const(mask, bits.dtype))
    kept = op.bitwise_and(bits, const(~(mask << width), bits.dtype))
    fraction = op.reinterpret(op.bitwise_or(kept, const((bias - 1) << width, bits.dtype)), dtype=self.dtype)
    exponent = op.subtract(as_dtype(biased, INT32), const(bias - 1, INT32))
    exponent = op.where(subnormal, op.subtract(exponent, const(raised, INT32)), exponent)
    alone = op.logical_or(op.equal(self, const(0, self.dtype)), op.logical_not(op.isfinite(self)))
    return op.where(alone, self, fraction), op.where(alone, op.zeros_like(exponent), exponent)


@aten("nextafter.default", promote=Promote.SAME)
def nextafter(self: Expr, other: Expr) -> Expr:
    """The next number that the dtype has, on the way to another."""
    zero = const(0, self.dtype)
    bits = _bits_of(self)
    away = op.equal(op.less(self, other), op.greater(self, zero))
    step = op.where(away, const(1, bits.dtype), const(-1, bits.dtype))
    moved = op.reinterpret(op.add(bits, step), dtype=self.dtype)
    least = op.reinterpret(op.ones_like(bits), dtype=self.dtype)
    from_zero = op.where(op.less(other, zero), op.negative(least), least)
    moved = op.where(op.equal(self, zero), from_zero, moved)
    moved = op.where(op.equal(self, other), op.add(other, op.zeros_like(self)), moved)
    return op.where(op.logical_or(op.isnan(self), op.isnan(other)), const(math.nan, self.dtype), moved)
