"""Elements repeated along axes, and summed up where they were."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    ANY,
    Attrs,
    Dim,
    Fusion,
    Integer,
    Integers,
    Shape,
    TensorType,
    TupleType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_same_dtype, tensors_of
from torchrelay.op.create import InitOpAttrs

__all__ = [
    "broadcast_to",
    "broadcast_to_like",
    "collapse_sum_like",
    "collapse_sum_to",
    "meshgrid",
    "repeat",
    "tile",
]


def _check_broadcasts(shape: Shape, target: Shape) -> None:
    fits = len(shape) <= len(target) and all(
        dim == 1 or shapes.dims_fit(dim, other) for dim, other in zip(shape[::-1], target[::-1], strict=False)
    )
    if not fits:
        raise TypeMismatch(f"the shape {shape} does not broadcast to {target}")


@operator("broadcast_to", InitOpAttrs, Fusion.BROADCAST, level=4, data_dependent=(True,))
def broadcast_to(data: TensorType, attrs: InitOpAttrs) -> Type:
    """The data repeated along axes of size 1, and new ones, up to ``shape``."""
    shape = attrs.shape or ()
    _check_broadcasts(data.shape, shape)
    return TensorType(shape, data.dtype)


@broadcast_to.reference
def broadcast_to_numpy(data: Array, attrs: InitOpAttrs) -> Array:
    return np.broadcast_to(data, attrs.shape or ())


@operator("broadcast_to_like", None, Fusion.BROADCAST, level=10)
def broadcast_to_like(data: TensorType, broadcast_type: TensorType) -> Type:
    """The data repeated up to the shape of another tensor of its dtype."""
    check_same_dtype(data=data, broadcast_type=broadcast_type)
    _check_broadcasts(data.shape, broadcast_type.shape)
    return broadcast_type


@broadcast_to_like.reference
def broadcast_to_like_numpy(data: Array, broadcast_type: Array) -> Array:
    return np.broadcast_to(data, broadcast_type.shape)


def _collapsed(data: Array, shape: Sequence[int]) -> Array:
    extra = data.ndim - len(shape)
    axes = [*range(extra), *(extra + axis for axis, size in enumerate(shape) if size != data.shape[extra + axis])]
    return data.sum(tuple(axes), dtype=data.dtype).reshape(tuple(shape))


@operator("collapse_sum_like", None, Fusion.COMM_REDUCE, level=10)
def collapse_sum_like(data: TensorType, collapse_type: TensorType) -> Type:
    """The sum over the axes along which the shape of another tensor of the dtype broadcasts to that of the data."""
    check_same_dtype(data=data, collapse_type=collapse_type)
    _check_broadcasts(collapse_type.shape, data.shape)
    return collapse_type


@collapse_sum_like.reference
def collapse_sum_like_numpy(data: Array, collapse_type: Array) -> Array:
    return _collapsed(data, collapse_type.shape)


@operator("collapse_sum_to", InitOpAttrs, Fusion.COMM_REDUCE, level=4, keyed=False)
def collapse_sum_to(data: TensorType, shape: TensorType, attrs: InitOpAttrs) -> Type:
    """The sum over the axes along which ``shape`` broadcasts to the shape of the data."""
    if attrs.shape is None:
        (rank,) = shapes.static(shape.shape, "the shape")
        return TensorType((ANY,) * rank, data.dtype)
    _check_broadcasts(attrs.shape, data.shape)
    return TensorType(attrs.shape, data.dtype)


@collapse_sum_to.reference
def collapse_sum_to_numpy(data: Array, shape: Array, attrs: InitOpAttrs) -> Array:
    return _collapsed(data, [int(size) for size in shape])


@attrs("relay.attrs.RepeatAttrs")
class RepeatAttrs(Attrs):
    repeats: Integer
    """How often each element stands."""
    axis: Integer | None = None
    """The axis to repeat along."""


@operator("repeat", RepeatAttrs, Fusion.BROADCAST, level=3)
def repeat(data: TensorType, attrs: RepeatAttrs) -> Type:
    """Each element several times, one after the other."""
    if attrs.repeats < 1:
        raise WrongArgument(f"repeats is {attrs.repeats}, but must be 1 or more")
    if attrs.axis is None:
        raise WrongArgument("the attribute axis must be given")
    axis = shapes.normal_axis(attrs.axis, data.rank)
    size = shapes.multiply(data.shape[axis], attrs.repeats)
    return TensorType((*data.shape[:axis], size, *data.shape[axis + 1 :]), data.dtype)


@repeat.reference
def repeat_numpy(data: Array, attrs: RepeatAttrs) -> Array:
    return np.repeat(data, attrs.repeats, attrs.axis)


@attrs("relay.attrs.TileAttrs")
class TileAttrs(Attrs):
    reps: Integers
    """How often the data stands along each axis, the last one last."""


@operator("tile", TileAttrs, Fusion.BROADCAST, level=3)
def tile(data: TensorType, attrs: TileAttrs) -> Type:
    """The whole data several times along each axis."""
    if min(attrs.reps, default=1) < 1:
        raise WrongArgument(f"reps is {attrs.reps}, but its entries must be 1 or more")
    rank = max(data.rank, len(attrs.reps))
    shape = (1,) * (rank - data.rank) + data.shape
    reps = (1,) * (rank - len(attrs.reps)) + attrs.reps
    return TensorType(tuple([shapes.multiply(dim, count) for dim, count in zip(shape, reps, strict=True)]), data.dtype)


@tile.reference
def tile_numpy(data: Array, attrs: TileAttrs) -> Array:
    return np.tile(data, attrs.reps)


@attrs("relay.attrs.MeshgridAttrs")
class MeshgridAttrs(Attrs):
    indexing: str = "ij"
    """``ij``: the first input runs along the first axis; ``xy``: along the second."""


@operator("meshgrid", MeshgridAttrs, Fusion.INJECTIVE, level=3)
def meshgrid(data: TupleType, attrs: MeshgridAttrs) -> Type:
    """For each vector its values at every point of the grid that the vectors span."""
    vectors = tensors_of(data)
    if attrs.indexing not in ("ij", "xy"):
        raise WrongArgument(f"indexing is {attrs.indexing!r}, but must be ij or xy")
    for vector in vectors:
        if vector.rank > 1:
            raise TypeMismatch(f"the inputs must be vectors or of rank 0, not of rank {vector.rank}")
    dims: list[Dim] = [shapes.product(vector.shape) for vector in vectors]
    if attrs.indexing == "xy":
        dims[:2] = dims[:2][::-1]
    return TupleType((TensorType(tuple(dims), vectors[0].dtype),) * len(vectors))


@meshgrid.reference
def meshgrid_numpy(data: tuple[Array, ...], attrs: MeshgridAttrs) -> tuple[Array, ...]:
    indexing = "xy" if attrs.indexing == "xy" else "ij"
    return tuple(np.meshgrid(*data, indexing=indexing))
