"""Converters of images in other sizes."""

from __future__ import annotations

from collections.abc import Sequence

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import Expr, shapes

__all__: list[str] = []


def _resized(
    data: Expr,
    size: Sizes | None,
    scales: Sequence[float | None] | None,
    method: str,
    *,
    align_corners: bool = False,
) -> Expr:
    """The data interpolated. Where torch counts with the given scale, not with that of the sizes, both must agree."""
    rank = data.tensor.rank - 2
    have = shapes.static(data.shape[2:], "an interpolation")
    if size is None:
        assert scales is not None, "the schema wants one of the two"
        size = [int(extent * float(scale or 1)) for extent, scale in zip(have, scales, strict=True)]
    size = tuple(size)
    if scales and not align_corners:
        for extent, want, scale in zip(have, size, scales, strict=True):
            if scale and abs(extent * scale - want) > 1e-6:
                raise UnsupportedProgram(f"an interpolation by {scale} of {extent} places, which is not a whole number")
    resize = {1: op.image.resize1d, 2: op.image.resize2d, 3: op.image.resize3d}[rank]
    roi = (0.0,) * (2 * rank)
    if method == "nearest_neighbor":
        return resize(
            data,
            size=size,
            roi=roi,
            layout=data_layout(rank),
            method=method,
            coordinate_transformation_mode="asymmetric",
            rounding_method="floor",
        )
    mode = "align_corners" if align_corners else "half_pixel"
    # torch's cubic kernel has another shape than the default; other methods do not look at it.
    alpha = -0.75 if method == "cubic" else -0.5
    return resize(
        data,
        size=size,
        roi=roi,
        layout=data_layout(rank),
        method=method,
        coordinate_transformation_mode=mode,
        cubic_alpha=alpha,
    )


def data_layout(rank: int) -> str:
    """The layout of data with that many spatial axes."""
    return {1: "NCW", 2: "NCHW", 3: "NCDHW"}[rank]


@aten("upsample_nearest1d.vec", "upsample_nearest2d.vec", "upsample_nearest3d.vec")
def upsample_nearest(input: Expr, output_size: Sizes | None, scale_factors: Sequence[float] | None) -> Expr:
    """The data at other places: the nearest element below."""
    return _resized(input, output_size, scale_factors, "nearest_neighbor")


@aten("upsample_linear1d.vec", "upsample_bilinear2d.vec", "upsample_trilinear3d.vec")
def upsample_linear(
    input: Expr, output_size: Sizes | None, align_corners: bool, scale_factors: Sequence[float] | None
) -> Expr:
    """The data at other places: between the two nearest along each axis."""
    return _resized(input, output_size, scale_factors, "linear", align_corners=align_corners)


@aten("upsample_bicubic2d.vec")
def upsample_cubic(
    input: Expr, output_size: Sizes | None, align_corners: bool, scale_factors: Sequence[float] | None
) -> Expr:
    """The data at other places: between the four nearest along each axis."""
    return _resized(input, output_size, scale_factors, "cubic", align_corners=align_corners)


@aten("upsample_nearest1d.default")
def upsample_nearest1d(self: Expr, output_size: Sizes, scales: float | None = None) -> Expr:
    """The data at other places: the nearest element below."""
    return _resized(self, output_size, (scales,), "nearest_neighbor")


@aten("upsample_nearest2d.default")
def upsample_nearest2d(
    self: Expr, output_size: Sizes, scales_h: float | None = None, scales_w: float | None = None
) -> Expr:
    """The data at other places: the nearest element below."""
    return _resized(self, output_size, (scales_h, scales_w), "nearest_neighbor")


@aten("upsample_bilinear2d.default")
def upsample_bilinear2d(
    self: Expr,
    output_size: Sizes,
    align_corners: bool,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Expr:
    """The data at other places: between the two nearest along each axis."""
    return _resized(self, output_size, (scales_h, scales_w), "linear", align_corners=align_corners)


@aten("pixel_shuffle.default")
def pixel_shuffle(self: Expr, upscale_factor: int) -> Expr:
    """Blocks of pixels taken out of the channels, the last three axes being (C, H, W)."""
    lead, (channels, height, width) = self.shape[:-3], self.shape[-3:]
    images = reshaped(self, (-1, channels, height, width))
    result = op.nn.depth_to_space(images, block_size=upscale_factor, mode="CRD")
    return reshaped(result, (*lead, *result.shape[1:]))


@aten("channel_shuffle.default")
def channel_shuffle(self: Expr, groups: int) -> Expr:
    """The channels dealt out: one of each group in turn."""
    batch, channels, *rest = self.shape
    cut = reshaped(self, (batch, groups, shapes.floor_div(channels, groups), *rest))
    return reshaped(permuted(cut, (0, 2, 1, *range(3, 3 + len(rest)))), self.shape)
