"""Indices into axes: whether they are inside, and what they name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay.errors import WrongArgument
from torchrelay.op._numpy import Array

__all__ = ["grid", "inside", "wrapped"]


def grid(sizes: Sequence[int]) -> tuple[Array, ...]:
    """For each axis its own places, which broadcast to those sizes."""
    return tuple(np.ix_(*map(np.arange, sizes)))


def inside(indices: Array, size: int) -> Array:
    """The indices as NumPy takes them. Raises WrongArgument for one that an axis of that size does not have.

    Negative ones are outside: Relay reads memory before the tensor there.
    """
    if indices.size:
        low, high = indices.min(), indices.max()
        if low < 0 or high >= size:
            raise WrongArgument(f"index {low if low < 0 else high} is outside an axis of size {size}")
    return indices.astype(np.int64, copy=False)


def wrapped(indices: Array, size: int) -> Array:
    """The indices with negative ones counted from the end. Raises WrongArgument for one outside."""
    places = indices.astype(np.int64, copy=False)
    return inside(np.where(places < 0, places + size, places), size)
