"""Regions of images brought to one size."""

from __future__ import annotations

import math

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Fusion, Indices, TensorType, Type, attrs, operator, shapes
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array, round_half_away
from torchrelay.op.index._places import inside
from torchrelay.op.vision._boxes import check_rank

__all__ = ["roi_align", "roi_pool"]


@attrs("relay.attrs.ROIAlignAttrs")
class ROIAlignAttrs(Attrs):
    pooled_size: Indices
    """Height and width of the result."""
    spatial_scale: float
    """What the coordinates of regions are multiplied with."""
    sample_ratio: int = -1
    """How many places of a cell are looked at along each axis; as many as it is long for less than 1."""
    layout: str = "NCHW"
    """The layout of data and result, ``NCHW`` or ``NHWC``."""
    mode: str = "avg"
    """``avg``: the mean of the places; ``max``: the largest of them."""


@attrs("relay.attrs.ROIPoolAttrs")
class ROIPoolAttrs(Attrs):
    pooled_size: Indices
    """Height and width of the result."""
    spatial_scale: float
    """What the coordinates of regions are multiplied with."""
    layout: str = "NCHW"
    """The layout of data and result, ``NCHW`` or ``NHWC``."""


def _pooled(data: TensorType, rois: TensorType, attrs: ROIAlignAttrs | ROIPoolAttrs) -> Type:
    check_rank(4, data=data)
    check_rank(2, rois=rois)
    if not shapes.dims_fit(rois.shape[1], 5):
        raise TypeMismatch(f"a region must have 5 values, its image first, not {rois.shape[1]}")
    if attrs.layout not in ("NCHW", "NHWC"):
        raise WrongArgument(f"layout is {attrs.layout!r}, but must be NCHW or NHWC")
    if len(attrs.pooled_size) != 2:
        raise WrongArgument(f"pooled_size has {len(attrs.pooled_size)} values, but must have 2")
    layout = Layout.parse(attrs.layout)
    channels = layout.to("NCHW", data.shape)[1]
    return TensorType(layout.of("NCHW", (rois.shape[0], channels, *attrs.pooled_size)), data.dtype)


@operator("vision.roi_align", ROIAlignAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=5, keyed=False)
def roi_align(data: TensorType, rois: TensorType, attrs: ROIAlignAttrs) -> Type:
    """Regions of one size: each cell looks at places in its part of the region, interpolated between four elements.

    A region is its image, left, top, right, bottom.
    """
    if attrs.mode not in ("avg", "max"):
        raise WrongArgument(f"mode is {attrs.mode!r}, but must be avg or max")
    return _pooled(data, rois, attrs)


def _weights(start: float, cell: float, cells: int, samples: int, size: int) -> tuple[Array, Array, Array]:
    """For each place along an axis two neighbours, (places, 2), their weights, and whether it is in the image."""
    places = start + (np.arange(cells * samples, dtype=np.float32) + np.float32(0.5)) * np.float32(cell / samples)
    inside = (places >= -1) & (places <= size)
    places = np.clip(places, 0, size - 1)
    below = np.floor(places).astype(np.int64)
    part = places - below
    return np.stack([below, np.minimum(below + 1, size - 1)], -1), np.stack([1 - part, part], -1), inside


def _aligned(image: Array, region: Array, attrs: ROIAlignAttrs) -> Array:
    """(C, height, width) of one region, (left, top, right, bottom), of an image (C, H, W)."""
    rows, columns = shapes.static(attrs.pooled_size, "pooled_size")
    left, top, right, bottom = (region * np.float32(attrs.spatial_scale)).tolist()
    cells = max(bottom - top, 1.0) / rows, max(right - left, 1.0) / columns
    samples = [attrs.sample_ratio if attrs.sample_ratio > 0 else math.ceil(cell) for cell in cells]
    down, across = (
        _weights(start, cell, count, taps, size)
        for start, cell, count, taps, size in zip(
            (top, left), cells, (rows, columns), samples, image.shape[1:], strict=True
        )
    )
    seen = image[:, down[0][:, :, None, None], across[0]]
    grid = (seen * down[1][:, :, None, None] * across[1]).sum((2, 4)) * (down[2][:, None] & across[2])
    cut = grid.reshape(len(image), rows, samples[0], columns, samples[1])
    return cut.mean((2, 4)) if attrs.mode == "avg" else cut.max((2, 4))


@roi_align.reference
def roi_align_numpy(data: Array, rois: Array, attrs: ROIAlignAttrs) -> Array:
    layout = Layout.parse(attrs.layout)
    images = layout.array_to("NCHW", data).astype(np.float32)
    result = np.zeros((len(rois), images.shape[1], *shapes.static(attrs.pooled_size, "pooled_size")), np.float32)
    for number, image in enumerate(inside(rois[:, 0], len(data))):
        result[number] = _aligned(images[image], rois[number, 1:].astype(np.float32), attrs)
    return layout.array_of("NCHW", result).astype(data.dtype)


@operator("vision.roi_pool", ROIPoolAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=5, keyed=False)
def roi_pool(data: TensorType, rois: TensorType, attrs: ROIPoolAttrs) -> Type:
    """Regions of one size: each cell is the largest element of its part of the region, 0 where that has none."""
    return _pooled(data, rois, attrs)


def _parts(start: int, end: int, count: int, size: int) -> list[slice]:
    """The parts of an axis that belong to each cell."""
    cell = np.float32(max(end - start + 1, 1)) / np.float32(count)
    bounds = [(math.floor(at * cell), math.ceil((at + 1) * cell)) for at in range(count)]
    return [slice(*(min(max(start + side, 0), size) for side in pair)) for pair in bounds]


@roi_pool.reference
def roi_pool_numpy(data: Array, rois: Array, attrs: ROIPoolAttrs) -> Array:
    layout = Layout.parse(attrs.layout)
    images = layout.array_to("NCHW", data)
    rows, columns = shapes.static(attrs.pooled_size, "pooled_size")
    result = np.zeros((len(rois), images.shape[1], rows, columns), data.dtype)
    for number, place in enumerate(inside(rois[:, 0], len(data))):
        image, region = images[place], rois[number, 1:].astype(np.float32)
        left, top, right, bottom = map(int, round_half_away(region * np.float32(attrs.spatial_scale)))
        for row, down in enumerate(_parts(top, bottom, rows, image.shape[1])):
            for column, across in enumerate(_parts(left, right, columns, image.shape[2])):
                part = image[:, down, across]
                if part.size:
                    result[number, :, row, column] = part.max((1, 2))
    return layout.array_of("NCHW", result)
