"""Converters of quantized operators, and of operators on quantized tensors."""

from torchrelay.frontend.aten.quantized import arithmetic, cast, layers
from torchrelay.frontend.aten.quantized.dispatch import by_integers, is_quantized

__all__ = ["arithmetic", "by_integers", "cast", "is_quantized", "layers"]
