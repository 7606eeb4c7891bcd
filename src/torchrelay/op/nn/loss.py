"""Losses: how far predictions are from targets."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Fusion, TensorType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array

__all__ = ["cross_entropy", "cross_entropy_with_logits", "nll_loss"]


def _mean_type(x: TensorType, y: TensorType) -> TensorType:
    if x.rank != 2 or y.rank != 2 or not all(map(shapes.dims_fit, x.shape, y.shape)):
        raise TypeMismatch(f"two tensors of one shape (batch, classes) are needed, not {x.shape} and {y.shape}")
    return TensorType((), x.dtype)


@operator("nn.cross_entropy", None, Fusion.OPAQUE)
def cross_entropy(x: TensorType, y: TensorType) -> Type:
    """The mean over the batch of -sum(log(x) * y) of probabilities x and y."""
    return _mean_type(x, y)


@cross_entropy.reference
def cross_entropy_numpy(x: Array, y: Array) -> Array:
    return np.asarray(-(np.log(x) * y).sum() / x.dtype.type(len(x)), x.dtype)


@operator("nn.cross_entropy_with_logits", None, Fusion.OPAQUE)
def cross_entropy_with_logits(x: TensorType, y: TensorType) -> Type:
    """The mean over the batch of -sum(x * y) of logarithms of probabilities x and of probabilities y."""
    return _mean_type(x, y)


@cross_entropy_with_logits.reference
def cross_entropy_with_logits_numpy(x: Array, y: Array) -> Array:
    return np.asarray(-(x * y).sum() / x.dtype.type(len(x)), x.dtype)


@attrs("relay.attrs.NLLLossAttrs")
class NLLLossAttrs(Attrs):
    reduction: str = "mean"
    """``mean`` weighs each element by its class, ``sum`` adds them, ``none`` leaves them."""
    ignore_index: int
    """The target whose elements do not count."""


@operator("nn.nll_loss", NLLLossAttrs, Fusion.OUT_ELEMWISE_FUSABLE)
def nll_loss(predictions: TensorType, targets: TensorType, weights: TensorType, attrs: NLLLossAttrs) -> Type:
    """The negative of the prediction (N, C, ...) for the target class (N, ...), times the weight (C,) of that class."""
    if attrs.reduction not in ("mean", "sum", "none"):
        raise WrongArgument(f"reduction is {attrs.reduction!r}, but must be mean, sum or none")
    if not targets.dtype.is_int:
        raise TypeMismatch(f"the targets must be integers, not {targets.dtype}")
    if predictions.rank < 1 or targets.rank != predictions.rank - 1:
        raise TypeMismatch(f"targets of rank {targets.rank} do not fit predictions of rank {predictions.rank}")
    axis = min(predictions.rank - 1, 1)
    classes = predictions.shape[axis]
    wanted = (*predictions.shape[:axis], *predictions.shape[axis + 1 :])
    if not all(map(shapes.dims_fit, targets.shape, wanted)):
        raise TypeMismatch(f"the targets must have the shape {wanted}, not {targets.shape}")
    if weights.rank != 1 or not shapes.dims_fit(weights.shape[0], classes):
        raise TypeMismatch(f"the weights must have the shape ({classes},), not {weights.shape}")
    shape = tuple(map(shapes.known, targets.shape, wanted)) if attrs.reduction == "none" else ()
    return TensorType(shape, predictions.dtype)


@nll_loss.reference
def nll_loss_numpy(predictions: Array, targets: Array, weights: Array, attrs: NLLLossAttrs) -> Array:
    axis = min(predictions.ndim - 1, 1)
    counted = targets != attrs.ignore_index
    classes = np.where(counted, targets, 0)
    chosen = np.take_along_axis(predictions, np.expand_dims(classes, axis), axis).squeeze(axis)
    share = np.where(counted, weights[classes], weights.dtype.type(0))
    losses = -chosen * share
    if attrs.reduction == "none":
        return losses
    total = losses.sum()
    return total / share.sum() if attrs.reduction == "mean" else total
