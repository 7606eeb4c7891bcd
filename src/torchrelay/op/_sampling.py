"""Images at places between their elements."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from torchrelay.op._numpy import Array

__all__ = ["elements", "interpolated"]


def elements(images: Array, index: Sequence[Array]) -> Array:
    """The elements of (N, C, *spatial) at whole-number places, 0 outside: (N, C, *places).

    ``index`` holds one array (N, *places) for each spatial axis.
    """
    rank = len(index)
    inside = np.ones(index[0].shape, bool)
    within = list[Array]()
    for places, size in zip(index, images.shape[2:], strict=True):
        inside &= (places >= 0) & (places < size)
        within.append(np.clip(places, 0, size - 1))
    batch = np.arange(len(images)).reshape(-1, *(1,) * (index[0].ndim - 1))
    found = images.transpose(0, *range(2, 2 + rank), 1)[(batch, *within)]
    return np.moveaxis(np.where(inside[..., None], found, images.dtype.type(0)), -1, 1)


def interpolated(images: Array, places: Sequence[Array]) -> Array:
    """(N, C, *spatial) at places, linear between neighbours, which are 0 outside: (N, C, *places)."""
    below = [np.floor(place) for place in places]
    result = None
    for corner in product((0, 1), repeat=len(places)):
        shares = [(p - b) if up else 1 - (p - b) for p, b, up in zip(places, below, corner, strict=True)]
        share = np.prod(np.stack(shares), 0).astype(images.dtype)
        part = elements(images, [b.astype(np.int64) + up for b, up in zip(below, corner, strict=True)]) * share[:, None]
        result = part if result is None else result + part
    assert result is not None, "there is at least one corner"
    return result
