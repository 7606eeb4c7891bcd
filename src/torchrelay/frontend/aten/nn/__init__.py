"""The converters of layers."""

from torchrelay.frontend.aten.nn import (
    activation,
    attention,
    conv,
    cross_entropy,
    deformable,
    dense,
    loss,
    norm,
    pad,
    pool,
    pool_places,
    recurrent,
)

__all__ = [
    "activation",
    "attention",
    "conv",
    "cross_entropy",
    "deformable",
    "dense",
    "loss",
    "norm",
    "pad",
    "pool",
    "pool_places",
    "recurrent",
]
