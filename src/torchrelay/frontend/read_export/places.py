"""Where in the user's source a node of an exported program comes from, and in which module of the model."""

from __future__ import annotations

import re
from functools import lru_cache

import torch

from torchrelay.errors import Place
from torchrelay.frontend.frames import inside_torch

__all__ = ["place_of"]

_FRAME = re.compile(r"File \"(.+?)\", line (\d+)")


def place_of(node: torch.fx.Node) -> Place:
    """Source line, path of the module as in the state dict, class of that module."""
    file, line = _source(node.meta.get("stack_trace") or "")
    scope, owner = "", ""
    for path, kind in reversed((node.meta.get("nn_module_stack") or {}).values()):
        scope, owner = path, kind if isinstance(kind, str) else kind.__qualname__
        break
    return Place(file, line, scope=scope, scope_class=owner.rpartition(".")[2])


@lru_cache(maxsize=16384)
def _source(trace: str) -> tuple[str, int]:
    """File and line of the innermost frame outside torch itself; of the innermost one where all are inside."""
    frames = [(file, int(line)) for file, line in _FRAME.findall(trace)]
    own = [frame for frame in frames if not inside_torch(frame[0])]
    return (own or frames or [("", 0)])[-1]
