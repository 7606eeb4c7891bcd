"""tvm.relay's functions for operators that say how a program is to be compiled."""

from torchrelay.relay.absent import absent
from torchrelay.relay.functions import functions_of
from torchrelay.relay.special import ANNOTATION

_FUNCTIONS = functions_of("annotation", ANNOTATION)
globals().update(_FUNCTIONS)
__all__ = sorted(_FUNCTIONS)  # pyright: ignore[reportUnsupportedDunderAll] the stub beside it says them


def __getattr__(name: str) -> object:
    raise absent(__name__, name, __all__)
