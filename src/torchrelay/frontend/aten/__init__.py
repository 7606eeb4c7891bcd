"""The converters, one file for each family, named as in ``op``; importing them declares them."""

from torchrelay.frontend.aten import arithmetic, create, elementwise, index, nn, pool, reduce, scalars, shape

__all__ = ["arithmetic", "create", "elementwise", "index", "nn", "pool", "reduce", "scalars", "shape"]
