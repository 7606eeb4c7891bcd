"""Normalizations."""

from __future__ import annotations

import torch.nn.functional as F

from tests.samples.making import array, f32, f64, sample
from torchrelay import op


def options(attributes, gamma, beta):
    """Scale and shift as the record asks for them."""
    return gamma if attributes.get("scale", True) else None, beta if attributes.get("center", True) else None


def batch(data, axis=1, make=f32, **attributes):
    """A row of a batch normalisation, with the running moments as further results."""
    size = data.shape[axis]
    given = {} if axis == 1 else {"axis": axis}

    def judge(x, gamma, beta, mean, var):
        weight, bias = options(attributes, gamma, beta)
        moved = x.movedim(axis, 1)
        result = F.batch_norm(moved, mean, var, weight, bias, eps=attributes.get("epsilon", 1e-5))
        return result.movedim(1, axis), mean, var

    vectors = [make(size, low=0.5, high=2, seed=seed) for seed in range(4)]
    return sample(data, *vectors, torch=judge, rtol=1e-5, atol=1e-5, **given, **attributes)


def layer(data, axis=-1, **attributes):
    """A row of a layer normalisation along one axis."""

    def judge(x, gamma, beta):
        weight, bias = options(attributes, gamma, beta)
        moved = x.movedim(axis, -1)
        eps = attributes.get("epsilon", 1e-5)
        return F.layer_norm(moved, moved.shape[-1:], weight, bias, eps=eps).movedim(-1, axis)

    vectors = [array(f64(data.shape[axis], seed=seed), str(data.dtype)) for seed in (1, 2)]
    given = {} if axis == -1 else {"axis": axis}
    return sample(data, *vectors, torch=judge, rtol=1e-5, atol=1e-5, **given, **attributes)


def instance(data, axis=1, **attributes):
    """A row of an instance normalisation."""

    def judge(x, gamma, beta):
        weight, bias = options(attributes, gamma, beta)
        moved = x.movedim(axis, 1)
        eps = attributes.get("epsilon", 1e-5)
        return F.instance_norm(moved, weight=weight, bias=bias, eps=eps).movedim(1, axis)

    vectors = [f32(data.shape[axis], seed=seed) for seed in (1, 2)]
    return sample(data, *vectors, axis=axis, torch=judge, rtol=1e-5, atol=1e-5, **attributes)


def group(data, num_groups, axis=1, **attributes):
    """A row of a group normalisation, to which all axes before the channels are as the batch."""

    def judge(x, gamma, beta):
        weight, bias = options(attributes, gamma, beta)
        eps = attributes.get("epsilon", 1e-5)
        return F.group_norm(x.flatten(0, axis - 1), num_groups, weight, bias, eps=eps).reshape(x.shape)

    vectors = [f32(data.shape[axis], seed=seed) for seed in (1, 2)]
    return sample(data, *vectors, num_groups=num_groups, axis=axis, torch=judge, rtol=1e-5, atol=1e-5, **attributes)


def unit(data, axis, eps=1e-10):
    """A row of a vector made to have length 1."""

    def judge(x):
        total = x.square().sum(axis or tuple(range(x.ndim)), keepdim=True)
        return x / total.clamp(min=eps).sqrt()

    return sample(data, axis=axis, eps=eps, torch=judge)


def local(data, axis=1, size=5, bias=2.0, alpha=1e-4, beta=0.75):
    """A row of a local response normalisation."""

    def judge(x):
        return F.local_response_norm(x.movedim(axis, 1), size, alpha, beta, bias).movedim(1, axis)

    return sample(data, axis=axis, size=size, bias=bias, alpha=alpha, beta=beta, torch=judge)


ROWS = {
    op.nn.batch_norm: [
        batch(f32(2, 3, 4, 5)),
        batch(f32(2, 3)),
        batch(f32(2, 4, 5, 3), axis=3),
        batch(f32(2, 4, 3), axis=-1, epsilon=0.1),
        batch(f32(2, 3, 4), scale=False),
        batch(f32(2, 3, 4), center=False),
        batch(f32(2, 3, 4), scale=False, center=False),
        batch(f64(2, 3, 4), make=f64),
        batch(f32(0, 3, 4)),
    ],
    op.nn.layer_norm: [
        layer(f32(2, 3, 4)),
        layer(f32(2, 3, 4), axis=1),
        layer(f32(2, 3, 4), epsilon=0.5),
        layer(f32(2, 3, 4), scale=False),
        layer(f32(2, 3, 4), center=False),
        layer(f32(4), axis=0),
        layer(f64(2, 3)),
        layer(array(f32(2, 8) + 1000)),
    ],
    op.nn.instance_norm: [
        instance(f32(2, 3, 4)),
        instance(f32(2, 3, 4, 5)),
        instance(f32(2, 4, 5, 3), axis=3),
        instance(f32(2, 3, 4), epsilon=0.1, scale=False),
        instance(f32(2, 3, 4), center=False),
    ],
    op.nn.group_norm: [
        group(f32(2, 6, 4), 2),
        group(f32(2, 6, 4, 5), 3),
        group(f32(2, 6, 4, 5), 6, epsilon=0.1),
        group(f32(2, 6), 1, scale=False),
        group(f32(2, 4, 6), 2, axis=2, center=False),
    ],
    op.nn.l2_normalize: [
        unit(f32(2, 3), (1,)),
        unit(f32(2, 3, 4), (0, 2)),
        unit(f32(2, 3), (1,), eps=100.0),
        unit(f32(2, 3, 4), (-1,)),
        unit(f32(2, 3), ()),
        unit(f64(2, 3), (0,)),
    ],
    op.nn.lrn: [
        local(f32(2, 7, 3, 3)),
        local(f32(2, 7, 3, 3), size=3, alpha=0.5, beta=0.5, bias=1.0),
        local(f32(2, 3, 3, 7), axis=3, alpha=0.1),
        local(f32(2, 2, 3, 3), size=7, alpha=1.0),
    ],
}
