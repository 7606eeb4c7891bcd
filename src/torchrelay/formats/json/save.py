"""Objects of the IR to TVM's JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from torchrelay.formats.json.nodes import Array, Inline, Mapped, NDArray, Node, described
from torchrelay.formats.ndarray import array_record
from torchrelay.ir import Constant, Expr, IRModule, Type

__all__ = ["save_json", "save_nodes"]

VERSION = "0.16.dev0"


def save_json(node: IRModule | Expr | Type) -> str:
    """The text that ``tvm.ir.load_json`` reads as that module, expression or type."""
    return _written(node)


def save_nodes(entries: Mapping[str, Sequence[object]]) -> str:
    """The text of a map from type keys to lists, as the metadata section of Relay text holds it."""
    return _written(Mapped(tuple([(key, Array(tuple(items))) for key, items in entries.items()])))


@dataclass(slots=True)
class _Table:
    """Nodes in the order of first visit, each object once."""

    nodes: list[dict[str, object]] = field(default_factory=lambda: [{"type_key": ""}])
    index: dict[int, int] = field(default_factory=dict)
    kept: list[object] = field(default_factory=list)
    """Objects made on the way, kept so that no other gets their identity."""
    arrays: list[Constant] = field(default_factory=list)

    def add(self, root: object) -> int:
        """The index of an object, with everything it is made of numbered after it."""
        place, pending = self._enter(root)
        stack: list[Iterator[Any]] = [pending]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                continue
            stack.append(step)
        return place

    def _enter(self, thing: object) -> tuple[int, Iterator[Iterator[object]]]:
        if thing is None:
            return 0, iter(())
        key = id(thing)
        if key in self.index:
            return self.index[key], iter(())
        place = self.index[key] = len(self.nodes)
        self.kept.append(thing)
        record: dict[str, object] = {}
        self.nodes.append(record)
        return place, self._fill(record, described(thing))

    def _fill(self, record: dict[str, object], node: Node) -> Iterator[Iterator[object]]:
        """Fills the record; yields the filling of each part at the moment it is numbered."""
        record["type_key"] = node.type_key
        if node.text is not None:
            record.update(_text(node))
        elif node.items is not None:
            yield from self._list(record, node.items)
        elif node.pairs is not None:
            yield from self._map(record, node.pairs)
        else:
            yield from self._fields(record, node.fields)

    def _list(self, record: dict[str, object], items: Sequence[object]) -> Iterator[Iterator[object]]:
        data: list[int] = []
        for item in items:
            place, filling = self._enter(item)
            data.append(place)
            yield filling
        if data:
            record["data"] = data

    def _map(self, record: dict[str, object], pairs: Sequence[tuple[object, object]]) -> Iterator[Iterator[object]]:
        by_text = all(isinstance(key, str) for key, _ in pairs)
        data: list[int] = []
        for key, value in pairs:
            for part in (value,) if by_text else (key, value):
                place, filling = self._enter(part)
                data.append(place)
                yield filling
        if pairs and by_text:
            record["keys"] = [key for key, _ in pairs]
        if data:
            record["data"] = data

    def _fields(self, record: dict[str, object], fields: Sequence[tuple[str, object]]) -> Iterator[Iterator[object]]:
        attrs: dict[str, str] = {}
        for name, value in fields:
            if isinstance(value, Inline):
                attrs[name] = value.text
            elif isinstance(value, NDArray):
                attrs[name] = str(len(self.arrays))
                self.arrays.append(value.constant)
            else:
                place, filling = self._enter(value)
                attrs[name] = str(place)
                yield filling
        if attrs:
            record["attrs"] = dict(sorted(attrs.items()))


def _text(node: Node) -> dict[str, object]:
    """A text as it is; in base64 behind its length where it is not plain ASCII; nothing where it is empty."""
    text = node.text or ""
    if node.type_key != "runtime.String" or all(" " <= letter <= "~" for letter in text):
        return {"repr_str": text} if text or node.type_key != "runtime.String" else {}
    data = text.encode()
    return {"repr_b64": base64.b64encode(len(data).to_bytes(8, "little") + data).decode()}


def _written(root: object) -> str:
    table = _Table()
    place = table.add(root)
    arrays = [base64.b64encode(b"".join(array_record(constant.data))).decode() for constant in table.arrays]
    nodes = ", \n".join([_node_text(record) for record in table.nodes])
    blobs = ", \n".join([f'    "{blob}"' for blob in arrays])
    held = f"[\n{blobs}\n  ]" if arrays else "[]"
    return (
        f'{{\n  "root": {place}, \n  "nodes": [\n{nodes}\n  ], \n  "b64ndarrays": {held}, \n'
        f'  "attrs": {{"tvm_version": "{VERSION}"}}\n}}'
    )


def _node_text(record: Mapping[str, object]) -> str:
    """One node as TVM lays it out: a field on a line, an object with one entry on one."""
    lines = [f'      "{key}": {_value_text(value)}' for key, value in record.items()]
    inside = ", \n".join(lines)
    return f"    {{\n{inside}\n    }}"


def _value_text(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list):
        if value and isinstance(value[0], str):
            inside = ", \n".join([f"        {json.dumps(part)}" for part in value])
            return f"[\n{inside}\n      ]"
        return f"[{', '.join(map(str, value))}]"
    assert isinstance(value, dict), "a node holds texts, lists and one object"
    pairs = [f"{json.dumps(key)}: {json.dumps(text)}" for key, text in value.items()]
    if len(pairs) == 1:
        return f"{{{pairs[0]}}}"
    inside = ", \n".join([f"        {pair}" for pair in pairs])
    return f"{{\n{inside}\n      }}"
