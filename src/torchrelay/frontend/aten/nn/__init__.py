"""The converters of layers."""

from torchrelay.frontend.aten.nn import activation, attention, conv, dense, loss, norm, pad, pool

__all__ = ["activation", "attention", "conv", "dense", "loss", "norm", "pad", "pool"]
