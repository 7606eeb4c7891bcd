"""Converters of norms of vectors and matrices."""

from __future__ import annotations

import math

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.reduce import Axes, axes_of
from torchrelay.frontend.promote import Number, as_dtype
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import DType, Expr, const, shapes

__all__: list[str] = []


@aten(
    "norm.ScalarOpt_dim",
    "norm.Scalar",
    "norm.ScalarOpt_dim_dtype",
    "norm.ScalarOpt_dtype",
)
def norm(
    self: Expr,
    p: Number | None = 2,
    dim: Axes = None,
    keepdim: bool = False,
    *,
    dtype: DType | None = None,
) -> Expr:
    """The p-norm over axes: the p-th root of the sum of p-th powers."""
    data = as_dtype(self, dtype)
    order = 2 if p is None else p
    axes = axes_of(dim, data.tensor.rank)
    size = op.abs(data)
    if order == math.inf:
        return op.max(size, axis=axes, keepdims=keepdim)
    if order == -math.inf:
        return op.min(size, axis=axes, keepdims=keepdim)
    if order == 0:
        counted = op.cast(op.not_equal(data, const(0, data.dtype)), dtype=data.dtype)
        return op.sum(counted, axis=axes, keepdims=keepdim)
    if order == 1:
        return op.sum(size, axis=axes, keepdims=keepdim)
    if order == 2:
        return op.sqrt(op.sum(op.multiply(data, data), axis=axes, keepdims=keepdim))
    powers = op.sum(op.power(size, const(order, data.dtype)), axis=axes, keepdims=keepdim)
    return op.power(powers, const(1 / order, data.dtype))


@aten("linalg_vector_norm.default")
def vector_norm(
    self: Expr, ord: Number = 2, dim: Axes = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Expr:
    """The norm of that order over axes."""
    return norm(self, ord, dim, keepdim, dtype=dtype)


@aten("linalg_norm.default")
def linalg_norm(
    self: Expr, ord: Number | None = None, dim: Axes = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Expr:
    """The norm of a vector, or of a matrix where an order is given and there are two axes."""
    axes = (dim,) if isinstance(dim, int) else dim
    count = self.tensor.rank if axes is None else len(axes)
    if ord is None or count == 1:
        return norm(self, ord, axes, keepdim, dtype=dtype)
    return matrix_norm(self, ord, axes or (-2, -1), keepdim, dtype=dtype)


@aten("linalg_matrix_norm.default")
def matrix_norm(
    self: Expr, ord: Number, dim: Sizes = (-2, -1), keepdim: bool = False, *, dtype: DType | None = None
) -> Expr:
    """The largest, or smallest, sum of magnitudes of a column (order 1) or a row (order infinity) of each matrix."""
    data = as_dtype(self, dtype)
    rows, columns = shapes.normal_axes(dim, data.tensor.rank)
    if ord not in (1, -1, math.inf, -math.inf):
        raise UnsupportedProgram(f"a matrix norm of order {ord}, which needs singular values")
    along, over = (rows, columns) if ord in (1, -1) else (columns, rows)
    sums = op.sum(op.abs(data), axis=(along,), keepdims=True)
    found = (op.max if ord > 0 else op.min)(sums, axis=(over,), keepdims=True)
    return found if keepdim else op.squeeze(found, axis=(along, over))


@aten("linalg_matrix_norm.str_ord")
def matrix_norm_by_name(
    self: Expr, ord: str = "fro", dim: Sizes = (-2, -1), keepdim: bool = False, *, dtype: DType | None = None
) -> Expr:
    """The root of the sum of squares of each matrix. Raises UnsupportedProgram for the nuclear norm."""
    if ord != "fro":
        raise UnsupportedProgram(f"a matrix norm of order {ord!r}, which needs singular values")
    return norm(self, 2, dim, keepdim, dtype=dtype)


@aten("linalg_norm.ord_str")
def linalg_norm_by_name(
    self: Expr, ord: str, dim: Sizes | None = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Expr:
    """The norm of that name of each matrix."""
    return matrix_norm_by_name(self, ord, dim or (-2, -1), keepdim, dtype=dtype)


@aten("frobenius_norm.dim")
def frobenius_norm(self: Expr, dim: Sizes, keepdim: bool = False) -> Expr:
    """The root of the sum of squares over axes."""
    return norm(self, 2, dim, keepdim)
