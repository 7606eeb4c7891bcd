"""The operators themselves: by name, and their functions as in ``torchrelay.relay``."""

from __future__ import annotations

import sys

from torchrelay.ir import Call, Expr, Operator, registry
from torchrelay.relay import annotation, core, image, nn, random, vision
from torchrelay.relay.absent import absent
from torchrelay.relay.functions import call

__all__ = ["Op", "annotation", "debug", "get", "image", "nn", "random", "vision", *core.__all__]
globals().update({name: getattr(core, name) for name in core.__all__})
_PARTS = {part.__name__.rpartition(".")[2]: part for part in (annotation, image, nn, random, vision)}
_PARTS |= dict.fromkeys(("algorithm", "reduce", "tensor", "transform"), core)
_PARTS["op"] = sys.modules[__name__]
globals().update(_PARTS)
# For scripts that import from relay.op.nn, relay.op.transform and the like.
sys.modules.update({f"{__name__}.{name}": part for name, part in _PARTS.items()})


def get(op_name: str) -> Operator[...]:
    """The operator of that name. Raises WrongArgument with the nearest names where there is none."""
    return registry.get(op_name)


def debug(expr: Expr, debug_func: str | None = None) -> Call:
    """The value as it is; a function of the environment sees it where the program runs."""
    return call("debug", [expr], debug_func="" if debug_func is None else debug_func)


Op = Operator


def __getattr__(name: str) -> object:
    raise absent(__name__, name, __all__)
