"""Matrices as the algorithms take them: the leading axes as one, rows and columns by number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.shape.broadcast import broadcast
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.ir import Expr, const, shapes

__all__ = [
    "Stack",
    "broadcast_stacks",
    "column",
    "numbered",
    "outer",
    "row",
    "stacked",
    "transposed",
    "triangle",
    "unit",
]


class Stack:
    """Matrices with one leading axis, and the axes that they had."""

    def __init__(self, data: Expr, what: str) -> None:
        if data.tensor.rank < 2 or not shapes.is_static(data.shape):
            raise UnsupportedProgram(f"{what} of matrices whose sizes are not known")
        *self.lead, self.rows, self.columns = shapes.static(data.shape, what)
        self.count = int(np.prod(self.lead))
        self.data = reshaped(data, (self.count, self.rows, self.columns))

    def restored(self, value: Expr) -> Expr:
        """A value with an element, vector or matrix for each matrix, with the axes that these had."""
        return reshaped(value, (*self.lead, *value.shape[1:]))


def stacked(data: Expr, what: str) -> Stack:
    """The matrices with one leading axis. Raises UnsupportedProgram where a size is not known."""
    return Stack(data, what)


def broadcast_stacks(left: Expr, right: Expr, what: str) -> tuple[Stack, Stack]:
    """The matrices of two tensors, their leading axes broadcast to each other."""
    lead = shapes.broadcast(left.shape[:-2], right.shape[:-2])
    whole = [broadcast(value, (*lead, *value.shape[-2:])) for value in (left, right)]
    return Stack(whole[0], what), Stack(whole[1], what)


def numbered(size: int, axis: int, rank: int = 3) -> Expr:
    """0, 1, ... along one axis of so many, of int64."""
    shape = [1] * rank
    shape[axis] = size
    return const(np.arange(size).reshape(shape))


def column(data: Expr, place: Expr) -> Expr:
    """The column at a place: a vector for each matrix."""
    return op.take(data, place, axis=2)


def row(data: Expr, place: Expr) -> Expr:
    """The row at a place: a vector for each matrix."""
    return op.take(data, place, axis=1)


def outer(left: Expr, right: Expr) -> Expr:
    """Every element of one vector times every element of another, for each pair."""
    return op.multiply(op.expand_dims(left, axis=2), op.expand_dims(right, axis=1))


def transposed(data: Expr) -> Expr:
    """The last two axes exchanged."""
    rank = data.tensor.rank
    return permuted(data, [*range(rank - 2), rank - 1, rank - 2])


def triangle(data: Expr, *, upper: bool, beside: int = 0) -> Expr:
    """One triangle of each matrix, zeros elsewhere; what is not read may hold anything."""
    rows, columns = shapes.static(data.shape[-2:], "a triangle")
    keep = np.triu(np.ones((rows, columns), bool), beside) if upper else np.tril(np.ones((rows, columns), bool), beside)
    return op.where(const(keep), data, op.zeros_like(data))


def unit(size: int, like: Expr, lead: Sequence[int] = ()) -> Expr:
    """The unit matrix, for each of the leading axes."""
    return broadcast(const(np.eye(size), like.dtype), (*lead, size, size))
