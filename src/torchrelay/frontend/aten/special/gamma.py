"""Converters of the gamma function's logarithm, of its derivatives, and of the zeta function."""

from __future__ import annotations

import math

from torchrelay import op
from torchrelay.frontend.aten.loops import Values, repeated
from torchrelay.frontend.aten.special import coefficients as known
from torchrelay.frontend.aten.special.series import along, infinite, not_a_number, polynomial, ratio
from torchrelay.frontend.promote import FLOAT64, Promote, as_dtype, promoted, rounded_once
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const

__all__ = ["lgamma"]

_STIRLING_FROM = 13
_ZETA = (
    12.0,
    -720.0,
    30240.0,
    -1209600.0,
    47900160.0,
    -1.8924375803183791606e9,
    7.47242496e10,
    -2.950130727918164224e12,
    1.1646782814350067249e14,
    -4.5979787224074726105e15,
    1.8152105401943546773e17,
    -7.1661652561756670113e18,
)
"""(2 k)! over the Bernoulli numbers of order 2 k."""


def _small_lgamma(x: Expr) -> Expr:
    """The logarithm of gamma below 13: brought into [2, 3) by a product."""
    one, two = const(1, x.dtype), const(2, x.dtype)
    floor = op.floor(x)
    part, steps = along(x, _STIRLING_FROM)
    turns = op.expand_dims(op.subtract(floor, two), axis=x.tensor.rank)
    down = op.where(op.less(steps, turns), op.subtract(part, op.add(steps, one)), op.ones_like(part))
    up = op.where(op.less(steps, op.negative(turns)), op.add(part, steps), op.ones_like(part))
    moved = op.subtract(op.log(op.prod(down, axis=(-1,))), op.log(op.prod(up, axis=(-1,))))
    rest = op.subtract(x, floor)
    return op.add(moved, op.multiply(rest, ratio(rest, known.LGAMMA_B, known.LGAMMA_C)))


def _large_lgamma(x: Expr) -> Expr:
    """Stirling's series."""
    one, half = const(1, x.dtype), const(0.5, x.dtype)
    inverse = op.divide(one, x)
    remainder = op.multiply(inverse, polynomial(op.multiply(inverse, inverse), known.LGAMMA_A))
    main = op.subtract(op.multiply(op.subtract(x, half), op.log(x)), x)
    return op.add(op.add(main, const(0.5 * math.log(2 * math.pi), x.dtype)), remainder)


def _positive_lgamma(x: Expr) -> Expr:
    bound = const(_STIRLING_FROM, x.dtype)
    small = _small_lgamma(op.minimum(x, bound))
    found = op.where(op.less(x, bound), small, _large_lgamma(op.maximum(x, bound)))
    return op.where(op.isinf(x), infinite(x), found)


@aten("lgamma.default", "special_gammaln.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def lgamma(self: Expr) -> Expr:
    """The logarithm of the absolute value of the gamma function; below 1/2 by its reflection."""
    one, half = const(1, self.dtype), const(0.5, self.dtype)
    mirrored = op.less(self, half)
    above = _positive_lgamma(op.where(mirrored, op.subtract(one, self), self))
    fraction = op.abs(op.subtract(self, op.round(self)))
    sine = op.sin(op.multiply(const(math.pi, self.dtype), fraction))
    reflected = op.subtract(op.log(op.divide(const(math.pi, self.dtype), sine)), above)
    found = op.where(mirrored, reflected, above)
    return op.where(op.isinf(self), infinite(self), found)


@aten("mvlgamma.default", "special_multigammaln.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def mvlgamma(self: Expr, p: int) -> Expr:
    """The logarithm of the gamma function of several variables: a sum of logarithms of gamma, half a step apart."""
    part, steps = along(self, p)
    total = op.sum(lgamma(op.subtract(part, op.multiply(steps, const(0.5, self.dtype)))), axis=(-1,))
    return op.add(total, const(p * (p - 1) / 4 * math.log(math.pi), self.dtype))


_ASYMPTOTIC_FROM = 10


def _positive_digamma(x: Expr) -> Expr:
    """The derivative above 0: moved beyond 10 by steps of 1, then by its asymptotic series."""
    part, steps = along(x, _ASYMPTOTIC_FROM)
    on_the_way = op.add(part, steps)
    counts = op.less(on_the_way, const(_ASYMPTOTIC_FROM, x.dtype))
    inverses = op.where(counts, op.divide(const(1, x.dtype), on_the_way), op.zeros_like(on_the_way))
    large = op.add(x, op.sum(as_dtype(counts, x.dtype), axis=(-1,)))
    inverse = op.divide(const(1, x.dtype), large)
    square = op.multiply(inverse, inverse)
    series = op.multiply(square, polynomial(square, known.DIGAMMA))
    main = op.subtract(op.log(large), op.multiply(const(0.5, x.dtype), inverse))
    return op.subtract(op.subtract(main, series), op.sum(inverses, axis=(-1,)))


@aten("digamma.default", "special_digamma.default", "special_psi.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def digamma(self: Expr) -> Expr:
    """The derivative of the logarithm of gamma; NaN at whole numbers below 0, an infinity of the other sign at 0."""
    zero, one = const(0, self.dtype), const(1, self.dtype)
    negative = op.less(self, zero)
    above = _positive_digamma(op.where(negative, op.subtract(one, self), self))
    fraction = op.subtract(self, op.trunc(self))
    angle = op.multiply(const(math.pi, self.dtype), fraction)
    reflected = op.subtract(above, op.divide(const(math.pi, self.dtype), op.tan(angle)))
    found = op.where(negative, reflected, above)
    pole = op.divide(const(-1, self.dtype), self)  # an infinity at either 0
    found = op.where(op.equal(self, zero), pole, found)
    return op.where(op.logical_and(negative, op.equal(fraction, zero)), not_a_number(self), found)


@rounded_once
def _trigamma(x: Expr) -> Expr:
    """The second derivative of the logarithm of gamma."""
    half, one = const(0.5, x.dtype), const(1, x.dtype)
    mirrored = op.less(x, half)
    sine = op.sin(op.multiply(const(math.pi, x.dtype), x))
    pole = op.divide(const(math.pi**2, x.dtype), op.multiply(sine, sine))
    part, steps = along(op.where(mirrored, op.subtract(one, x), x), 6)
    on_the_way = op.add(part, steps)
    total = op.sum(op.divide(op.ones_like(on_the_way), op.multiply(on_the_way, on_the_way)), axis=(-1,))
    inverse = op.divide(one, op.add(op.where(mirrored, op.subtract(one, x), x), const(6, x.dtype)))
    square = op.multiply(inverse, inverse)
    series = op.multiply(square, polynomial(square, (1 / 42, -1 / 30, 1 / 6)))
    tail = op.add(op.add(one, op.multiply(half, inverse)), series)
    above = op.add(total, op.multiply(tail, inverse))
    return op.where(mirrored, op.subtract(pole, above), above)


def _direct_terms(x: Expr, q: Expr) -> tuple[Expr, Expr, Expr]:
    """The sum of (q + k)^-x until both 9 terms are in and q + k is beyond 9; the last q + k and its term."""
    nine = const(9, x.dtype)

    def active(state: Values) -> Expr:
        return op.logical_or(op.less(state[0], nine), op.less_equal(state[1], nine))

    def goes_on(state: Values, _: Values) -> Expr:
        return op.any(active(state))

    def step(state: Values, given: Values) -> Values:
        takes, one = active(state), const(1, x.dtype)
        place = op.add(state[1], one)
        term = op.power(place, op.negative(given[0]))
        new = (op.add(state[0], one), place, op.add(state[2], term), term)
        return [op.where(takes, after, before) for after, before in zip(new, state, strict=True)]

    start = op.power(q, op.negative(x))
    state = (op.zeros_like(q), q, start, op.zeros_like(q))
    _, last, total, term = repeated(state, (x,), goes_on, step)
    return last, total, term


def _zeta(x: Expr, q: Expr) -> Expr:
    """The sum of (q + k)^-x over all k of 0 and more, in float64 as torch computes it."""
    return as_dtype(_wide_zeta(as_dtype(x, FLOAT64), as_dtype(q, FLOAT64)), x.dtype)


def _wide_zeta(x: Expr, q: Expr) -> Expr:
    """The sum of (q + k)^-x over all k of 0 and more: terms one by one, then Euler and Maclaurin's series."""
    zero, one, half = (const(value, x.dtype) for value in (0, 1, 0.5))
    is_pole = op.logical_and(op.less_equal(q, zero), op.equal(q, op.floor(q)))
    last, total, term = _direct_terms(x, op.where(is_pole, one, q))
    factor, power = one, term
    tail = op.subtract(op.divide(op.multiply(term, last), op.subtract(x, one)), op.multiply(half, term))
    offset = 0
    for divisor in _ZETA:
        factor = op.multiply(factor, op.add(x, const(offset, x.dtype)))
        power = op.divide(power, last)
        tail = op.add(tail, op.divide(op.multiply(factor, power), const(divisor, x.dtype)))
        factor = op.multiply(factor, op.add(x, const(offset + 1, x.dtype)))
        power = op.divide(power, last)
        offset += 2
    tiny = const(2.0**-53, x.dtype)
    found = op.where(op.less(term, op.multiply(tiny, total)), total, op.add(total, tail))
    broken = op.logical_and(op.less_equal(q, zero), op.not_equal(x, op.floor(x)))
    found = op.where(broken, not_a_number(x), found)
    found = op.where(is_pole, infinite(x), found)
    found = op.where(op.less(x, one), not_a_number(x), found)
    return op.where(op.equal(x, one), infinite(x), found)


@aten(
    "special_zeta.default",
    "special_zeta.other_scalar",
    "special_zeta.self_scalar",
    promote=Promote.INT_TO_FLOAT,
)
def zeta(self: Expr, other: Expr) -> Expr:
    """The Hurwitz zeta function: the sum of (other + k)^-self over all k of 0 and more."""
    return _zeta(op.add(self, op.zeros_like(other)), op.add(other, op.zeros_like(self)))


@aten("polygamma.default", "special_polygamma.default")
def polygamma(n: int, self: Expr) -> Expr:
    """The derivative of digamma of that order."""
    (data,) = promoted((self,), Promote.INT_TO_FLOAT)
    if n == 0:
        return digamma(data)
    if n == 1:
        return _trigamma(data)
    scale = const((1 if n % 2 else -1) * math.gamma(n + 1), data.dtype)
    return op.multiply(scale, _zeta(op.full_like(data, const(n + 1, data.dtype)), data))
