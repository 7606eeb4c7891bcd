"""The record of a conversion: every stage under its name, and every node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from torchrelay.errors import Place
from torchrelay.explain.shown import shown

__all__ = ["NodeStory", "Record", "Stages"]


class Stages(Mapping[str, object]):
    """The stages in order, each name with its content; a stage of two things is found under either of them too."""

    def __init__(self, stages: Mapping[str, object], parts: Mapping[str, object]) -> None:
        self._stages, self._parts = dict(stages), dict(parts)

    def __getitem__(self, name: str) -> object:
        return self._stages[name] if name in self._stages else self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._stages)

    def __len__(self) -> int:
        return len(self._stages)


@dataclass(frozen=True, slots=True)
class NodeStory:
    """One torch node and what became of it.

    ``torch`` is the node as text, ``converter`` what converted it, ``inputs`` its arguments with Relay types, ``relay`` the
    expression made, ``type`` its type, ``place`` where it stands, ``entry`` the names it got in the environment.
    """

    index: int
    operator: str
    torch: str
    converter: str
    inputs: Mapping[str, str]
    relay: str
    type: str
    place: Place
    entry: tuple[str, ...]

    def as_dict(self) -> dict[str, object]:
        """The story as plain data."""
        return {
            "index": self.index,
            "operator": self.operator,
            "torch": self.torch,
            "converter": self.converter,
            "inputs": dict(self.inputs),
            "relay": self.relay,
            "type": self.type,
            "place": {
                "file": self.place.file,
                "line": self.place.line,
                "module": self.place.scope,
                "class": self.place.scope_class,
                "source": self.place.source_line,
            },
            "environment": list(self.entry),
        }


@dataclass(frozen=True, slots=True)
class Record:
    """Every stage of a conversion, and every node, of any model."""

    stages: Stages
    nodes: tuple[NodeStory, ...]
    route: str = ""
    """How the model was captured."""
    notes: tuple[str, ...] = ()
    """What should be known of that: ways that were tried before, and why they did not lead to Relay."""

    def to_json(self) -> str:
        """The record as JSON: ``stages`` by name, ``nodes`` in order, ``route`` and ``notes``."""
        import json

        data = {
            "stages": {name: shown(content) for name, content in self.stages.items()},
            "nodes": [node.as_dict() for node in self.nodes],
            "route": self.route,
            "notes": list(self.notes),
        }
        return json.dumps(data, indent=1)

    def print(self, *, stages: Sequence[str] | None = None, expand: bool | None = None) -> None:
        """Shows the record on the terminal: the stages, then the nodes by module.

        ``stages`` chooses some by name. ``expand`` shows every node; by default those of a small model only, and of a large one
        a line for each module.
        """
        from torchrelay.explain.terminal import show

        show(self, stages=stages, expand=expand)

    def to_html(self, path: str | Path) -> None:
        """Writes the record as one page that needs nothing else, appearing whole."""
        from torchrelay.explain.html import page
        from torchrelay.formats import write_atomically

        write_atomically(Path(path), [page(self).encode()])
