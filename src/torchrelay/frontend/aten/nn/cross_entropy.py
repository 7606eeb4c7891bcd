"""Converters of losses of classes: of each example the logarithm of the share of its class."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.aten.nn.loss import NONE, SUM
from torchrelay.frontend.aten.shape.cut import size_along
from torchrelay.frontend.aten.shape.extents import sized
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import as_dtype, as_tensor
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const, shapes

__all__: list[str] = []


def _picked(data: Expr, labels: Expr) -> Expr:
    """The element of the class of each example; the classes are the second axis, or the only one."""
    axis = min(1, data.tensor.rank - 1)
    return op.squeeze(op.gather(data, op.expand_dims(labels, axis=axis), axis=axis), axis=(axis,))


def _averaged(loss: Expr, weight: Expr, reduction: int) -> Expr:
    """The losses, their sum, or their sum divided by that of the weights."""
    if reduction == NONE:
        return loss
    total = op.sum(loss)
    return total if reduction == SUM else op.divide(total, op.sum(weight))


def _weights(labels: Expr, weight: Expr | None, ignore_index: int, like: Expr) -> tuple[Expr, Expr]:
    """The weight of each example, 0 where it is ignored, and the labels with 0 where they are."""
    counts = op.not_equal(labels, const(ignore_index, labels.dtype))
    safe = op.where(counts, labels, const(0, labels.dtype))
    own = op.ones_like(as_dtype(labels, like.dtype)) if weight is None else op.take(weight, safe, axis=0)
    return op.where(counts, own, const(0, like.dtype)), safe


@aten("nll_loss_nd.default", "nll_loss.default", "nll_loss2d.default")
def nll_loss(
    self: Expr, target: Expr, weight: Expr | None = None, reduction: int = 1, ignore_index: int = -100
) -> Expr:
    """Less the element of the class of each example, times the weight of the class."""
    weights, labels = _weights(target, weight, ignore_index, self)
    loss = op.negative(op.multiply(_picked(self, labels), weights))
    return _averaged(loss, weights, reduction)


@aten("nll_loss_forward.default", "nll_loss2d_forward.default")
def nll_loss_forward(
    self: Expr, target: Expr, weight: Expr | None, reduction: int, ignore_index: int
) -> tuple[Expr, Expr]:
    """The same, and the sum of the weights; 0 where the losses are not summed."""
    weights, _ = _weights(target, weight, ignore_index, self)
    total = op.sum(weights) if reduction != NONE else const(0, self.dtype)
    return nll_loss(self, target, weight, reduction, ignore_index), total


@aten("cross_entropy_loss.default")
def cross_entropy(
    self: Expr,
    target: Expr,
    weight: Expr | None = None,
    reduction: int = 1,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> Expr:
    """Less the logarithm of the softmax at the class of each example; the target may be shares of all classes."""
    axis = min(1, self.tensor.rank - 1)
    logs = op.nn.log_softmax(self, axis=axis)
    if target.dtype.is_float:
        return _of_shares(logs, target, weight, axis, reduction, label_smoothing)
    hard = nll_loss(logs, target, weight, reduction, ignore_index)
    if not label_smoothing:
        return hard
    weights, _ = _weights(target, weight, ignore_index, self)
    counted = op.not_equal(target, const(ignore_index, target.dtype))
    spread = op.negative(op.sum(_weighted_classes(logs, weight, axis), axis=(axis,)))
    smooth = _averaged(op.where(counted, spread, const(0, self.dtype)), weights, reduction)
    return _smoothed(hard, smooth, label_smoothing, size_along(self, axis, "a smoothed loss"))


def _weighted_classes(logs: Expr, weight: Expr | None, axis: int) -> Expr:
    if weight is None:
        return logs
    return op.multiply(logs, reshaped(weight, (weight.shape[0], *(1,) * (logs.tensor.rank - 1 - axis))))


def _smoothed(hard: Expr, smooth: Expr, share: float, classes: int) -> Expr:
    """The loss of the class with a share of it spread over all classes."""
    kept, spread = const(1 - share, hard.dtype), const(share / classes, hard.dtype)
    return op.add(op.multiply(kept, hard), op.multiply(spread, smooth))


def _of_shares(
    logs: Expr, target: Expr, weight: Expr | None, axis: int, reduction: int, label_smoothing: float
) -> Expr:
    if label_smoothing:
        classes = size_along(logs, axis, "a smoothed loss")
        spread = const(label_smoothing / classes, target.dtype)
        target = op.add(op.multiply(target, const(1 - label_smoothing, target.dtype)), spread)
    loss = op.negative(op.sum(op.multiply(_weighted_classes(logs, weight, axis), target), axis=(axis,)))
    if reduction == NONE:
        return loss
    total = op.sum(loss)
    examples = shapes.floor_div(shapes.product(logs.shape), logs.shape[axis])
    if reduction == SUM:
        return total
    (count,) = sized((examples,), logs)
    return op.divide(total, as_tensor(count, loss.dtype))
