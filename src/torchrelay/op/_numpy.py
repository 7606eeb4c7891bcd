"""NumPy helpers that the references of several families share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "erf", "round_half_away", "trunc_divide", "trunc_mod"]

Array = NDArray


def round_half_away(data: Array) -> Array:
    """The nearest whole numbers, halves away from zero."""
    whole = np.trunc(data)
    return whole + np.sign(data) * (np.abs(data - whole) >= 0.5).astype(data.dtype)


def trunc_divide(lhs: Array, rhs: Array) -> Array:
    """The quotient rounded toward zero; 0 where an integer divisor is 0."""
    if lhs.dtype.kind not in "iu":
        return np.trunc(np.divide(lhs, rhs)).astype(lhs.dtype)
    safe = np.where(rhs == 0, np.ones_like(rhs), rhs)
    quotient = lhs // safe
    inexact = (quotient * safe != lhs) & ((lhs < 0) != (safe < 0))
    return np.where(rhs == 0, np.zeros_like(quotient), quotient + inexact.astype(lhs.dtype)).astype(lhs.dtype)


def trunc_mod(lhs: Array, rhs: Array) -> Array:
    """The remainder with the sign of ``lhs``."""
    return np.fmod(lhs, rhs)


def erf(data: Array) -> Array:
    """The error function."""
    from scipy import special

    if data.dtype in (np.float32, np.float64):
        return special.erf(data)
    return special.erf(data.astype(np.float32)).astype(data.dtype)
