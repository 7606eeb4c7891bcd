"""Sorting along an axis."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import WrongArgument
from torchrelay.ir import (
    ANY,
    VOID,
    Attrs,
    Dim,
    DType,
    Fusion,
    Integer,
    TensorType,
    TupleType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._numpy import Array
from torchrelay.op._relations import given_dtype

__all__ = ["argsort", "sort", "topk"]


@attrs("relay.attrs.ArgsortAttrs")
class ArgsortAttrs(Attrs):
    axis: int = -1
    """The axis to sort along."""
    is_ascend: bool = True
    """Whether the smallest comes first."""
    dtype: DType = VOID
    """The dtype of the indices."""


def _order(data: Array, axis: int, *, ascending: bool) -> Array:
    """Where the sorted elements are; equal ones stay in their order."""
    if ascending:
        return np.argsort(data, axis, kind="stable")
    turned = np.argsort(np.flip(data, axis), axis, kind="stable")
    return data.shape[axis] - 1 - np.flip(turned, axis)


@operator("sort", ArgsortAttrs, Fusion.OPAQUE, level=6)
def sort(data: TensorType, attrs: ArgsortAttrs) -> Type:
    """The elements along an axis by size."""
    shapes.normal_axis(attrs.axis, data.rank)
    return data


@sort.reference
def sort_numpy(data: Array, attrs: ArgsortAttrs) -> Array:
    return np.take_along_axis(data, _order(data, attrs.axis, ascending=attrs.is_ascend), attrs.axis)


@operator("argsort", ArgsortAttrs, Fusion.OPAQUE, level=6)
def argsort(data: TensorType, attrs: ArgsortAttrs) -> Type:
    """Where the elements along an axis are, by size."""
    shapes.normal_axis(attrs.axis, data.rank)
    return TensorType(data.shape, given_dtype(attrs.dtype))


@argsort.reference
def argsort_numpy(data: Array, attrs: ArgsortAttrs) -> Array:
    return _order(data, attrs.axis, ascending=attrs.is_ascend).astype(attrs.dtype.numpy)


@attrs("relay.attrs.TopkAttrs")
class TopkAttrs(Attrs):
    k: Integer | None
    """How many; all for less than 1."""
    axis: int = -1
    """The axis to search."""
    ret_type: str = "both"
    """``values``, ``indices`` or ``both``."""
    is_ascend: bool = False
    """Whether the smallest are taken, not the largest."""
    dtype: DType = VOID
    """The dtype of the indices."""


@operator("topk", TopkAttrs, Fusion.OPAQUE, level=6)
def topk(data: TensorType, attrs: TopkAttrs) -> Type:
    """The ``k`` largest elements along an axis, sorted, and where they are."""
    axis = shapes.normal_axis(attrs.axis, data.rank)
    size: Dim = ANY if attrs.k is None else (attrs.k if attrs.k > 0 else data.shape[axis])
    shape = (*data.shape[:axis], size, *data.shape[axis + 1 :])
    values, indices = TensorType(shape, data.dtype), TensorType(shape, given_dtype(attrs.dtype))
    if attrs.ret_type not in ("values", "indices", "both"):
        raise WrongArgument(f"ret_type is {attrs.ret_type!r}, but must be values, indices or both")
    return {"values": values, "indices": indices, "both": TupleType((values, indices))}[attrs.ret_type]


@topk.reference
def topk_numpy(data: Array, attrs: TopkAttrs) -> Array | tuple[Array, ...]:
    order = _order(data, attrs.axis, ascending=attrs.is_ascend)
    count = attrs.k if attrs.k is not None and attrs.k > 0 else data.shape[attrs.axis]
    first = np.take(order, np.arange(count), attrs.axis)
    values = np.take_along_axis(data, first, attrs.axis)
    indices = first.astype(attrs.dtype.numpy)
    return {"values": values, "indices": indices, "both": (values, indices)}[attrs.ret_type]
