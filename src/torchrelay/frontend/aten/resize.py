"""Converters of images in other sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from torchrelay import op
from torchrelay.frontend.aten.resize_unknown import nearest_of_unknown, resized_unknown
from torchrelay.frontend.aten.shape.extents import Extents
from torchrelay.frontend.aten.shape.reshape import known
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const, shapes

__all__: list[str] = []

Scales = Sequence[float | None] | None


@dataclass(frozen=True, slots=True)
class _Axis:
    """One spatial axis: its size, the size wanted, and the scale where torch was given one."""

    have: int
    want: int
    scale: float | None

    @property
    def plain(self) -> bool:
        """Whether the scale is that of the sizes, as Relay's operators take it."""
        return not self.scale or abs(self.have * self.scale - self.want) < 1e-9

    @property
    def step(self) -> float:
        """How far neighbouring places of the result are apart in the data."""
        return 1 / self.scale if self.scale else self.have / self.want


def _is_known(data: Expr, size: Extents | None) -> bool:
    return shapes.is_static(data.shape[2:]) and all(isinstance(extent, int) for extent in size or ())


def _axes(data: Expr, size: Extents | None, scales: Scales) -> list[_Axis]:
    have = shapes.static(data.shape[2:], "an interpolation")
    given = list(scales) if scales else [None] * len(have)
    wanted = (
        known(size, "an interpolation")
        if size
        else [int(extent * float(scale or 1)) for extent, scale in zip(have, given, strict=True)]
    )
    return [_Axis(*row) for row in zip(have, wanted, given, strict=True)]


def _by_relay(data: Expr, axes: Sequence[_Axis], method: str, coordinates: str, rounding: str = "round") -> Expr:
    rank = len(axes)
    resize = {1: op.image.resize1d, 2: op.image.resize2d, 3: op.image.resize3d}[rank]
    return resize(
        data,
        size=tuple([axis.want for axis in axes]),
        roi=(0.0,) * (2 * rank),
        layout={1: "NCW", 2: "NCHW", 3: "NCDHW"}[rank],
        method=method,
        coordinate_transformation_mode=coordinates,
        rounding_method=rounding,
        # torch's cubic kernel has another shape than the default; other methods do not look at it.
        cubic_alpha=-0.75 if method == "cubic" else -0.5,
    )


def _nearest(data: Expr, size: Extents | None, scales: Scales, shift: float) -> Expr:
    """The element at floor((place + shift) * step)."""
    if not _is_known(data, size):
        return nearest_of_unknown(data, size, scales, shift)
    axes = _axes(data, size, scales)
    places = [np.floor((np.arange(axis.want) + shift) * np.float32(axis.step)).astype("int64") for axis in axes]
    exact = [((2 * np.arange(axis.want) + int(2 * shift)) * axis.have) // (2 * axis.want) for axis in axes]
    if all(axis.plain and np.array_equal(at, exactly) for axis, at, exactly in zip(axes, places, exact, strict=True)):
        if shift:
            return _by_relay(data, axes, "nearest_neighbor", "half_pixel", "round_prefer_ceil")
        return _by_relay(data, axes, "nearest_neighbor", "asymmetric", "floor")
    for number, (axis, at) in enumerate(zip(axes, places, strict=True)):
        data = op.take(data, const(np.minimum(at, axis.have - 1)), axis=2 + number)
    return data


Weights = Callable[[np.ndarray], np.ndarray]
"""From the fraction of a place to the weight of each neighbour, a row each."""


def _linear_weights(fraction: np.ndarray) -> np.ndarray:
    return np.stack([1 - fraction, fraction])


def _cubic_weights(fraction: np.ndarray) -> np.ndarray:
    """The weights of the neighbours at -1, 0, 1, 2, of the kernel whose slope at 1 is -0.75."""
    distances = np.abs(np.arange(-1, 3)[:, None] - fraction)
    near = (1.25 * distances - 2.25) * distances**2 + 1
    far = ((-0.75 * distances + 3.75) * distances - 6) * distances + 3
    return np.where(distances <= 1, near, far)


def _mixed(data: Expr, number: int, axis: _Axis, weights_of: Weights, *, clamp: bool) -> Expr:
    """The sum of neighbours along an axis by their weights, at places half a pixel off."""
    places = (np.arange(axis.want) + 0.5) * axis.step - 0.5
    places = np.maximum(places, 0) if clamp else places
    first = np.floor(places)
    weights = weights_of(places - first)
    start = first.astype("int64") - (len(weights) // 2 - 1)
    line = (-1, *(1,) * (data.tensor.rank - 3 - number))
    total: Expr | None = None
    for offset, weight in enumerate(weights):
        part = op.take(data, const(np.clip(start + offset, 0, axis.have - 1)), axis=2 + number)
        part = op.multiply(part, const(weight.reshape(line), data.dtype))
        total = part if total is None else op.add(total, part)
    assert total is not None, "there is a neighbour"
    return total


def _interpolated(data: Expr, size: Extents | None, scales: Scales, method: str, *, align_corners: bool) -> Expr:
    if not _is_known(data, size):
        return resized_unknown(data, size, scales, method, align_corners=align_corners)
    axes = _axes(data, size, scales)
    if align_corners:
        return _by_relay(data, axes, method, "align_corners")
    if all(axis.plain for axis in axes):
        return _by_relay(data, axes, method, "half_pixel")
    weights_of = _linear_weights if method == "linear" else _cubic_weights
    for number, axis in enumerate(axes):
        data = _mixed(data, number, axis, weights_of, clamp=method == "linear")
    return data


@aten("upsample_nearest1d.vec", "upsample_nearest2d.vec", "upsample_nearest3d.vec")
def upsample_nearest(input: Expr, output_size: Extents | None, scale_factors: Scales) -> Expr:
    """The data at other places: the nearest element below."""
    return _nearest(input, output_size, scale_factors, 0)


@aten("_upsample_nearest_exact1d.vec", "_upsample_nearest_exact2d.vec", "_upsample_nearest_exact3d.vec")
def upsample_nearest_exact(input: Expr, output_size: Extents | None, scale_factors: Scales) -> Expr:
    """The data at other places: the nearest element."""
    return _nearest(input, output_size, scale_factors, 0.5)


@aten("upsample_linear1d.vec", "upsample_bilinear2d.vec", "upsample_trilinear3d.vec")
def upsample_linear(input: Expr, output_size: Extents | None, align_corners: bool, scale_factors: Scales) -> Expr:
    """The data at other places: between the two nearest along each axis."""
    return _interpolated(input, output_size, scale_factors, "linear", align_corners=align_corners)


@aten("upsample_bicubic2d.vec")
def upsample_cubic(input: Expr, output_size: Extents | None, align_corners: bool, scale_factors: Scales) -> Expr:
    """The data at other places: between the four nearest along each axis."""
    return _interpolated(input, output_size, scale_factors, "cubic", align_corners=align_corners)


@aten("upsample_nearest1d.default")
def upsample_nearest1d(self: Expr, output_size: Extents, scales: float | None = None) -> Expr:
    """The data at other places: the nearest element below."""
    return _nearest(self, output_size, (scales,), 0)


@aten("_upsample_nearest_exact1d.default")
def upsample_nearest_exact1d(self: Expr, output_size: Extents, scales: float | None = None) -> Expr:
    """The data at other places: the nearest element."""
    return _nearest(self, output_size, (scales,), 0.5)


@aten("upsample_nearest2d.default")
def upsample_nearest2d(
    self: Expr, output_size: Extents, scales_h: float | None = None, scales_w: float | None = None
) -> Expr:
    """The data at other places: the nearest element below."""
    return _nearest(self, output_size, (scales_h, scales_w), 0)


@aten("upsample_nearest3d.default")
def upsample_nearest3d(
    self: Expr,
    output_size: Extents,
    scales_d: float | None = None,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Expr:
    """The data at other places: the nearest element below."""
    return _nearest(self, output_size, (scales_d, scales_h, scales_w), 0)


@aten("upsample_linear1d.default")
def upsample_linear1d(self: Expr, output_size: Extents, align_corners: bool, scales: float | None = None) -> Expr:
    """The data at other places: between the two nearest."""
    return _interpolated(self, output_size, (scales,), "linear", align_corners=align_corners)


@aten("upsample_bilinear2d.default")
def upsample_bilinear2d(
    self: Expr,
    output_size: Extents,
    align_corners: bool,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Expr:
    """The data at other places: between the two nearest along each axis."""
    return _interpolated(self, output_size, (scales_h, scales_w), "linear", align_corners=align_corners)


@aten("upsample_trilinear3d.default")
def upsample_trilinear3d(
    self: Expr,
    output_size: Extents,
    align_corners: bool,
    scales_d: float | None = None,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Expr:
    """The data at other places: between the two nearest along each axis."""
    scales = (scales_d, scales_h, scales_w)
    return _interpolated(self, output_size, scales, "linear", align_corners=align_corners)


@aten("upsample_bicubic2d.default")
def upsample_bicubic2d(
    self: Expr,
    output_size: Extents,
    align_corners: bool,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Expr:
    """The data at other places: between the four nearest along each axis."""
    return _interpolated(self, output_size, (scales_h, scales_w), "cubic", align_corners=align_corners)
