"""Converters of pixels and channels exchanged."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, shapes

__all__: list[str] = []


@aten("pixel_shuffle.default")
def pixel_shuffle(self: Expr, upscale_factor: int) -> Expr:
    """Blocks of pixels taken out of the channels, the last three axes being (C, H, W)."""
    lead, (channels, height, width) = self.shape[:-3], self.shape[-3:]
    count = shapes.product(lead)
    images = reshaped(self, (count if isinstance(count, int) else -1, channels, height, width))
    result = op.nn.depth_to_space(images, block_size=upscale_factor, mode="CRD")
    return reshaped(result, (*lead, *result.shape[1:]))


@aten("channel_shuffle.default")
def channel_shuffle(self: Expr, groups: int) -> Expr:
    """The channels dealt out: one of each group in turn."""
    batch, channels, *rest = self.shape
    cut = reshaped(self, (batch, groups, shapes.floor_div(channels, groups), *rest))
    return reshaped(permuted(cut, (0, 2, 1, *range(3, 3 + len(rest)))), self.shape)


@aten("pixel_unshuffle.default")
def pixel_unshuffle(self: Expr, downscale_factor: int) -> Expr:
    """Blocks of pixels put into the channels, the last three axes being (C, H, W)."""
    lead, (channels, height, width) = self.shape[:-3], self.shape[-3:]
    factor = downscale_factor
    rows, columns = shapes.floor_div(height, factor), shapes.floor_div(width, factor)
    blocks = reshaped(self, (shapes.product(lead), channels, rows, factor, columns, factor))
    deep = shapes.multiply(channels, factor * factor)
    return reshaped(permuted(blocks, (0, 1, 3, 5, 2, 4)), (*lead, deep, rows, columns))
