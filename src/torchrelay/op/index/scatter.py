"""Elements written to places named by their index."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Fusion, Integer, String, TensorType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_integers, check_same_dtype
from torchrelay.op.index._places import grid, inside, wrapped

__all__ = ["scatter_elements", "scatter_nd"]

Places = tuple[Array, ...]

_COMBINE = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}
_WAYS = ("update", *_COMBINE)


def _check_way(name: str, way: str, allowed: tuple[str, ...]) -> None:
    if way not in allowed:
        raise WrongArgument(f"{name} is {way!r}, but must be {', '.join(allowed[:-1])} or {allowed[-1]}")


def _halved(result: Array, places: Places, updates: Array) -> None:
    """Replaces each element by half the sum of it and the update, one update after the other."""
    flat = np.ravel_multi_index(places, result.shape).ravel()
    order = np.argsort(flat, kind="stable")
    target, given = result.reshape(-1), np.broadcast_to(updates, places[0].shape).reshape(-1)[order]
    ordered = flat[order]
    turn = np.arange(ordered.size) - np.searchsorted(ordered, ordered)
    for number in range(turn.max(initial=-1) + 1):
        now = turn == number
        target[ordered[now]] = _half(target[ordered[now]], given[now])


def _half(left: Array, right: Array) -> Array:
    total = left + right
    return total / left.dtype.type(2) if total.dtype.kind not in "iu" else (total // 2).astype(left.dtype)


def _combined(data: Array, places: Places, updates: Array, way: str) -> Array:
    result = data.copy()
    if way == "update":
        result[places] = updates
    elif way == "mean":
        _halved(result, tuple(np.broadcast_arrays(*places)), updates)
    else:
        combine: Callable[..., None] = _COMBINE[way].at
        combine(result, places, updates)
    return result


@attrs("relay.attrs.ScatterElementsAttrs")
class ScatterElementsAttrs(Attrs):
    axis: Integer = 0
    """The axis to write along."""
    reduction: String = "update"
    """What becomes of the element there: ``update``, ``add``, ``mul``, ``min``, ``max``; ``mean`` is half the sum of
    it and the update, one update after the other."""


@operator("scatter_elements", ScatterElementsAttrs, Fusion.OPAQUE, level=3, keyed=False)
def scatter_elements(data: TensorType, indices: TensorType, updates: TensorType, attrs: ScatterElementsAttrs) -> Type:
    """The data with each update combined into its own place, but with its index along ``axis``."""
    check_same_dtype(data=data, updates=updates)
    check_integers(indices=indices)
    shapes.normal_axis(attrs.axis, data.rank)
    _check_way("reduction", attrs.reduction, (*_WAYS, "mean"))
    if not data.rank == indices.rank == updates.rank:
        raise TypeMismatch(f"the ranks must be equal, but are {data.rank}, {indices.rank} and {updates.rank}")
    return data


@scatter_elements.reference
def scatter_elements_numpy(data: Array, indices: Array, updates: Array, attrs: ScatterElementsAttrs) -> Array:
    axis = attrs.axis % data.ndim
    places = list(grid(indices.shape))
    places[axis] = wrapped(indices, data.shape[axis])
    return _combined(data, tuple(places), updates[tuple(map(slice, indices.shape))], attrs.reduction)


@attrs("relay.attrs.ScatterNDAttrs")
class ScatterNDAttrs(Attrs):
    mode: String = "update"
    """What becomes of the element there: ``update``, ``add``, ``mul``, ``min``, ``max``."""


@operator("scatter_nd", ScatterNDAttrs, Fusion.OPAQUE, level=3, keyed=False)
def scatter_nd(data: TensorType, indices: TensorType, updates: TensorType, attrs: ScatterNDAttrs) -> Type:
    """The data with updates combined in at the places whose coordinates stand along the first axis of the indices."""
    check_same_dtype(data=data, updates=updates)
    check_integers(indices=indices)
    _check_way("mode", attrs.mode, _WAYS)
    (count,) = shapes.static(indices.shape[:1], "the first axis of the indices")
    if count > data.rank:
        raise TypeMismatch(f"{count} coordinates are too many for data of rank {data.rank}")
    wanted = (*indices.shape[1:], *data.shape[count:])
    if len(wanted) != updates.rank or not all(map(shapes.dims_fit, wanted, updates.shape)):
        raise TypeMismatch(f"updates must have the shape {wanted}, not {updates.shape}")
    return data


@scatter_nd.reference
def scatter_nd_numpy(data: Array, indices: Array, updates: Array, attrs: ScatterNDAttrs) -> Array:
    places = [inside(part, size) for part, size in zip(indices, data.shape, strict=False)]
    return _combined(data, tuple(places), updates, attrs.mode)
