"""Where elements are: indices as results."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import ANY, VOID, Attrs, DType, Fusion, TensorType, TupleType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array
from torchrelay.op._relations import INT32, check_integers, given_dtype
from torchrelay.op.index._places import inside

__all__ = ["argwhere", "invert_permutation", "one_hot", "searchsorted", "unique", "unravel_index"]


@operator("argwhere", None, Fusion.OPAQUE, level=10, data_dependent=(True,))
def argwhere(condition: TensorType) -> Type:
    """The coordinates of every element that is true (not 0), one row each."""
    return TensorType((ANY, condition.rank), INT32)


@argwhere.reference
def argwhere_numpy(condition: Array) -> Array:
    return np.argwhere(condition).astype(np.int32)


@operator("unravel_index", None, Fusion.INJECTIVE, level=3)
def unravel_index(data: TensorType, shape: TensorType) -> Type:
    """For each flat index its coordinates in a value of that shape, along a new first axis; indices wrap around."""
    check_integers(data=data, shape=shape)
    if shape.rank != 1:
        raise TypeMismatch(f"the shape must be a vector, not of rank {shape.rank}")
    return TensorType((*shape.shape, *data.shape), data.dtype)


@unravel_index.reference
def unravel_index_numpy(data: Array, shape: Array) -> Array:
    sizes = tuple(shape.tolist())
    return np.stack(np.unravel_index(data % np.prod(shape), sizes)).astype(data.dtype)


@operator("invert_permutation", None, Fusion.INJECTIVE, level=1)
def invert_permutation(data: TensorType) -> Type:
    """The permutation that undoes this one."""
    return data


invert_permutation.keeps_type()


@invert_permutation.reference
def invert_permutation_numpy(data: Array) -> Array:
    inverse = np.empty_like(data)
    inverse[inside(data, data.size)] = np.arange(data.size, dtype=data.dtype)
    return inverse


@attrs("relay.attrs.OneHotAttrs")
class OneHotAttrs(Attrs):
    depth: int = 1
    """The size of the new axis."""
    axis: int = -1
    """Where the new axis stands in the result."""
    dtype: DType = VOID
    """The dtype of the result."""


@operator("one_hot", OneHotAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=10)
def one_hot(indices: TensorType, on_value: TensorType, off_value: TensorType, attrs: OneHotAttrs) -> Type:
    """``on_value`` at each index along a new axis, ``off_value`` elsewhere."""
    if attrs.depth <= 0:
        raise WrongArgument(f"depth is {attrs.depth}, but must be 1 or more")
    if not -1 <= attrs.axis <= indices.rank:
        raise WrongArgument(f"axis is {attrs.axis}, but must be from -1 to {indices.rank}")
    axis = indices.rank if attrs.axis == -1 else attrs.axis
    return TensorType((*indices.shape[:axis], attrs.depth, *indices.shape[axis:]), given_dtype(attrs.dtype))


@one_hot.reference
def one_hot_numpy(indices: Array, on_value: Array, off_value: Array, attrs: OneHotAttrs) -> Array:
    dtype = attrs.dtype.numpy
    hot = np.expand_dims(indices, -1) == np.arange(attrs.depth)
    return np.moveaxis(np.where(hot, on_value.astype(dtype), off_value.astype(dtype)), -1, attrs.axis)


@attrs("relay.attrs.SearchSortedAttrs")
class SearchSortedAttrs(Attrs):
    right: bool = False
    """Whether equal elements stay before the place found, not after it."""
    dtype: DType = INT32
    """The dtype of the result."""


@operator("searchsorted", SearchSortedAttrs, Fusion.OPAQUE, level=6)
def searchsorted(sorted_sequence: TensorType, values: TensorType, attrs: SearchSortedAttrs) -> Type:
    """Where each value goes in a sorted sequence: one for all values, or one for each of their rows."""
    if sorted_sequence.rank > 1:
        if sorted_sequence.rank != values.rank:
            raise TypeMismatch(f"the ranks are {sorted_sequence.rank} and {values.rank}, but must be equal")
        if not all(map(shapes.dims_fit, sorted_sequence.shape[:-1], values.shape[:-1])):
            raise TypeMismatch(f"the rows of {sorted_sequence.shape} are not those of {values.shape}")
    return TensorType(values.shape, attrs.dtype)


@searchsorted.reference
def searchsorted_numpy(sorted_sequence: Array, values: Array, attrs: SearchSortedAttrs) -> Array:
    side = "right" if attrs.right else "left"
    dtype = attrs.dtype.numpy
    if sorted_sequence.ndim < 2:
        return np.searchsorted(sorted_sequence.reshape(-1), values, side).astype(dtype)
    found = np.empty(values.shape, dtype)
    for row in np.ndindex(*values.shape[:-1]):
        found[row] = np.searchsorted(sorted_sequence[row], values[row], side)
    return found


@attrs("relay.attrs.UniqueAttrs")
class UniqueAttrs(Attrs):
    sorted: bool = True
    """Whether the values found are sorted, not in the order of their first places."""
    return_counts: bool = False
    """Whether the last part of the result says how often each value stands there."""


@operator("unique", UniqueAttrs, Fusion.OPAQUE, level=3, keyed=False)
def unique(data: TensorType, attrs: UniqueAttrs) -> Type:
    """The different values of a vector, their first places, which of them each element is, how many they are.

    All parts but the number have the size of the data; what is beyond the number means nothing.
    """
    if data.rank != 1:
        raise TypeMismatch(f"the data must be a vector, not of rank {data.rank}")
    indices = TensorType(data.shape, INT32)
    parts = (data, indices, indices, TensorType((1,), INT32))
    return TupleType((*parts, indices) if attrs.return_counts else parts)


def _filled(part: Array, size: int, value: int, dtype: np.dtype) -> Array:
    return np.concatenate([part, np.full(size - part.size, value)]).astype(dtype)


@unique.reference
def unique_numpy(data: Array, attrs: UniqueAttrs) -> tuple[Array, ...]:
    values, first, inverse, counts = np.unique(data, return_index=True, return_inverse=True, return_counts=True)
    if not attrs.sorted:
        order = np.argsort(first)
        values, first, counts = values[order], first[order], counts[order]
        inverse = np.argsort(order)[inverse]
    size, int32 = data.size, np.dtype("int32")
    parts = (
        _filled(values, size, 0, data.dtype),
        _filled(first, size, size, int32),
        inverse.astype(int32),
        np.array([values.size], int32),
    )
    return (*parts, _filled(counts, size, 0, int32)) if attrs.return_counts else parts
