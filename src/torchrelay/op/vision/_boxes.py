"""How far boxes overlap, and which of them a better one suppresses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import TensorType
from torchrelay.op._numpy import Array

__all__ = ["check_rank", "descending", "kept", "overlaps"]


def check_rank(rank: int, **tensors: TensorType) -> None:
    """Raises TypeMismatch for a tensor of another rank."""
    for name, tensor in tensors.items():
        if tensor.rank != rank:
            raise TypeMismatch(f"{name} must have rank {rank}, not {tensor.rank}")


def descending(scores: Array) -> Array:
    """Where the scores are, the best first, equal ones in their order."""
    return np.argsort(-scores, kind="stable")


def overlaps(box: Array, boxes: Array, *, pixel: int = 0) -> Array:
    """The area that a box shares with each of others, over the area of both together; 0 where that is nothing.

    Boxes are two opposite corners each; with ``pixel`` 1 both corners are pixels of the box.
    """
    low, high = np.minimum(boxes[:, :2], boxes[:, 2:4]), np.maximum(boxes[:, :2], boxes[:, 2:4])
    own_low, own_high = np.minimum(box[:2], box[2:4]), np.maximum(box[:2], box[2:4])
    shared = np.maximum(np.minimum(high, own_high) - np.maximum(low, own_low) + pixel, 0).prod(1)
    together = (high - low + pixel).prod(1) + (own_high - own_low + pixel).prod() - shared
    return np.where(together > 0, shared / np.where(together > 0, together, 1), 0)


def kept(boxes: Array, threshold: float, most: int, *, pixel: int = 0) -> Iterator[int]:
    """The boxes, sorted from the best on, that overlap with no better one kept by more than the threshold.

    At most ``most`` of them, all for a negative number.
    """
    alive = np.ones(len(boxes), bool)
    for place in range(len(boxes)):
        if most == 0:
            return
        if not alive[place]:
            continue
        yield place
        most -= 1
        alive[place + 1 :] &= overlaps(boxes[place], boxes[place + 1 :], pixel=pixel) <= threshold
