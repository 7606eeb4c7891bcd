"""The operators themselves: by name, and their functions as in ``torchrelay.relay``."""

from __future__ import annotations

from torchrelay.ir import Call, Expr, Operator, registry
from torchrelay.relay import annotation, core, image, nn, random, vision
from torchrelay.relay.functions import call

__all__ = ["Op", "annotation", "debug", "get", "image", "nn", "random", "vision", *core.__all__]
globals().update({name: getattr(core, name) for name in core.__all__})


def get(op_name: str) -> Operator[...]:
    """The operator of that name. Raises WrongArgument with the nearest names where there is none."""
    return registry.get(op_name)


def debug(expr: Expr, debug_func: str | None = None) -> Call:
    """The value as it is; a function of the environment sees it where the program runs."""
    return call("debug", [expr], debug_func="" if debug_func is None else debug_func)


Op = Operator
