"""Converters of padding."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.aten.shape.cut import slice_axis
from torchrelay.frontend.promote import (
    Number,
    as_tensor,
)
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import Expr, const, shapes

__all__: list[str] = []


def _widths(pad: Sizes, rank: int) -> tuple[tuple[int, int], ...]:
    """Torch's list, the last axis first, as a pair for each axis."""
    pairs = [(pad[i], pad[i + 1]) for i in range(0, len(pad), 2)]
    return tuple([(0, 0)] * (rank - len(pairs)) + pairs[::-1])


@aten("constant_pad_nd.default")
def constant_pad(self: Expr, pad: Sizes, value: Number = 0) -> Expr:
    """The data with a value around it."""
    if not any(pad):
        return self
    return op.nn.pad(self, as_tensor(value, self.dtype), pad_width=_widths(pad, self.tensor.rank))


@aten("reflection_pad1d.default", "reflection_pad2d.default", "reflection_pad3d.default")
def reflection_pad(self: Expr, padding: Sizes) -> Expr:
    """The data with its mirror image around it, the border not repeated."""
    return op.nn.mirror_pad(self, mode="REFLECT", pad_width=_widths(padding, self.tensor.rank))


@aten("replication_pad1d.default", "replication_pad2d.default", "replication_pad3d.default")
def replication_pad(self: Expr, padding: Sizes) -> Expr:
    """The data with its border repeated around it."""
    return op.nn.pad(self, const(0, self.dtype), pad_width=_widths(padding, self.tensor.rank), pad_mode="edge")


@aten("pad.default")
def pad(self: Expr, pad: Sizes, mode: str = "constant", value: Number | None = None) -> Expr:
    """The data with a value, its mirror image, its border or its other end around it."""
    if mode == "constant":
        return constant_pad(self, pad, 0 if value is None else value)
    if mode == "reflect":
        return reflection_pad(self, pad)
    return replication_pad(self, pad) if mode == "replicate" else _circular(self, pad)


def _circular(data: Expr, pad: Sizes) -> Expr:
    for axis, (before, after) in enumerate(_widths(pad, data.tensor.rank)):
        (size,) = shapes.static((data.shape[axis],), "a circular padding")
        if before < 0 or after < 0:
            data = slice_axis(data, axis, max(-before, 0), size - max(-after, 0))
            (size,) = shapes.static((data.shape[axis],), "a circular padding")
        parts = []
        if before > 0:
            parts.append(slice_axis(data, axis, size - before, size))
        parts.append(data)
        if after > 0:
            parts.append(slice_axis(data, axis, 0, after))
        data = op.concatenate(parts, axis=axis) if len(parts) > 1 else data
    return data
