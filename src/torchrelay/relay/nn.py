"""tvm.relay's functions for the operators of neural networks."""

from torchrelay.relay.functions import functions_of
from torchrelay.relay.special import NN

_FUNCTIONS = functions_of("nn", NN)
globals().update(_FUNCTIONS)
__all__ = sorted(_FUNCTIONS)  # pyright: ignore[reportUnsupportedDunderAll] the stub beside it says them
