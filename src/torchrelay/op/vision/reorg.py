"""Pixels moved into channels in the order of Darknet."""

from __future__ import annotations

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Fusion, Integer, TensorType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array
from torchrelay.op.vision._boxes import check_rank

__all__ = ["yolo_reorg"]


@attrs("relay.attrs.YoloReorgAttrs")
class YoloReorgAttrs(Attrs):
    stride: Integer = 1
    """By how much height and width become smaller."""


@operator("vision.yolo_reorg", YoloReorgAttrs, Fusion.INJECTIVE, level=5)
def yolo_reorg(data: TensorType, attrs: YoloReorgAttrs) -> Type:
    """The elements in a shape with more channels, in the order in which Darknet moves them."""
    check_rank(4, data=data)
    if attrs.stride < 1:
        raise WrongArgument(f"stride is {attrs.stride}, but must be 1 or more")
    batch, channels, height, width = data.shape
    for name, size, block in (
        ("channels", channels, attrs.stride**2),
        ("height", height, attrs.stride),
        ("width", width, attrs.stride),
    ):
        if isinstance(size, int) and size % block:
            raise TypeMismatch(f"{name} of {size} are not cut into parts of {block}")
    spatial = [shapes.floor_div(size, attrs.stride) for size in (height, width)]
    return TensorType((batch, shapes.multiply(channels, attrs.stride**2), *spatial), data.dtype)


@yolo_reorg.reference
def yolo_reorg_numpy(data: Array, attrs: YoloReorgAttrs) -> Array:
    batch, channels, height, width = data.shape
    step = attrs.stride
    blocks = data.reshape(batch, channels // step**2, height, step, width, step)
    moved = blocks.transpose(0, 3, 5, 1, 2, 4)
    return moved.reshape(batch, channels * step**2, height // step, width // step)
