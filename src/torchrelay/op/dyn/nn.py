"""The operators under ``dyn.nn.``: padding and factors that are values."""

from __future__ import annotations

from torchrelay.errors import TypeMismatch
from torchrelay.ir import Fusion, TensorType, Type, operator, shapes
from torchrelay.op import nn
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_integers
from torchrelay.op.dyn._values import by_static, check_scalar, integers, unknown
from torchrelay.op.nn.pad import PadAttrs
from torchrelay.op.nn.upsampling import UpSampling3DAttrs, UpSamplingAttrs

__all__ = ["pad", "upsampling", "upsampling3d"]


@operator("dyn.nn.pad", PadAttrs, Fusion.INJECTIVE, level=2, data_dependent=(False, True, False))
def pad(data: TensorType, pad_width: TensorType, pad_val: TensorType, attrs: PadAttrs) -> Type:
    """The data with a value, its edge or its mirror image around it, as wide as each row of a tensor says."""
    check_integers(pad_width=pad_width)
    check_scalar(pad_val=pad_val)
    if pad_width.rank != 2 or not all(map(shapes.dims_fit, pad_width.shape, (data.rank, 2))):
        raise TypeMismatch(f"pad_width must have the shape ({data.rank}, 2), not {pad_width.shape}")
    nn.pad.relation(data, pad_val, attrs.replace(pad_width=((0, 0),) * data.rank))
    return TensorType(unknown(data.rank), data.dtype)


@pad.reference
def pad_numpy(data: Array, pad_width: Array, pad_val: Array, attrs: PadAttrs) -> Array:
    return by_static(nn.pad, attrs.replace(pad_width=tuple(map(integers, pad_width))), data, pad_val)


def _enlarged(data: TensorType, layout: str, canonical: str) -> Type:
    """The data's type with its spatial axes of unknown size."""
    own = Layout.parse(layout)
    batch, channels, *sizes = own.to(canonical, data.shape)
    return TensorType(own.of(canonical, (batch, channels, *unknown(len(sizes)))), data.dtype)


@operator("dyn.nn.upsampling", UpSamplingAttrs, Fusion.INJECTIVE, level=2, data_dependent=(False, True, True))
def upsampling(data: TensorType, scale_h: TensorType, scale_w: TensorType, attrs: UpSamplingAttrs) -> Type:
    """The data with height and width times factors that are values."""
    check_scalar(scale_h=scale_h, scale_w=scale_w)
    nn.upsampling.relation(data, attrs)
    return _enlarged(data, attrs.layout, "NCHW")


@upsampling.reference
def upsampling_numpy(data: Array, scale_h: Array, scale_w: Array, attrs: UpSamplingAttrs) -> Array:
    return by_static(nn.upsampling, attrs.replace(scale_h=float(scale_h), scale_w=float(scale_w)), data)


@operator("dyn.nn.upsampling3d", UpSampling3DAttrs, Fusion.INJECTIVE, level=2, data_dependent=(False, True, True, True))
def upsampling3d(
    data: TensorType, scale_d: TensorType, scale_h: TensorType, scale_w: TensorType, attrs: UpSampling3DAttrs
) -> Type:
    """The data with depth, height and width times factors that are values."""
    check_scalar(scale_d=scale_d, scale_h=scale_h, scale_w=scale_w)
    nn.upsampling3d.relation(data, attrs)
    return _enlarged(data, attrs.layout, "NCDHW")


@upsampling3d.reference
def upsampling3d_numpy(data: Array, scale_d: Array, scale_h: Array, scale_w: Array, attrs: UpSampling3DAttrs) -> Array:
    record = attrs.replace(scale_d=float(scale_d), scale_h=float(scale_h), scale_w=float(scale_w))
    return by_static(nn.upsampling3d, record, data)
