"""The operators under ``dyn.image.``: images resized to sizes that are values."""

from __future__ import annotations

from torchrelay.errors import TypeMismatch
from torchrelay.ir import Fusion, TensorType, Type, operator, shapes
from torchrelay.op import image
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_integers
from torchrelay.op.dyn._values import by_static, integers, unknown
from torchrelay.op.image.resize import Resize2DAttrs

__all__ = ["resize2d"]

CROPPED = "tf_crop_and_resize"


@operator("dyn.image.resize2d", Resize2DAttrs, Fusion.INJECTIVE, level=5, data_dependent=(False, True, False))
def resize2d(data: TensorType, size: TensorType, roi: TensorType, attrs: Resize2DAttrs) -> Type:
    """The data at other places of its spatial axes, as many as a tensor says, within a region that another says."""
    check_integers(size=size)
    cropped = attrs.coordinate_transformation_mode == CROPPED
    for name, vector, count in (("size", size, 2), *((("roi", roi, 4),) if cropped else ())):
        if vector.rank != 1 or not shapes.dims_fit(vector.shape[0], count):
            raise TypeMismatch(f"{name} must be a vector of {count} values, not of shape {vector.shape}")
    image.resize2d.relation(data, attrs.replace(size=(1, 1), roi=None))
    layout = Layout.parse(attrs.layout)
    batch, channels, *_ = layout.to("NCHW", data.shape)
    return TensorType(layout.of("NCHW", (batch, channels, *unknown(2))), attrs.out_dtype or data.dtype)


@resize2d.reference
def resize2d_numpy(data: Array, size: Array, roi: Array, attrs: Resize2DAttrs) -> Array:
    region = tuple(map(float, roi)) if attrs.coordinate_transformation_mode == CROPPED else None
    return by_static(image.resize2d, attrs.replace(size=integers(size), roi=region), data)
