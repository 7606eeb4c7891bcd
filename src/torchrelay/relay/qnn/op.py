"""tvm.relay's functions for quantized operators."""

from torchrelay.relay.absent import absent
from torchrelay.relay.functions import functions_of
from torchrelay.relay.special import QNN

_FUNCTIONS = functions_of("qnn", QNN)
globals().update(_FUNCTIONS)
__all__ = sorted(_FUNCTIONS)  # pyright: ignore[reportUnsupportedDunderAll] the stub beside it says them


def __getattr__(name: str) -> object:
    raise absent(__name__, name, __all__)
