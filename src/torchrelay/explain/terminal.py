"""The record on a terminal: stages as panels, nodes as a tree of modules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from rich.console import Console, RenderableType
from rich.panel import Panel
from rich.text import Text
from rich.tree import Tree

from torchrelay.explain.record import NodeStory, Record
from torchrelay.explain.shown import shown

__all__ = ["show"]

LINES = 24
"""How many lines of one stage are shown, before the rest is counted."""
NODES = 60
"""Up to how many nodes every one is shown; a model of more is shown in outline."""
OUTLINE = 8
"""How many lines of one stage the outline of a large model has, none broken."""
MODULES = 40
"""How many modules in one the outline shows, before the rest is counted."""
PIPE = 120
"""How many columns there are where no terminal says it."""


def show(record: Record, *, stages: Sequence[str] | None = None, expand: bool | None = None) -> None:
    """Prints the record; see ``Record.print``."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=PIPE)
    every = len(record.nodes) <= NODES if expand is None else expand
    kept = None if stages is not None else (LINES if every else OUTLINE)
    for number, name in enumerate(record.stages, 1):
        if stages is None or name in stages:
            content = _content(record.stages[name], kept, broken=every or stages is not None)
            console.print(Panel(content, title=f"{number} {name}", title_align="left"))
    if stages is not None:
        return
    console.print(_node_tree(record.nodes, every=every))
    for note in record.notes:
        console.print(Text(f"note: {note}", style="dim"))
    if not every:
        console.print(Text(_WHOLE, style="dim"))


_WHOLE = (
    "this is an outline; a stage in full: print(stages=[NAME]) or --stage NAME; every node: print(expand=True) or --expand; "
    "all of it: to_html(path) or --html PATH"
)


def _content(content: object, kept: int | None, *, broken: bool) -> RenderableType:
    """The stage, its first ``kept`` lines or all; long lines broken or cut."""
    lines = _lines(shown(content))
    if kept is not None and len(lines) > kept:
        lines = [*lines[: kept - 1], f"... and {len(lines) - kept + 1} more lines"]
    return Text("\n".join(lines) or "(empty)", no_wrap=not broken, overflow="fold" if broken else "ellipsis")


def _lines(value: object) -> list[str]:
    if isinstance(value, Mapping):
        return [line for key, part in value.items() for line in _entry(str(key), part)]
    if isinstance(value, list):
        return [line for part in value for line in _lines(part)]
    return str(value).rstrip("\n").splitlines()


def _entry(key: str, part: object) -> list[str]:
    inner = _lines(part)
    if len(inner) == 1 and not isinstance(part, Mapping):
        return [f"{key}: {inner[0]}"]
    return [f"{key}:", *(f"  {line}" for line in inner)]


@dataclass(slots=True)
class _Module:
    """The nodes of one module, and the modules in it."""

    nodes: list[NodeStory] = field(default_factory=list)
    inner: dict[str, _Module] = field(default_factory=dict)
    name: str = ""

    def all_nodes(self) -> list[NodeStory]:
        found = list(self.nodes)
        for module in self.inner.values():
            found.extend(module.all_nodes())
        return found


def _by_module(nodes: Sequence[NodeStory]) -> _Module:
    root = _Module()
    for node in nodes:
        module = root
        for part in node.place.scope.split(".") if node.place.scope else ():
            module = module.inner.setdefault(part, _Module())
        module.nodes.append(node)
        module.name = node.place.scope_class
    return root


def _node_tree(nodes: Sequence[NodeStory], *, every: bool) -> RenderableType:
    root = _by_module(nodes)
    tree = Tree(Text(f"{len(nodes)} nodes, by module", style="bold"))
    stack = [(root, tree, 0)]
    while stack:
        module, branch, depth = stack.pop()
        for node in module.nodes if every else ():
            branch.add(_node(node))
        if not every and module.nodes:
            branch.add(Text(_summary(module.nodes), style="dim"))
        shown_first = module.inner if every else dict(islice(module.inner.items(), MODULES))
        for name, inner in shown_first.items():
            folded = not every and depth >= 1
            label = Text.assemble(
                (name, "cyan"), f" {inner.name}" if inner.name else "", f"  {len(inner.all_nodes())} nodes"
            )
            if folded:
                label.append(f": {_summary(inner.all_nodes())}", style="dim")
            child = branch.add(label)
            if not folded:
                stack.append((inner, child, depth + 1))
        if len(shown_first) < len(module.inner):
            branch.add(Text(f"... and {len(module.inner) - len(shown_first)} more modules", style="dim"))
    return tree


def _summary(nodes: Sequence[NodeStory]) -> str:
    counts = Counter(node.operator.removeprefix("aten::").rpartition(".")[0] for node in nodes)
    shown_first = counts.most_common(6)
    rest = len(counts) - len(shown_first)
    return ", ".join(f"{name} x{count}" if count > 1 else name for name, count in shown_first) + (
        f" and {rest} more" if rest > 0 else ""
    )


def _node(node: NodeStory) -> Text:
    source = f"{node.place.file}:{node.place.line}" if node.place.file else ""
    return Text.assemble(
        (f"{node.index} ", "dim"),
        (node.torch, "green"),
        f"\n  by {node.converter}\n  -> ",
        (node.relay, "bold"),
        f"\n  : {node.type}",
        (f"\n  at {source}  {node.place.source_line}" if source else "", "dim"),
    )
