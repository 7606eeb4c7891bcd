"""Parts of images, each resized to one size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import VOID, Attrs, DType, Fusion, Indices, TensorType, Type, attrs, operator, shapes
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array, round_half_away
from torchrelay.op._sampling import elements, interpolated

__all__ = ["crop_and_resize"]


@attrs("relay.attrs.CropAndResizeAttrs")
class CropAndResizeAttrs(Attrs):
    crop_size: Indices | None = None
    """The height and width of each part of the result."""
    layout: str = "NCHW"
    """The layout of the data and of the result."""
    method: str = "bilinear"
    """``bilinear`` or ``nearest_neighbor``."""
    extrapolation_value: float = 0.0
    """What stands outside of the images."""
    out_dtype: DType = VOID
    """The dtype of the result; that of the data when void."""


def _size(attrs: CropAndResizeAttrs) -> Indices:
    if attrs.crop_size is None or len(attrs.crop_size) != 2:
        raise WrongArgument(f"crop_size is {attrs.crop_size}, but must have 2 values")
    return attrs.crop_size


@operator("image.crop_and_resize", CropAndResizeAttrs, Fusion.INJECTIVE, level=5)
def crop_and_resize(data: TensorType, boxes: TensorType, box_indices: TensorType, attrs: CropAndResizeAttrs) -> Type:
    """For each box (top, left, bottom, right, from 0 to 1) the part of the image with that index, resized."""
    if attrs.method not in ("bilinear", "nearest_neighbor"):
        raise WrongArgument(f"method is {attrs.method!r}, but must be bilinear or nearest_neighbor")
    if boxes.rank != 2 or not shapes.dims_fit(boxes.shape[1], 4):
        raise TypeMismatch(f"the boxes must have the shape (count, 4), not {boxes.shape}")
    if box_indices.rank != 1 or not shapes.dims_fit(box_indices.shape[0], boxes.shape[0]):
        raise TypeMismatch(f"the indices must have the shape ({boxes.shape[0]},), not {box_indices.shape}")
    layout = Layout.parse(attrs.layout)
    channels = layout.to("NCHW", data.shape)[1]
    count = shapes.known(boxes.shape[0], box_indices.shape[0])
    return TensorType(layout.of("NCHW", (count, channels, *_size(attrs))), attrs.out_dtype or data.dtype)


def _places(boxes: Array, sizes: Sequence[int], wanted: Sequence[int]) -> list[Array]:
    """For each axis where the elements of each part of the result lie in the image: (count, height, width)."""
    found = list[Array]()
    for axis, (have, want) in enumerate(zip(sizes, wanted, strict=True)):
        start, end = boxes[:, axis, None] * (have - 1), boxes[:, 2 + axis, None] * (have - 1)
        at = start + np.arange(want) * (end - start) / (want - 1) if want > 1 else (start + end) / 2
        shape = (len(boxes), want, 1) if axis == 0 else (len(boxes), 1, want)
        found.append(np.broadcast_to(at.reshape(shape), (len(boxes), *wanted)))
    return found


@crop_and_resize.reference
def crop_and_resize_numpy(data: Array, boxes: Array, box_indices: Array, attrs: CropAndResizeAttrs) -> Array:
    layout = Layout.parse(attrs.layout)
    images = layout.array_to("NCHW", data)
    sizes = images.shape[2:]
    places = _places(boxes, sizes, shapes.static(_size(attrs), "crop_size"))
    outside = np.any([(at < 0) | (at > size - 1) for at, size in zip(places, sizes, strict=True)], 0)
    chosen = images[box_indices]
    if attrs.method == "bilinear":
        narrow = data.dtype.kind in "iub" or data.dtype.itemsize < 4
        result = interpolated(chosen.astype(np.float32) if narrow else chosen, places)
    else:
        result = elements(chosen, [round_half_away(place).astype(np.int64) for place in places])
    result = np.where(outside[:, None], result.dtype.type(attrs.extrapolation_value), result)
    dtype = attrs.out_dtype.numpy if attrs.out_dtype else data.dtype
    return layout.array_of("NCHW", result.astype(dtype, copy=False))
