"""Interpolation along each spatial axis in turn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay.errors import WrongArgument
from torchrelay.op._numpy import Array

__all__ = ["ROUNDINGS", "check_coordinates", "cubic_weights", "resized", "widened"]

COORDINATES = (
    "half_pixel",
    "align_corners",
    "asymmetric",
    "pytorch_half_pixel",
    "tf_half_pixel_for_nn",
    "tf_crop_and_resize",
)


ROUNDINGS = ("", "round", "round_prefer_floor", "round_prefer_ceil", "floor", "ceil")


def check_coordinates(coordinates: str) -> None:
    """Raises WrongArgument for a text that names no way from places of the result to places of the data."""
    if coordinates not in COORDINATES:
        given = f"coordinate_transformation_mode is {coordinates!r}"
        raise WrongArgument(f"{given}, but must be one of {', '.join(COORDINATES)}")


def _places(have: int, want: int, coordinates: str, roi: tuple[float, float]) -> Array:
    """Where each place of the result lies along an axis of the data."""
    at = np.arange(want, dtype=np.float64)
    scale = have / want
    if coordinates == "align_corners":
        return at * ((have - 1) / (want - 1) if want > 1 else 0)
    if coordinates == "asymmetric":
        return at * scale
    if coordinates == "pytorch_half_pixel" and want == 1:
        return np.zeros(1)
    if coordinates == "tf_half_pixel_for_nn":
        return (at + 0.5) * scale
    if coordinates == "tf_crop_and_resize":
        start, end = roi
        if want == 1:
            return np.array([0.5 * (start + end) * (have - 1)])
        return start * (have - 1) + at * (end - start) * (have - 1) / (want - 1)
    return (at + 0.5) * scale - 0.5


def _nearest(places: Array, rounding: str) -> Array:
    # A hair is added so that a place that only rounding errors keep from a whole number is that number.
    if rounding == "floor":
        return np.floor(places + 1e-5)
    if rounding == "ceil":
        return np.ceil(places - 1e-5)
    if rounding == "round_prefer_floor":
        return np.ceil(places - 0.5)
    return np.floor(places + 0.5)


def cubic_weights(fraction: Array, alpha: float) -> Array:
    """The weights of the four neighbours at -1, 0, 1, 2 by the fraction of the place."""
    t, t2, t3 = fraction, fraction**2, fraction**3
    return np.stack(
        [
            alpha * (t3 - 2 * t2 + t),
            (alpha + 2) * t3 - (3 + alpha) * t2 + 1,
            -(alpha + 2) * t3 + (3 + 2 * alpha) * t2 - alpha * t,
            -alpha * t3 + alpha * t2,
        ]
    )


def _mixed(data: Array, axis: int, first: Array, weights: Array, *, exclude_outside: bool) -> Array:
    """The sum of neighbours from ``first`` on along an axis, each times its weight."""
    have = data.shape[axis]
    indices = first.astype(np.int64) + np.arange(len(weights))[:, None]
    if exclude_outside:
        weights = np.where((indices >= 0) & (indices < have), weights, 0)
        weights = weights / weights.sum(0)
    shape = (-1, *(1,) * (data.ndim - 1 - axis))
    total = None
    for index, weight in zip(indices, weights, strict=True):
        part = np.take(data, np.clip(index, 0, have - 1), axis) * weight.astype(data.dtype).reshape(shape)
        total = part if total is None else total + part
    assert total is not None, "there is at least one neighbour"
    return total


def widened(data: Array, method: str) -> Array:
    """The data in a dtype that holds what is between its elements: float32 or wider, unless only they are taken."""
    narrow = data.dtype.kind in "iub" or data.dtype.itemsize < 4
    return data.astype(np.float32) if narrow and method != "nearest_neighbor" else data


def resized(
    data: Array,
    sizes: Sequence[int],
    *,
    method: str,
    coordinates: str,
    rounding: str,
    alpha: float,
    exclude_outside: bool,
    roi: Sequence[float] | None,
    outside: float,
) -> Array:
    """(N, C, *spatial) interpolated to the spatial sizes, one axis after the other."""
    rank = len(sizes)
    rounding = rounding or ("round" if coordinates == "align_corners" else "floor")
    result = data
    for i, want in enumerate(sizes):
        axis, have = 2 + i, data.shape[2 + i]
        if have == want and coordinates != "tf_crop_and_resize":
            continue
        bounds = (roi[i], roi[rank + i]) if roi is not None and len(roi) == 2 * rank else (0.0, 1.0)
        places = _places(have, want, coordinates, bounds)
        result = _along(result, axis, places, method, rounding, alpha, exclude_outside=exclude_outside)
        if coordinates == "tf_crop_and_resize":
            beyond = ((places < 0) | (places > have - 1)).reshape(-1, *(1,) * (data.ndim - 1 - axis))
            result = np.where(beyond, data.dtype.type(outside), result)
    return result


def _along(
    data: Array, axis: int, places: Array, method: str, rounding: str, alpha: float, *, exclude_outside: bool
) -> Array:
    have = data.shape[axis]
    if method == "nearest_neighbor":
        return np.take(data, np.clip(_nearest(places, rounding), 0, have - 1).astype(np.int64), axis)
    if method == "linear":
        below = np.floor(places)
        fraction = places - below
        return _mixed(data, axis, below, np.stack([1 - fraction, fraction]), exclude_outside=False)
    below = np.floor(places)
    weights = cubic_weights(places - below, alpha)
    return _mixed(data, axis, below - 1, weights, exclude_outside=exclude_outside)
