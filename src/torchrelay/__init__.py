"""torchrelay: from PyTorch to Relay, the typed functional graph IR of the TVM compiler stack, without TVM."""

__version__ = "0.1.0"
