"""Boxes of one list with scores: those that count, and those that no better one covers."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Float, Fusion, TensorType, TupleType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array
from torchrelay.op._relations import INT32, check_integers
from torchrelay.op.vision._boxes import check_rank, descending, overlaps

__all__ = ["get_valid_counts", "non_max_suppression"]


@attrs("relay.attrs.GetValidCountsAttrs")
class GetValidCountsAttrs(Attrs):
    score_threshold: Float | None
    """The threshold, where it is known: it goes before the input."""
    id_index: int = 0
    """Which value of a box is its class; negative for none."""
    score_index: int = 1
    """Which value of a box is its score."""


def _check_column(data: TensorType, name: str, column: int, *, optional: bool = False) -> None:
    size = data.shape[-1]
    if (column < 0 and not optional) or (isinstance(size, int) and column >= size):
        raise WrongArgument(f"{name} is {column}, but a box has {size} values")


@operator("vision.get_valid_counts", GetValidCountsAttrs, Fusion.OPAQUE, level=5, keyed=False)
def get_valid_counts(data: TensorType, score_threshold: TensorType, attrs: GetValidCountsAttrs) -> Type:
    """How many boxes score above the threshold and have a class, these first with -1 after them, and their places."""
    check_rank(3, data=data)
    _check_column(data, "id_index", attrs.id_index, optional=True)
    _check_column(data, "score_index", attrs.score_index)
    if not shapes.dims_fit(shapes.product(score_threshold.shape), 1):
        raise TypeMismatch(f"score_threshold must be one number, not of shape {score_threshold.shape}")
    return TupleType((TensorType(data.shape[:1], INT32), data, TensorType(data.shape[:2], INT32)))


@get_valid_counts.reference
def get_valid_counts_numpy(data: Array, score_threshold: Array, attrs: GetValidCountsAttrs) -> tuple[Array, ...]:
    least = score_threshold.reshape(()) if attrs.score_threshold is None else np.float32(attrs.score_threshold)
    valid = data[:, :, attrs.score_index] > least
    if attrs.id_index >= 0:
        valid &= data[:, :, attrs.id_index] >= 0
    boxes, places = np.full_like(data, -1), np.full(data.shape[:2], -1, np.int32)
    for batch, row in enumerate(valid):
        found = np.flatnonzero(row)
        boxes[batch, : len(found)], places[batch, : len(found)] = data[batch, found], found
    return valid.sum(1, dtype=np.int32), boxes, places


@attrs("relay.attrs.NonMaximumSuppressionAttrs")
class NonMaximumSuppressionAttrs(Attrs):
    force_suppress: bool = False
    """Whether boxes suppress those of other classes too."""
    top_k: int = -1
    """How many of the best boxes count; all for less than 1."""
    coord_start: int = 2
    """Which value of a box is the first of its four coordinates."""
    score_index: int = 1
    """Which value of a box is its score."""
    id_index: int = 0
    """Which value of a box is its class; negative for none."""
    return_indices: bool = True
    """Whether the places of boxes are the result, not the boxes."""
    invalid_to_bottom: bool = False
    """Whether the boxes kept stand before the places of those suppressed."""


@operator("vision.non_max_suppression", NonMaximumSuppressionAttrs, Fusion.OPAQUE, level=5, keyed=False)
def non_max_suppression(
    data: TensorType,
    valid_count: TensorType,
    indices: TensorType,
    max_output_size: TensorType,
    iou_threshold: TensorType,
    attrs: NonMaximumSuppressionAttrs,
) -> Type:
    """The first ``valid_count`` boxes by score, -1 for each that a better one of its class covers.

    With ``return_indices`` what ``indices`` says of each box kept, -1 after them, and how many they are.
    """
    check_rank(3, data=data)
    check_rank(1, valid_count=valid_count)
    check_rank(2, indices=indices)
    check_integers(valid_count=valid_count, indices=indices)
    _check_column(data, "id_index", attrs.id_index, optional=True)
    _check_column(data, "score_index", attrs.score_index)
    _check_column(data, "coord_start", attrs.coord_start)
    _check_column(data, "coord_start + 3", attrs.coord_start + 3)
    for name, one in (("max_output_size", max_output_size), ("iou_threshold", iou_threshold)):
        if not shapes.dims_fit(shapes.product(one.shape), 1):
            raise TypeMismatch(f"{name} must be one number, not of shape {one.shape}")
    if not attrs.return_indices:
        return data
    return TupleType((TensorType(data.shape[:2], INT32), TensorType((data.shape[0], 1), INT32)))


@non_max_suppression.reference
def non_max_suppression_numpy(
    data: Array,
    valid_count: Array,
    indices: Array,
    max_output_size: Array,
    iou_threshold: Array,
    attrs: NonMaximumSuppressionAttrs,
) -> Array | tuple[Array, ...]:
    boxes, places = np.full_like(data, -1), np.full(data.shape[:2], -1, np.int32)
    counts = np.zeros((len(data), 1), np.int32)
    most, threshold = int(max_output_size.reshape(())), float(iou_threshold.reshape(()))
    for batch, count in enumerate(map(int, valid_count)):
        order = _sorted(data[batch, :count], threshold, attrs)
        alive = _surviving(data[batch, order], threshold, most, attrs)
        found, total = order[alive], int(alive.sum())
        counts[batch] = total
        places[batch, :total] = indices[batch, found]
        target = np.arange(total) if attrs.invalid_to_bottom else np.flatnonzero(alive)
        boxes[batch, target] = data[batch, found]
    return (places, counts) if attrs.return_indices else boxes


def _sorted(rows: Array, threshold: float, attrs: NonMaximumSuppressionAttrs) -> Array:
    """The places of the rows that count, by score; without a threshold nothing is sorted."""
    if threshold <= 0:
        return np.arange(len(rows))
    order = descending(rows[:, attrs.score_index])
    return order[: attrs.top_k] if attrs.top_k > 0 else order


def _surviving(rows: Array, threshold: float, most: int, attrs: NonMaximumSuppressionAttrs) -> Array:
    """Which of the sorted rows no better one suppresses, at most so many of them (all for less than 1)."""
    alive = np.ones(len(rows), bool)
    if threshold <= 0:
        return alive
    corners = rows[:, attrs.coord_start : attrs.coord_start + 4]
    classes = np.zeros(len(rows)) if attrs.force_suppress or attrs.id_index < 0 else rows[:, attrs.id_index]
    for place in range(len(rows)):
        if alive[place]:
            covered = overlaps(corners[place], corners[place + 1 :]) >= threshold
            alive[place + 1 :] &= ~(covered & (classes[place + 1 :] == classes[place]))
    return alive & (np.cumsum(alive) <= most) if most > 0 else alive
