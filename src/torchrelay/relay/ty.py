"""The names of tvm.relay.ty: the types."""

from __future__ import annotations

from torchrelay import ir
from torchrelay.ir import Type, parts_of_type
from torchrelay.relay.expressions import (
    Any,
    FuncType,
    GlobalTypeVar,
    IncompleteType,
    RefType,
    ShapeVar,
    TensorType,
    TupleType,
    TypeCall,
    TypeVar,
    scalar_type,
)

__all__ = [
    "Any",
    "FuncType",
    "GlobalTypeVar",
    "IncompleteType",
    "RefType",
    "ShapeVar",
    "TensorType",
    "TupleType",
    "Type",
    "TypeCall",
    "TypeVar",
    "is_dynamic",
    "scalar_type",
]


def is_dynamic(tensor_type: Type) -> bool:
    """Whether a tensor inside has a size that is known only when the program runs."""
    tensors = [part for part in parts_of_type(tensor_type) if isinstance(part, ir.TensorType)]
    return any(isinstance(size, ir.Any) for tensor in tensors for size in tensor.shape)
