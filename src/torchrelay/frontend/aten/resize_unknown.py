"""Images of unknown sizes in other sizes: the places computed while the program runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.shape.cut import steps
from torchrelay.frontend.aten.shape.extents import Extent, Extents, extents, vector, with_extents
from torchrelay.frontend.promote import DEFAULT_FLOAT, FLOAT64, INT64, Computed, as_tensor
from torchrelay.ir import Expr, const, shapes

__all__ = ["nearest_of_unknown", "resized_unknown"]


@dataclass(frozen=True, slots=True)
class _Axis:
    """One spatial axis: its size, the size wanted, and the scale where torch was given one."""

    have: Extent
    want: Extent
    scale: float | None


def _scaled(have: Extent, scale: float) -> Extent:
    """A size times a scale, floored."""
    if isinstance(have, int):
        return int(have * scale)
    if scale == int(scale):
        factor = int(scale)
        return Computed(op.multiply(as_tensor(have, INT64), const(factor, INT64)), shapes.multiply(have.size, factor))
    product = op.multiply(as_tensor(have, FLOAT64), const(scale, FLOAT64))
    return Computed(op.cast(op.floor(product), dtype=INT64))


def _axes(data: Expr, size: Extents | None, scales: Sequence[float | None] | None) -> list[_Axis]:
    have = extents(data)[2:]
    given = list(scales) if scales else [None] * len(have)
    wanted = size or [_scaled(extent, float(scale or 1)) for extent, scale in zip(have, given, strict=True)]
    return [_Axis(*row) for row in zip(have, wanted, given, strict=True)]


def nearest_of_unknown(data: Expr, size: Extents | None, scales: Sequence[float | None] | None, shift: float) -> Expr:
    """The element at floor((place + shift) * step), computed in float32 as torch does."""
    axes = _axes(data, size, scales)
    made = data
    for number, axis in enumerate(axes):
        have, want = (as_tensor(extent, DEFAULT_FLOAT) for extent in (axis.have, axis.want))
        step = const(np.float32(1 / axis.scale)) if axis.scale else op.divide(have, want)
        turns = op.cast(steps(const(0, INT64), as_tensor(axis.want, INT64)), dtype=DEFAULT_FLOAT)
        places = op.floor(op.multiply(op.add(turns, const(shift, DEFAULT_FLOAT)), step))
        last = op.subtract(as_tensor(axis.have, INT64), const(1, INT64))
        made = op.take(made, op.minimum(op.cast(places, dtype=INT64), last), axis=2 + number)
    return _of_sizes(made, data, axes)


def _of_sizes(made: Expr, data: Expr, axes: Sequence[_Axis]) -> Expr:
    return with_extents(made, (*extents(data)[:2], *(axis.want for axis in axes)))


def resized_unknown(
    data: Expr, size: Extents | None, scales: Sequence[float | None] | None, method: str, *, align_corners: bool
) -> Expr:
    """Between the nearest elements, of images with two axes.

    Raises UnsupportedProgram for other numbers of axes, and for a scale that is not that of the sizes.
    """
    axes = _axes(data, size, scales)
    if len(axes) != 2:
        raise UnsupportedProgram(f"an interpolation along {len(axes)} axes of unknown sizes")
    if not align_corners and any(axis.scale is not None and axis.scale != int(axis.scale) for axis in axes):
        raise UnsupportedProgram("an interpolation of unknown sizes by a scale that is no whole number")
    made = op.dyn.image.resize2d(
        data,
        vector([axis.want for axis in axes]),
        const(np.zeros(4, "float32")),
        size=(1, 1),
        roi=None,
        layout="NCHW",
        method=method,
        coordinate_transformation_mode="align_corners" if align_corners else "half_pixel",
        rounding_method="round",
        cubic_alpha=-0.75 if method == "cubic" else -0.5,
    )
    return _of_sizes(made, data, axes)
