"""The names of tvm.relay.function."""

from torchrelay.relay.expressions import Function

__all__ = ["Function"]
