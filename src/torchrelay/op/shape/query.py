"""What is known of a tensor without its elements."""

from __future__ import annotations

import numpy as np

from torchrelay.ir import VOID, Attrs, DType, Fusion, TensorType, Type, attrs, operator
from torchrelay.op._numpy import Array
from torchrelay.op._relations import INT32

__all__ = ["ndarray_size", "shape_of"]


@attrs("relay.attrs.ShapeOfAttrs")
class ShapeOfAttrs(Attrs):
    dtype: DType = VOID
    """The dtype of the result; int32 unless given."""


@operator("shape_of", ShapeOfAttrs, Fusion.OPAQUE, level=10)
def shape_of(data: TensorType, attrs: ShapeOfAttrs) -> Type:
    """The shape as a tensor."""
    return TensorType((data.rank,), attrs.dtype or INT32)


@shape_of.reference
def shape_of_numpy(data: Array, attrs: ShapeOfAttrs) -> Array:
    return np.array(data.shape, (attrs.dtype or INT32).numpy)


@attrs("relay.attrs.NdarraySizeAttrs")
class NdarraySizeAttrs(Attrs):
    dtype: DType = VOID
    """The dtype of the result; int32 unless given."""


@operator("ndarray_size", NdarraySizeAttrs, Fusion.INJECTIVE, level=10)
def ndarray_size(data: TensorType, attrs: NdarraySizeAttrs) -> Type:
    """The number of elements."""
    return TensorType((), attrs.dtype or INT32)


@ndarray_size.reference
def ndarray_size_numpy(data: Array, attrs: NdarraySizeAttrs) -> Array:
    return np.array(data.size, (attrs.dtype or INT32).numpy)
