"""Images made larger or smaller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

from torchrelay.errors import WrongArgument
from torchrelay.ir import (
    VOID,
    Arg,
    Attrs,
    DType,
    Floats,
    Fusion,
    Indices,
    Operator,
    TensorType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._layout import DATA, Layout
from torchrelay.op._numpy import Array
from torchrelay.op._resize import ROUNDINGS, check_coordinates, resized, widened

P = ParamSpec("P")

__all__ = ["resize1d", "resize2d", "resize3d"]


class _ResizeAttrs(Attrs):
    """What the records of every rank share."""


@attrs("relay.attrs.Resize1DAttrs")
class Resize1DAttrs(_ResizeAttrs):
    size: Indices | None = None
    """The size of each spatial axis of the result."""
    roi: Floats | None = None
    """The part of the data to take, for ``tf_crop_and_resize``: all starts, then all ends, from 0 to 1."""
    layout: str = "NCW"
    """The layout of the data."""
    method: str = "linear"
    """``nearest_neighbor``, ``linear`` or ``cubic``."""
    coordinate_transformation_mode: str = "half_pixel"
    """Where a place of the result lies in the data."""
    rounding_method: str = "round"
    """To which neighbour ``nearest_neighbor`` goes; empty is ``round`` for ``align_corners``, ``floor`` for others."""
    cubic_alpha: float = -0.5
    """The shape of the cubic kernel."""
    cubic_exclude: int = 0
    """Whether cubic weights outside of the data are left out."""
    extrapolation_value: float = 0.0
    """What stands outside of the data, for ``tf_crop_and_resize``."""
    out_dtype: DType = VOID
    """The dtype of the result; that of the data when void."""


@attrs("relay.attrs.Resize2DAttrs")
class Resize2DAttrs(_ResizeAttrs):
    size: Indices | None = None
    """The size of each spatial axis of the result."""
    roi: Floats | None = None
    """The part of the data to take, for ``tf_crop_and_resize``: all starts, then all ends, from 0 to 1."""
    layout: str = "NCHW"
    """The layout of the data."""
    method: str = "linear"
    """``nearest_neighbor``, ``linear`` or ``cubic``."""
    coordinate_transformation_mode: str = "half_pixel"
    """Where a place of the result lies in the data."""
    rounding_method: str = "round"
    """To which neighbour ``nearest_neighbor`` goes; empty is ``round`` for ``align_corners``, ``floor`` for others."""
    cubic_alpha: float = -0.5
    """The shape of the cubic kernel."""
    cubic_exclude: int = 0
    """Whether cubic weights outside of the data are left out."""
    extrapolation_value: float = 0.0
    """What stands outside of the data, for ``tf_crop_and_resize``."""
    out_dtype: DType = VOID
    """The dtype of the result; that of the data when void."""


@attrs("relay.attrs.Resize3DAttrs")
class Resize3DAttrs(_ResizeAttrs):
    size: Indices | None = None
    """The size of each spatial axis of the result."""
    roi: Floats | None = None
    """The part of the data to take, for ``tf_crop_and_resize``: all starts, then all ends, from 0 to 1."""
    layout: str = "NCDHW"
    """The layout of the data."""
    method: str = "linear"
    """``nearest_neighbor``, ``linear`` or ``cubic``."""
    coordinate_transformation_mode: str = "half_pixel"
    """Where a place of the result lies in the data."""
    rounding_method: str = "round"
    """To which neighbour ``nearest_neighbor`` goes; empty is ``round`` for ``align_corners``, ``floor`` for others."""
    cubic_alpha: float = -0.5
    """The shape of the cubic kernel."""
    cubic_exclude: int = 0
    """Whether cubic weights outside of the data are left out."""
    extrapolation_value: float = 0.0
    """What stands outside of the data, for ``tf_crop_and_resize``."""
    out_dtype: DType = VOID
    """The dtype of the result; that of the data when void."""


ResizeAttrs = Resize1DAttrs | Resize2DAttrs | Resize3DAttrs


def _size(attrs: ResizeAttrs, rank: int) -> Indices:
    if attrs.size is None:
        raise WrongArgument("size must be given")
    if len(attrs.size) != rank:
        raise WrongArgument(f"size has {len(attrs.size)} values, but must have {rank}")
    return attrs.size


def _check(attrs: ResizeAttrs, rank: int) -> None:
    if attrs.method not in ("nearest_neighbor", "linear", "cubic"):
        raise WrongArgument(f"method is {attrs.method!r}, but must be nearest_neighbor, linear or cubic")
    if attrs.rounding_method not in ROUNDINGS:
        raise WrongArgument(f"rounding_method is {attrs.rounding_method!r}, but must be one of {', '.join(ROUNDINGS)}")
    if attrs.roi is not None and len(attrs.roi) != 2 * rank:
        raise WrongArgument(f"roi has {len(attrs.roi)} values, but must have {2 * rank}")
    check_coordinates(attrs.coordinate_transformation_mode)


def _resize(rank: int, record: Callable[P, ResizeAttrs]) -> Operator[Concatenate[Arg, P]]:
    def relation(data: TensorType, attrs: ResizeAttrs) -> Type:
        _check(attrs, rank)
        layout = Layout.parse(attrs.layout)
        batch, channels, *_ = layout.to(DATA[rank], data.shape)
        shape = (batch, channels, *_size(attrs, rank))
        return TensorType(layout.of(DATA[rank], shape), attrs.out_dtype or data.dtype)

    def reference(data: Array, attrs: ResizeAttrs) -> Array:
        layout = Layout.parse(attrs.layout)
        result = resized(
            widened(layout.array_to(DATA[rank], data), attrs.method),
            shapes.static(_size(attrs, rank), "size"),
            method=attrs.method,
            coordinates=attrs.coordinate_transformation_mode,
            rounding=attrs.rounding_method,
            alpha=attrs.cubic_alpha,
            exclude_outside=bool(attrs.cubic_exclude),
            roi=attrs.roi,
            outside=attrs.extrapolation_value,
        )
        dtype = attrs.out_dtype.numpy if attrs.out_dtype else data.dtype
        return layout.array_of(DATA[rank], result.astype(dtype, copy=False))

    relation.__doc__ = "The data at other places of its spatial axes, made of the nearest one, two or four along each."
    made = operator(f"image.resize{rank}d", record, Fusion.INJECTIVE, level=5)(relation)
    made.reference(reference)
    return made


resize1d = _resize(1, Resize1DAttrs)
resize2d = _resize(2, Resize2DAttrs)
resize3d = _resize(3, Resize3DAttrs)
