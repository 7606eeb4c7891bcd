"""Two values against each other: how far apart they are, and whether that is far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Difference", "compare"]


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
