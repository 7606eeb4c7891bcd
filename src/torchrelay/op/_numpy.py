"""NumPy helpers that the references of several families share."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from torchrelay.ir import Shape, shapes

__all__ = ["Array", "erf", "in_shape", "round_half_away", "trunc_divide", "unchanged", "widened"]

Array: TypeAlias = NDArray[Any]
"""An array of any dtype."""


def in_shape(data: Array, shape: Shape) -> Array:
    """The elements in the same order in another shape, as a view where that can be."""
    return data.reshape(shapes.static(shape, "an array"))


def unchanged(data: Array) -> Array:
    """The data itself."""
    return data


def widened(data: Array) -> Array:
    """Narrow floats as float32, in which a reference computes to round once at its end; all else as it is."""
    return data.astype(np.float32) if data.dtype.kind not in "iub" and data.dtype.itemsize < 4 else data


def round_half_away(data: Array) -> Array:
    """The nearest whole numbers, halves away from zero; infinities and NaN stay."""
    whole = np.trunc(data)
    return whole + np.copysign(np.abs(data - whole) >= 0.5, data).astype(data.dtype, copy=False)


def trunc_divide(lhs: Array, rhs: Array) -> Array:
    """The quotient rounded toward zero; 0 where an integer divisor is 0."""
    if lhs.dtype.kind not in "iub":
        return np.trunc(np.divide(lhs, rhs))
    quotient = lhs // rhs
    if lhs.dtype.kind != "i":
        return quotient
    short = (quotient < 0) & (quotient * rhs != lhs) & (rhs != 0)
    return quotient + short.astype(lhs.dtype)


def erf(data: Array) -> Array:
    """The error function of float32 and float64."""
    from scipy import special  # pyright: ignore[reportMissingTypeStubs] scipy comes without

    return special.erf(data)
