"""Converters of padding."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TypeVar

from torchrelay import op
from torchrelay.frontend.aten.shape.cut import slice_axis
from torchrelay.frontend.aten.shape.extents import Extent, Extents, as_dims, extent, vector
from torchrelay.frontend.aten.shape.reshape import known
from torchrelay.frontend.promote import (
    INT64,
    Computed,
    Number,
    Operand,
    as_tensor,
)
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.frontend.sizes import with_names, with_sizes
from torchrelay.ir import Expr, const, shapes

__all__: list[str] = []


Width = tuple[int, int]
W = TypeVar("W", bound=Extent)


def _widths(pad: Sequence[W], rank: int) -> list[tuple[W, W] | Width]:
    """Torch's list, the last axis first, as a pair for each axis."""
    pairs = [(pad[i], pad[i + 1]) for i in range(0, len(pad), 2)]
    return [(0, 0)] * (rank - len(pairs)) + pairs[::-1]


def _padded(data: Expr, pad: Sizes, how: Callable[[Expr, tuple[Width, ...]], Expr]) -> Expr:
    """The data padded, where a width is negative cut."""
    widths = _widths(pad, data.tensor.rank)
    around = tuple([(max(before, 0), max(after, 0)) for before, after in widths])
    result = how(data, around) if any(map(any, around)) else data
    for axis, (before, after) in enumerate(widths):
        if before < 0 or after < 0:
            result = slice_axis(result, axis, max(-before, 0), _end(result, axis, after))
    return result


def _end(data: Expr, axis: int, after: int) -> Extent | None:
    """Where an axis ends that loses what a negative width says."""
    size = data.shape[axis]
    if isinstance(size, int):
        return size + min(after, 0)
    return min(after, 0) or None


@aten("constant_pad_nd.default")
def constant_pad(self: Expr, pad: Extents, value: Operand = 0) -> Expr:
    """The data with a value around it."""
    fill = as_tensor(value, self.dtype)
    if not all(isinstance(width, int) for width in pad):
        return _computed_pad(self, pad, fill)
    return _padded(self, known(pad, "a padding"), lambda data, widths: op.nn.pad(data, fill, pad_width=widths))


def _computed_pad(data: Expr, pad: Extents, fill: Expr) -> Expr:
    """The data with a value around it as wide as the program computes, where that is negative cut."""
    rank = data.tensor.rank
    pairs = _widths(pad, rank)
    widths = op.maximum(vector([width for pair in pairs for width in pair]), const(0, INT64))
    made = op.dyn.nn.pad(data, op.reshape(widths, newshape=(rank, 2)), fill, pad_width=())
    for axis, pair in enumerate(pairs):
        if not any(isinstance(width, Computed) or width < 0 for width in pair):
            continue
        lost = [op.minimum(as_tensor(width, INT64), const(0, INT64)) for width in pair]
        end = op.add(as_tensor(extent(made, axis), INT64), lost[1])
        made = slice_axis(made, axis, Computed(op.negative(lost[0])), Computed(end))
    known = [functools.reduce(shapes.add, as_dims(pair), size) for pair, size in zip(pairs, data.shape, strict=True)]
    return with_names(with_sizes(made, known), known)


@aten("reflection_pad1d.default", "reflection_pad2d.default", "reflection_pad3d.default")
def reflection_pad(self: Expr, padding: Sizes) -> Expr:
    """The data with its mirror image around it, the border not repeated."""
    return _padded(self, padding, lambda data, widths: op.nn.mirror_pad(data, mode="REFLECT", pad_width=widths))


@aten("replication_pad1d.default", "replication_pad2d.default", "replication_pad3d.default")
def replication_pad(self: Expr, padding: Sizes) -> Expr:
    """The data with its border repeated around it."""
    zero = const(0, self.dtype)
    return _padded(self, padding, lambda data, widths: op.nn.pad(data, zero, pad_width=widths, pad_mode="edge"))


@aten("pad.default")
def pad(self: Expr, pad: Extents, mode: str = "constant", value: Number | None = None) -> Expr:
    """The data with a value, its mirror image, its border or its other end around it."""
    if mode == "constant":
        return constant_pad(self, pad, 0 if value is None else value)
    widths = known(pad, f"a padding by {mode}")
    if mode == "reflect":
        return reflection_pad(self, widths)
    return replication_pad(self, widths) if mode == "replicate" else _circular(self, widths)


def _circular(data: Expr, pad: Sizes) -> Expr:
    """The data with its other end around it, where a width is negative cut before."""
    for axis, (before, after) in enumerate(_widths(pad, data.tensor.rank)):
        cut = slice_axis(data, axis, max(-before, 0), _end(data, axis, after))
        parts = [slice_axis(cut, axis, -before)] if before > 0 else []
        parts += [cut, slice_axis(cut, axis, 0, after)] if after > 0 else [cut]
        data = op.concatenate(parts, axis=axis) if len(parts) > 1 else cut
    return data
