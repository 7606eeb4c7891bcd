"""Type relations that several families of operators share."""

from __future__ import annotations

from collections.abc import Callable

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Arg, DType, Fusion, Operator, TensorType, TupleType, Type, operator, shapes

__all__ = [
    "BOOL",
    "INT32",
    "binary",
    "broadcast_types",
    "check_integers",
    "check_same_dtype",
    "compare",
    "given_dtype",
    "tensors_of",
    "unary",
]

BOOL = DType.parse("bool")
INT32 = DType.parse("int32")

Meaning = Callable[..., object]


def check_same_dtype(**tensors: TensorType) -> None:
    """Raises TypeMismatch unless all have one dtype."""
    if len({tensor.dtype for tensor in tensors.values()}) > 1:
        given = ", ".join(f"{name} is {tensor.dtype}" for name, tensor in tensors.items())
        raise TypeMismatch(f"the inputs must have one dtype, but {given}")


def check_integers(**tensors: TensorType) -> None:
    """Raises TypeMismatch for a tensor whose elements are not integers."""
    for name, tensor in tensors.items():
        if not tensor.dtype.is_int:
            raise TypeMismatch(f"{name} must hold integers, not {tensor.dtype}")


def given_dtype(dtype: DType) -> DType:
    """The dtype. Raises WrongArgument for none, with which nothing can be computed."""
    if not dtype:
        raise WrongArgument("the attribute dtype must be given", hint="such as int32")
    return dtype


def tensors_of(data: TupleType) -> list[TensorType]:
    """The types of the tensors of a tuple. Raises TypeMismatch unless it has one or more, all of one dtype."""
    tensors = [part for part in data.fields if isinstance(part, TensorType)]
    if not tensors or len(tensors) != len(data.fields):
        raise TypeMismatch(f"a tuple of one tensor or more is needed, not {data}")
    dtypes = {tensor.dtype for tensor in tensors}
    if len(dtypes) > 1:
        raise TypeMismatch(f"the tensors must have one dtype, but have {', '.join(sorted(dtypes))}")
    return tensors


def broadcast_types(lhs: TensorType, rhs: TensorType) -> TensorType:
    """The type of an element-wise operation on two tensors of one dtype."""
    if lhs is rhs or (lhs == rhs and shapes.is_static(lhs.shape)):
        return lhs
    check_same_dtype(lhs=lhs, rhs=rhs)
    return TensorType(shapes.broadcast(lhs.shape, rhs.shape), lhs.dtype)


def unary(name: str, meaning: Meaning, doc: str, *, result: str | None = None, level: int = 1) -> Operator[[Arg]]:
    """An element-wise operator on one tensor; ``result`` is the dtype of the result where it is not that of the data."""
    dtype = DType.parse(result) if result else None

    def relation(data: TensorType) -> Type:
        return data if dtype is None else TensorType(data.shape, dtype)

    relation.__doc__ = doc
    made = operator(name, None, Fusion.ELEMWISE, level=level)(relation)
    made.reference(meaning)
    if result is None:
        made.keeps_type()
    return made


def binary(name: str, meaning: Meaning, doc: str, *, level: int = 1) -> Operator[[Arg, Arg]]:
    """An element-wise operator on two tensors of one dtype, with broadcasting."""

    def relation(lhs: TensorType, rhs: TensorType) -> Type:
        return broadcast_types(lhs, rhs)

    relation.__doc__ = doc
    made = operator(name, None, Fusion.BROADCAST, level=level)(relation)
    made.reference(meaning)
    return made


def compare(name: str, meaning: Meaning, doc: str, *, level: int = 4) -> Operator[[Arg, Arg]]:
    """An element-wise comparison of two tensors of one dtype, with broadcasting; bool results."""

    def relation(lhs: TensorType, rhs: TensorType) -> Type:
        return TensorType(broadcast_types(lhs, rhs).shape, BOOL)

    relation.__doc__ = doc
    made = operator(name, None, Fusion.BROADCAST, level=level)(relation)
    made.reference(meaning)
    return made
