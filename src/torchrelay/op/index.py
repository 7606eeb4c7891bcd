"""Operators that pick, spread and mask elements by index."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    ANY,
    VOID,
    Attrs,
    Dim,
    DType,
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
from torchrelay.op._relations import check_same_dtype

__all__ = [
    "adv_index",
    "argwhere",
    "gather",
    "gather_nd",
    "one_hot",
    "scatter_elements",
    "scatter_nd",
    "sequence_mask",
    "take",
    "trilu",
    "unravel_index",
]


@attrs("relay.attrs.TakeAttrs")
class TakeAttrs(Attrs):
    batch_dims: Integer = 0
    """How many leading axes data and indices share."""
    axis: Integer | None = None
    """The axis to pick along; None for the flattened data."""
    mode: String = "clip"
    """An index outside of the axis: ``clip`` to the nearest, ``wrap`` around, ``fast`` without a check."""


@operator("take", TakeAttrs, Fusion.INJECTIVE, level=3)
def take(data: TensorType, indices: TensorType, attrs: TakeAttrs) -> Type:
    """The parts of the data along an axis that indices name."""
    if not indices.dtype.is_int:
        raise TypeMismatch(f"indices must be integers, not {indices.dtype}")
    if attrs.axis is None:
        return TensorType(indices.shape, data.dtype)
    axis = shapes.normal_axis(attrs.axis, data.rank)
    batch = attrs.batch_dims % max(indices.rank, 1)
    if batch > axis:
        raise WrongArgument(f"batch_dims {batch} must not be larger than axis {axis}")
    return TensorType((*data.shape[:axis], *indices.shape[batch:], *data.shape[axis + 1 :]), data.dtype)


@take.reference
def take_numpy(data: Array, indices: Array, attrs: TakeAttrs) -> Array:
    mode = "wrap" if attrs.mode == "wrap" else "clip"
    batch = attrs.batch_dims % max(indices.ndim, 1)
    if attrs.axis is None or not batch:
        return np.take(data, indices, attrs.axis, mode=mode)
    axis = attrs.axis % data.ndim
    lead = data.shape[:batch]
    rows = [np.take(data[place], indices[place], axis - batch, mode=mode) for place in np.ndindex(*lead)]
    return np.stack(rows).reshape(*lead, *rows[0].shape)


@attrs("relay.attrs.GatherAttrs")
class GatherAttrs(Attrs):
    axis: Integer | None = None
    """The axis to pick along."""


@operator("gather", GatherAttrs, Fusion.INJECTIVE, level=3)
def gather(data: TensorType, indices: TensorType, attrs: GatherAttrs) -> Type:
    """For each index the element at its own place, but with that index along ``axis``."""
    if not indices.dtype.is_int:
        raise TypeMismatch(f"indices must be integers, not {indices.dtype}")
    if indices.rank != data.rank:
        raise TypeMismatch(f"indices must have the rank of the data, {data.rank}, not {indices.rank}")
    shapes.normal_axis(attrs.axis or 0, data.rank)
    return TensorType(indices.shape, data.dtype)


def _narrowed(data: Array, indices: Array, axis: int) -> Array:
    """The data cut to the extent of the indices along every other axis."""
    cuts = [slice(None) if i == axis else slice(size) for i, size in enumerate(indices.shape)]
    return data[tuple(cuts)]


@gather.reference
def gather_numpy(data: Array, indices: Array, attrs: GatherAttrs) -> Array:
    axis = (attrs.axis or 0) % data.ndim
    return np.take_along_axis(_narrowed(data, indices, axis), indices.astype(np.int64, copy=False), axis)


@attrs("relay.attrs.GatherNDAttrs")
class GatherNDAttrs(Attrs):
    batch_dims: Integer = 0
    """How many leading axes data and indices share."""
    index_rank: Integer | None = None
    """How many axes an index names, where the first axis of the indices has an unknown size."""


@operator("gather_nd", GatherNDAttrs, Fusion.INJECTIVE, level=3)
def gather_nd(data: TensorType, indices: TensorType, attrs: GatherNDAttrs) -> Type:
    """The parts of the data at the places whose coordinates stand along the first axis of the indices."""
    if indices.rank == 0:
        raise TypeMismatch("indices must have at least rank 1")
    count = indices.shape[0] if isinstance(indices.shape[0], int) else attrs.index_rank
    if count is None:
        raise TypeMismatch("index_rank must be given where the first dim of the indices is unknown")
    if count + attrs.batch_dims > data.rank:
        raise TypeMismatch(
            f"{count} coordinates after {attrs.batch_dims} batch axes, but the data has rank {data.rank}"
        )
    return TensorType((*indices.shape[1:], *data.shape[count + attrs.batch_dims :]), data.dtype)


@gather_nd.reference
def gather_nd_numpy(data: Array, indices: Array, attrs: GatherNDAttrs) -> Array:
    places = tuple(indices.astype(np.int64))
    batch = attrs.batch_dims
    if not batch:
        return data[places]
    lead = np.indices(data.shape[:batch], sparse=True)
    extra = indices.ndim - 1 - batch
    return data[tuple(axis.reshape(*axis.shape, *(1,) * extra) for axis in lead) + places]


@attrs("relay.attrs.ScatterElementsAttrs")
class ScatterElementsAttrs(Attrs):
    axis: Integer = 0
    """The axis to write along."""
    reduction: String = "update"
    """What becomes of the element there: ``update``, ``add``, ``mul``, ``mean``, ``min``, ``max``."""


_COMBINE = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}


def _combined(data: Array, places: tuple[Array, ...], updates: Array, how: str) -> Array:
    result = data.copy()
    if how == "update":
        result[places] = updates
    elif how == "mean":
        counts = np.ones(data.shape, data.dtype)
        np.add.at(result, places, updates)
        np.add.at(counts, places, data.dtype.type(1))
        result = result // counts if data.dtype.kind in "iu" else result / counts
    elif how in _COMBINE:
        _COMBINE[how].at(result, places, updates)
    else:
        raise WrongArgument(f"{how!r} is no way to combine; update, mean, {', '.join(_COMBINE)} are")
    return result


@operator("scatter_elements", ScatterElementsAttrs, Fusion.OPAQUE, level=3, keyed=False)
def scatter_elements(data: TensorType, indices: TensorType, updates: TensorType, attrs: ScatterElementsAttrs) -> Type:
    """The data with each update combined into its own place, but with its index along ``axis``."""
    check_same_dtype(data=data, updates=updates)
    shapes.normal_axis(attrs.axis, data.rank)
    if not indices.dtype.is_int:
        raise TypeMismatch(f"indices must be integers, not {indices.dtype}")
    return data


@scatter_elements.reference
def scatter_elements_numpy(data: Array, indices: Array, updates: Array, attrs: ScatterElementsAttrs) -> Array:
    axis = attrs.axis % data.ndim
    places = list(np.indices(indices.shape, sparse=True))
    places[axis] = indices.astype(np.int64)
    return _combined(data, tuple(places), updates[tuple(map(slice, indices.shape))], attrs.reduction)


@attrs("relay.attrs.ScatterNDAttrs")
class ScatterNDAttrs(Attrs):
    mode: String = "update"
    """What becomes of the element there: ``update``, ``add``, ``mul``, ``min``, ``max``."""


@operator("scatter_nd", ScatterNDAttrs, Fusion.OPAQUE, level=3, keyed=False)
def scatter_nd(data: TensorType, indices: TensorType, updates: TensorType, attrs: ScatterNDAttrs) -> Type:
    """The data with updates combined in at the places whose coordinates stand along the first axis of the indices."""
    check_same_dtype(data=data, updates=updates)
    return data


@scatter_nd.reference
def scatter_nd_numpy(data: Array, indices: Array, updates: Array, attrs: ScatterNDAttrs) -> Array:
    return _combined(data, tuple(indices.astype(np.int64)), updates, attrs.mode)


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
    axis = shapes.normal_axis(attrs.axis, indices.rank + 1)
    return TensorType((*indices.shape[:axis], attrs.depth, *indices.shape[axis:]), attrs.dtype)


@one_hot.reference
def one_hot_numpy(indices: Array, on_value: Array, off_value: Array, attrs: OneHotAttrs) -> Array:
    hot = np.expand_dims(indices, -1) == np.arange(attrs.depth)
    result = np.where(hot, on_value, off_value).astype(attrs.dtype.numpy)
    return np.moveaxis(result, -1, attrs.axis)


@operator("argwhere", None, Fusion.OPAQUE, level=10, data_dependent=(True,))
def argwhere(condition: TensorType) -> Type:
    """The coordinates of every element that is true (not 0), one row each."""
    return TensorType((ANY, condition.rank), DType.parse("int32"))


argwhere.reference(lambda condition: np.argwhere(condition).astype(np.int32))


@operator("adv_index", None, Fusion.INJECTIVE, level=3)
def adv_index(inputs: TupleType) -> Type:
    """The parts of the first tensor at the places that the others, broadcast to one shape, name along its first axes."""
    tensors = [part for part in inputs.fields if isinstance(part, TensorType)]
    if len(tensors) < 2 or len(tensors) != len(inputs.fields):
        raise TypeMismatch(f"a tuple of data and one index or more is needed, not {inputs}")
    data, *indices = tensors
    shape: Shape = ()
    for index in indices:
        shape = shapes.broadcast(shape, index.shape)
    return TensorType((*shape, *data.shape[len(indices) :]), data.dtype)


@adv_index.reference
def adv_index_numpy(inputs: tuple[Array, ...]) -> Array:
    data, *indices = inputs
    return data[tuple(indices)]


@attrs("relay.attrs.SequenceMaskAttrs")
class SequenceMaskAttrs(Attrs):
    mask_value: float = 0
    """What stands beyond the end of a sequence."""
    axis: int = 0
    """The axis along which the sequences run: 0 or 1; they stand beside each other along the other."""


@operator("sequence_mask", SequenceMaskAttrs, Fusion.INJECTIVE, level=10)
def sequence_mask(data: TensorType, valid_length: TensorType, attrs: SequenceMaskAttrs) -> Type:
    """The data with every element beyond the length of its sequence replaced."""
    if data.rank < 2 or attrs.axis not in (0, 1):
        raise WrongArgument(
            f"axis {attrs.axis} of a value of rank {data.rank}: axis 0 or 1 of rank 2 or more is needed"
        )
    return data


@sequence_mask.reference
def sequence_mask_numpy(data: Array, valid_length: Array, attrs: SequenceMaskAttrs) -> Array:
    moved = np.moveaxis(data, attrs.axis, 0)
    beyond = np.arange(moved.shape[0])[:, None] >= valid_length
    masked = np.where(beyond.reshape(*beyond.shape, *(1,) * (data.ndim - 2)), data.dtype.type(attrs.mask_value), moved)
    return np.moveaxis(masked, 0, attrs.axis)


@attrs("relay.attrs.TriluAttrs")
class TriluAttrs(Attrs):
    upper: bool = True
    """Whether the upper triangle stays, not the lower."""


@operator("trilu", TriluAttrs, Fusion.ELEMWISE, level=3, keyed=False)
def trilu(data: TensorType, k: TensorType, attrs: TriluAttrs) -> Type:
    """A triangle of each matrix in the last two axes, zeros elsewhere; ``k`` moves its diagonal up."""
    if data.rank < 2:
        raise TypeMismatch(f"the data must have rank 2 or more, not {data.rank}")
    return data


@trilu.reference
def trilu_numpy(data: Array, k: Array, attrs: TriluAttrs) -> Array:
    return np.triu(data, int(k)) if attrs.upper else np.tril(data, int(k))


@operator("unravel_index", None, Fusion.INJECTIVE, level=3)
def unravel_index(data: TensorType, shape: TensorType) -> Type:
    """For each flat index its coordinates in a value of that shape, along a new first axis."""
    rank: Dim = shape.shape[0]
    return TensorType((rank, *data.shape), data.dtype)


unravel_index.reference(lambda data, shape: np.stack(np.unravel_index(data, tuple(shape))).astype(data.dtype))
