"""Sparse tensors as the coordinates of their elements and their values."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import ANY, Attrs, DType, Fusion, Integers, TensorType, TupleType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_integers, check_same_dtype
from torchrelay.op.index._places import inside

__all__ = ["sparse_fill_empty_rows", "sparse_reshape", "sparse_to_dense"]

_INT64 = DType.parse("int64")


def _check_ranks(**ranked: tuple[TensorType, int]) -> None:
    for name, (tensor, rank) in ranked.items():
        if tensor.rank != rank:
            raise TypeMismatch(f"{name} must have rank {rank}, not {tensor.rank}")


@operator("sparse_fill_empty_rows", None, Fusion.OPAQUE, level=3, data_dependent=(True, True, True, True))
def sparse_fill_empty_rows(
    sparse_indices: TensorType, sparse_values: TensorType, dense_shape: TensorType, default_value: TensorType
) -> Type:
    """Coordinates and values with one element put into every row that has none, and which rows these are; all int64.

    The coordinates are sorted by row, and a new element stands in the first column.
    """
    _check_ranks(sparse_indices=(sparse_indices, 2), sparse_values=(sparse_values, 1), dense_shape=(dense_shape, 1))
    check_integers(sparse_indices=sparse_indices, sparse_values=sparse_values, default_value=default_value)
    return TupleType(
        (
            TensorType((ANY, sparse_indices.shape[1]), _INT64),
            TensorType((ANY,), _INT64),
            TensorType((ANY,), _INT64),
        )
    )


@sparse_fill_empty_rows.reference
def sparse_fill_empty_rows_numpy(
    sparse_indices: Array, sparse_values: Array, dense_shape: Array, default_value: Array
) -> tuple[Array, ...]:
    rows = sparse_indices[:, 0]
    empty = np.isin(np.arange(int(dense_shape[0])), rows, invert=True)
    added = np.zeros((int(empty.sum()), sparse_indices.shape[1]), np.int64)
    added[:, 0] = np.flatnonzero(empty)
    coordinates = np.concatenate([sparse_indices, added]).astype(np.int64)
    values = np.concatenate([sparse_values, np.full(len(added), default_value.reshape(()))]).astype(np.int64)
    order = np.argsort(coordinates[:, 0], kind="stable")
    return coordinates[order], values[order], empty.astype(np.int64)


@operator("sparse_reshape", None, Fusion.INJECTIVE, level=3)
def sparse_reshape(sparse_indices: TensorType, prev_shape: TensorType, new_shape: TensorType) -> Type:
    """The coordinates of the same elements in a tensor of another shape, and that shape without its -1."""
    _check_ranks(sparse_indices=(sparse_indices, 2), prev_shape=(prev_shape, 1), new_shape=(new_shape, 1))
    check_integers(sparse_indices=sparse_indices, prev_shape=prev_shape, new_shape=new_shape)
    coordinates = TensorType((sparse_indices.shape[0], new_shape.shape[0]), sparse_indices.dtype)
    return TupleType((coordinates, TensorType(new_shape.shape, new_shape.dtype)))


def _completed(sizes: Sequence[int], total: int) -> list[int]:
    known = math.prod(size for size in sizes if size != -1)
    if sizes.count(-1) > 1 or (total % known if known else total) or (-1 not in sizes and known != total):
        raise WrongArgument(f"{total} elements do not fill the shape {tuple(sizes)}")
    return [total // known if size == -1 else size for size in sizes]


def _strides(sizes: Sequence[int]) -> Array:
    """How far apart in the flat tensor neighbours along each axis are."""
    return np.array([math.prod(sizes[axis + 1 :]) for axis in range(len(sizes))], np.int64)


@sparse_reshape.reference
def sparse_reshape_numpy(sparse_indices: Array, prev_shape: Array, new_shape: Array) -> tuple[Array, ...]:
    old = prev_shape.tolist()
    new = _completed(new_shape.tolist(), math.prod(old))
    if new == old:
        return sparse_indices, new_shape
    flat = sparse_indices.astype(np.int64) @ _strides(old)
    beyond = flat[:, None] // _strides(new)
    beyond[:, 1:] %= np.array(new[1:], np.int64)
    return beyond.astype(sparse_indices.dtype), np.array(new, new_shape.dtype)


@attrs("relay.attrs.SparseToDenseAttrs")
class SparseToDenseAttrs(Attrs):
    output_shape: Integers
    """The shape of the result."""


@operator("sparse_to_dense", SparseToDenseAttrs, Fusion.OPAQUE, level=3)
def sparse_to_dense(
    sparse_indices: TensorType, sparse_values: TensorType, default_value: TensorType, attrs: SparseToDenseAttrs
) -> Type:
    """A dense tensor with values at coordinates (one value for all where it has rank 0), the default elsewhere."""
    check_integers(sparse_indices=sparse_indices)
    check_same_dtype(sparse_values=sparse_values, default_value=default_value)
    if sparse_indices.rank > 2 or sparse_values.rank > 1:
        raise TypeMismatch(
            f"ranks {sparse_indices.rank} of coordinates and {sparse_values.rank} of values are too large"
        )
    width = sparse_indices.shape[1] if sparse_indices.rank == 2 else 1
    if not shapes.dims_fit(width, len(attrs.output_shape)):
        raise TypeMismatch(f"coordinates of {width} axes do not fit output_shape {attrs.output_shape}")
    return TensorType(attrs.output_shape, sparse_values.dtype)


@sparse_to_dense.reference
def sparse_to_dense_numpy(
    sparse_indices: Array, sparse_values: Array, default_value: Array, attrs: SparseToDenseAttrs
) -> Array:
    result = np.full(attrs.output_shape, default_value, sparse_values.dtype)
    coordinates = sparse_indices.reshape(-1, len(attrs.output_shape)).T
    places = [inside(part, size) for part, size in zip(coordinates, attrs.output_shape, strict=True)]
    result[tuple(places)] = sparse_values
    return result
