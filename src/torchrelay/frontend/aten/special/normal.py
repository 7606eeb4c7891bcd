"""Converters of the error function's kin and of the normal distribution."""

from __future__ import annotations

import math

from torchrelay import op
from torchrelay.frontend.aten.elementwise import log1p
from torchrelay.frontend.aten.special import coefficients as known
from torchrelay.frontend.aten.special.series import chebyshev, infinite, not_a_number, ratio
from torchrelay.frontend.promote import Promote, rounded_once
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const

__all__: list[str] = []


def _tail(size: Expr) -> tuple[Expr, Expr]:
    """For sizes of 0 and more two factors of erfcx: 2 / (2 + x), and a power of e, by its exponent."""
    two = const(2, size.dtype)
    part = op.divide(two, op.add(two, size))
    return part, chebyshev(op.subtract(op.multiply(const(4, size.dtype), part), two), known.ERFCX)


def _square(size: Expr) -> tuple[Expr, Expr]:
    """Two numbers whose sum is the square: one that is exact, and what remains."""
    sixteen = const(16, size.dtype)
    exact = op.divide(op.round(op.multiply(size, sixteen)), sixteen)
    return op.multiply(exact, exact), op.multiply(op.subtract(size, exact), op.add(size, exact))


@aten("special_erfcx.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def erfcx(self: Expr) -> Expr:
    """exp(x^2) erfc(x)."""
    part, exponent = _tail(op.abs(self))
    above = op.multiply(part, op.exp(exponent))
    high, low = _square(self)
    below = op.subtract(op.multiply(op.multiply(const(2, self.dtype), op.exp(high)), op.exp(low)), above)
    below = op.where(op.less(self, const(-26.7, self.dtype)), infinite(self), below)
    return op.where(op.less(self, const(0, self.dtype)), below, above)


@aten("erfc.default", "special_erfc.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def erfc(self: Expr) -> Expr:
    """1 - erf(x), to full precision where that is small."""
    one = const(1, self.dtype)
    size = op.minimum(op.abs(self), const(40, self.dtype))  # beyond, it is 0 in every dtype
    part, exponent = _tail(size)
    high, low = _square(size)
    tail = op.multiply(op.multiply(part, op.exp(op.negative(high))), op.exp(op.subtract(exponent, low)))
    return op.where(op.less(self, one), op.subtract(one, op.erf(self)), tail)


@aten("special_log_ndtr.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def log_ndtr(self: Expr) -> Expr:
    """The logarithm of the share of a normal distribution below x."""
    scaled = op.multiply(self, const(math.sqrt(0.5), self.dtype))
    half = const(0.5, self.dtype)
    part, exponent = _tail(op.abs(scaled))
    below = op.subtract(op.add(op.log(op.multiply(part, half)), exponent), op.multiply(scaled, scaled))
    above = log1p(op.negative(op.multiply(erfc(scaled), half)))
    return op.where(op.less(self, const(-1, self.dtype)), below, above)


@aten("erfinv.default", "special_erfinv.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def erfinv(self: Expr) -> Expr:
    """The number whose error function is x: a rational approximation and two steps of Newton's."""
    size, one = op.abs(self), const(1, self.dtype)
    square = op.multiply(self, self)
    near = op.multiply(
        self,
        ratio(
            square,
            (-0.140543331, 0.914624893, -1.645349621, 0.886226899),
            (0.012229801, -0.329097515, 1.442710462, -2.118377725, 1.0),
        ),
    )
    root = op.sqrt(op.negative(op.log(op.divide(op.subtract(one, size), const(2, self.dtype)))))
    far = ratio(root, (1.641345311, 3.429567803, -1.624906493, -1.970840454), (1.637067800, 3.543889200, 1.0))
    guess = op.where(op.less_equal(size, const(0.7, self.dtype)), near, op.multiply(op.sign(self), far))
    slope = const(2 / math.sqrt(math.pi), self.dtype)
    for _ in range(2):
        steepness = op.multiply(slope, op.exp(op.negative(op.multiply(guess, guess))))
        guess = op.subtract(guess, op.divide(op.subtract(op.erf(guess), self), steepness))
    ends = op.multiply(op.sign(self), infinite(self))
    return op.where(op.equal(size, one), ends, op.where(op.greater(size, one), not_a_number(self), guess))


@aten("special_ndtri.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def ndtri(self: Expr) -> Expr:
    """The number that a share of a normal distribution is below."""
    zero, one, two = (const(value, self.dtype) for value in (0, 1, 2))
    bound = math.exp(-2)
    upper = op.greater(self, const(1 - bound, self.dtype))
    share = op.where(upper, op.subtract(one, self), self)
    from_half = op.subtract(share, const(0.5, self.dtype))
    square = op.multiply(from_half, from_half)
    curve = op.multiply(square, ratio(square, known.NDTRI_P0, known.NDTRI_Q0))
    middle = op.multiply(op.add(from_half, op.multiply(from_half, curve)), const(math.sqrt(2 * math.pi), self.dtype))
    depth = op.sqrt(op.negative(op.multiply(two, op.log(share))))
    inverse = op.divide(one, depth)
    near, far = (
        op.multiply(inverse, ratio(inverse, above, below))
        for above, below in ((known.NDTRI_P1, known.NDTRI_Q1), (known.NDTRI_P2, known.NDTRI_Q2))
    )
    tail = op.subtract(
        op.subtract(depth, op.divide(op.log(depth), depth)),
        op.where(op.less(depth, const(8, self.dtype)), near, far),
    )
    tail = op.where(upper, tail, op.negative(tail))
    result = op.where(op.greater(share, const(bound, self.dtype)), middle, tail)
    inside = op.logical_and(op.greater(self, zero), op.less(self, one))
    ends = op.where(op.equal(self, zero), op.negative(infinite(self)), infinite(self))
    outside = op.where(op.logical_or(op.equal(self, zero), op.equal(self, one)), ends, not_a_number(self))
    return op.where(inside, result, outside)
