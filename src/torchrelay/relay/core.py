"""tvm.relay's functions for the operators without a family: arithmetic, shapes, reductions."""

from torchrelay.relay.absent import absent
from torchrelay.relay.functions import functions_of
from torchrelay.relay.special import CORE

_FUNCTIONS = {
    name: function
    for name, function in functions_of("", CORE).items()
    if not name.startswith("fast_") and name not in ("debug", "on_device", "fixed_point_multiply_per_axis")
}
globals().update(_FUNCTIONS)
__all__ = sorted(_FUNCTIONS)  # pyright: ignore[reportUnsupportedDunderAll] the stub beside it says them


def __getattr__(name: str) -> object:
    raise absent(__name__, name, __all__)
