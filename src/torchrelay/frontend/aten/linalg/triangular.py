"""Converters of systems of equations with a triangle, and of Cholesky's triangle."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.aten.linalg.matrices import (
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
from torchrelay.frontend.aten.loops import Values, counted
from torchrelay.frontend.promote import INT32, INT64, as_dtype
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const, shapes

__all__ = ["substituted"]


def substituted(matrices: Expr, right: Expr, *, upper: bool, unitriangular: bool = False) -> Expr:
    """X of A X = B, A being one triangle of each matrix, both with one leading axis: row by row, each from those before."""
    size = int(right.shape[1])  # pyright: ignore[reportArgumentType] stacks have sizes that are numbers
    strict = triangle(matrices, upper=upper, beside=1 if upper else -1)
    places = numbered(size, 1)

    def step(number: Expr, state: Values, given: Values) -> Values:
        (found,) = state
        beside, whole, wanted = given
        place = op.subtract(const(size - 1, INT64), number) if upper else number
        known = op.sum(op.multiply(op.expand_dims(row(beside, place), axis=2), found), axis=(1,))
        rest = op.subtract(row(wanted, place), known)
        if not unitriangular:
            rest = op.divide(rest, op.expand_dims(op.take(row(whole, place), place, axis=1), axis=1))
        return (op.where(op.equal(places, place), op.expand_dims(rest, axis=1), found),)

    return counted(size, (op.zeros_like(right),), (strict, matrices, right), step)[0]


@aten("linalg_solve_triangular.default")
def solve_triangular(self: Expr, B: Expr, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Expr:  # noqa: N803 the schema's name
    """X of A X = B, or of X A = B, A being one triangle."""
    if not left:
        return transposed(
            solve_triangular(transposed(self), transposed(B), upper=not upper, unitriangular=unitriangular)
        )
    first, second = broadcast_stacks(self, B, "a system of equations")
    return second.restored(substituted(first.data, second.data, upper=upper, unitriangular=unitriangular))


@aten("triangular_solve.default")
def triangular_solve(
    self: Expr,
    A: Expr,  # noqa: N803 the schema's name
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
) -> tuple[Expr, Expr]:
    """X of A X = B, A being one triangle, perhaps transposed; and A."""
    first, second = broadcast_stacks(A, self, "a system of equations")
    data, above = (transposed(first.data), not upper) if transpose else (first.data, upper)
    found = substituted(data, second.data, upper=above, unitriangular=unitriangular)
    return second.restored(found), first.restored(first.data)


def _cholesky(data: Expr, size: int) -> tuple[Expr, Expr]:
    """L of A = L L^T from the lower triangles, column by column, and which leading minor is not positive: 0 if none."""
    places, across = numbered(size, 1, 2), numbered(size, 2)

    def step(number: Expr, state: Values, _: Values) -> Values:
        rest, found, failed = state
        values = column(rest, number)
        pivot = op.take(values, number, axis=1)
        scaled = op.divide(values, op.expand_dims(op.sqrt(pivot), axis=1))
        below = op.where(op.less(places, number), op.zeros_like(scaled), scaled)
        new = op.logical_and(
            op.equal(failed, const(0, INT32)), op.logical_not(op.greater(pivot, const(0, pivot.dtype)))
        )
        failed = op.where(new, as_dtype(op.add(number, const(1, INT64)), INT32), failed)
        found = op.where(op.equal(across, number), op.expand_dims(below, axis=2), found)
        return op.subtract(rest, outer(below, below)), found, failed

    failed = op.zeros(shape=shapes.static(data.shape[:1], "Cholesky's triangle"), dtype=INT32)
    _, found, failed = counted(size, (data, op.zeros_like(data), failed), (), step)
    return found, failed


@aten("linalg_cholesky_ex.default", ignore=("check_errors",))
def cholesky_ex(self: Expr, *, upper: bool = False) -> tuple[Expr, Expr]:
    """The triangle whose product with its transpose is the matrix, and which leading minor is not positive: 0 if none."""
    stack = stacked(self, "Cholesky's triangle")
    data = transposed(stack.data) if upper else stack.data
    found, failed = _cholesky(data, stack.rows)
    return stack.restored(transposed(found) if upper else found), stack.restored(failed)


@aten("linalg_cholesky.default")
def cholesky(self: Expr, *, upper: bool = False) -> Expr:
    """The triangle whose product with its transpose is the matrix."""
    return cholesky_ex(self, upper=upper)[0]


def _solved_with(matrices: Expr, right: Expr, *, upper: bool) -> Expr:
    """X of L L^T X = B, or of U^T U X = B."""
    lower = transposed(matrices) if upper else matrices
    inner = substituted(lower, right, upper=False)
    return substituted(transposed(lower), inner, upper=True)


@aten("cholesky_solve.default")
def cholesky_solve(self: Expr, input2: Expr, upper: bool = False) -> Expr:
    """X of A X = B, A being given by Cholesky's triangle."""
    first, second = broadcast_stacks(input2, self, "a system of equations")
    return second.restored(_solved_with(first.data, second.data, upper=upper))


@aten("cholesky_inverse.default")
def cholesky_inverse(self: Expr, upper: bool = False) -> Expr:
    """The inverse of a matrix that is given by Cholesky's triangle."""
    stack = stacked(self, "an inverse")
    return stack.restored(_solved_with(stack.data, unit(stack.rows, self, (stack.count,)), upper=upper))
