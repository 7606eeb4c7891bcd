"""Converters of triangles and diagonals."""

from __future__ import annotations

import builtins

import numpy as np

from torchrelay import op
from torchrelay.frontend.aten.create import INERT
from torchrelay.frontend.aten.reduce import summed
from torchrelay.frontend.aten.shape.cut import size_along, slice_axis
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.aten.shape.reshape import ravel, reshaped
from torchrelay.frontend.promote import INT64, as_dtype
from torchrelay.frontend.registry import aten
from torchrelay.ir import DType, Expr, const, shapes

__all__: list[str] = []


@aten("triu.default")
def triu(self: Expr, diagonal: int = 0) -> Expr:
    """The upper triangle of each matrix."""
    return op.trilu(self, const(diagonal), upper=True)


@aten("tril.default")
def tril(self: Expr, diagonal: int = 0) -> Expr:
    """The lower triangle of each matrix."""
    return op.trilu(self, const(diagonal), upper=False)


@aten("triu_indices.default", ignore=INERT)
def triu_indices(row: int, col: int, offset: int = 0, *, dtype: DType | None = INT64) -> Expr:
    """The coordinates of the upper triangle of a matrix."""
    return const(np.stack(np.triu_indices(row, offset, col)), dtype or INT64)


@aten("tril_indices.default", ignore=INERT)
def tril_indices(row: int, col: int, offset: int = 0, *, dtype: DType | None = INT64) -> Expr:
    """The coordinates of the lower triangle of a matrix."""
    return const(np.stack(np.tril_indices(row, offset, col)), dtype or INT64)


def _with_matrices_last(data: Expr, dim1: int, dim2: int) -> Expr:
    """The data with two axes moved to the end."""
    rank = data.tensor.rank
    first, second = shapes.normal_axes((dim1, dim2), rank)
    return permuted(data, [*(axis for axis in range(rank) if axis not in (first, second)), first, second])


def _with_matrices_at(data: Expr, dim1: int, dim2: int) -> Expr:
    """The data with its last two axes moved to places of their own."""
    rank = data.tensor.rank
    first, second = shapes.normal_axes((dim1, dim2), rank)
    rest = iter(range(rank - 2))
    moved = {first: rank - 2, second: rank - 1}
    return permuted(data, [moved[axis] if axis in moved else next(rest) for axis in range(rank)])


@aten("diagonal.default", "diagonal_copy.default")
def diagonal(self: Expr, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Expr:
    """A diagonal of each matrix as a new last axis."""
    matrices = _with_matrices_last(self, dim1, dim2)
    rows, columns = shapes.static(matrices.shape[-2:], "a diagonal")
    count = builtins.max(min(rows + min(offset, 0), columns - builtins.max(offset, 0)), 0)
    flat = reshaped(matrices, (*matrices.shape[:-2], rows * columns))
    start = builtins.max(offset, 0) + builtins.max(-offset, 0) * columns
    end = start + (count - 1) * (columns + 1) + 1 if count else start
    return slice_axis(flat, -1, start, end, columns + 1)


@aten("linalg_diagonal.default")
def linalg_diagonal(A: Expr, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Expr:  # noqa: N803 the schema's name
    """A diagonal of each matrix as a new last axis."""
    return diagonal(A, offset, dim1, dim2)


@aten("trace.default")
def trace(self: Expr) -> Expr:
    """The sum of the main diagonal."""
    return op.sum(summed(diagonal(self), None))


@aten("diag_embed.default")
def diag_embed(self: Expr, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Expr:
    """Matrices of zeros but for a diagonal."""
    size = size_along(self, -1, "a diagonal") + abs(offset)
    empty = op.zeros(shape=(*shapes.static(self.shape[:-1], "a diagonal"), size, size), dtype=self.dtype)
    return _with_matrices_at(op.matrix_set_diag(empty, self, k1=offset, k2=offset), dim1, dim2)


@aten("diag.default")
def diag(self: Expr, diagonal: int = 0) -> Expr:
    """A matrix with a vector as its diagonal, or the diagonal of a matrix."""
    return diag_embed(self, diagonal) if self.tensor.rank == 1 else _diagonal(self, diagonal)


_diagonal = diagonal


@aten("diagflat.default")
def diagflat(self: Expr, offset: int = 0) -> Expr:
    """A matrix with all elements as its diagonal."""
    return diag_embed(ravel(self), offset)


@aten("diagonal_scatter.default")
def diagonal_scatter(self: Expr, src: Expr, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Expr:
    """The tensor with a diagonal of each matrix replaced."""
    matrices = _with_matrices_last(self, dim1, dim2)
    written = op.matrix_set_diag(matrices, as_dtype(src, self.dtype), k1=offset, k2=offset)
    return _with_matrices_at(written, dim1, dim2)
