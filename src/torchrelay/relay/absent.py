"""What is said of a name of tvm that torchrelay does not have."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from torchrelay.errors import NotThere

__all__ = ["absent"]

_COMPILER = frozenset({"build", "optimize", "vm", "backend", "BuildModule", "quantize"})


def absent(module: str, name: str, names: Sequence[str]) -> NotThere:
    """The error for a name that a module does not have; its hint names those that come near."""
    near = difflib.get_close_matches(name, names, 3)
    hint = f"did you mean {', '.join(near)}?" if near else f"it has {', '.join(names)}" if len(names) < 20 else ""
    if name in _COMPILER:
        hint = "torchrelay builds nothing: relay.create_executor runs a program, torchrelay.save hands it to a real TVM"
    return NotThere(f"{module} has no {name}", hint=hint)
