"""Converters that choose elements by a mask."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.aten.compare import truth
from torchrelay.frontend.aten.reduce import Axes, axes_of
from torchrelay.frontend.aten.shape.broadcast import broadcast
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import BOOL, INT64, Operand, Promote, as_dtype, as_tensor, promoted
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const, shapes

__all__ = ["coordinates", "places"]


@aten("where.self", "where.ScalarSelf", "where.ScalarOther", "where.Scalar")
def where(condition: Expr, self: Operand, other: Operand) -> Expr:
    """The element of ``self`` where the condition is true, of ``other`` elsewhere."""
    left, right = promoted((self, other), Promote.SAME)
    return op.where(truth(condition), left, right)


@aten("masked_fill.Scalar", "masked_fill.Tensor")
def masked_fill(self: Expr, mask: Expr, value: Operand) -> Expr:
    """The tensor with a value where the mask is true."""
    return op.where(truth(mask), as_tensor(value, self.dtype), self)


def places(condition: Expr) -> Expr:
    """The coordinates of every element that is not 0, one row each, in the order of the elements."""
    return op.cast(op.argwhere(condition), dtype=INT64)


def coordinates(condition: Expr) -> tuple[Expr, ...]:
    """For each axis a vector: where the elements that are not 0 are along it."""
    rank = condition.tensor.rank
    if not rank:  # torch takes it for a vector of one
        return coordinates(op.expand_dims(condition, axis=0))
    if rank == 1:
        return (op.squeeze(places(condition), axis=(1,)),)
    return tuple(
        [op.squeeze(part, axis=(1,)) for part in op.split(places(condition), indices_or_sections=rank, axis=1)]
    )


@aten("nonzero.default", "argwhere.default")
def nonzero(self: Expr) -> Expr:
    """The coordinates of every element that is not 0, one row each."""
    if self.tensor.rank:
        return places(self)
    line = places(op.expand_dims(self, axis=0))
    return op.strided_slice(line, begin=(0,), end=(0,), strides=(1,), axes=(1,))


@aten("nonzero_numpy.default", "where.default")
def nonzero_by_axis(self: Expr | None = None, condition: Expr | None = None) -> tuple[Expr, ...]:
    """For each axis a vector: where the elements that are not 0 are along it."""
    value = self if self is not None else condition
    assert value is not None, "the schema has one of the two"
    return coordinates(value)


def _flat(value: Expr) -> Expr:
    return reshaped(value, (shapes.product(value.shape),))


def _together(data: Expr, mask: Expr) -> tuple[Expr, Expr]:
    """The two repeated up to the shape that both broadcast to."""
    shape = shapes.broadcast(data.shape, mask.shape)
    if shapes.is_static(shape):
        return broadcast(data, shape), broadcast(mask, shape)
    everywhere = op.logical_or(mask, op.logical_not(mask))
    return op.where(everywhere, data, data), op.logical_and(mask, as_dtype(op.ones_like(data), BOOL))


@aten("masked_select.default")
def masked_select(self: Expr, mask: Expr) -> Expr:
    """The elements where the mask is true, as a vector."""
    data, chosen = _together(self, mask)
    data, chosen = _flat(data), _flat(chosen)
    return op.take(data, coordinates(chosen)[0], axis=0)


@aten("masked_scatter.default")
def masked_scatter(self: Expr, mask: Expr, source: Expr) -> Expr:
    """The tensor with the elements of another, one after the other, where the mask is true."""
    shape = shapes.broadcast(self.shape, mask.shape)
    data, chosen = broadcast(self, shape, mask), broadcast(mask, shape, self)
    turn = op.cumsum(op.cast(_flat(chosen), dtype=INT64), axis=0, dtype=INT64)
    taken = op.take(_flat(source), op.subtract(turn, const(1, INT64)), axis=0)
    return op.where(chosen, reshaped(taken, shape, data), data)


@aten("count_nonzero.default", "count_nonzero.dim_IntList")
def count_nonzero(self: Expr, dim: Axes = None) -> Expr:
    """How many elements over axes are not 0."""
    return op.sum(as_dtype(truth(self), INT64), axis=axes_of(dim, self.tensor.rank))
