"""The way into Relay: ``relay.frontend.from_pytorch``."""

from torchrelay.frontend import from_exported_program, from_pytorch, from_torch

__all__ = ["from_exported_program", "from_pytorch", "from_torch"]
