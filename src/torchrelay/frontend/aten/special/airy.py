"""Converters of the Airy function and of the spherical Bessel function."""

from __future__ import annotations

import itertools
import math

from torchrelay import op
from torchrelay.frontend.aten.special import coefficients as known
from torchrelay.frontend.aten.special.series import not_a_number, polynomial, ratio
from torchrelay.frontend.promote import Promote, rounded_once
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const

__all__: list[str] = []

_TERMS = 14


def _falling(first: int) -> list[float]:
    """The coefficients of a solution of y'' = x y by powers of x^3, the highest first: 1 over products of neighbours."""
    factors = (1 / ((3 * turn + first) * (3 * turn + first + 1)) for turn in range(_TERMS))
    return list(itertools.accumulate(factors, lambda product, factor: product * factor, initial=1.0))[::-1]


def _middle(x: Expr) -> Expr:
    """Ai about 0, as a sum of its two power series."""
    cube = op.multiply(op.multiply(x, x), x)
    even, odd = polynomial(cube, _falling(2)), op.multiply(x, polynomial(cube, _falling(3)))
    left, right = const(0.355028053887817239260, x.dtype), const(0.258819403792806798405, x.dtype)
    return op.subtract(op.multiply(left, even), op.multiply(right, odd))


def _fourth_root(size: Expr) -> Expr:
    return op.sqrt(op.sqrt(size))


def _phase(size: Expr) -> Expr:
    """2/3 x^(3/2)."""
    return op.multiply(op.multiply(const(2 / 3, size.dtype), size), op.sqrt(size))


def _waves(size: Expr) -> Expr:
    """Ai far below 0, of the size of x."""
    phase, one = _phase(size), const(1, size.dtype)
    inverse = op.divide(one, phase)
    square = op.multiply(inverse, inverse)
    aligned = op.add(one, op.multiply(square, ratio(square, known.AIRY_AFN, known.AIRY_AFD)))
    across = op.multiply(inverse, ratio(square, known.AIRY_AGN, known.AIRY_AGD))
    angle = op.add(phase, const(math.pi / 4, size.dtype))
    total = op.subtract(op.multiply(op.sin(angle), aligned), op.multiply(op.cos(angle), across))
    return op.divide(op.multiply(const(1 / math.sqrt(math.pi), size.dtype), total), _fourth_root(size))


def _decay(x: Expr) -> Expr:
    """Ai far above 0."""
    phase = _phase(x)
    share = ratio(op.divide(const(1, x.dtype), phase), known.AIRY_AN, known.AIRY_AD)
    scale = op.multiply(op.multiply(const(2, x.dtype), _fourth_root(x)), op.exp(phase))
    return op.divide(op.multiply(const(1 / math.sqrt(math.pi), x.dtype), share), scale)


@aten("special_airy_ai.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def airy_ai(x: Expr) -> Expr:
    """The Airy function Ai; NaN at the infinities, as PyTorch has it."""
    below, above = (op.less(x, const(-2.09, x.dtype)), op.greater_equal(x, const(2.09, x.dtype)))
    found = op.where(below, _waves(op.abs(x)), op.where(above, _decay(x), _middle(x)))
    found = op.where(op.greater(x, const(103.892, x.dtype)), op.zeros_like(x), found)
    return op.where(op.isinf(x), not_a_number(x), found)


@aten("special_spherical_bessel_j0.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def spherical_j0(x: Expr) -> Expr:
    """sin(x) / x, by its power series about 0; 0 at the infinities."""
    terms = [(-1) ** order / math.factorial(2 * order + 1) for order in range(6, -1, -1)]
    near = polynomial(op.multiply(x, x), terms)
    found = op.where(op.less(op.abs(x), const(0.5, x.dtype)), near, op.divide(op.sin(x), x))
    return op.where(op.isinf(x), op.zeros_like(x), found)
