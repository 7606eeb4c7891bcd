"""Converters of advanced indexing: elements read and written at places that tensors name, as NumPy has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.compare import truth
from torchrelay.frontend.aten.index import counted_from_front
from torchrelay.frontend.aten.mask import coordinates
from torchrelay.frontend.aten.shape.broadcast import broadcast
from torchrelay.frontend.aten.shape.extents import extent
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import INT64, as_dtype
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, Shape, shapes

__all__: list[str] = []

Indices = Sequence[Expr | None]


@dataclass(frozen=True, slots=True)
class Places:
    """The axes that indices name, an index tensor for each, and the shape of the indices broadcast to each other."""

    axes: tuple[int, ...]
    tensors: tuple[Expr, ...]
    shape: Shape

    def order(self, rank: int) -> list[int]:
        """The axes of the data with the named ones first."""
        return [*self.axes, *(axis for axis in range(rank) if axis not in self.axes)]

    def result_order(self, rank: int) -> list[int]:
        """Where each axis of the result comes from when the axes of the indices are at the front.

        Neighbouring axes give way to the axes of the indices at their place, others to axes at the front.
        """
        lead, rest = len(self.shape), rank - len(self.axes)
        together = self.axes == tuple(range(self.axes[0], self.axes[-1] + 1))
        first = self.axes[0] if together else 0
        return [*range(lead, lead + first), *range(lead), *range(lead + first, lead + rest)]


def _is_mask(index: Expr) -> bool:
    return index.dtype.is_bool or index.dtype == "uint8"


def _places(data: Expr, indices: Indices) -> Places:
    """The places that indices name; a mask names those where it is true."""
    axes: list[int] = []
    tensors: list[Expr] = []
    axis = 0
    for given in indices:
        if given is None:
            axis += 1
            continue
        for part in coordinates(given) if _is_mask(given) else (given,):
            axes.append(axis)
            tensors.append(counted_from_front(as_dtype(part, INT64), extent(data, axis)))
            axis += 1
    shape: Shape = ()
    for tensor in tensors:
        shape = shapes.broadcast(shape, tensor.shape)
    return Places(tuple(axes), tuple(tensors), shape)


@aten("index.Tensor", "_unsafe_index.Tensor")
def index(self: Expr, indices: Indices) -> Expr:
    """The elements at places whose coordinates tensors name; where masks are true, for masks."""
    if all(given is None for given in indices):
        return self
    places = _places(self, indices)
    rank = self.tensor.rank
    picked = op.adv_index([permuted(self, places.order(rank)), *places.tensors])
    return permuted(picked, places.result_order(rank))


@aten("index_put.default", "_unsafe_index_put.default")
def index_put(self: Expr, indices: Indices, values: Expr, accumulate: bool = False) -> Expr:
    """The tensor with values put in, or added, at places whose coordinates tensors name."""
    given = [(axis, part) for axis, part in enumerate(indices) if part is not None]
    if not given:
        return broadcast(op.add(self, values) if accumulate else as_dtype(values, self.dtype), self.shape, self)
    axis, first = given[0]
    if len(given) == 1 and _is_mask(first):
        masked = _masked_put(self, axis, first, values, accumulate=accumulate)
        if masked is not None:
            return masked
    return _put(self, _places(self, indices), values, accumulate=accumulate)


def _masked_put(data: Expr, axis: int, mask: Expr, values: Expr, *, accumulate: bool) -> Expr | None:
    """The values where the mask is true, if they are the same for every place; None where they are not."""
    rest = data.tensor.rank - axis - mask.tensor.rank
    lead = max(0, values.tensor.rank - rest)
    if shapes.product(values.shape[:lead]) != 1:
        return None
    chosen = reshaped(truth(mask), (*mask.shape, *(1,) * rest))
    new = reshaped(as_dtype(values, data.dtype), values.shape[lead:])
    return op.where(chosen, op.add(data, new) if accumulate else new, data)


def _put(data: Expr, places: Places, values: Expr, *, accumulate: bool) -> Expr:
    rank = data.tensor.rank
    order, result_order = places.order(rank), places.result_order(rank)
    front = permuted(data, order)
    wanted = (*places.shape, *front.shape[len(places.axes) :])
    shown = tuple([wanted[axis] for axis in result_order])
    updates = permuted(_spread(as_dtype(values, data.dtype), shown), _inverse(result_order))
    rows = [op.expand_dims(_spread(tensor, places.shape), axis=0) for tensor in places.tensors]
    named = op.concatenate(rows, axis=0) if len(rows) > 1 else rows[0]
    written = op.scatter_nd(front, named, updates, mode="add" if accumulate else "update")
    return permuted(written, _inverse(order))


def _inverse(order: Sequence[int]) -> list[int]:
    return [list(order).index(axis) for axis in range(len(order))]


def _spread(values: Expr, shape: Shape) -> Expr:
    """The values repeated up to a shape, of which a size may be unknown where the values have it already."""
    if shapes.is_static(shape):
        return broadcast(values, shape)
    same = len(values.shape) == len(shape) and all(map(shapes.dims_fit, values.shape, shape))
    if not same or any(have == 1 and want != 1 for have, want in zip(values.shape, shape, strict=True)):
        raise UnsupportedProgram("values repeated for places whose number the program computes")
    return values
