"""Anchors: boxes at every place of a feature map, and the boxes that a network moves them to."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Fusion, Numbers, TensorType, TupleType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array
from torchrelay.op._relations import INT32
from torchrelay.op.vision._boxes import check_rank

__all__ = ["multibox_prior", "multibox_transform_loc"]


@attrs("relay.attrs.MultiBoxPriorAttrs")
class MultiBoxPriorAttrs(Attrs):
    sizes: Numbers = (1.0,)
    """The heights of the anchors of the first ratio, as parts of the image."""
    ratios: Numbers = (1.0,)
    """Width to height of the anchors; the first belongs to all sizes, the others to the first size."""
    steps: Numbers = (-1.0, -1.0)
    """The distance of neighbours down and to the right, as parts of the image; one over the size where not above 0."""
    offsets: Numbers = (0.5, 0.5)
    """Where the centres stand within a step, down and to the right."""
    clip: bool = False
    """Whether anchors end at the border of the image."""


def _check_numbers(count: int, name: str, numbers: Numbers) -> None:
    if len(numbers) != count:
        raise WrongArgument(f"{name} has {len(numbers)} values, but must have {count}")


@operator("vision.multibox_prior", MultiBoxPriorAttrs, Fusion.OPAQUE, level=5)
def multibox_prior(data: TensorType, attrs: MultiBoxPriorAttrs) -> Type:
    """The anchors of every place of a feature map: left, top, right, bottom as parts of the image."""
    check_rank(4, data=data)
    _check_numbers(2, "steps", attrs.steps)
    _check_numbers(2, "offsets", attrs.offsets)
    if not attrs.sizes or not attrs.ratios:
        raise WrongArgument("sizes and ratios must have one value or more")
    count = len(attrs.sizes) + len(attrs.ratios) - 1
    return TensorType((1, shapes.multiply(shapes.product(data.shape[2:]), count), 4), data.dtype)


def _centres(size: int, offset: float, step: float) -> Array:
    return (np.arange(size, dtype=np.float64) + offset) * (step if step > 0 else 1 / size)


@multibox_prior.reference
def multibox_prior_numpy(data: Array, attrs: MultiBoxPriorAttrs) -> Array:
    dtype = data.dtype.type
    height, width = data.shape[2:]
    down = _centres(height, attrs.offsets[0], attrs.steps[0])
    right = _centres(width, attrs.offsets[1], attrs.steps[1])
    turned = np.sqrt(np.array(attrs.ratios[1:], np.float64))
    heights = np.concatenate([attrs.sizes, attrs.sizes[0] / turned]) / 2
    widths = np.concatenate([attrs.sizes, attrs.sizes[0] * turned]) * height / width / 2
    centre = np.stack(np.broadcast_arrays(right, down[:, None]), -1)[:, :, None]
    half = np.stack([widths, heights], -1)
    boxes = np.concatenate([centre - half, centre + half], -1).reshape(1, -1, 4)
    return (np.clip(boxes, 0, 1) if attrs.clip else boxes).astype(dtype)


@attrs("relay.attrs.MultiBoxTransformLocAttrs")
class MultiBoxTransformLocAttrs(Attrs):
    clip: bool = True
    """Whether boxes end at the border of the image."""
    threshold: float = 0.01
    """Boxes scoring less are left out."""
    variances: Numbers = (0.1, 0.1, 0.2, 0.2)
    """What the four predicted values are multiplied with."""
    keep_background: bool = False
    """Whether the first class is one, not the background."""


@operator("vision.multibox_transform_loc", MultiBoxTransformLocAttrs, Fusion.OPAQUE, level=5)
def multibox_transform_loc(
    cls_prob: TensorType, loc_pred: TensorType, anchor: TensorType, attrs: MultiBoxTransformLocAttrs
) -> Type:
    """Class, score and box of each anchor whose best class scores enough, and their number; -1 beyond that number."""
    check_rank(3, cls_prob=cls_prob, anchor=anchor)
    check_rank(2, loc_pred=loc_pred)
    _check_numbers(4, "variances", attrs.variances)
    count = cls_prob.shape[2]
    if not shapes.dims_fit(shapes.multiply(count, 4), loc_pred.shape[1]):
        raise TypeMismatch(f"loc_pred must have 4 values for each of {count} anchors, not {loc_pred.shape[1]}")
    if not shapes.dims_fit(count, anchor.shape[1]) or not shapes.dims_fit(anchor.shape[2], 4):
        raise TypeMismatch(f"anchor must be {count} boxes of 4 coordinates, not of shape {anchor.shape}")
    boxes = TensorType((cls_prob.shape[0], anchor.shape[1], 6), cls_prob.dtype)
    return TupleType((boxes, TensorType(cls_prob.shape[:1], INT32)))


@multibox_transform_loc.reference
def multibox_transform_loc_numpy(
    cls_prob: Array, loc_pred: Array, anchor: Array, attrs: MultiBoxTransformLocAttrs
) -> tuple[Array, ...]:
    scores = cls_prob if attrs.keep_background else cls_prob[:, 1:]
    best, classes = scores.max(1), scores.argmax(1)
    low, high = anchor[..., :2], anchor[..., 2:]
    moves = loc_pred.reshape(len(loc_pred), -1, 4) * np.array(attrs.variances, loc_pred.dtype)
    centre = moves[..., :2] * (high - low) + (low + high) / 2
    half = np.exp(moves[..., 2:]) * (high - low) / 2
    boxes = np.concatenate([centre - half, centre + half], -1)
    boxes = np.clip(boxes, 0, 1) if attrs.clip else boxes
    result = np.full((len(cls_prob), cls_prob.shape[2], 6), -1, cls_prob.dtype)
    valid = best >= attrs.threshold
    for batch, row in enumerate(valid):
        found = np.concatenate([classes[batch, row, None], best[batch, row, None], boxes[batch, row]], -1)
        result[batch, : len(found)] = found
    return result, valid.sum(1, dtype=np.int32)
