"""Shapes and numbers that are inputs: what their types say, and what their values are."""

from __future__ import annotations

from typing import Any as Anything

from torchrelay.errors import TypeMismatch
from torchrelay.ir import ANY, Attrs, DType, Operator, Shape, TensorType, shapes
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_integers

__all__ = ["by_static", "check_scalar", "integers", "length", "number", "unknown"]


def length(**shape: TensorType) -> int:
    """How many integers a vector has. Raises TypeMismatch for one that is none, or of unknown size."""
    ((name, vector),) = shape.items()
    check_integers(**shape)
    if vector.rank != 1:
        raise TypeMismatch(f"{name} must be a vector, not of rank {vector.rank}")
    (size,) = shapes.static(vector.shape, name)
    return size


def check_scalar(**scalars: TensorType) -> None:
    """Raises TypeMismatch for a tensor of another rank than 0."""
    for name, tensor in scalars.items():
        if tensor.rank:
            raise TypeMismatch(f"{name} must be a scalar, not of rank {tensor.rank}")


def unknown(rank: int) -> Shape:
    """A shape of that rank with no size known."""
    return (ANY,) * rank


def integers(values: Array) -> tuple[int, ...]:
    """The values of a vector."""
    return tuple(map(int, values))


def number(value: Array) -> int:
    """The value of a scalar, or of a vector of one."""
    return int(value.reshape(()))


def by_static(operator: Operator[...], attrs: Attrs, *arrays: Array) -> Anything:
    """What the operator whose shapes are attributes gives, once they are known.

    Raises TypeMismatch or WrongArgument where its type relation does not allow these arrays.
    """
    operator.relation(*[TensorType(array.shape, DType.of(array.dtype)) for array in arrays], attrs)
    return operator.meaning(*arrays, attrs)
