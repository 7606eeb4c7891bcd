"""Quantized operators: ``relay.qnn.op``."""

from torchrelay.relay.qnn import op

__all__ = ["op"]
