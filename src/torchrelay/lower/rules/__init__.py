"""The lowering rules, one file for each family; importing them declares them."""

from torchrelay.lower.rules import convolution, normalization

__all__ = ["convolution", "normalization"]
