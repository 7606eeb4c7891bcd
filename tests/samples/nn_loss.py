"""Losses."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from tests.samples.making import array, f32, f64, i32, i64, sample
from torchrelay import op


def likelihood(predictions, targets, reduction="mean", ignore_index=-100):
    """A row of a loss of chosen classes with weights."""
    judge = lambda x, t, w: F.nll_loss(x, t.long(), w, reduction=reduction, ignore_index=ignore_index)
    weights = array(f64(predictions.shape[min(predictions.ndim - 1, 1)], low=0.5), str(predictions.dtype))
    return sample(predictions, targets, weights, torch=judge, reduction=reduction, ignore_index=ignore_index)


ROWS = {
    op.nn.cross_entropy: [
        sample(f32(3, 4, low=0.1), f32(3, 4, low=0), torch=lambda x, y: -(x.log() * y).sum(1).mean()),
        sample(f64(2, 5, low=0.1), f64(2, 5, low=0), torch=lambda x, y: -(x.log() * y).sum(1).mean()),
    ],
    op.nn.cross_entropy_with_logits: [
        sample(f32(3, 4), f32(3, 4, low=0), torch=lambda x, y: -(x * y).sum(1).mean()),
        sample(
            torch.log_softmax(torch.from_numpy(f32(3, 4)), 1).numpy(),
            torch.softmax(torch.from_numpy(f32(3, 4, seed=1)), 1).numpy(),
            torch=lambda x, y: F.cross_entropy(x, y),
        ),
    ],
    op.nn.nll_loss: [
        *[likelihood(f32(5, 4), i32(5, low=0, high=4), reduction) for reduction in ("mean", "sum", "none")],
        likelihood(f32(3, 4, 5), i64(3, 5, low=0, high=4)),
        likelihood(f32(2, 4, 3, 5), i32(2, 3, 5, low=0, high=4), "none", ignore_index=2),
        likelihood(f64(5, 4), i64(5, low=0, high=4), ignore_index=1),
        likelihood(f32(4), i64(low=0, high=4)),
        likelihood(f32(4, 3), array([-100, 0, 2, -100], "int64"), "sum"),
    ],
}
