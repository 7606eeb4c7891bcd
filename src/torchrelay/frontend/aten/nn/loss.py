"""Converters of distances and losses."""

from __future__ import annotations

import math

from torchrelay import op
from torchrelay.frontend.aten.arithmetic import xlogy
from torchrelay.frontend.aten.elementwise import log1p
from torchrelay.frontend.aten.nn.activation import log_sigmoid
from torchrelay.frontend.aten.norms import norm
from torchrelay.frontend.aten.reduce import summed
from torchrelay.frontend.aten.shape.broadcast import broadcast
from torchrelay.frontend.promote import Promote, as_dtype, promoted
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const, shapes

__all__ = ["MEAN", "NONE", "SUM"]

NONE, MEAN, SUM = 0, 1, 2
"""torch's numbers of what becomes of the losses of all elements."""


def _reduced(loss: Expr, reduction: int) -> Expr:
    """All losses, their mean or their sum."""
    if reduction == NONE:
        return loss
    return op.mean(loss) if reduction == MEAN else op.sum(loss)


@aten("cosine_similarity.default")
def cosine_similarity(x1: Expr, x2: Expr, dim: int = 1, eps: float = 1e-8) -> Expr:
    """The cosine of the angle between two vectors along an axis."""
    if not x1.tensor.rank and not x2.tensor.rank:
        return op.reshape(
            cosine_similarity(op.expand_dims(x1, axis=0), op.expand_dims(x2, axis=0), 0, eps), newshape=()
        )

    def length(value: Expr) -> Expr:
        root = op.sqrt(op.sum(op.multiply(value, value), axis=(dim,), keepdims=True))
        return op.maximum(root, const(eps, value.dtype))

    shape = shapes.broadcast(x1.shape, x2.shape)
    left, right = (broadcast(value, shape) for value in promoted((x1, x2), Promote.INT_TO_FLOAT))
    return op.sum(op.multiply(op.divide(left, length(left)), op.divide(right, length(right))), axis=(dim,))


@aten("pairwise_distance.default")
def pairwise_distance(x1: Expr, x2: Expr, p: float = 2, eps: float = 1e-6, keepdim: bool = False) -> Expr:
    """The p-norm of the difference of two vectors along the last axis."""
    difference = op.subtract(*promoted((x1, x2), Promote.INT_TO_FLOAT))
    return norm(op.add(difference, const(eps, difference.dtype)), p, (-1,), keepdim)


@aten("cdist.default", ignore=("compute_mode",))
def cdist(x1: Expr, x2: Expr, p: float = 2) -> Expr:
    """The p-norm of the difference of every row of one matrix and every row of another."""
    return norm(op.subtract(op.expand_dims(x1, axis=-2), op.expand_dims(x2, axis=x2.tensor.rank - 2)), p, (-1,))


@aten("_cdist_forward.default", ignore=("compute_mode",))
def cdist_core(x1: Expr, x2: Expr, p: float) -> Expr:
    """The p-norm of the difference of every row of one matrix and every row of another."""
    return cdist(x1, x2, p)


@aten("mse_loss.default")
def mse_loss(self: Expr, target: Expr, reduction: int = MEAN) -> Expr:
    """The squared difference."""
    distance = op.subtract(*promoted((self, target), Promote.SAME))
    return _reduced(op.multiply(distance, distance), reduction)


@aten("l1_loss.default")
def l1_loss(self: Expr, target: Expr, reduction: int = MEAN) -> Expr:
    """The absolute difference."""
    return _reduced(op.abs(op.subtract(*promoted((self, target), Promote.SAME))), reduction)


def _smoothed(distance: Expr, bound: float) -> Expr:
    """Half the square of a distance, beyond a bound the line that goes on from there."""
    limit = const(bound, distance.dtype)
    half = const(0.5, distance.dtype)
    square = op.multiply(half, op.multiply(distance, distance))
    line = op.multiply(limit, op.subtract(distance, op.multiply(half, limit)))
    return op.where(op.less(distance, limit), square, line)


@aten("smooth_l1_loss.default")
def smooth_l1_loss(self: Expr, target: Expr, reduction: int = MEAN, beta: float = 1.0) -> Expr:
    """The absolute difference less half of beta, below beta half its square divided by beta."""
    if not beta:
        return l1_loss(self, target, reduction)
    distance = op.abs(op.subtract(self, target))
    return _reduced(op.divide(_smoothed(distance, beta), const(beta, self.dtype)), reduction)


@aten("huber_loss.default")
def huber_loss(self: Expr, target: Expr, reduction: int = MEAN, delta: float = 1.0) -> Expr:
    """Half the square of the difference, beyond delta a line."""
    return _reduced(_smoothed(op.abs(op.subtract(self, target)), delta), reduction)


@aten("soft_margin_loss.default")
def soft_margin_loss(self: Expr, target: Expr, reduction: int = MEAN) -> Expr:
    """log(1 + exp(-target * x))."""
    return _reduced(op.negative(log_sigmoid(op.multiply(target, self))), reduction)


def _margin(loss: Expr) -> Expr:
    """The loss, or 0 where it is negative."""
    return op.maximum(loss, const(0, loss.dtype))


@aten("hinge_embedding_loss.default")
def hinge_embedding_loss(self: Expr, target: Expr, margin: float = 1.0, reduction: int = MEAN) -> Expr:
    """X where the target is 1, max(0, margin - x) where it is -1."""
    one, zero = const(1, target.dtype), const(0, self.dtype)
    missed = op.where(op.equal(target, one), zero, _margin(op.subtract(const(margin, self.dtype), self)))
    kept = op.where(op.equal(target, op.negative(one)), zero, self)
    return _reduced(op.add(missed, kept), reduction)


@aten("margin_ranking_loss.default")
def margin_ranking_loss(input1: Expr, input2: Expr, target: Expr, margin: float = 0.0, reduction: int = MEAN) -> Expr:
    """max(0, -target * (x1 - x2) + margin)."""
    product = op.multiply(op.negative(target), op.subtract(input1, input2))
    return _reduced(_margin(op.add(*promoted((product, margin), Promote.SAME))), reduction)


@aten("triplet_margin_loss.default")
def triplet_margin_loss(
    anchor: Expr,
    positive: Expr,
    negative: Expr,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: int = MEAN,
) -> Expr:
    """max(0, distance to the positive - distance to the negative + margin)."""
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = op.minimum(far, pairwise_distance(positive, negative, p, eps))
    return _reduced(_margin(op.add(op.subtract(near, far), const(margin, near.dtype))), reduction)


@aten("cosine_embedding_loss.default")
def cosine_embedding_loss(input1: Expr, input2: Expr, target: Expr, margin: float = 0.0, reduction: int = MEAN) -> Expr:
    """1 - cosine where the target is 1, max(0, cosine - margin) where it is -1."""

    def product(left: Expr, right: Expr) -> Expr:
        return op.sum(summed(op.multiply(left, right), None), axis=(-1,))

    tiny = 1e-12
    left, right = (op.add(*promoted((product(value, value), tiny), Promote.SAME)) for value in (input1, input2))
    lengths = op.sqrt(op.multiply(left, right))
    cosine = op.divide(as_dtype(product(input1, input2), lengths.dtype), lengths)
    hit, missed = (op.equal(*promoted((target, sign), Promote.SAME)) for sign in (1, -1))
    zero = const(0, cosine.dtype)
    alike = op.where(hit, op.subtract(const(1, cosine.dtype), cosine), zero)
    apart = _margin(op.subtract(cosine, const(margin, cosine.dtype)))
    return _reduced(op.add(alike, op.where(missed, apart, zero)), reduction)


@aten("kl_div.default")
def kl_div(self: Expr, target: Expr, reduction: int = MEAN, *, log_target: bool = False) -> Expr:
    """Target * (log(target) - x); the target given as its logarithm with ``log_target``."""
    if log_target:
        return _reduced(op.multiply(op.exp(target), op.subtract(target, self)), reduction)
    return _reduced(op.subtract(xlogy(target, target), op.multiply(target, self)), reduction)


@aten("binary_cross_entropy.default")
def binary_cross_entropy(self: Expr, target: Expr, weight: Expr | None = None, reduction: int = MEAN) -> Expr:
    """-(target * log(x) + (1 - target) * log(1 - x)), each logarithm -100 at least."""
    one, low = const(1, self.dtype), const(-100, self.dtype)
    hit = op.maximum(op.log(self), low)
    missed = op.maximum(log1p(op.negative(self)), low)
    loss = op.subtract(op.multiply(op.subtract(target, one), missed), op.multiply(target, hit))
    return _reduced(loss if weight is None else op.multiply(loss, weight), reduction)


@aten("binary_cross_entropy_with_logits.default")
def binary_cross_entropy_with_logits(
    self: Expr, target: Expr, weight: Expr | None = None, pos_weight: Expr | None = None, reduction: int = MEAN
) -> Expr:
    """The same of sigmoid(x), the first term weighted with ``pos_weight``."""
    one = const(1, self.dtype)
    missed = op.multiply(op.subtract(one, target), self)
    scale = one if pos_weight is None else op.add(op.multiply(op.subtract(pos_weight, one), target), one)
    loss = op.subtract(missed, op.multiply(scale, log_sigmoid(self)))
    return _reduced(loss if weight is None else op.multiply(loss, weight), reduction)


@aten("poisson_nll_loss.default")
def poisson_nll_loss(input: Expr, target: Expr, log_input: bool, full: bool, eps: float, reduction: int) -> Expr:
    """exp(x) - target * x, or x - target * log(x); with ``full`` Stirling's term for targets above 1."""
    input, target = promoted((input, target), Promote.INT_TO_FLOAT)
    if log_input:
        loss = op.subtract(op.exp(input), op.multiply(target, input))
    else:
        loss = op.subtract(input, op.multiply(target, op.log(op.add(input, const(eps, input.dtype)))))
    if full:
        half, two_pi = const(0.5, target.dtype), const(2 * math.pi, target.dtype)
        stirling = op.add(
            op.subtract(op.multiply(target, op.log(target)), target),
            op.multiply(half, op.log(op.multiply(two_pi, target))),
        )
        loss = op.add(loss, op.where(op.greater(target, const(1, target.dtype)), stirling, const(0, loss.dtype)))
    return _reduced(loss, reduction)
