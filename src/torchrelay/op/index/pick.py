"""Elements picked by their index."""

from __future__ import annotations

import math

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    Attrs,
    Fusion,
    Integer,
    Shape,
    String,
    TensorType,
    TupleType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_integers
from torchrelay.op.index._places import grid, inside

__all__ = ["adv_index", "gather", "gather_nd", "take"]


@attrs("relay.attrs.TakeAttrs")
class TakeAttrs(Attrs):
    batch_dims: Integer = 0
    """How many leading axes data and indices share."""
    axis: Integer | None = None
    """The axis to pick along; None for the flattened data."""
    mode: String = "clip"
    """An index outside of the axis: ``clip`` to the nearest, ``wrap`` around, ``fast`` has none."""


@operator("take", TakeAttrs, Fusion.INJECTIVE, level=3)
def take(data: TensorType, indices: TensorType, attrs: TakeAttrs) -> Type:
    """The parts of the data along an axis that indices name."""
    check_integers(indices=indices)
    if attrs.mode not in ("clip", "wrap", "fast"):
        raise WrongArgument(f"mode is {attrs.mode!r}, but must be clip, wrap or fast")
    if attrs.axis is None:
        return TensorType(indices.shape, data.dtype)
    axis = shapes.normal_axis(attrs.axis, data.rank)
    batch = attrs.batch_dims
    if not 0 <= batch <= min(axis, indices.rank):
        raise WrongArgument(f"batch_dims is {batch}, but must be from 0 to {min(axis, indices.rank)}")
    return TensorType((*data.shape[:axis], *indices.shape[batch:], *data.shape[axis + 1 :]), data.dtype)


@take.reference
def take_numpy(data: Array, indices: Array, attrs: TakeAttrs) -> Array:
    mode = "wrap" if attrs.mode == "wrap" else "clip"
    if attrs.mode == "fast":
        inside(indices, data.size if attrs.axis is None else data.shape[attrs.axis])
    batch = attrs.batch_dims
    if attrs.axis is None or not batch:
        return np.take(data, indices, attrs.axis, mode=mode)
    axis = attrs.axis % data.ndim
    lead, before, after = data.shape[:batch], data.shape[batch:axis], data.shape[axis + 1 :]
    size, count = data.shape[axis], math.prod(lead)
    places = indices.reshape(count, -1).astype(np.int64)
    places = places % size if mode == "wrap" else np.clip(places, 0, size - 1)
    rows = data.reshape(count, math.prod(before), size, math.prod(after))
    picked = np.moveaxis(rows[np.arange(count)[:, None], :, places], 1, 2)
    return picked.reshape(*lead, *before, *indices.shape[batch:], *after)


@attrs("relay.attrs.GatherAttrs")
class GatherAttrs(Attrs):
    axis: Integer | None = None
    """The axis to pick along; the first one for None."""


@operator("gather", GatherAttrs, Fusion.INJECTIVE, level=3)
def gather(data: TensorType, indices: TensorType, attrs: GatherAttrs) -> Type:
    """For each index the element at its own place, but with that index along ``axis``."""
    check_integers(indices=indices)
    if indices.rank != data.rank:
        raise TypeMismatch(f"indices must have the rank of the data, {data.rank}, not {indices.rank}")
    along = shapes.normal_axis(attrs.axis or 0, data.rank)
    for axis, (have, want) in enumerate(zip(data.shape, indices.shape, strict=True)):
        if axis != along and not shapes.dims_fit(have, want):
            raise TypeMismatch(f"indices have size {want} along axis {axis}, the data {have}")
    if indices.shape[along] == 0:
        raise TypeMismatch(f"indices must have size 1 or more along axis {along}, not 0")
    return TensorType(indices.shape, data.dtype)


@gather.reference
def gather_numpy(data: Array, indices: Array, attrs: GatherAttrs) -> Array:
    along = (attrs.axis or 0) % data.ndim
    return np.take_along_axis(data, inside(indices, data.shape[along]), along)


@attrs("relay.attrs.GatherNDAttrs")
class GatherNDAttrs(Attrs):
    batch_dims: Integer = 0
    """How many leading axes data and indices share."""
    index_rank: Integer | None = None
    """How many axes an index names; for dynamic lowering."""


@operator("gather_nd", GatherNDAttrs, Fusion.INJECTIVE, level=3)
def gather_nd(data: TensorType, indices: TensorType, attrs: GatherNDAttrs) -> Type:
    """The parts of the data at the places whose coordinates stand along the first axis of the indices."""
    if indices.rank == 0:
        raise TypeMismatch("indices must have rank 1 or more, not 0")
    (count,) = shapes.static(indices.shape[:1], "the first axis of the indices")
    batch = attrs.batch_dims
    if count + batch > data.rank or batch > indices.rank - 1:
        raise TypeMismatch(f"{count} coordinates after {batch} batch axes are too many for data of rank {data.rank}")
    for have, want in zip(data.shape[:batch], indices.shape[1:], strict=False):
        if not shapes.dims_fit(have, want):
            raise TypeMismatch(f"the batch axes of the data, {data.shape[:batch]}, are not those of the indices")
    return TensorType((*indices.shape[1:], *data.shape[count + batch :]), data.dtype)


@gather_nd.reference
def gather_nd_numpy(data: Array, indices: Array, attrs: GatherNDAttrs) -> Array:
    batch = attrs.batch_dims
    places = [inside(part, size) for part, size in zip(indices, data.shape[batch:], strict=False)]
    lead = grid(data.shape[:batch])
    beside = indices.ndim - 1 - batch
    return data[(*(axis.reshape(*axis.shape, *(1,) * beside) for axis in lead), *places)]


@operator("adv_index", None, Fusion.INJECTIVE, level=3)
def adv_index(inputs: TupleType) -> Type:
    """The parts of the first tensor at the places that the others, broadcast to one shape, name along its first axes."""
    tensors = [part for part in inputs.fields if isinstance(part, TensorType)]
    if len(tensors) < 2 or len(tensors) != len(inputs.fields):
        raise TypeMismatch(f"a tuple of data and one index or more is needed, not {inputs}")
    data, *indices = tensors
    if len(indices) > data.rank:
        raise TypeMismatch(f"{len(indices)} indices are too many for data of rank {data.rank}")
    shape: Shape = ()
    for number, index in enumerate(indices):
        check_integers(**{f"index {number}": index})
        shape = shapes.broadcast(shape, index.shape)
    return TensorType((*shape, *data.shape[len(indices) :]), data.dtype)


@adv_index.reference
def adv_index_numpy(inputs: tuple[Array, ...]) -> Array:
    data, *indices = inputs
    return data[tuple([inside(index, size) for index, size in zip(indices, data.shape, strict=False)])]
