"""Converters of reflections: orthogonal matrices and triangles by Householder's method, with LAPACK's signs."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.aten.linalg.matrices import (
    Stack,
    column,
    numbered,
    outer,
    stacked,
    transposed,
    triangle,
    unit,
)
from torchrelay.frontend.aten.loops import Values, counted
from torchrelay.frontend.aten.shape.cut import slice_axis
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import INT64
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const

__all__: list[str] = []


def _reflected(stack: Stack) -> tuple[Expr, Expr]:
    """The triangle with the reflections below it, and the factor of each reflection."""
    rows, columns = stack.rows, stack.columns
    count = min(rows, columns)
    down, behind, across = numbered(rows, 1, 2), numbered(columns, 1, 2), numbered(columns, 2)
    places = numbered(count, 1, 2)

    def step(number: Expr, state: Values, _: Values) -> Values:
        data, factors = state
        values = column(data, number)
        zero, one = const(0, values.dtype), const(1, values.dtype)
        below = op.where(op.greater(down, number), values, op.zeros_like(values))
        rest = op.sum(op.multiply(below, below), axis=(1,))
        head = op.take(values, number, axis=1)
        length = op.sqrt(op.add(op.multiply(head, head), rest))
        beta = op.where(op.less(head, zero), length, op.negative(length))
        is_done = op.equal(rest, zero)
        beta = op.where(is_done, head, beta)
        safe_beta = op.where(is_done, one, beta)
        factor = op.where(is_done, zero, op.divide(op.subtract(beta, head), safe_beta))
        divisor = op.where(is_done, one, op.subtract(head, beta))
        tail = op.divide(below, op.expand_dims(divisor, axis=1))
        vector = op.where(op.equal(down, number), one, tail)
        product = op.sum(op.multiply(op.expand_dims(vector, axis=2), data), axis=(1,))
        product = op.where(op.greater(behind, number), product, op.zeros_like(product))
        data = op.subtract(data, outer(vector, op.multiply(op.expand_dims(factor, axis=1), product)))
        kept = op.where(
            op.less(down, number), values, op.where(op.equal(down, number), op.expand_dims(beta, axis=1), tail)
        )
        data = op.where(op.equal(across, number), op.expand_dims(kept, axis=2), data)
        return data, op.where(op.equal(places, number), op.expand_dims(factor, axis=1), factors)

    factors = op.zeros(shape=(stack.count, count), dtype=stack.data.dtype)
    data, factors = counted(count, (stack.data, factors), (), step)
    return data, factors


def _applied(data: Expr, factors: Expr, to: Expr, *, from_last: bool) -> Expr:
    """Reflections applied to the rows of matrices one after the other."""
    rows = int(data.shape[1])  # pyright: ignore[reportArgumentType] stacks have sizes that are numbers
    count = int(factors.shape[1])  # pyright: ignore[reportArgumentType] the same
    down = numbered(rows, 1, 2)

    def step(number: Expr, state: Values, given: Values) -> Values:
        (found,) = state
        place = op.subtract(const(count - 1, INT64), number) if from_last else number
        tail = column(given[0], place)
        vector = op.where(op.greater(down, place), tail, op.zeros_like(tail))
        vector = op.where(op.equal(down, place), const(1, tail.dtype), vector)
        factor = op.expand_dims(op.take(given[1], place, axis=1), axis=1)
        product = op.sum(op.multiply(op.expand_dims(vector, axis=2), found), axis=(1,))
        return (op.subtract(found, outer(vector, op.multiply(factor, product))),)

    return counted(count, (to,), (data, factors), step)[0]


@aten("geqrf.default")
def geqrf(self: Expr) -> tuple[Expr, Expr]:
    """The triangle with the reflections below it, and the factor of each reflection."""
    stack = stacked(self, "reflections")
    data, factors = _reflected(stack)
    return stack.restored(data), stack.restored(factors)


@aten("linalg_qr.default")
def qr(A: Expr, mode: str = "reduced") -> tuple[Expr, Expr]:  # noqa: N803 the schema's name
    """An orthogonal matrix and a triangle whose product is the matrix; the first is empty where only the second is wanted."""
    stack = stacked(A, "an orthogonal matrix")
    data, factors = _reflected(stack)
    wide = mode == "complete"
    height = stack.rows if wide else min(stack.rows, stack.columns)
    upper = triangle(slice_axis(data, 1, 0, height), upper=True)
    if mode == "r":
        return op.zeros(shape=(0,), dtype=A.dtype), stack.restored(upper)
    start = slice_axis(unit(stack.rows, A, (stack.count,)), 2, 0, height)
    return stack.restored(_applied(data, factors, start, from_last=True)), stack.restored(upper)


def _factors(tau: Expr, stack: Stack) -> Expr:
    return reshaped(tau, (stack.count, tau.shape[-1]))


@aten("linalg_householder_product.default")
def householder_product(input: Expr, tau: Expr) -> Expr:
    """The first columns of the product of reflections."""
    stack = stacked(input, "a product of reflections")
    start = slice_axis(unit(stack.rows, input, (stack.count,)), 2, 0, stack.columns)
    return stack.restored(_applied(stack.data, _factors(tau, stack), start, from_last=True))


@aten("orgqr.default")
def orgqr(self: Expr, input2: Expr) -> Expr:
    """The first columns of the product of reflections."""
    return householder_product(self, input2)


@aten("ormqr.default")
def ormqr(self: Expr, input2: Expr, input3: Expr, left: bool = True, transpose: bool = False) -> Expr:
    """The product of reflections, or its transpose, times a matrix; or a matrix times it."""
    if not left:
        return transposed(ormqr(self, input2, transposed(input3), transpose=not transpose))
    stack, other = stacked(self, "a product of reflections"), stacked(input3, "a product of reflections")
    found = _applied(stack.data, _factors(input2, stack), other.data, from_last=not transpose)
    return other.restored(found)
