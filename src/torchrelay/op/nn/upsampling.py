"""Images made larger by a factor."""

from __future__ import annotations

from torchrelay.errors import WrongArgument
from torchrelay.ir import Any, Attrs, Dim, Fusion, String, TensorType, Type, attrs, operator
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array
from torchrelay.op._resize import check_coordinates, resized, widened

__all__ = ["upsampling", "upsampling3d"]


@attrs("relay.attrs.UpSamplingAttrs")
class UpSamplingAttrs(Attrs):
    scale_h: float
    """The factor for height."""
    scale_w: float
    """The factor for width."""
    layout: String = "NCHW"
    """The layout of the data."""
    method: String = "nearest_neighbor"
    """``nearest_neighbor``, ``bilinear`` or ``bicubic``."""
    align_corners: bool = False
    """Whether the corners of data and result lie on each other."""


@attrs("relay.attrs.UpSampling3DAttrs")
class UpSampling3DAttrs(Attrs):
    scale_d: float
    """The factor for depth."""
    scale_h: float
    """The factor for height."""
    scale_w: float
    """The factor for width."""
    layout: str = "NCDHW"
    """The layout of the data."""
    method: str = "nearest_neighbor"
    """``nearest_neighbor`` or ``trilinear``."""
    coordinate_transformation_mode: str = "half_pixel"
    """Where a place of the result lies in the data."""


def _scaled(dim: Dim, factor: float) -> Dim:
    """The size times the factor, to the nearest whole number."""
    return dim if isinstance(dim, Any) else round(dim * factor)


_METHOD = {"nearest_neighbor": "nearest_neighbor", "bilinear": "linear", "trilinear": "linear", "bicubic": "cubic"}


def _check_method(method: str, *allowed: str) -> None:
    if method not in allowed:
        raise WrongArgument(f"method is {method!r}, but must be one of {', '.join(allowed)}")


@operator("nn.upsampling", UpSamplingAttrs, Fusion.INJECTIVE, level=2)
def upsampling(data: TensorType, attrs: UpSamplingAttrs) -> Type:
    """The data with height and width times a factor."""
    _check_method(attrs.method, "nearest_neighbor", "bilinear", "bicubic")
    layout = Layout.parse(attrs.layout)
    batch, channels, height, width = layout.to("NCHW", data.shape)
    shape = (batch, channels, _scaled(height, attrs.scale_h), _scaled(width, attrs.scale_w))
    return TensorType(layout.of("NCHW", shape), data.dtype)


@upsampling.reference
def upsampling_numpy(data: Array, attrs: UpSamplingAttrs) -> Array:
    layout = Layout.parse(attrs.layout)
    source = layout.array_to("NCHW", data)
    sizes = [round(source.shape[2] * attrs.scale_h), round(source.shape[3] * attrs.scale_w)]
    coordinates = "align_corners" if attrs.align_corners else "asymmetric"
    result = _enlarged(source, sizes, _METHOD[attrs.method], coordinates)
    return layout.array_of("NCHW", result.astype(data.dtype, copy=False))


def _enlarged(source: Array, sizes: list[int], method: str, coordinates: str) -> Array:
    return resized(
        widened(source, method),
        sizes,
        method=method,
        coordinates=coordinates,
        rounding="",
        alpha=-0.5,
        exclude_outside=False,
        roi=None,
        outside=0,
    )


@operator("nn.upsampling3d", UpSampling3DAttrs, Fusion.INJECTIVE, level=2)
def upsampling3d(data: TensorType, attrs: UpSampling3DAttrs) -> Type:
    """The data with depth, height and width times a factor."""
    _check_method(attrs.method, "nearest_neighbor", "trilinear")
    check_coordinates(attrs.coordinate_transformation_mode)
    layout = Layout.parse(attrs.layout)
    batch, channels, *sizes = layout.to("NCDHW", data.shape)
    factors = (attrs.scale_d, attrs.scale_h, attrs.scale_w)
    shape = (batch, channels, *(_scaled(dim, factor) for dim, factor in zip(sizes, factors, strict=True)))
    return TensorType(layout.of("NCDHW", shape), data.dtype)


@upsampling3d.reference
def upsampling3d_numpy(data: Array, attrs: UpSampling3DAttrs) -> Array:
    layout = Layout.parse(attrs.layout)
    source = layout.array_to("NCDHW", data)
    factors = (attrs.scale_d, attrs.scale_h, attrs.scale_w)
    sizes = [round(size * factor) for size, factor in zip(source.shape[2:], factors, strict=True)]
    result = _enlarged(source, sizes, _METHOD[attrs.method], attrs.coordinate_transformation_mode)
    return layout.array_of("NCDHW", result.astype(data.dtype, copy=False))
