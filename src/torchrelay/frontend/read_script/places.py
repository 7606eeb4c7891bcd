"""Where in the user's source a node of TorchScript comes from, and in which module of the model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from sys import intern
from typing import cast

import torch

from torchrelay.errors import Place
from torchrelay.frontend.frames import inside_torch
from torchrelay.frontend.read_script.jit import Graph, Node

__all__ = ["Places", "source_of"]

_TRACER = re.compile(r"[\\/]torch[\\/]jit[\\/]_trace\.py")
_FRAME = re.compile(
    r"^\s*File \"(.+?)\", line (\d+)"  # in a scripted graph
    r"|^(\S[^\n]*?)\((\d+)\): ",  # in a traced one
    re.MULTILINE,
)
_OWNER = re.compile(r"([^.()]+)\(([^()]*)\)")


@lru_cache(maxsize=16384)
def source_of(text: str) -> tuple[str, int, bool]:
    """File and line of the model's innermost frame outside torch itself, and True; of the innermost one, and False, where all
    are inside. Frames stand in ``text`` from the innermost to the outermost.
    """
    first: tuple[str, int] | None = None
    for frame in _FRAME.finditer(text):
        file, line = frame[1] or frame[3], int(frame[2] or frame[4])
        if _TRACER.search(file):
            break
        if not inside_torch(file):
            return file, line, True
        first = first or (file, line)
    return (*first, False) if first else ("", 0, False)


def _owners(text: str) -> list[tuple[str, str]]:
    """``SELF(Net).layer1(Sequential).0(Block).SELF(Block)`` as the names and classes of the submodules passed through."""
    return [(name, kind) for name, kind in _OWNER.findall(text) if name not in ("SELF", "UNKNOWN_INSTANCE")]


@lru_cache(maxsize=4096)
def _place(file: str, line: int, scope: str, owner: str) -> Place:
    """The place; nodes of one line share it."""
    return Place(file, line, scope=scope, scope_class=owner)


@dataclass(frozen=True)
class Places:
    """Finds the place of a node: source line, path of its module as in the state dict, class of that module."""

    source: torch.jit.ScriptModule | torch.jit.ScriptFunction
    _scopes: dict[str, tuple[str, str]] = field(default_factory=dict)

    def of(self, node: Node) -> Place:
        """The place of the node."""
        file, line, outside = source_of(node.sourceRange())
        traced = node.scopeName()
        scope, owner = self._scope(traced, node)
        if not outside and scope and not traced:
            file, line = self._calls.get(scope, (file, line))
        return _place(file, line, scope, owner)

    def _scope(self, name: str, node: Node) -> tuple[str, str]:
        """Path and class of the node's module; a traced node knows its module by ``name``, one of a script by its callers."""
        key = name or node.getModuleHierarchy()
        found = self._scopes.get(key)
        if found is None:
            owners = _owners(node.getModuleHierarchy())
            path = _traced_path(name) if name else self._resolved(owners)
            owner = owners[-1][1] if owners else self._root_class if not path else ""
            found = self._scopes[key] = path, intern(owner)
        return found

    @cached_property
    def _root_class(self) -> str:
        return getattr(self.source, "original_name", "")

    @cached_property
    def _paths(self) -> tuple[str, ...]:
        source = self.source
        return tuple([name for name, _ in source.named_modules()]) if isinstance(source, torch.jit.ScriptModule) else ()

    def _resolved(self, owners: Sequence[tuple[str, str]]) -> str:
        """The path through the submodules of these names.

        torch leaves out the lists and dicts that submodules stand in; the nearest submodule of that name stands for it.
        """
        path = ""
        for name, _ in owners:
            below = f"{path}." if path else ""
            known = [found for found in self._paths if found.startswith(below) and f".{found}".endswith(f".{name}")]
            path = min(known, key=lambda found: found.count("."), default=below + name)
        return path

    @cached_property
    def _calls(self) -> Mapping[str, tuple[str, int]]:
        """For each submodule, by its path, the first line outside torch that calls it, or calls what calls it."""
        found: dict[str, tuple[str, int]] = {}
        modules = self.source.named_modules() if isinstance(self.source, torch.jit.ScriptModule) else ()
        for path, module in modules:
            if module._c._has_method("forward"):
                _note_calls(cast("Graph", module.graph), path, found)
        return found


def _traced_path(name: str) -> str:
    """``__module.layer1/__module.layer1.0`` as ``layer1.0``."""
    last = name.rpartition("/")[2]
    return last.removeprefix("__module").removeprefix(".") if last.startswith("__module") else ""


def _note_calls(graph: Graph, path: str, found: dict[str, tuple[str, int]]) -> None:
    """Enters where the graph of the module at ``path`` calls its submodules."""
    paths = {value.debugName(): path for value in graph.inputs() if value.offset() == 0}
    for node in graph.findAllNodes("prim::GetAttr", True):
        owner = paths.get(node.input().debugName())
        if owner is not None:
            name = node.s("name")
            paths[node.output().debugName()] = f"{owner}.{name}" if owner else name
    for node in graph.findAllNodes("prim::CallMethod", True):
        callee = paths.get(node.inputsAt(0).debugName())
        if callee and callee not in found:
            file, line, outside = source_of(node.sourceRange())
            found[callee] = (file, line) if outside or path not in found else found[path]
