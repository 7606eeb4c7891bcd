"""Regions that a network proposes: anchors moved, scored, and freed of those that better ones cover."""

from __future__ import annotations

import math

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Fusion, Numbers, TensorType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array
from torchrelay.op.vision._boxes import check_rank, descending, kept

__all__ = ["proposal"]


@attrs("relay.attrs.ProposalAttrs")
class ProposalAttrs(Attrs):
    scales: Numbers = (4.0, 8.0, 16.0, 32.0)
    """The sizes of anchors, in strides."""
    ratios: Numbers = (0.5, 1.0, 2.0)
    """Height to width of anchors."""
    feature_stride: int = 16
    """How many pixels of the image a place of the feature map stands for."""
    threshold: float = 0.7
    """The overlap above which a region is suppressed."""
    rpn_pre_nms_top_n: int = 6000
    """How many of the best regions count; all for less than 1."""
    rpn_post_nms_top_n: int = 300
    """How many regions of each image the result has."""
    rpn_min_size: int = 16
    """The least height and width of a region, in pixels of the unscaled image."""
    iou_loss: bool = False
    """Whether the network predicts the distances of corners, not of centres and sizes."""


@operator("vision.proposal", ProposalAttrs, Fusion.OPAQUE, level=5, keyed=False)
def proposal(cls_prob: TensorType, bbox_pred: TensorType, im_info: TensorType, attrs: ProposalAttrs) -> Type:
    """The best regions of each image: image, left, top, right, bottom; those kept over again where there are too few."""
    check_rank(4, cls_prob=cls_prob, bbox_pred=bbox_pred)
    check_rank(2, im_info=im_info)
    if not shapes.dims_fit(im_info.shape[1], 3):
        raise TypeMismatch(f"im_info must have height, width and scale of each image, not {im_info.shape[1]} values")
    count = len(attrs.scales) * len(attrs.ratios)
    for name, tensor, wanted in (("cls_prob", cls_prob, 2 * count), ("bbox_pred", bbox_pred, 4 * count)):
        if not shapes.dims_fit(tensor.shape[1], wanted):
            raise TypeMismatch(f"{name} must have {wanted} channels for {count} anchors, not {tensor.shape[1]}")
    if not all(map(shapes.dims_fit, cls_prob.shape[2:], bbox_pred.shape[2:])):
        raise TypeMismatch(f"feature maps of {cls_prob.shape[2:]} and {bbox_pred.shape[2:]} differ")
    if attrs.rpn_post_nms_top_n < 1:
        raise WrongArgument(f"rpn_post_nms_top_n is {attrs.rpn_post_nms_top_n}, but must be 1 or more")
    return TensorType((shapes.multiply(cls_prob.shape[0], attrs.rpn_post_nms_top_n), 5), cls_prob.dtype)


def _anchors(attrs: ProposalAttrs) -> Array:
    """The anchors at the first place, ratio by ratio: left, top, right, bottom, both corners included."""
    stride, centre, boxes = attrs.feature_stride, (attrs.feature_stride - 1) / 2, list[tuple[float, ...]]()
    for ratio in attrs.ratios:
        side = math.floor(math.sqrt(math.floor(stride * stride / ratio)) + 0.5)
        for scale in attrs.scales:
            half = (side * scale - 1) / 2, (math.floor(side * ratio + 0.5) * scale - 1) / 2
            boxes.append((centre - half[0], centre - half[1], centre + half[0], centre + half[1]))
    return np.array(boxes, np.float32)


def _moved(boxes: Array, moves: Array, attrs: ProposalAttrs) -> Array:
    if attrs.iou_loss:
        return boxes + moves
    size = boxes[:, 2:] - boxes[:, :2] + 1
    centre = moves[:, :2] * size + boxes[:, :2] + (size - 1) / 2
    half = (np.exp(moves[:, 2:]) * size - 1) / 2
    return np.concatenate([centre - half, centre + half], 1)


def _regions(scores: Array, moves: Array, info: Array, attrs: ProposalAttrs) -> tuple[Array, Array]:
    """The regions of one image, place by place, and their scores: -1 for those that are too small or outside."""
    *_, rows, columns = scores.shape
    high, wide, scale = info.tolist()
    base = _anchors(attrs)
    down, right = np.mgrid[:rows, :columns].astype(np.float32) * attrs.feature_stride
    shift = np.stack([right, down, right, down], -1)[:, :, None]
    by_place = moves.reshape(len(base), 4, rows, columns).transpose(2, 3, 0, 1).reshape(-1, 4)
    boxes = _moved((base + shift).reshape(-1, 4), by_place, attrs)
    boxes = np.clip(boxes, 0, np.array([wide - 1, high - 1, wide - 1, high - 1], np.float32))
    found = scores.transpose(1, 2, 0).copy()
    found[int(high / attrs.feature_stride) :] = -1
    found[:, int(wide / attrs.feature_stride) :] = -1
    least = attrs.rpn_min_size * scale
    small = (boxes[:, 2:] - boxes[:, :2] + 1 < least).any(1)
    boxes[small] += np.array([-least, -least, least, least], np.float32) / 2
    return boxes, np.where(small, np.float32(-1), found.reshape(-1))


@proposal.reference
def proposal_numpy(cls_prob: Array, bbox_pred: Array, im_info: Array, attrs: ProposalAttrs) -> Array:
    count, most = len(attrs.scales) * len(attrs.ratios), attrs.rpn_post_nms_top_n
    result = np.zeros((len(cls_prob), most, 5), cls_prob.dtype)
    for image, row in enumerate(result):
        boxes, scores = _regions(cls_prob[image, count:], bbox_pred[image], im_info[image], attrs)
        # TVM does not sort the regions of images after the first one.
        order = descending(scores)
        order = order[: attrs.rpn_pre_nms_top_n] if attrs.rpn_pre_nms_top_n > 0 else order
        found = boxes[order][list(kept(boxes[order], attrs.threshold, most, pixel=1))]
        row[:, 0] = image
        row[:, 1:] = found[np.arange(most) % len(found)]
    return result.reshape(-1, 5)
