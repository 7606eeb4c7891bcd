"""Tensors joined into one, and one cut into parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    ANY,
    Any,
    Attrs,
    Dim,
    Fusion,
    Integer,
    Integers,
    Symbolic,
    TensorType,
    TupleType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._numpy import Array
from torchrelay.op._relations import tensors_of

__all__ = ["concatenate", "split", "stack"]


def _columns(tensors: Sequence[TensorType]) -> list[tuple[Dim, ...]]:
    """For each axis its sizes in all the tensors."""
    ranks = {tensor.rank for tensor in tensors}
    if len(ranks) > 1:
        raise TypeMismatch(f"the tensors must have one rank, but have {', '.join(map(str, sorted(ranks)))}")
    return list(zip(*[tensor.shape for tensor in tensors], strict=True))


def _known(dims: Sequence[Dim], axis: int) -> Dim:
    """The size that the known ones of the dims are, or else one that is known by name. Raises TypeMismatch where they differ."""
    known = {dim for dim in dims if not isinstance(dim, Any)}
    if len(known) > 1:
        raise TypeMismatch(f"the tensors differ along axis {axis}: {', '.join(map(str, dims))}")
    return next(iter(known), next((dim for dim in dims if isinstance(dim, Symbolic)), ANY))


@attrs("relay.attrs.ConcatenateAttrs")
class ConcatenateAttrs(Attrs):
    axis: int = 0
    """The axis to join along."""


@operator("concatenate", ConcatenateAttrs, Fusion.INJECTIVE, level=1)
def concatenate(data: TupleType, attrs: ConcatenateAttrs) -> Type:
    """Tensors joined along an axis that they have."""
    tensors = tensors_of(data)
    columns = _columns(tensors)
    axis = shapes.normal_axis(attrs.axis, tensors[0].rank)
    total: Dim = 0
    for dim in columns[axis]:
        total = shapes.add(total, dim)
    shape: list[Dim] = []
    for other, dims in enumerate(columns):
        size = total if other == axis else _known(dims, other)
        # As Relay has it: one unknown size makes the dim unknown, unless the sum is unknown already.
        shape.append(size if isinstance(total, Any) or isinstance(size, Any) or ANY not in dims else ANY)
    return TensorType(tuple(shape), tensors[0].dtype)


@concatenate.reference
def concatenate_numpy(data: tuple[Array, ...], attrs: ConcatenateAttrs) -> Array:
    return np.concatenate(data, attrs.axis)


@attrs("relay.attrs.StackAttrs")
class StackAttrs(Attrs):
    axis: Integer = 0
    """Where the new axis stands in the result."""


@operator("stack", StackAttrs, Fusion.INJECTIVE, level=3)
def stack(data: TupleType, attrs: StackAttrs) -> Type:
    """Tensors of one shape joined along a new axis."""
    tensors = tensors_of(data)
    axis = shapes.normal_axis(attrs.axis, tensors[0].rank + 1)
    for other, dims in enumerate(_columns(tensors)):
        _known(dims, other)
    shape = tensors[0].shape
    return TensorType((*shape[:axis], len(tensors), *shape[axis:]), tensors[0].dtype)


@stack.reference
def stack_numpy(data: tuple[Array, ...], attrs: StackAttrs) -> Array:
    return np.stack(data, attrs.axis)


@attrs("relay.attrs.SplitAttrs")
class SplitAttrs(Attrs):
    indices_or_sections: int | Integers
    """The number of equal parts, or the places where a part ends and the next begins."""
    axis: int = 0
    """The axis to cut."""


def _part_sizes(dim: Dim, cuts: int | Sequence[int]) -> list[Dim]:
    if isinstance(cuts, int):
        if cuts < 1 or (isinstance(dim, int) and dim % cuts):
            raise WrongArgument(f"a dim of {dim} has no {cuts} equal parts")
        return [shapes.floor_div(dim, cuts)] * cuts
    places: list[int] = [0, *cuts]
    ends: list[Dim] = [*cuts, dim]
    if any(isinstance(end, int) and end <= start for start, end in zip(places, ends, strict=True)) and cuts:
        raise WrongArgument(f"a dim of {dim} has no parts between {', '.join(map(str, cuts))} that are not empty")
    return [shapes.subtract(end, start) for start, end in zip(places, ends, strict=True)]


@operator("split", SplitAttrs, Fusion.INJECTIVE, level=3)
def split(data: TensorType, attrs: SplitAttrs) -> Type:
    """The data cut into parts along an axis."""
    axis = shapes.normal_axis(attrs.axis, data.rank)
    before, after = data.shape[:axis], data.shape[axis + 1 :]
    sizes = _part_sizes(data.shape[axis], attrs.indices_or_sections)
    return TupleType(tuple([TensorType((*before, size, *after), data.dtype) for size in sizes]))


@split.reference
def split_numpy(data: Array, attrs: SplitAttrs) -> tuple[Array, ...]:
    return tuple(np.split(data, attrs.indices_or_sections, attrs.axis))
