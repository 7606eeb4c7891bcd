"""Converters of Bessel functions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from torchrelay import op
from torchrelay.frontend.aten.special import coefficients as known
from torchrelay.frontend.aten.special.series import chebyshev, infinite, not_a_number, ratio
from torchrelay.frontend.promote import Promote, rounded_once
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const

__all__ = ["modified_i0"]

Table = Sequence[float]


def _waves(x: Expr, angle: float, tables: Sequence[Table], *, second: bool) -> Expr:
    """The function beyond 5: two amplitudes over the root of x, in phase and out of phase with x less an angle."""
    above_p, below_p, above_q, below_q = tables
    inverse = op.divide(const(5, x.dtype), x)
    square = op.multiply(inverse, inverse)
    phase = op.subtract(x, const(angle, x.dtype))
    cosine, sine = op.cos(phase), op.sin(phase)
    aligned, across = ratio(square, above_p, below_p), op.multiply(inverse, ratio(square, above_q, below_q))
    if second:
        total = op.add(op.multiply(aligned, sine), op.multiply(across, cosine))
    else:
        total = op.subtract(op.multiply(aligned, cosine), op.multiply(across, sine))
    return op.divide(op.multiply(total, const(math.sqrt(2 / math.pi), x.dtype)), op.sqrt(x))


def _zeros_out(square: Expr, zeros: Sequence[float]) -> Expr:
    """The product of the distances of squares from zeros."""
    left, right = (op.subtract(square, const(zero, square.dtype)) for zero in zeros)
    return op.multiply(left, right)


_TABLES_0 = (known.J0_PP, known.J0_PQ, known.J0_QP, known.J0_QQ)
_TABLES_1 = (known.J1_PP, known.J1_PQ, known.J1_QP, known.J1_QQ)


@aten("special_bessel_j0.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def bessel_j0(self: Expr) -> Expr:
    """The Bessel function of the first kind of order 0."""
    size, five = op.abs(self), const(5, self.dtype)
    square = op.multiply(size, size)
    zeros = _zeros_out(square, (5.78318596294678452118, 30.4712623436620863991))
    near = op.multiply(zeros, ratio(square, known.J0_RP, known.J0_RQ))
    return op.where(op.less_equal(size, five), near, _waves(size, math.pi / 4, _TABLES_0, second=False))


@aten("special_bessel_j1.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def bessel_j1(self: Expr) -> Expr:
    """The Bessel function of the first kind of order 1."""
    size, five = op.abs(self), const(5, self.dtype)
    square = op.multiply(size, size)
    zeros = _zeros_out(square, (14.6819706421238932572, 49.2184563216946036703))
    near = op.multiply(op.multiply(ratio(square, known.J1_RP, known.J1_RQ), size), zeros)
    found = op.where(op.less_equal(size, five), near, _waves(size, 3 * math.pi / 4, _TABLES_1, second=False))
    return op.where(op.less(self, const(0, self.dtype)), op.negative(found), found)


def _from_zero_up(x: Expr, value: Expr, at_zero: Expr) -> Expr:
    """The value above 0, what it is at 0, NaN below."""
    zero = const(0, x.dtype)
    return op.where(op.less(x, zero), not_a_number(x), op.where(op.equal(x, zero), at_zero, value))


@aten("special_bessel_y0.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def bessel_y0(self: Expr) -> Expr:
    """The Bessel function of the second kind of order 0."""
    square = op.multiply(self, self)
    logarithm = op.multiply(const(2 / math.pi, self.dtype), op.log(self))
    near = op.add(ratio(square, known.Y0_P, known.Y0_Q), op.multiply(logarithm, bessel_j0(self)))
    far = _waves(self, math.pi / 4, _TABLES_0, second=True)
    found = op.where(op.less_equal(self, const(5, self.dtype)), near, far)
    return _from_zero_up(self, found, op.negative(infinite(self)))


@aten("special_bessel_y1.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def bessel_y1(self: Expr) -> Expr:
    """The Bessel function of the second kind of order 1."""
    square = op.multiply(self, self)
    inner = op.subtract(op.multiply(bessel_j1(self), op.log(self)), op.divide(const(1, self.dtype), self))
    near = op.add(
        op.multiply(self, ratio(square, known.Y1_P, known.Y1_Q)), op.multiply(const(2 / math.pi, self.dtype), inner)
    )
    far = _waves(self, 3 * math.pi / 4, _TABLES_1, second=True)
    found = op.where(op.less_equal(self, const(5, self.dtype)), near, far)
    return _from_zero_up(self, found, op.negative(infinite(self)))


def _decayed(size: Expr, near: Table, far: Table) -> tuple[Expr, Expr]:
    """The two series of a modified function of the first kind, within 8 and beyond, without its growth."""
    two = const(2, size.dtype)
    within = chebyshev(op.subtract(op.divide(size, two), two), near)
    beyond = chebyshev(op.subtract(op.divide(const(32, size.dtype), size), two), far)
    return within, op.divide(beyond, op.sqrt(size))


def _scaled_i0(size: Expr) -> Expr:
    within, beyond = _decayed(size, known.I0_NEAR, known.I0_FAR)
    return op.where(op.less_equal(size, const(8, size.dtype)), within, beyond)


def _scaled_i1(size: Expr) -> Expr:
    within, beyond = _decayed(size, known.I1_NEAR, known.I1_FAR)
    return op.where(op.less_equal(size, const(8, size.dtype)), op.multiply(within, size), beyond)


@aten("i0.default", "special_i0.default", "special_modified_bessel_i0.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def modified_i0(self: Expr) -> Expr:
    """The modified Bessel function of the first kind of order 0."""
    size = op.abs(self)
    return op.multiply(op.exp(size), _scaled_i0(size))


@aten("special_i0e.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def scaled_i0(self: Expr) -> Expr:
    """The modified Bessel function of the first kind of order 0, times exp(-|x|)."""
    return _scaled_i0(op.abs(self))


def _odd(self: Expr, value: Expr) -> Expr:
    """The value with its sign changed where x is negative."""
    return op.where(op.less(self, const(0, self.dtype)), op.negative(value), value)


@aten("special_i1.default", "special_modified_bessel_i1.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def modified_i1(self: Expr) -> Expr:
    """The modified Bessel function of the first kind of order 1."""
    size = op.abs(self)
    return _odd(self, op.multiply(op.exp(size), _scaled_i1(size)))


@aten("special_i1e.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def scaled_i1(self: Expr) -> Expr:
    """The modified Bessel function of the first kind of order 1, times exp(-|x|)."""
    return _odd(self, _scaled_i1(op.abs(self)))


def _second_kind(x: Expr, near: Expr, far: Table, *, scaled: bool) -> Expr:
    """A modified function of the second kind from its part within 2 and its series beyond, perhaps without its decay."""
    two = const(2, x.dtype)
    series = chebyshev(op.subtract(op.divide(const(8, x.dtype), x), two), far)
    beyond = op.divide(series, op.sqrt(x))
    if scaled:
        near = op.multiply(near, op.exp(x))
    else:
        beyond = op.multiply(beyond, op.exp(op.negative(x)))
    return _from_zero_up(x, op.where(op.less_equal(x, two), near, beyond), infinite(x))


def _near_k0(x: Expr) -> Expr:
    series = chebyshev(op.subtract(op.multiply(x, x), const(2, x.dtype)), known.K0_NEAR)
    return op.subtract(series, op.multiply(op.log(op.multiply(const(0.5, x.dtype), x)), modified_i0(x)))


def _near_k1(x: Expr) -> Expr:
    series = chebyshev(op.subtract(op.multiply(x, x), const(2, x.dtype)), known.K1_NEAR)
    logarithm = op.log(op.multiply(const(0.5, x.dtype), x))
    return op.add(op.multiply(logarithm, modified_i1(x)), op.divide(series, x))


@aten("special_modified_bessel_k0.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def modified_k0(self: Expr) -> Expr:
    """The modified Bessel function of the second kind of order 0."""
    return _second_kind(self, _near_k0(self), known.K0_FAR, scaled=False)


@aten("special_modified_bessel_k1.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def modified_k1(self: Expr) -> Expr:
    """The modified Bessel function of the second kind of order 1."""
    return _second_kind(self, _near_k1(self), known.K1_FAR, scaled=False)


@aten("special_scaled_modified_bessel_k0.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def scaled_k0(x: Expr) -> Expr:
    """The modified Bessel function of the second kind of order 0, times exp(x)."""
    return _second_kind(x, _near_k0(x), known.K0_FAR, scaled=True)


@aten("special_scaled_modified_bessel_k1.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def scaled_k1(x: Expr) -> Expr:
    """The modified Bessel function of the second kind of order 1, times exp(x)."""
    return _second_kind(x, _near_k1(x), known.K1_FAR, scaled=True)
