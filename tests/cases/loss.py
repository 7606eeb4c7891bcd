"""Distances and losses."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from tests.cases.making import case
from tests.samples.making import array, bools, f32, i64

LABELS = array([1, 0, 3], "int64")
WEIGHTS = f32(4, low=0.5, high=2)
SIGNS = array([1, -1, 1], "float32")
SHARES = f32(3, 4, low=0.05, high=0.95)
NAMES = ("none", "mean", "sum")


def _by_reduction(function, *inputs):
    """A row for each reduction."""
    return [case(lambda *args, how=how: function(*args, reduction=how), *inputs) for how in NAMES]


ROWS = {
    "cosine_similarity.default": [
        case(lambda x, y: F.cosine_similarity(x, y, dim=0), f32(), f32(seed=1)),
        case(lambda x, y: F.cosine_similarity(x, y), f32(3, 4), f32(3, 4, seed=1)),
        case(lambda x, y: F.cosine_similarity(x, y, dim=-1, eps=0.1), f32(2, 3, 4), f32(4)),
    ],
    "pairwise_distance.default": [
        case(lambda x, y: F.pairwise_distance(x, y), f32(3, 4), f32(3, 4, seed=1)),
        case(lambda x, y: F.pairwise_distance(x, y, 1, keepdim=True), f32(3, 4), f32(3, 4, seed=1)),
        case(lambda x, y: F.pairwise_distance(x, y), i64(3, 4), i64(3, 4)),
    ],
    "cdist.default": [
        case(lambda x, y: torch.cdist(x, y), f32(3, 4), f32(5, 4, seed=1)),
        case(lambda x, y: torch.cdist(x, y, 1.0), f32(2, 3, 4), f32(2, 5, 4, seed=1)),
    ],
    "mse_loss.default": _by_reduction(F.mse_loss, f32(3, 4), f32(3, 4, seed=1)),
    "l1_loss.default": _by_reduction(F.l1_loss, f32(3, 4), f32(3, 4, seed=1)),
    "smooth_l1_loss.default": [
        *_by_reduction(F.smooth_l1_loss, f32(3, 4), f32(3, 4, seed=1)),
        case(lambda x, y: F.smooth_l1_loss(x, y, beta=0.3), f32(3, 4), f32(3, 4, seed=1)),
    ],
    "huber_loss.default": [
        *_by_reduction(F.huber_loss, f32(3, 4), f32(3, 4, seed=1)),
        case(lambda x, y: F.huber_loss(x, y, delta=0.3), f32(3, 4), f32(3, 4, seed=1)),
    ],
    "soft_margin_loss.default": _by_reduction(F.soft_margin_loss, f32(3), SIGNS),
    "hinge_embedding_loss.default": _by_reduction(F.hinge_embedding_loss, f32(3), SIGNS),
    "margin_ranking_loss.default": [
        case(lambda x, y, z: F.margin_ranking_loss(x, y, z), i64(5), i64(5, seed=1), array([1, -1, 1, 1, -1], "int64")),
        *_by_reduction(
            lambda x, y, z, reduction: F.margin_ranking_loss(x, y, z, 0.2, reduction=reduction),
            f32(3),
            f32(3, seed=1),
            SIGNS,
        ),
    ],
    "triplet_margin_loss.default": _by_reduction(
        F.triplet_margin_loss, f32(3, 4), f32(3, 4, seed=1), f32(3, 4, seed=2)
    ),
    "cosine_embedding_loss.default": [
        case(lambda x, y, z: F.cosine_embedding_loss(x, y, z), bools(3, 4), bools(3, 4, seed=1), bools(3)),
        case(
            lambda x, y, z: F.cosine_embedding_loss(x, y, z, 0.3),
            i64(3, 4),
            i64(3, 4, seed=1),
            array([1, -1, 0], "int64"),
        ),
        *_by_reduction(
            lambda x, y, z, reduction: F.cosine_embedding_loss(x, y, z, 0.1, reduction=reduction),
            f32(3, 4),
            f32(3, 4, seed=1),
            SIGNS,
        ),
    ],
    "kl_div.default": [
        *_by_reduction(F.kl_div, f32(3, 4), SHARES),
        case(lambda x, y: F.kl_div(x, y, reduction="batchmean", log_target=True), f32(3, 4), f32(3, 4, seed=1)),
    ],
    "binary_cross_entropy.default": [
        *_by_reduction(F.binary_cross_entropy, SHARES, f32(3, 4, low=0, high=1)),
        case(lambda x, y, w: F.binary_cross_entropy(x, y, w), SHARES, f32(3, 4, low=0, high=1), WEIGHTS),
    ],
    "binary_cross_entropy_with_logits.default": [
        *_by_reduction(F.binary_cross_entropy_with_logits, f32(3, 4), f32(3, 4, low=0, high=1)),
        case(
            lambda x, y, w, p: F.binary_cross_entropy_with_logits(x, y, w, pos_weight=p),
            f32(3, 4),
            f32(3, 4, low=0, high=1),
            WEIGHTS,
            WEIGHTS,
        ),
    ],
    "poisson_nll_loss.default": [
        case(lambda x, y: F.poisson_nll_loss(x, y, full=True), i64(5), i64(5, low=0)),
        case(lambda x, y: F.poisson_nll_loss(x, y, log_input=False), i64(5, low=1), f32(5)),
        case(lambda x, y: F.poisson_nll_loss(x, y), f32(3, 4), SHARES),
        case(lambda x, y: F.poisson_nll_loss(x, y, log_input=False, full=True), SHARES, f32(3, 4, low=0, high=4)),
    ],
    "nll_loss_nd.default": [
        *_by_reduction(F.nll_loss, f32(3, 4), LABELS),
        case(lambda x, y, w: F.nll_loss(x, y, w), f32(3, 4), LABELS, WEIGHTS),
        case(lambda x, y: F.nll_loss(x, y, ignore_index=0), f32(3, 4), LABELS),
        case(lambda x, y: F.nll_loss(x, y), f32(2, 4, 3, 5), i64(2, 3, 5, low=0, high=4)),
        case(lambda x, y: F.nll_loss(x, y), f32(4), array(2, "int64")),
    ],
    "nll_loss.default": [case(lambda x, y: torch.ops.aten.nll_loss.default(x, y), f32(3, 4), LABELS)],
    "nll_loss2d.default": [
        case(lambda x, y: torch.ops.aten.nll_loss2d.default(x, y), f32(2, 4, 3, 5), i64(2, 3, 5, low=0, high=4))
    ],
    "nll_loss_forward.default": [
        case(lambda x, y: torch.ops.aten.nll_loss_forward.default(x, y, None, 1, 0), f32(3, 4), LABELS),
        case(lambda x, y, w: torch.ops.aten.nll_loss_forward.default(x, y, w, 2, -100), f32(3, 4), LABELS, WEIGHTS),
    ],
    "nll_loss2d_forward.default": [
        case(
            lambda x, y: torch.ops.aten.nll_loss2d_forward.default(x, y, None, 2, 0),
            f32(2, 4, 3, 5),
            i64(2, 3, 5, low=0, high=4),
        )
    ],
    "_cdist_forward.default": [
        case(lambda x, y: torch.ops.aten._cdist_forward.default(x, y, 2.0, None), f32(3, 4), f32(5, 4, seed=1))
    ],
    "cross_entropy_loss.default": [
        *_by_reduction(F.cross_entropy, f32(3, 4), LABELS),
        case(lambda x, y, w: F.cross_entropy(x, y, w), f32(3, 4), LABELS, WEIGHTS),
        case(lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1), f32(3, 4), LABELS),
        case(lambda x, y, w: F.cross_entropy(x, y, w, label_smoothing=0.1, ignore_index=0), f32(3, 4), LABELS, WEIGHTS),
        case(lambda x, y: F.cross_entropy(x, y), f32(3, 4), SHARES),
        case(
            lambda x, y, w: F.cross_entropy(x, y, w, label_smoothing=0.2, reduction="sum"), f32(3, 4), SHARES, WEIGHTS
        ),
        case(lambda x, y: F.cross_entropy(x, y), f32(2, 4, 3), i64(2, 3, low=0, high=4)),
    ],
}
