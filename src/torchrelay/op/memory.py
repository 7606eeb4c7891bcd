"""What TVM's virtual machine does beside computing: shapes taken and given, memory handed back."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import Attrs, Fusion, Index, TensorType, TupleType, Type, attrs, operator
from torchrelay.op._numpy import Array
from torchrelay.op._relations import given_dtype
from torchrelay.op.shape.query import ShapeOfAttrs

__all__ = ["kill", "reshape_tensor", "vm_shape_of"]


@attrs("relay.attrs.ReshapeTensorAttrs")
class ReshapeTensorAttrs(Attrs):
    newshape: tuple[Index, ...]
    """The shape of the result."""


@operator("vm.reshape_tensor", ReshapeTensorAttrs, Fusion.OPAQUE)
def reshape_tensor(data: TensorType, shape: TensorType, attrs: ReshapeTensorAttrs) -> Type:
    """The same elements under another shape, which ``shape`` holds as a value too."""
    return TensorType(attrs.newshape, data.dtype)


@reshape_tensor.reference
def reshape_tensor_numpy(data: Array, shape: Array, attrs: ReshapeTensorAttrs) -> Array:
    return data.reshape(tuple(shape.tolist()))


@operator("vm.shape_of", ShapeOfAttrs, Fusion.OPAQUE)
def vm_shape_of(tensor: TensorType, attrs: ShapeOfAttrs) -> Type:
    """The shape as a tensor."""
    if tensor.rank == 0:
        raise TypeMismatch("the tensor must have rank 1 or more, not 0")
    return TensorType((tensor.rank,), given_dtype(attrs.dtype))


@vm_shape_of.reference
def vm_shape_of_numpy(tensor: Array, attrs: ShapeOfAttrs) -> Array:
    return np.array(tensor.shape, attrs.dtype.numpy)


@operator("memory.kill", None, Fusion.OPAQUE, stateful=True)
def kill(to_free: Type) -> Type:
    """The empty tuple; what the value took up may be used again."""
    return TupleType(())


@kill.reference
def kill_numpy(to_free: object) -> tuple[()]:
    return ()
