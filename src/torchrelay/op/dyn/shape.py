"""Shapes changed as a tensor of sizes or axes says."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Fusion, TensorType, Type, attrs, operator, shapes
from torchrelay.op import shape as static
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_integers
from torchrelay.op.create import InitOpAttrs
from torchrelay.op.dyn._values import by_static, check_scalar, integers, length, number, unknown
from torchrelay.op.shape.broadcast import TileAttrs
from torchrelay.op.shape.reshape import ExpandDimsAttrs, ReshapeAttrs, SqueezeAttrs

__all__ = ["broadcast_to", "expand_dims", "reshape", "squeeze", "tile"]


@operator("dyn.reshape", ReshapeAttrs, Fusion.INJECTIVE, level=3, data_dependent=(False, True))
def reshape(data: TensorType, newshape: TensorType, attrs: ReshapeAttrs) -> Type:
    """The elements in the same order in the shape that a tensor says; its entries mean what those of ``reshape`` do."""
    return TensorType(unknown(length(newshape=newshape)), data.dtype)


@reshape.reference
def reshape_numpy(data: Array, newshape: Array, attrs: ReshapeAttrs) -> Array:
    result = by_static(static.reshape, attrs.replace(newshape=integers(newshape)), data)
    if result.ndim != newshape.size:
        raise WrongArgument(f"newshape is {integers(newshape)}, but must give a shape of rank {newshape.size}")
    return result


@operator("dyn.tile", TileAttrs, Fusion.INJECTIVE, level=3, data_dependent=(False, True))
def tile(data: TensorType, reps: TensorType, attrs: TileAttrs) -> Type:
    """The whole data as often along each axis as a tensor says; not at all for 0."""
    return TensorType(unknown(max(data.rank, length(reps=reps))), data.dtype)


@tile.reference
def tile_numpy(data: Array, reps: Array, attrs: TileAttrs) -> Array:
    counts = integers(reps)
    if min(counts, default=0) < 0:
        raise WrongArgument(f"reps is {counts}, but its entries must be 0 or more")
    return np.tile(data, counts)


@operator("dyn.broadcast_to", InitOpAttrs, Fusion.BROADCAST, level=4, data_dependent=(False, True))
def broadcast_to(data: TensorType, shape: TensorType, attrs: InitOpAttrs) -> Type:
    """The data repeated along axes of size 1, and new ones, up to the shape that a tensor says."""
    return TensorType(unknown(length(shape=shape)), data.dtype)


@broadcast_to.reference
def broadcast_to_numpy(data: Array, shape: Array, attrs: InitOpAttrs) -> Array:
    return by_static(static.broadcast_to, attrs.replace(shape=integers(shape)), data)


@attrs("relay.attrs.DynExpandDimsAttrs")
class DynExpandDimsAttrs(Attrs):
    num_newaxis: int = 1
    """How many."""


@operator("dyn.expand_dims", DynExpandDimsAttrs, Fusion.INJECTIVE, level=3, data_dependent=(False, True), keyed=False)
def expand_dims(data: TensorType, axis: TensorType, attrs: DynExpandDimsAttrs) -> Type:
    """New axes of size 1, where a scalar says."""
    check_scalar(axis=axis)
    check_integers(axis=axis)
    if attrs.num_newaxis < 0:
        raise WrongArgument(f"num_newaxis is {attrs.num_newaxis}, but must be 0 or more")
    return TensorType(unknown(data.rank + attrs.num_newaxis), data.dtype)


@expand_dims.reference
def expand_dims_numpy(data: Array, axis: Array, attrs: DynExpandDimsAttrs) -> Array:
    return by_static(static.expand_dims, ExpandDimsAttrs(axis=number(axis), num_newaxis=attrs.num_newaxis), data)


@operator("dyn.squeeze", SqueezeAttrs, Fusion.INJECTIVE, level=3, data_dependent=(False, True))
def squeeze(data: TensorType, axes: TensorType, attrs: SqueezeAttrs) -> Type:
    """Without the axes of size 1 that a tensor names, each once."""
    count = length(axes=axes)
    if count > data.rank:
        raise TypeMismatch(f"axes names {count} axes, but the data has {data.rank}")
    return TensorType(unknown(data.rank - count), data.dtype)


@squeeze.reference
def squeeze_numpy(data: Array, axes: Array, attrs: SqueezeAttrs) -> Array:
    dropped = shapes.normal_axes(integers(axes), data.ndim)
    return by_static(static.squeeze, attrs.replace(axis=dropped), data)
