"""The record as one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from torchrelay.explain.record import NodeStory, Record
from torchrelay.explain.shown import shown

__all__ = ["page"]

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
summary { cursor: pointer; font-weight: 600; } pre { overflow-x: auto; background: #8881; padding: .6rem; }
details { border-left: 3px solid #8884; margin: .4rem 0; padding-left: .8rem; } dt { color: #777; } dd { margin: 0 0 .4rem 1rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; } @media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } }
"""


def page(record: Record) -> str:
    """The whole page: every stage folded, then every node folded."""
    stages = "\n".join(_stage(number, name, record.stages[name]) for number, name in enumerate(record.stages, 1))
    nodes = "\n".join(map(_node, record.nodes))
    notes = "".join(f"<p>note: {escape(note)}</p>" for note in record.notes)
    return (
        f"<!doctype html>\n<html lang='en'><meta charset='utf-8'><title>torchrelay: a conversion explained</title>"
        f"<style>{_STYLE}</style>\n<h1>A conversion explained</h1>\n<p>captured via {escape(record.route)}</p>{notes}\n<h2>Stages</h2>\n{stages}\n"
        f"<h2>{len(record.nodes)} nodes</h2>\n{nodes}\n</html>\n"
    )


def _stage(number: int, name: str, content: object) -> str:
    return f"<details><summary>{number} {escape(name)}</summary>{_content(shown(content))}</details>"


def _content(value: object) -> str:
    if isinstance(value, Mapping):
        rows = "".join(f"<dt>{escape(str(key))}</dt><dd>{_content(part)}</dd>" for key, part in value.items())
        return f"<dl>{rows}</dl>" if rows else "<p>empty</p>"
    if isinstance(value, list):
        return "".join(map(_content, value)) or "<p>empty</p>"
    return f"<pre>{escape(str(value))}</pre>"


def _node(node: NodeStory) -> str:
    inputs = "".join(f"<dt>{escape(key)}</dt><dd><code>{escape(text)}</code></dd>" for key, text in node.inputs.items())
    return (
        f"<details id='n{node.index}'><summary>{node.index} {escape(node.operator)} "
        f"<small>{escape(node.place.scope)}</small></summary><pre>{escape(node.torch)}\n-&gt; {escape(node.relay)}\n"
        f": {escape(node.type)}</pre><p>{escape(str(node.place))} <code>{escape(node.place.source_line)}</code></p>"
        f"<p>converted by {escape(node.converter)}</p><dl>{inputs}</dl></details>"
    )
