"""Activations, softmax and dropout."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.samples.making import array, f16, f32, f64, i8, i32, sample
from torchrelay import op

EDGES = array([[-1.5, -0.0, 0.0, 2.0], [math.inf, -math.inf, math.nan, -1e-30]])


def softmaxes(by_torch):
    """Rows of a softmax along each axis, and of values that overflow."""
    return [
        *[sample(f32(2, 3, 4), axis=axis, torch=lambda x, axis=axis: by_torch(x, axis)) for axis in (0, 1, -1)],
        sample(f32(2, 3), torch=lambda x: by_torch(x, -1)),
        sample(array([[1e4, -1e4, 0], [88, 89, 90]]), torch=lambda x: by_torch(x, 1)),
        sample(array([[-math.inf, 0.0], [math.inf, 1.0]]), torch=lambda x: by_torch(x, 1)),
        sample(f64(5), axis=0, torch=lambda x: by_torch(x, 0)),
        sample(f16(3, 5), torch=lambda x: by_torch(x, 1)),
        sample(f32(0, 3), torch=lambda x: by_torch(x, 1)),
    ]


ROWS = {
    op.nn.relu: [
        sample(f32(2, 3), torch=torch.relu),
        sample(EDGES, torch=torch.relu),
        sample(i32(2, 3), torch=torch.relu),
        sample(i8(9), torch=torch.relu),
        sample(f16(9), torch=torch.relu),
        sample(f32(), torch=torch.relu),
    ],
    op.nn.leaky_relu: [
        sample(f32(2, 3), torch=lambda x: F.leaky_relu(x, 0.25)),
        sample(f32(2, 3), alpha=0.01, torch=lambda x: F.leaky_relu(x, 0.01)),
        sample(f32(2, 3), alpha=-1.0, torch=lambda x: F.leaky_relu(x, -1.0)),
        sample(EDGES, alpha=0.1, torch=lambda x: F.leaky_relu(x, 0.1)),
        sample(f64(2, 3), alpha=0.1, torch=lambda x: F.leaky_relu(x, 0.1)),
    ],
    op.nn.prelu: [
        sample(f32(2, 3), f32(3), torch=F.prelu),
        sample(f32(2, 3, 4, 5), f32(3), torch=F.prelu),
        sample(f32(2, 4, 3), f32(3), axis=2, torch=lambda x, a: F.prelu(x.mT, a).mT),
        sample(f32(4), f32(4), axis=0, torch=lambda x, a: torch.where(x > 0, x, x * a)),
    ],
    op.nn.softmax: softmaxes(torch.softmax),
    op.nn.fast_softmax: softmaxes(torch.softmax),
    op.nn.log_softmax: softmaxes(torch.log_softmax),
    op.nn.dropout: [
        sample(f32(2, 3), torch=lambda x: (x, torch.ones_like(x))),
        sample(f64(4), rate=0.9, torch=lambda x: (x, torch.ones_like(x))),
    ],
}
