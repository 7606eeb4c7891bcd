"""Converters of sums of products beyond the product of matrices."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

import numpy as np

from torchrelay import op
from torchrelay.frontend.aten.linalg.lu import inverse
from torchrelay.frontend.aten.nn.dense import multiplied
from torchrelay.frontend.aten.shape.broadcast import broadcast
from torchrelay.frontend.aten.shape.cut import size_along
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import Promote, promoted
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import Expr, const, shapes

__all__: list[str] = []


@aten("einsum.default", ignore=("path",))
def einsum(equation: str, tensors: Sequence[Expr]) -> Expr:
    """Sums of products over the axes that an equation does not keep."""
    return op.einsum(promoted(list(tensors), Promote.SAME), equation=equation.replace(" ", ""))


def _as_wide(data: Expr, axes: Sizes, other: Expr, other_axes: Sizes) -> Expr:
    """The data summed along axes whose partner has size 1."""
    pairs = zip(axes, other_axes, strict=True)
    narrow = tuple([a for a, b in pairs if other.shape[b] == 1 and data.shape[a] != 1])
    return op.sum(data, axis=narrow, keepdims=True) if narrow else data


@aten("tensordot.default")
def tensordot(self: Expr, other: Expr, dims_self: Sizes, dims_other: Sizes) -> Expr:
    """Sums of products over pairs of axes."""
    left, right = shapes.normal_axes(dims_self, self.tensor.rank), shapes.normal_axes(dims_other, other.tensor.rank)
    self, other = _as_wide(self, left, other, right), _as_wide(other, right, self, left)
    rows = [axis for axis in range(self.tensor.rank) if axis not in left]
    columns = [axis for axis in range(other.tensor.rank) if axis not in right]
    inner = shapes.product([self.shape[axis] for axis in left])
    high, wide = [self.shape[axis] for axis in rows], [other.shape[axis] for axis in columns]
    first = reshaped(permuted(self, [*rows, *left]), (shapes.product(high), inner))
    second = reshaped(permuted(other, [*right, *columns]), (inner, shapes.product(wide)))
    return reshaped(multiplied(first, second), (*high, *wide), self, other)


@aten("outer.default", "ger.default")
def outer(self: Expr, vec2: Expr) -> Expr:
    """Every element of one vector times every element of another."""
    left, right = promoted((self, vec2), Promote.SAME)
    return op.multiply(op.expand_dims(left, axis=1), right)


@aten("inner.default")
def inner(self: Expr, other: Expr) -> Expr:
    """Sums of products along the last axes."""
    if not self.tensor.rank or not other.tensor.rank:
        return op.multiply(self, other)
    return tensordot(self, other, (-1,), (-1,))


@aten("kron.default", promote=Promote.SAME)
def kron(self: Expr, other: Expr) -> Expr:
    """Each element of one tensor times the whole other, put where the element is."""
    rank = builtins.max(self.tensor.rank, other.tensor.rank)
    left, right = ((*(1,) * (rank - value.tensor.rank), *value.shape) for value in (self, other))
    outside = [size for pair in zip(left, (1,) * rank, strict=True) for size in pair]
    inside = [size for pair in zip((1,) * rank, right, strict=True) for size in pair]
    product = op.multiply(reshaped(self, outside), reshaped(other, inside))
    return reshaped(product, [shapes.multiply(a, b) for a, b in zip(left, right, strict=True)], self, other)


@aten("linalg_cross.default", promote=Promote.SAME)
def linalg_cross(self: Expr, other: Expr, *, dim: int = -1) -> Expr:
    """The cross product of vectors of three along an axis."""
    shape = shapes.broadcast(self.shape, other.shape)
    axis = shapes.normal_axis(dim, len(shape))
    left, right = (tuple(op.split(broadcast(v, shape), indices_or_sections=3, axis=axis)) for v in (self, other))
    parts = [
        op.subtract(op.multiply(left[j], right[k]), op.multiply(left[k], right[j])) for j, k in ((1, 2), (2, 0), (0, 1))
    ]
    return op.concatenate(parts, axis=axis)


@aten("cross.default", promote=Promote.SAME)
def cross(self: Expr, other: Expr, dim: int | None = None) -> Expr:
    """The cross product of vectors of three along an axis, the first of size 3 where none is named."""
    return linalg_cross(self, other, dim=self.shape.index(3) if dim is None else dim)


@aten("vdot.default")
def vdot(self: Expr, other: Expr) -> Expr:
    """The product of two vectors."""
    return multiplied(self, other)


@aten("linalg_vecdot.default")
def vecdot(x: Expr, y: Expr, *, dim: int = -1) -> Expr:
    """The product of vectors along an axis."""
    return op.sum(op.multiply(*promoted((x, y), Promote.SAME)), axis=(dim,))


@aten("matrix_power.default", "linalg_matrix_power.default")
def matrix_power(self: Expr, n: int) -> Expr:
    """The product of a matrix with itself, so many times; of its inverse for negative powers."""
    if n < 0:
        return matrix_power(inverse(self)[0], -n)
    if not n:
        return broadcast(const(np.eye(size_along(self, -1, "a power")), self.dtype), self.shape)
    result = self
    for digit in f"{n:b}"[1:]:
        result = multiplied(result, result)
        result = multiplied(result, self) if digit == "1" else result
    return result


@aten("block_diag.default")
def block_diag(tensors: Sequence[Expr]) -> Expr:
    """Matrices along a diagonal, zeros beside them."""
    parts = promoted(list(tensors), Promote.SAME)
    blocks = [reshaped(part, (*(1,) * (2 - part.tensor.rank), *part.shape)) for part in parts]
    widths = [size_along(block, 1, "a block") for block in blocks]
    rows = []
    for number, block in enumerate(blocks):
        around = (builtins.sum(widths[:number]), builtins.sum(widths[number + 1 :]))
        rows.append(op.nn.pad(block, const(0, block.dtype), pad_width=((0, 0), around)))
    return op.concatenate(rows, axis=0) if len(rows) > 1 else rows[0]
