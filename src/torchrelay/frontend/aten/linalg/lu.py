"""Converters of the two triangles of a matrix, and of what follows from them: determinants, inverses, systems of equations."""

from __future__ import annotations

import math

from torchrelay import op
from torchrelay.frontend.aten.diagonal import diagonal
from torchrelay.frontend.aten.linalg.matrices import (
    Stack,
    broadcast_stacks,
    column,
    numbered,
    outer,
    row,
    stacked,
    transposed,
    triangle,
    unit,
)
from torchrelay.frontend.aten.linalg.triangular import substituted
from torchrelay.frontend.aten.loops import Values, counted
from torchrelay.frontend.aten.shape.broadcast import broadcast
from torchrelay.frontend.aten.shape.cut import slice_axis
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import BOOL, INT32, INT64, as_dtype
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import Expr, const, shapes

__all__ = ["inverse"]


def _in_order(data: Expr, order: Expr) -> Expr:
    """The rows of each matrix in an order."""
    if 0 in data.shape:
        return data
    return op.gather(data, broadcast(op.expand_dims(order, axis=2), data.shape), axis=1)


def _exchange(order: Expr, first: Expr, second: Expr) -> Expr:
    """An order of rows with two places exchanged: one for all matrices, and one for each."""
    places = numbered(int(order.shape[1]), 1, 2)  # pyright: ignore[reportArgumentType] stacks have sizes that are numbers
    other = op.expand_dims(second, axis=1)
    as_it_is = op.add(places, op.zeros_like(order))
    return op.where(op.equal(places, first), other, op.where(op.equal(places, other), first, as_it_is))


def _triangles(stack: Stack, *, pivot: bool) -> tuple[Expr, Expr, Expr]:
    """Both triangles of each matrix in one, which row was exchanged for each, and the order of the rows."""
    rows, columns = stack.rows, stack.columns
    count = min(rows, columns)
    down, places, across = numbered(rows, 1, 2), numbered(count, 1, 2), numbered(columns, 2)

    def step(number: Expr, state: Values, _: Values) -> Values:
        data, pivots, order = state
        if pivot:
            sizes = op.abs(column(data, number))
            sizes = op.where(op.less(down, number), op.full_like(sizes, const(-1, sizes.dtype)), sizes)
            best = as_dtype(op.argmax(sizes, axis=(1,)), INT64)
            swap = _exchange(order, number, best)
            data, order = _in_order(data, swap), op.gather(order, swap, axis=1)
            pivots = op.where(op.equal(places, number), op.expand_dims(best, axis=1), pivots)
        first, line = column(data, number), row(data, number)
        head = op.expand_dims(op.take(line, number, axis=1), axis=1)
        safe = op.where(op.equal(head, const(0, head.dtype)), op.ones_like(head), head)
        below = op.greater(down, number)
        factors = op.where(below, op.divide(first, safe), op.zeros_like(first))
        behind = op.where(op.greater(numbered(columns, 1, 2), number), line, op.zeros_like(line))
        data = op.subtract(data, outer(factors, behind))
        at_factor = op.logical_and(op.expand_dims(below, axis=2), op.equal(across, number))
        return op.where(at_factor, op.expand_dims(factors, axis=2), data), pivots, order

    start = [broadcast(numbered(size, 1, 2), (stack.count, size)) for size in (count, rows)]
    data, pivots, order = counted(count, (stack.data, *start), (), step)
    return data, pivots, order


def _main_diagonal(data: Expr) -> Expr:
    return diagonal(data, 0, -2, -1)


def _info(data: Expr) -> Expr:
    """Which diagonal element is the first that is 0, counted from 1; 0 if none is."""
    line = _main_diagonal(data)
    count = int(line.shape[-1])  # pyright: ignore[reportArgumentType] stacks have sizes that are numbers
    if not count:
        return op.zeros(shape=shapes.static(data.shape[:1], "triangles"), dtype=INT32)
    none = op.equal(line, const(0, line.dtype))
    place = op.add(op.cast(op.argmax(as_dtype(none, INT32), axis=(1,)), dtype=INT32), const(1, INT32))
    return op.where(op.any(none, axis=(1,)), place, op.zeros_like(place))


@aten("linalg_lu_factor_ex.default", ignore=("check_errors",))
def lu_factor_ex(A: Expr, *, pivot: bool = True) -> tuple[Expr, Expr, Expr]:  # noqa: N803 the schema's name
    """Both triangles in one matrix, the rows that were exchanged, counted from 1, and which diagonal element is 0."""
    stack = stacked(A, "the triangles")
    data, pivots, _ = _triangles(stack, pivot=pivot)
    counted_from_one = op.cast(op.add(pivots, const(1, INT64)), dtype=INT32)
    return stack.restored(data), stack.restored(counted_from_one), stack.restored(_info(data))


@aten("linalg_lu_factor.default")
def lu_factor(A: Expr, *, pivot: bool = True) -> tuple[Expr, Expr]:  # noqa: N803 the schema's name
    """Both triangles in one matrix, and the rows that were exchanged, counted from 1."""
    return lu_factor_ex(A, pivot=pivot)[:2]


@aten("_lu_with_info.default", ignore=("check_errors",))
def lu_with_info(self: Expr, pivot: bool = True) -> tuple[Expr, Expr, Expr]:
    """Both triangles in one matrix, the rows that were exchanged, counted from 1, and which diagonal element is 0."""
    return lu_factor_ex(self, pivot=pivot)


def _apart(data: Expr) -> tuple[Expr, Expr]:
    """The lower triangle with ones on its diagonal, and the upper one."""
    rows, columns = shapes.static(data.shape[-2:], "the triangles")
    count = min(rows, columns)
    lower = triangle(slice_axis(data, data.tensor.rank - 1, 0, count), upper=False, beside=-1)
    diagonal_of_ones = unit(rows, data)
    lower = op.add(lower, slice_axis(diagonal_of_ones, 1, 0, count))
    return lower, triangle(slice_axis(data, data.tensor.rank - 2, 0, count), upper=True)


def _moving(order: Expr, like: Expr) -> Expr:
    """The matrix whose product with rows in an order is the rows as they were."""
    size = int(order.shape[-1])  # pyright: ignore[reportArgumentType] stacks have sizes that are numbers
    ones = op.equal(op.expand_dims(order, axis=1), numbered(size, 1))
    return as_dtype(ones, like.dtype)


@aten("linalg_lu.default")
def lu(A: Expr, *, pivot: bool = True) -> tuple[Expr, Expr, Expr]:  # noqa: N803 the schema's name
    """P, L and U whose product is the matrix; without exchanges P is empty."""
    stack = stacked(A, "the triangles")
    data, _, order = _triangles(stack, pivot=pivot)
    lower, upper = _apart(data)
    moving = stack.restored(_moving(order, A)) if pivot else op.zeros(shape=(0,), dtype=A.dtype)
    return moving, stack.restored(lower), stack.restored(upper)


def _order_of(pivots: Expr, rows: int) -> Expr:
    """The order of the rows after exchanges of each with another, counted from 1."""
    count, steps = shapes.static(pivots.shape, "exchanges")
    others = op.subtract(as_dtype(pivots, INT64), const(1, INT64))

    def step(number: Expr, state: Values, given: Values) -> Values:
        (order,) = state
        return (op.gather(order, _exchange(order, number, op.take(given[0], number, axis=1)), axis=1),)

    return counted(steps, (broadcast(numbered(rows, 1, 2), (count, rows)),), (others,), step)[0]


@aten("lu_unpack.default")
def lu_unpack(
    LU_data: Expr,  # noqa: N803 the schema's name
    LU_pivots: Expr,  # noqa: N803 the schema's name
    unpack_data: bool = True,
    unpack_pivots: bool = True,
) -> tuple[Expr, Expr, Expr]:
    """P, L and U of triangles in one matrix; empty what is not asked for."""
    stack = stacked(LU_data, "the triangles")
    empty = op.zeros(shape=(0,), dtype=LU_data.dtype)
    lower, upper = [stack.restored(part) for part in _apart(stack.data)] if unpack_data else (empty, empty)
    if not unpack_pivots:
        return empty, lower, upper
    pivots = reshaped(LU_pivots, (stack.count, LU_pivots.shape[-1]))
    return stack.restored(_moving(_order_of(pivots, stack.rows), LU_data)), lower, upper


def _solved(data: Expr, order: Expr, right: Expr) -> Expr:
    """X of A X = B from both triangles of A and the order of its rows."""
    inner = substituted(data, _in_order(right, order), upper=False, unitriangular=True)
    return substituted(data, inner, upper=True)


def _solved_transposed(data: Expr, order: Expr, right: Expr) -> Expr:
    """X of A^T X = B from both triangles of A and the order of its rows."""
    turned = transposed(data)
    inner = substituted(turned, right, upper=False)
    found = substituted(turned, inner, upper=True, unitriangular=True)
    return _in_order(found, as_dtype(op.argsort(order, axis=1, dtype=INT64), INT64))


@aten("linalg_lu_solve.default")
def linalg_lu_solve(
    LU: Expr,  # noqa: N803 the schema's name
    pivots: Expr,
    B: Expr,  # noqa: N803 the schema's name
    *,
    left: bool = True,
    adjoint: bool = False,
) -> Expr:
    """X of A X = B, or of X A = B, from both triangles of A, which may stand for its transpose."""
    if not left:
        return transposed(linalg_lu_solve(LU, pivots, transposed(B), adjoint=not adjoint))
    first, second = broadcast_stacks(LU, B, "a system of equations")
    wide = broadcast(pivots, (*second.lead, pivots.shape[-1]))
    order = _order_of(reshaped(wide, (second.count, pivots.shape[-1])), first.rows)
    solve = _solved_transposed if adjoint else _solved
    return second.restored(solve(first.data, order, second.data))


@aten("lu_solve.default")
def lu_solve(self: Expr, LU_data: Expr, LU_pivots: Expr) -> Expr:  # noqa: N803 the schema's names
    """X of A X = B from both triangles of A."""
    return linalg_lu_solve(LU_data, LU_pivots, self)


def _solve(A: Expr, B: Expr, *, left: bool) -> tuple[Expr, Expr]:  # noqa: N803 the schema's names
    """X of A X = B, or of X A = B, and which diagonal element of the upper triangle is 0."""
    is_vector = B.tensor.rank == 1 or (B.tensor.rank + 1 == A.tensor.rank and B.shape == A.shape[:-1])
    if not left:
        right = B if not is_vector else op.expand_dims(B, axis=B.tensor.rank - 1)
        found, info = _solve(transposed(A), transposed(right), left=True)
        return transposed(found) if not is_vector else op.squeeze(found, axis=(found.tensor.rank - 1,)), info
    right = op.expand_dims(B, axis=B.tensor.rank) if is_vector else B
    single = stacked(A, "a system of equations")
    info = single.restored(_info(_triangles(single, pivot=True)[0]))
    first, second = broadcast_stacks(A, right, "a system of equations")
    data, _, order = _triangles(first, pivot=True)
    found = second.restored(_solved(data, order, second.data))
    return op.squeeze(found, axis=(found.tensor.rank - 1,)) if is_vector else found, info


@aten("linalg_solve.default")
def linalg_solve(A: Expr, B: Expr, *, left: bool = True) -> Expr:  # noqa: N803 the schema's names
    """X of A X = B, or of X A = B; infinite or NaN where torch raises an error because A has no inverse."""
    return _solve(A, B, left=left)[0]


@aten("linalg_solve_ex.default", ignore=("check_errors",))
def linalg_solve_ex(A: Expr, B: Expr, *, left: bool = True) -> tuple[Expr, Expr]:  # noqa: N803 the schema's names
    """X of A X = B, or of X A = B, and whether A has no inverse: 0 where it has one."""
    return _solve(A, B, left=left)


def inverse(A: Expr) -> tuple[Expr, Expr]:  # noqa: N803 as the schema has it
    """The inverse of each matrix, and whether it has none: 0 where it has one."""
    stack = stacked(A, "an inverse")
    data, _, order = _triangles(stack, pivot=True)
    found = _solved(data, order, unit(stack.rows, A, (stack.count,)))
    return stack.restored(found), stack.restored(_info(data))


@aten("linalg_inv.default")
def linalg_inv(A: Expr) -> Expr:  # noqa: N803 the schema's name
    """The inverse of each matrix; infinite or NaN where torch raises an error because there is none."""
    return inverse(A)[0]


@aten("inverse.default")
def plain_inverse(self: Expr) -> Expr:
    """The inverse of each matrix; infinite or NaN where torch raises an error because there is none."""
    return inverse(self)[0]


@aten("linalg_inv_ex.default", ignore=("check_errors",))
def linalg_inv_ex(A: Expr) -> tuple[Expr, Expr]:  # noqa: N803 the schema's name
    """The inverse of each matrix, and whether it has none: 0 where it has one."""
    return inverse(A)


@aten("linalg_tensorinv.default")
def tensorinv(self: Expr, ind: int = 2) -> Expr:
    """The inverse of a tensor as a matrix from its last axes to its first ones."""
    first, last = self.shape[:ind], self.shape[ind:]
    matrix = reshaped(self, (shapes.product(first), shapes.product(last)))
    return reshaped(inverse(matrix)[0], (*last, *first))


@aten("linalg_tensorsolve.default")
def tensorsolve(self: Expr, other: Expr, dims: Sizes | None = None) -> Expr:
    """X whose product with a tensor along its last axes is another; ``dims`` are axes that come last."""
    data = self
    if dims:
        moved = shapes.normal_axes(dims, self.tensor.rank)
        data = permuted(self, [*(axis for axis in range(self.tensor.rank) if axis not in moved), *moved])
    wanted = data.shape[other.tensor.rank :]
    size = shapes.product(other.shape)
    found = linalg_solve(reshaped(data, (size, shapes.product(wanted))), reshaped(other, (size,)))
    return reshaped(found, wanted)


def _signs_and_diagonal(A: Expr) -> tuple[Stack, Expr, Expr]:  # noqa: N803 as the schema has it
    """The matrices, the sign of the order of their rows, and the diagonal of the upper triangle."""
    stack = stacked(A, "a determinant")
    data, pivots, _ = _triangles(stack, pivot=True)
    moved = op.not_equal(pivots, numbered(stack.rows, 1, 2))
    odd = op.bitwise_and(op.sum(as_dtype(moved, INT64), axis=(1,)), const(1, INT64))
    one = const(1, A.dtype)
    signs = op.where(as_dtype(odd, BOOL), op.negative(one), one)
    return stack, signs, _main_diagonal(data)


@aten("linalg_det.default")
def linalg_det(A: Expr) -> Expr:  # noqa: N803 the schema's name
    """The determinant of each matrix."""
    stack, signs, line = _signs_and_diagonal(A)
    return stack.restored(op.multiply(signs, op.prod(line, axis=(1,))))


@aten("det.default")
def determinant(self: Expr) -> Expr:
    """The determinant of each matrix."""
    return linalg_det(self)


@aten("slogdet.default")
def slogdet(self: Expr) -> tuple[Expr, Expr]:
    """The sign of each determinant, and the logarithm of its size."""
    return linalg_slogdet(self)


@aten("linalg_slogdet.default")
def linalg_slogdet(A: Expr) -> tuple[Expr, Expr]:  # noqa: N803 the schema's name
    """The sign of each determinant, and the logarithm of its size."""
    stack, signs, line = _signs_and_diagonal(A)
    sign = op.multiply(signs, op.prod(op.sign(line), axis=(1,)))
    return stack.restored(sign), stack.restored(op.sum(op.log(op.abs(line)), axis=(1,)))


@aten("logdet.default")
def logdet(self: Expr) -> Expr:
    """The logarithm of each determinant; NaN where that is negative."""
    sign, size = slogdet(self)
    return op.where(op.less(sign, const(0, sign.dtype)), const(math.nan, sign.dtype), size)
