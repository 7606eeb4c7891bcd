"""tvm.relay's functions for operators on images."""

from torchrelay.relay.absent import absent
from torchrelay.relay.functions import functions_of
from torchrelay.relay.special import IMAGE

_FUNCTIONS = functions_of("image", IMAGE)
globals().update(_FUNCTIONS)
__all__ = sorted(_FUNCTIONS)  # pyright: ignore[reportUnsupportedDunderAll] the stub beside it says them


def __getattr__(name: str) -> object:
    raise absent(__name__, name, __all__)
