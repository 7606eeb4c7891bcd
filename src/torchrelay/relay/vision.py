"""tvm.relay's functions for operators on detection."""

from torchrelay.relay.absent import absent
from torchrelay.relay.functions import functions_of
from torchrelay.relay.special import VISION

_FUNCTIONS = functions_of("vision", VISION)
globals().update(_FUNCTIONS)
__all__ = sorted(_FUNCTIONS)  # pyright: ignore[reportUnsupportedDunderAll] the stub beside it says them


def __getattr__(name: str) -> object:
    raise absent(__name__, name, __all__)
