"""Converters of products of matrices."""

from __future__ import annotations

from collections.abc import Sequence

from torchrelay import op
from torchrelay.frontend.aten.shape.broadcast import broadcast
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import (
    Number,
    as_tensor,
)
from torchrelay.frontend.registry import aten
from torchrelay.ir import Dim, Expr, Shape, shapes

__all__: list[str] = []


def _rows(data: Expr) -> Expr:
    """The data as a matrix whose rows run along its last axis."""
    return data if data.tensor.rank == 2 else reshaped(data, (-1, data.shape[-1]))


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


def batches(data: Expr, lead: Sequence[Dim]) -> Expr:
    """The matrices of a tensor with its leading axes broadcast and folded into one."""
    if shapes.product(data.shape[:-2]) == 1:
        return reshaped(data, (1, *data.shape[-2:]))
    return reshaped(broadcast(data, (*lead, *data.shape[-2:])), (-1, *data.shape[-2:]))


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
