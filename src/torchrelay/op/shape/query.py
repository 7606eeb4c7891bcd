"""What is known of a tensor without its elements."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import VOID, Attrs, DType, Fusion, TensorType, Type, attrs, operator
from torchrelay.op._numpy import Array
from torchrelay.op._relations import given_dtype

__all__ = ["ndarray_size", "shape_of"]


@attrs("relay.attrs.ShapeOfAttrs")
class ShapeOfAttrs(Attrs):
    dtype: DType = VOID
    """The dtype of the result."""


@operator("shape_of", ShapeOfAttrs, Fusion.OPAQUE, level=10)
def shape_of(data: TensorType, attrs: ShapeOfAttrs) -> Type:
    """The shape as a tensor."""
    if data.rank == 0:
        raise TypeMismatch("the data must have rank 1 or more, not 0")
    return TensorType((data.rank,), given_dtype(attrs.dtype))


@shape_of.reference
def shape_of_numpy(data: Array, attrs: ShapeOfAttrs) -> Array:
    return np.array(data.shape, attrs.dtype.numpy)


@attrs("relay.attrs.NdarraySizeAttrs")
class NdarraySizeAttrs(Attrs):
    dtype: DType = VOID
    """The dtype of the result."""


@operator("ndarray_size", NdarraySizeAttrs, Fusion.INJECTIVE, level=10)
def ndarray_size(data: TensorType, attrs: NdarraySizeAttrs) -> Type:
    """The number of elements."""
    return TensorType((), given_dtype(attrs.dtype))


@ndarray_size.reference
def ndarray_size_numpy(data: Array, attrs: NdarraySizeAttrs) -> Array:
    return np.array(data.size, attrs.dtype.numpy)
