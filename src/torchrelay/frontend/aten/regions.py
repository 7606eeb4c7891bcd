"""Converters of torchvision's operators on boxes: those that no better one covers, and what images show in them."""

from __future__ import annotations

import numpy as np

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.create import ranged
from torchrelay.frontend.aten.shape.cut import parts_of
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import INT32, INT64, as_dtype
from torchrelay.frontend.registry import torch_op
from torchrelay.ir import Expr, const, shapes

__all__: list[str] = []


@torch_op("torchvision::nms.default")
def nms(dets: Expr, scores: Expr, iou_threshold: float) -> Expr:
    """The places of the boxes (N, 4) that no better one overlaps by more than the threshold, the best first."""
    if iou_threshold < 0:
        raise UnsupportedProgram(f"iou_threshold is {iou_threshold}, but Relay suppresses nothing below 0")
    count = _count(dets)
    boxes = op.concatenate([op.expand_dims(scores, axis=1), dets], axis=1)
    places, kept = op.vision.non_max_suppression(
        op.expand_dims(boxes, axis=0),
        op.reshape(count, newshape=(1,)),
        op.expand_dims(_counted(dets, count), axis=0),
        const(-1, INT32),
        const(_just_above(iou_threshold, dets.dtype.numpy), dets.dtype),
        force_suppress=True,
        coord_start=1,
        score_index=0,
        id_index=-1,
    )
    found = op.dyn.strided_slice(
        op.squeeze(places, axis=(0,)),
        const([0], INT64),
        as_dtype(op.reshape(kept, newshape=(1,)), INT64),
        const([1], INT64),
        begin=None,
        end=None,
        strides=None,
        axes=None,
    )
    return as_dtype(found, INT64)


def _just_above(threshold: float, dtype: np.dtype) -> np.ndarray:
    """The smallest number of the dtype above the threshold: Relay suppresses what reaches it, torchvision what exceeds it."""
    near = np.asarray(threshold, dtype)
    return near if float(near) > threshold else np.nextafter(near, np.asarray(np.inf, dtype))


def _count(boxes: Expr) -> Expr:
    size = boxes.shape[0]
    if isinstance(size, int):
        return const(size, INT32)
    return op.take(op.shape_of(boxes, dtype=INT32), const(0), axis=0)


def _counted(boxes: Expr, count: Expr) -> Expr:
    """The place of every box."""
    size = boxes.shape[0]
    if isinstance(size, int):
        return ranged(0, size, 1, INT32)
    first, step = const(0, INT32), const(1, INT32)
    return op.arange(first, count, step, start=first, stop=count, step=step, dtype=INT32)


@torch_op("torchvision::roi_align.default")
def roi_align(
    input: Expr,
    rois: Expr,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    sampling_ratio: int,
    aligned: bool,
) -> Expr:
    """Regions (K, 5), the image of each first, of images (N, C, H, W) brought to one size.

    Relay's operator takes every region for at least one element wide and high, as torchvision does where it is not aligned.
    Aligned regions are put together from the elements, which needs a number of places for each cell.
    """
    size = (pooled_height, pooled_width)
    if not aligned:
        return op.vision.roi_align(
            input, rois, pooled_size=size, spatial_scale=spatial_scale, sample_ratio=max(sampling_ratio, -1)
        )
    if sampling_ratio <= 0:
        raise UnsupportedProgram(
            "aligned regions, each looked at in as many places as it is long, which Relay does only for whole elements",
            hint="give a sampling_ratio, or aligned=False",
        )
    return _aligned(input, rois, spatial_scale, size, sampling_ratio)


def _aligned(images: Expr, rois: Expr, scale: float, size: tuple[int, int], ratio: int) -> Expr:
    """The mean of ``ratio`` by ``ratio`` places in each cell, interpolated between four elements."""
    image, *corners = parts_of(rois, (1, 1, 1, 1, 1), 1)
    moved = [op.subtract(op.multiply(corner, const(scale, rois.dtype)), const(0.5, rois.dtype)) for corner in corners]
    ends = shapes.static(images.shape[2:], "a region of an image")
    down = _taps(moved[1], moved[3], size[0], ratio, ends[0])
    across = _taps(moved[0], moved[2], size[1], ratio, ends[1])
    pixels = permuted(images, (0, 2, 3, 1))
    batch = op.expand_dims(as_dtype(image, INT64), axis=2)
    total = None
    for row, tall in down:
        for column, wide in across:
            seen = op.adv_index([pixels, batch, op.expand_dims(row, axis=2), op.expand_dims(column, axis=1)])
            share = op.multiply(op.expand_dims(tall, axis=2), op.expand_dims(wide, axis=1))
            part = op.multiply(seen, op.expand_dims(share, axis=3))
            total = part if total is None else op.add(total, part)
    assert total is not None, "there are four elements around a place"
    cells = reshaped(total, (total.shape[0], size[0], ratio, size[1], ratio, total.shape[3]))
    return permuted(op.mean(cells, axis=(2, 4)), (0, 3, 1, 2))


def _taps(start: Expr, end: Expr, cells: int, ratio: int, size: int) -> tuple[tuple[Expr, Expr], ...]:
    """The elements before and after the places that cells look at along an axis, (K, cells * ratio), and the share of each.

    The share is 0 for a place outside of the image.
    """
    dtype = start.dtype
    at = np.arange(cells)[:, None] + (np.arange(ratio) + 0.5) / ratio
    cell = op.divide(op.subtract(end, start), const(cells, dtype))
    places = op.add(start, op.multiply(cell, const(at.reshape(1, -1), dtype)))
    inside = op.logical_and(op.greater_equal(places, const(-1, dtype)), op.less_equal(places, const(size, dtype)))
    within = op.clip(places, a_min=0.0, a_max=float(size - 1))
    before = op.floor(within)
    whole = as_dtype(inside, dtype)
    late = op.multiply(op.subtract(within, before), whole)
    first = as_dtype(before, INT64)
    second = op.minimum(op.add(first, const(1, INT64)), const(size - 1, INT64))
    return (first, op.subtract(whole, late)), (second, late)
