"""The converters of operators that rearrange."""

from torchrelay.frontend.aten.shape import broadcast, cut, join, order, reshape

__all__ = ["broadcast", "cut", "join", "order", "reshape"]
