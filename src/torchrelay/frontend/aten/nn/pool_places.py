"""Converters of pools that also say where the largest elements are."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from torchrelay import op
from torchrelay.frontend.aten.nn.pool import adaptive, max_pool, windowed
from torchrelay.frontend.aten.nn.windows import each
from torchrelay.frontend.aten.shape.broadcast import broadcast
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import Expr, const, shapes

__all__: list[str] = []

Taps = Sequence[np.ndarray]
"""For each spatial axis the places that windows look at: a row for each tap, a column for each window."""


def _windows_of(size: int, count: int, kernel: int, stride: int, padding: int, dilation: int) -> np.ndarray:
    """The places of windows along an axis; a place outside gives way to the nearest one of its window inside."""
    starts = np.arange(count) * stride - padding
    places = starts + np.arange(kernel)[:, None] * dilation
    first = np.where(starts < 0, starts + -(starts // dilation) * dilation, starts)
    last = starts + np.minimum(kernel - 1, (size - 1 - starts) // dilation) * dilation
    return np.clip(places, first, last)


def _adaptive_windows(size: int, count: int) -> np.ndarray:
    """The places of windows that split an axis into so many."""
    starts = np.arange(count) * size // count
    ends = -(-(np.arange(1, count + 1) * size) // count)
    return np.minimum(starts + np.arange((ends - starts).max())[:, None], ends - 1)


def _largest(data: Expr, taps: Taps) -> tuple[Expr, Expr]:
    """The largest element of each window, and its place in the flattened spatial axes; NaN is larger than anything."""
    rank = len(taps)
    spatial = shapes.static(data.shape[-rank:], "a pool that says places")
    steps = [int(np.prod(spatial[axis + 1 :])) for axis in range(rank)]
    parts: dict[tuple[int, ...], Expr] = {(): data}
    for axis, rows in enumerate(taps):
        parts = {
            (*done, tap): op.take(part, const(row), axis=axis - rank)
            for done, part in parts.items()
            for tap, row in enumerate(rows)
        }
    best: tuple[Expr, Expr] | None = None
    for combination in itertools.product(*(range(len(rows)) for rows in taps)):
        value = parts[combination]
        along = [rows[tap] * step for rows, tap, step in zip(taps, combination, steps, strict=True)]
        flat = sum(np.ix_(*along), start=np.zeros((), "int64"))
        place = broadcast(const(flat.astype("int64")), value.shape)
        best = (value, place) if best is None else _better(best, (value, place))
    assert best is not None, "a window has a tap"
    return best


def _better(best: tuple[Expr, Expr], other: tuple[Expr, Expr]) -> tuple[Expr, Expr]:
    larger = op.greater(other[0], best[0])
    if best[0].dtype.is_float:
        larger = op.logical_or(larger, op.isnan(other[0]))
    return op.where(larger, other[0], best[0]), op.where(larger, other[1], best[1])


def _with_places(
    data: Expr, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, ceil_mode: bool
) -> tuple[Expr, Expr]:
    rank = len(kernel)
    values = max_pool(data, kernel, stride, padding, dilation, ceil_mode)
    steps = each(stride, rank) if stride else tuple(kernel)
    sizes, counts = data.shape[-rank:], values.shape[-rank:]
    options = zip(sizes, counts, kernel, steps, each(padding, rank), each(dilation, rank), strict=True)
    return values, _largest(data, [_windows_of(*shapes.static(row, "a pool that says places")) for row in options])[1]


def _adaptive_with_places(data: Expr, output_size: Sizes, rank: int) -> tuple[Expr, Expr]:
    sizes = shapes.static(data.shape[-rank:], "an adaptive pool that says places")
    counts = [size if want is None else want for size, want in zip(sizes, each(output_size, rank), strict=True)]
    values = adaptive(data, output_size, rank, largest=True)
    taps = [_adaptive_windows(size, count) for size, count in zip(sizes, counts, strict=True)]
    return values, _largest(data, taps)[1]


def _adaptive(rank: int) -> Callable[..., tuple[Expr, Expr]]:
    def converter(self: Expr, output_size: Sizes) -> tuple[Expr, Expr]:
        """The largest element of windows that split the last axes into given numbers, and where it is."""
        return _adaptive_with_places(self, output_size, rank)

    return converter


for _rank in (1, 2, 3):
    aten(f"max_pool{_rank}d_with_indices.default")(windowed(_rank, _with_places))
    aten(f"adaptive_max_pool{_rank}d.default")(_adaptive(_rank))
