"""Boxes with a score for each class: for each class those that no better one covers."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, DType, Fusion, TensorType, TupleType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array
from torchrelay.op._relations import INT32
from torchrelay.op.vision._boxes import check_rank, descending, kept

__all__ = ["all_class_non_max_suppression", "regular_non_max_suppression"]

_INT64, _FLOAT32 = DType.parse("int64"), DType.parse("float32")


@attrs("relay.attrs.AllClassNonMaximumSuppressionAttrs")
class AllClassNonMaximumSuppressionAttrs(Attrs):
    output_format: str = "onnx"
    """``onnx``: a row of batch, class and box for each box kept, and how many rows count; ``tensorflow``: for each batch
    rows of class and box, their scores, and how many count."""


def _check_boxes(boxes: TensorType, scores: TensorType, *, boxes_axis: int) -> None:
    check_rank(3, boxes=boxes, scores=scores)
    if not shapes.dims_fit(boxes.shape[2], 4):
        raise TypeMismatch(f"a box must have 4 coordinates, not {boxes.shape[2]}")
    pairs = ((boxes.shape[0], scores.shape[0]), (boxes.shape[1], scores.shape[boxes_axis]))
    if not all(shapes.dims_fit(*pair) for pair in pairs):
        raise TypeMismatch(f"scores of shape {scores.shape} do not fit boxes of shape {boxes.shape}")


@operator(
    "vision.all_class_non_max_suppression", AllClassNonMaximumSuppressionAttrs, Fusion.OPAQUE, level=5, keyed=False
)
def all_class_non_max_suppression(
    boxes: TensorType,
    scores: TensorType,
    max_output_boxes_per_class: TensorType,
    iou_threshold: TensorType,
    score_threshold: TensorType,
    attrs: AllClassNonMaximumSuppressionAttrs,
) -> Type:
    """For each class the boxes by score that no better one covers; what is beyond their number means nothing."""
    _check_boxes(boxes, scores, boxes_axis=2)
    if attrs.output_format not in ("onnx", "tensorflow"):
        raise WrongArgument(f"output_format is {attrs.output_format!r}, but must be onnx or tensorflow")
    for name, one in (
        ("max_output_boxes_per_class", max_output_boxes_per_class),
        ("iou_threshold", iou_threshold),
        ("score_threshold", score_threshold),
    ):
        if not shapes.dims_fit(shapes.product(one.shape), 1):
            raise TypeMismatch(f"{name} must be one number, not of shape {one.shape}")
    batch, count = boxes.shape[0], shapes.multiply(scores.shape[1], boxes.shape[1])
    if attrs.output_format == "onnx":
        return TupleType((TensorType((shapes.multiply(batch, count), 3), _INT64), TensorType((1,), _INT64)))
    return TupleType(
        (
            TensorType((batch, count, 2), _INT64),
            TensorType((batch, count), _FLOAT32),
            TensorType((batch,), _INT64),
        )
    )


def _of_class(boxes: Array, scores: Array, iou_threshold: float, score_threshold: float, most: int) -> Array:
    """The boxes of a class that are kept, the best first."""
    order = descending(scores)
    order = order[scores[order] > score_threshold]
    return order[list(kept(boxes[order], iou_threshold, most))]


@all_class_non_max_suppression.reference
def all_class_non_max_suppression_numpy(
    boxes: Array,
    scores: Array,
    max_output_boxes_per_class: Array,
    iou_threshold: Array,
    score_threshold: Array,
    attrs: AllClassNonMaximumSuppressionAttrs,
) -> tuple[Array, ...]:
    batches, classes, count = scores.shape
    iou, score = float(iou_threshold.reshape(())), float(score_threshold.reshape(()))
    most = int(max_output_boxes_per_class.reshape(())) or -1
    pairs, found = np.zeros((batches, classes * count, 2), np.int64), np.zeros((batches, classes * count), np.float32)
    numbers = np.zeros(batches, np.int64)
    for batch in range(batches):
        best = [_of_class(boxes[batch], scores[batch, kind], iou, score, most) for kind in range(classes)]
        rows = np.array([(kind, box) for kind, part in enumerate(best) for box in part], np.int64).reshape(-1, 2)
        numbers[batch] = len(rows)
        pairs[batch, : len(rows)], found[batch, : len(rows)] = rows, scores[batch, rows[:, 0], rows[:, 1]]
    if attrs.output_format == "tensorflow":
        return pairs, found, numbers
    whole = np.zeros((batches * classes * count, 3), np.int64)
    total = int(numbers.sum())
    whole[:total, 0] = np.repeat(np.arange(batches, dtype=np.int64), numbers)
    whole[:total, 1:] = np.concatenate([part[:number] for part, number in zip(pairs, numbers, strict=True)])
    return whole, np.array([total], np.int64)


@attrs("relay.attrs.RegularNonMaximumSuppressionAttrs")
class RegularNonMaximumSuppressionAttrs(Attrs):
    max_detections_per_class: int
    """How many boxes of a class are kept at most."""
    max_detections: int
    """How many boxes the result has."""
    num_classes: int
    """How many classes there are; scores of what stands before the last so many are left out."""
    iou_threshold: float
    """The overlap above which a box is suppressed."""
    score_threshold: float
    """Boxes scoring less are left out."""


@operator("vision.regular_non_max_suppression", RegularNonMaximumSuppressionAttrs, Fusion.OPAQUE, level=5, keyed=False)
def regular_non_max_suppression(
    boxes: TensorType, scores: TensorType, attrs: RegularNonMaximumSuppressionAttrs
) -> Type:
    """The best boxes of all classes, their classes, scores and number; zeros beyond that number."""
    _check_boxes(boxes, scores, boxes_axis=1)
    kinds = scores.shape[2]
    if attrs.num_classes < 1 or (isinstance(kinds, int) and kinds < attrs.num_classes):
        raise WrongArgument(f"num_classes is {attrs.num_classes}, but must be from 1 to {kinds}")
    if min(attrs.max_detections, attrs.max_detections_per_class) < 1:
        raise WrongArgument(
            f"max_detections is {attrs.max_detections} and max_detections_per_class "
            f"{attrs.max_detections_per_class}, but both must be 1 or more"
        )
    batch, count = boxes.shape[0], attrs.max_detections
    return TupleType(
        (
            TensorType((batch, count, 4), boxes.dtype),
            TensorType((batch, count), _FLOAT32),
            TensorType((batch, count), _FLOAT32),
            TensorType((batch,), INT32),
        )
    )


@regular_non_max_suppression.reference
def regular_non_max_suppression_numpy(
    boxes: Array, scores: Array, attrs: RegularNonMaximumSuppressionAttrs
) -> tuple[Array, ...]:
    batches, count = len(boxes), attrs.max_detections
    corners, kinds = np.zeros((batches, count, 4), boxes.dtype), np.zeros((batches, count), np.float32)
    values, numbers = np.zeros((batches, count), np.float32), np.zeros(batches, np.int32)
    for batch in range(batches):
        by_class = scores[batch, :, -attrs.num_classes :].T
        least = float(np.nextafter(np.float32(attrs.score_threshold), np.float32(-np.inf)))
        best = [
            _of_class(boxes[batch], part, attrs.iou_threshold, least, attrs.max_detections_per_class)
            for part in by_class
        ]
        rows = np.array([(kind, box) for kind, part in enumerate(best) for box in part], np.int64).reshape(-1, 2)
        found = by_class[rows[:, 0], rows[:, 1]]
        first = descending(found)[:count]
        numbers[batch] = len(first)
        corners[batch, : len(first)], values[batch, : len(first)] = boxes[batch, rows[first, 1]], found[first]
        kinds[batch, : len(first)] = rows[first, 0]
    return corners, kinds, values, numbers
