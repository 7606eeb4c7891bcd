"""Sums of powers and of Chebyshev polynomials with known coefficients, element by element."""

from __future__ import annotations

from collections.abc import Sequence

import ml_dtypes
import numpy as np

from torchrelay import op
from torchrelay.ir import Expr, const

__all__ = ["along", "chebyshev", "infinite", "not_a_number", "polynomial", "ratio"]


def polynomial(x: Expr, coefficients: Sequence[float]) -> Expr:
    """The sum of powers of x, the coefficient of the highest first."""
    result = const(coefficients[0], x.dtype)
    for coefficient in coefficients[1:]:
        result = op.add(op.multiply(result, x), const(coefficient, x.dtype))
    return result


def ratio(x: Expr, above: Sequence[float], below: Sequence[float]) -> Expr:
    """The quotient of two sums of powers of x."""
    return op.divide(polynomial(x, above), polynomial(x, below))


def chebyshev(x: Expr, coefficients: Sequence[float]) -> Expr:
    """The sum of Chebyshev polynomials of x / 2, the highest first and the constant one halved: as many as the dtype can tell."""
    tiny = float(ml_dtypes.finfo(x.dtype.numpy).eps) / 64
    first = next(place for place, value in enumerate(coefficients) if abs(value) > tiny)
    zero = const(0, x.dtype)
    before, last = zero, const(coefficients[first], x.dtype)
    earlier = zero
    for coefficient in coefficients[first + 1 :]:
        earlier, before = before, last
        last = op.add(op.subtract(op.multiply(x, before), earlier), const(coefficient, x.dtype))
    return op.multiply(const(0.5, x.dtype), op.subtract(last, earlier))


def along(x: Expr, count: int) -> tuple[Expr, Expr]:
    """The elements with a new last axis, and 0, 1, ... below a count along it."""
    return op.expand_dims(x, axis=x.tensor.rank), const(np.arange(count), x.dtype)


def infinite(x: Expr) -> Expr:
    """Infinity in the dtype of x."""
    return const(np.inf, x.dtype)


def not_a_number(x: Expr) -> Expr:
    """NaN in the dtype of x."""
    return const(np.nan, x.dtype)
