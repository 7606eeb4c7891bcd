"""Converters of products of matrices."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.shape.broadcast import broadcast
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import (
    Number,
    Promote,
    as_tensor,
    promoted,
)
from torchrelay.frontend.registry import aten
from torchrelay.ir import Dim, Expr, Shape, shapes

__all__: list[str] = []


def _rows(data: Expr) -> Expr:
    """The data as a matrix whose rows run along its last axis."""
    if data.tensor.rank == 2:
        return data
    if 0 in data.shape and not shapes.is_static(data.shape):
        raise UnsupportedProgram("a product of matrices without elements, of which another size is not known")
    count = shapes.product(data.shape[:-1])
    return reshaped(data, (count if isinstance(count, int) else -1, data.shape[-1]))


@aten("linear.default")
def linear(input: Expr, weight: Expr, bias: Expr | None = None) -> Expr:
    """Input times the transpose of the weight, plus the bias."""
    matrix = weight if weight.tensor.rank == 2 else op.expand_dims(weight, axis=0)
    result = op.nn.dense(_rows(input), matrix, units=matrix.shape[0])
    if bias is not None:
        result = op.nn.bias_add(result, bias, axis=-1) if bias.tensor.rank == 1 else op.add(result, bias)
    tail: Shape = (matrix.shape[0],) if weight.tensor.rank == 2 else ()
    return reshaped(result, (*input.shape[:-1], *tail))


@aten("matmul.default", "mm.default", "bmm.default", "mv.default", "dot.default", "linalg_matmul.default")
def matmul(
    self: Expr,
    mat2: Expr | None = None,
    other: Expr | None = None,
    vec: Expr | None = None,
    tensor: Expr | None = None,
) -> Expr:
    """The product of matrices, of a matrix and a vector, or of two vectors, with the leading axes broadcast."""
    right = next(value for value in (mat2, other, vec, tensor) if value is not None)
    return multiplied(self, right)


def multiplied(left: Expr, right: Expr) -> Expr:
    """The matrix product as torch.matmul has it for any ranks."""
    if left.tensor.rank == 1:
        return op.squeeze(multiplied(op.expand_dims(left, axis=0), right), axis=(max(right.tensor.rank - 2, 0),))
    if right.tensor.rank == 1:
        product = multiplied(left, op.expand_dims(right, axis=1))
        return op.squeeze(product, axis=(product.tensor.rank - 1,))
    if right.tensor.rank == 2:
        product = op.nn.matmul(_rows(left), right, units=right.shape[1])
        return reshaped(product, (*left.shape[:-1], right.shape[1]))
    lead = shapes.broadcast(left.shape[:-2], right.shape[:-2])
    product = op.nn.batch_matmul(batches(left, lead), batches(right, lead))
    return reshaped(product, (*lead, *product.shape[1:]))


def batches(data: Expr, lead: Sequence[Dim], *sources: Expr) -> Expr:
    """The matrices of a tensor with its leading axes broadcast and folded into one; ``sources`` have the sizes of ``lead``."""
    if shapes.product(data.shape[:-2]) == 1:
        return reshaped(data, (1, *data.shape[-2:]))
    whole = broadcast(data, (*lead, *data.shape[-2:]), *sources)
    return reshaped(whole, (shapes.product(lead), *data.shape[-2:]))


def weighted(value: Expr, factor: Number) -> Expr:
    return value if factor == 1 else op.multiply(value, as_tensor(factor, value.dtype))


@aten("addmm.default")
def addmm(self: Expr, mat1: Expr, mat2: Expr, *, beta: Number = 1, alpha: Number = 1) -> Expr:
    """Beta * self + alpha * (mat1 times mat2)."""
    product = weighted(multiplied(mat1, mat2), alpha)
    return op.add(product, weighted(self, beta)) if beta else product


@aten("baddbmm.default")
def baddbmm(self: Expr, batch1: Expr, batch2: Expr, *, beta: Number = 1, alpha: Number = 1) -> Expr:
    """Beta * self + alpha * (batch1 times batch2)."""
    return addmm(self, batch1, batch2, beta=beta, alpha=alpha)


@aten("addmv.default")
def addmv(self: Expr, mat: Expr, vec: Expr, *, beta: Number = 1, alpha: Number = 1) -> Expr:
    """Beta * self + alpha * (mat times vec)."""
    return addmm(self, mat, vec, beta=beta, alpha=alpha)


@aten("addr.default")
def addr(self: Expr, vec1: Expr, vec2: Expr, *, beta: Number = 1, alpha: Number = 1) -> Expr:
    """Beta * self + alpha * (every element of one vector times every element of another)."""
    base, left, right = promoted((self, vec1, vec2), Promote.SAME)
    product = weighted(op.multiply(op.expand_dims(left, axis=1), right), alpha)
    return op.add(product, weighted(base, beta)) if beta else product


@aten("addbmm.default")
def addbmm(self: Expr, batch1: Expr, batch2: Expr, *, beta: Number = 1, alpha: Number = 1) -> Expr:
    """Beta * self + alpha * (the sum of all batch1 times batch2)."""
    product = weighted(op.sum(multiplied(batch1, batch2), axis=(0,)), alpha)
    return op.add(product, weighted(self, beta)) if beta else product


@aten("chain_matmul.default")
def chain_matmul(matrices: Sequence[Expr]) -> Expr:
    """The product of several matrices, in the order that takes the fewest multiplications."""
    return multi_dot(matrices)


@aten("linalg_multi_dot.default")
def multi_dot(tensors: Sequence[Expr]) -> Expr:
    """The product of several matrices, in the order that takes the fewest multiplications; the ends may be vectors."""
    first, *middle, last = tensors
    parts = [first if first.tensor.rank == 2 else op.expand_dims(first, axis=0), *middle]
    parts.append(last if last.tensor.rank == 2 else op.expand_dims(last, axis=1))
    product = _multiplied_in_order(parts)
    kept = [*product.shape[: first.tensor.rank - 1], *product.shape[3 - last.tensor.rank :]]
    return reshaped(product, kept)


def _multiplied_in_order(parts: list[Expr]) -> Expr:
    """The product, cut where the cost of what is before and after is least."""
    sizes = [*(shapes.static(part.shape, "a product of matrices")[0] for part in parts), parts[-1].shape[1]]
    count = len(parts)
    cost = {(i, i): (0, i) for i in range(count)}
    for span, start in itertools.product(range(1, count), range(count)):
        end = start + span
        if end < count:
            cuts = [
                (cost[start, cut][0] + cost[cut + 1, end][0] + sizes[start] * sizes[cut + 1] * sizes[end + 1], cut)
                for cut in range(start, end)
            ]
            cost[start, end] = min(cuts)
    done: dict[tuple[int, int], Expr] = {(i, i): part for i, part in enumerate(parts)}
    for start, end in sorted(cost, key=lambda pair: pair[1] - pair[0]):
        if (start, end) not in done and _is_used((start, end), cost, count):
            cut = cost[start, end][1]
            done[start, end] = multiplied(done[start, cut], done[cut + 1, end])
    return done[0, count - 1]


def _is_used(span: tuple[int, int], cost: Mapping[tuple[int, int], tuple[int, int]], count: int) -> bool:
    """Whether the best order of the whole product has this part of it."""
    low, high = 0, count - 1
    while (low, high) != span:
        cut = cost[low, high][1]
        if span[1] <= cut:
            high = cut
        elif span[0] > cut:
            low = cut + 1
        else:
            return False
    return True


@aten("bilinear.default")
def bilinear(input1: Expr, input2: Expr, weight: Expr, bias: Expr | None = None) -> Expr:
    """For each output the product of one input, a matrix and the other input, plus the bias."""
    outputs, left, right = weight.shape
    first = reshaped(input1, (-1, left))
    second = reshaped(input2, (-1, 1, right))
    partial = multiplied(first, reshaped(permuted(weight, (1, 0, 2)), (left, shapes.multiply(outputs, right))))
    shaped = reshaped(partial, (first.shape[0], outputs, right))
    result = op.sum(op.multiply(shaped, second), axis=(-1,))
    result = reshaped(result, (*input1.shape[:-1], outputs))
    return result if bias is None else op.add(result, bias)
