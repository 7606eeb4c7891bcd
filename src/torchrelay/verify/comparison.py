"""Two values against each other: how far apart they are, and whether that is far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import ml_dtypes
import numpy as np

__all__ = ["Choice", "Difference", "Tolerance", "compare", "compare_choices", "compare_quanta"]


@dataclass(frozen=True, slots=True)
class Difference:
    """How far two arrays are apart.

    ``max_rel_err`` is the largest difference divided by the largest magnitude of the reference: a value near 0 that comes out
    of large ones that cancel is not held against the conversion. ``where`` is the place of the largest difference.
    """

    ok: bool
    max_abs_err: float
    max_rel_err: float
    where: tuple[int, ...] = ()
    reason: str = ""


_MULTIPLES: Mapping[int, float] = {8: 2.0**20, 4: 1e-4 * 2**23, 2: 8, 1: 2}
"""By the width of a float in bytes, how many multiples of its resolution two results of one program may be apart."""
_BESIDE: Mapping[int, float] = {8: 1e-12, 4: 1e-6, 2: 1e-6, 1: 1e-6}


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a value may be from PyTorch's: ``atol + rtol * max(|PyTorch|)``.

    Where one is None it follows from the dtype compared. ``rtol`` is then a multiple of its resolution (eps): 2**20 for
    float64 (2.3e-10), 839 for float32 (1e-4), 8 for float16 and bfloat16 (0.0078 and 0.0625), 2 for narrower floats; ``atol``
    is 1e-12 for float64, else 1e-6. Integers and truth values are always compared exactly.
    """

    rtol: float | None = None
    atol: float | None = None

    def of(self, dtype: np.dtype) -> tuple[float, float]:
        """``rtol`` and ``atol`` for values of that dtype."""
        if dtype.kind in "biu":
            return 0.0, 0.0
        rtol = _MULTIPLES[dtype.itemsize] * float(ml_dtypes.finfo(dtype).eps) if self.rtol is None else self.rtol
        return rtol, _BESIDE[dtype.itemsize] if self.atol is None else self.atol


def compare(value: np.ndarray, reference: np.ndarray, *, rtol: float, atol: float) -> Difference:
    """The difference of a value from its reference.

    Equal means: the same shape and dtype; integers and truth values the same; floats NaN and infinite at the same places and
    elsewhere within ``atol + rtol * max(|reference|)``.
    """
    if value.shape != reference.shape:
        return Difference(False, np.inf, np.inf, reason=f"shape {value.shape}, PyTorch has {reference.shape}")
    if value.dtype != reference.dtype:
        return Difference(False, np.inf, np.inf, reason=f"dtype {value.dtype}, PyTorch has {reference.dtype}")
    if not value.size:
        return Difference(True, 0.0, 0.0)
    return _exact(value, reference) if value.dtype.kind in "biu" else _close(value, reference, rtol, atol)


def _place_of_largest(distance: np.ndarray) -> tuple[int, ...]:
    return tuple(int(index) for index in np.unravel_index(int(np.argmax(distance)), distance.shape))


def _exact(value: np.ndarray, reference: np.ndarray) -> Difference:
    different = value != reference
    if not different.any():
        return Difference(True, 0.0, 0.0)
    distance = np.abs(value.astype(np.float64) - reference.astype(np.float64))
    largest, scale = float(distance.max()), float(np.abs(reference.astype(np.float64)).max())
    share = f"{int(different.sum())} of {value.size} elements differ"
    return Difference(False, largest, largest / scale if scale else np.inf, _place_of_largest(different), share)


def _close(value: np.ndarray, reference: np.ndarray, rtol: float, atol: float) -> Difference:
    # float64 holds every narrower float exactly.
    left, right = value.astype(np.float64, copy=False), reference.astype(np.float64, copy=False)
    finite = np.isfinite(left) & np.isfinite(right)
    unlike = ~finite & (left != right) & ~(np.isnan(left) & np.isnan(right))
    if unlike.any():
        where = _place_of_largest(unlike)
        return Difference(False, np.inf, np.inf, where, f"{left[where]} where PyTorch has {right[where]}")
    if not finite.any():
        return Difference(True, 0.0, 0.0)
    distance = np.abs(np.subtract(left, right, out=np.zeros_like(right), where=finite))
    largest, scale = float(distance.max()), float(np.abs(right[finite]).max())
    relative = largest / scale if scale else (0.0 if not largest else np.inf)
    return Difference(largest <= atol + rtol * scale, largest, relative, _place_of_largest(distance))


def compare_quanta(value: np.ndarray, reference: np.ndarray, quantum: float) -> Difference:
    """The difference of quantized numbers that are ``quantum`` apart, or of the real ones they stand for.

    Equal means no more than one quantum apart; the reason then tells how many are, where any is.
    """
    if value.shape != reference.shape or value.dtype != reference.dtype or not value.size:
        return compare(value, reference, rtol=0, atol=0)
    left, right = value.astype(np.float64), reference.astype(np.float64)
    apart = np.abs(left - right)
    largest, scale = float(apart.max()), float(np.abs(right).max())
    relative = largest / scale if scale else (0.0 if not largest else np.inf)
    if largest < quantum / 2:
        return Difference(True, largest, relative)
    exact = 100 * float((apart < quantum / 2).mean())
    reason = f"{exact:.4g} % of {value.size} elements are equal, the rest up to {largest / quantum:.3g} quanta apart"
    return Difference(largest < quantum * 1.5, largest, relative, _place_of_largest(apart), reason)


@dataclass(frozen=True, slots=True)
class Choice:
    """What indices point into: those of the largest, the smallest or the sorted elements of ``source`` along an axis, or of
    all its elements where ``axis`` is None. ``distinct`` tells that none may stand twice.
    """

    source: np.ndarray
    axis: int | None
    distinct: bool

    def taken(self, indices: np.ndarray) -> np.ndarray | None:
        """The elements that the indices name; None where one names nothing, or the same as another that it must not."""
        source, axis = (self.source.reshape(-1), 0) if self.axis is None else (self.source, self.axis)
        if source.ndim == 0:
            source = source.reshape(1)
        size = source.shape[axis]
        if indices.size and not (int(indices.min()) >= 0 and int(indices.max()) < size):
            return None
        if self.axis is None:
            return source[indices]
        if indices.ndim < source.ndim:
            indices = np.expand_dims(indices, axis)
        if self.distinct and (np.diff(np.sort(indices, axis), axis=axis) == 0).any():
            return None
        return np.take_along_axis(source, indices, axis)


def compare_choices(value: np.ndarray, reference: np.ndarray, choice: Choice) -> Difference:
    """The difference of indices from PyTorch's, which leaves open which of several equal elements comes first: indices are
    equal where the elements that they name are the very same, NaN included.
    """
    exact = compare(value, reference, rtol=0, atol=0)
    if exact.ok or value.shape != reference.shape or value.dtype != reference.dtype:
        return exact
    taken, wanted = choice.taken(value), choice.taken(reference)
    if taken is None or wanted is None:
        return exact
    through = compare(taken, wanted, rtol=0, atol=0)
    if not through.ok:
        return exact
    return Difference(True, 0.0, 0.0, reason=f"{exact.reason}, and name equal elements")
