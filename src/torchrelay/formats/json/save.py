"""Objects of the IR to TVM's JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence

from torchrelay.errors import Place
from torchrelay.formats.json.nodes import Array, Inline, Mapped, Named, NDArray, Node, described
from torchrelay.formats.ndarray import array_record
from torchrelay.ir import Expr, GlobalTypeVar, GlobalVar, IRModule, TensorType, Type

__all__ = ["save_json", "save_nodes"]

VERSION = "0.16.dev0"


def save_json(node: IRModule | Expr | Type) -> str:
    """The text that ``tvm.ir.load_json`` reads as that module, expression or type."""
    return _written(node)


def save_nodes(entries: Mapping[str, Sequence[object]]) -> str:
    """The text of a map from type keys to lists, as the metadata section of Relay text holds it."""
    return _written(Mapped(tuple([(key, Array(tuple(items))) for key, items in entries.items()])))


_BY_VALUE = (TensorType, Place, GlobalTypeVar, GlobalVar, Named)
"""What is one node however many objects say it; anything else is a node for each object."""


def _key(thing: object) -> object:
    return thing if isinstance(thing, _BY_VALUE) else id(thing)


def _numbered(root: object) -> tuple[list[Node], dict[object, int]]:
    """Every node under the root in the order of first visit, behind null, and the number of each thing.

    The nodes hold all things they refer to, so that no other object gets the identity of one.
    """
    nodes = [Node("")]
    index: dict[object, int] = {id(None): 0}
    stack = [root]
    while stack:
        thing = stack.pop()
        key = _key(thing)
        if key in index:
            continue
        index[key] = len(nodes)
        node = described(thing)
        nodes.append(node)
        stack.extend(reversed(node.parts))
    return nodes, index


def _written(root: object) -> str:
    nodes, index = _numbered(root)
    arrays: list[str] = []
    texts = ", \n".join([_node_text(node, index, arrays) for node in nodes])
    blobs = ", \n".join([f'    "{blob}"' for blob in arrays])
    held = f"[\n{blobs}\n  ]" if arrays else "[]"
    return (
        f'{{\n  "root": {index[_key(root)]}, \n  "nodes": [\n{texts}\n  ], \n  "b64ndarrays": {held}, \n'
        f'  "attrs": {{"tvm_version": "{VERSION}"}}\n}}'
    )


def _node_text(node: Node, index: Mapping[object, int], arrays: list[str]) -> str:
    """One node as TVM lays it out: a field on a line, an object with one entry on one. Its array goes to ``arrays``."""
    lines = [f'"type_key": "{node.type_key}"']
    if node.text is not None:
        lines += _text(node.type_key, node.text)
    if node.fields:
        lines.append(f'"attrs": {_fields(node.fields, index, arrays)}')
    if node.keys:
        keys = ", \n".join([f"        {_quoted(key)}" for key in node.keys])
        lines.append(f'"keys": [\n{keys}\n      ]')
    if node.items:
        lines.append(f'"data": [{", ".join([str(index[_key(item)]) for item in node.items])}]')
    inside = ", \n      ".join(lines)
    return f"    {{\n      {inside}\n    }}"


def _fields(fields: Sequence[tuple[str, object]], index: Mapping[object, int], arrays: list[str]) -> str:
    pairs: list[str] = []
    for name, value in fields:
        if isinstance(value, Inline):
            pairs.append(f'"{name}": {_quoted(value.text)}')
        elif isinstance(value, NDArray):
            pairs.append(f'"{name}": "{len(arrays)}"')
            arrays.append(base64.b64encode(b"".join(array_record(value.constant.data))).decode())
        else:
            pairs.append(f'"{name}": "{index[_key(value)]}"')
    if len(pairs) == 1:
        return f"{{{pairs[0]}}}"
    inside = ", \n        ".join(sorted(pairs))
    return f"{{\n        {inside}\n      }}"


def _text(type_key: str, text: str) -> list[str]:
    """A text as it is; in base64 behind its length where it is not plain ASCII; nothing where it is empty."""
    if type_key != "runtime.String" or (text and all(" " <= letter <= "~" for letter in text)):
        return [f'"repr_str": {_quoted(text)}']
    data = text.encode()
    return [f'"repr_b64": "{base64.b64encode(len(data).to_bytes(8, "little") + data).decode()}"'] if data else []


def _quoted(text: str) -> str:
    """A text between quotes; letters beyond ASCII stand as they are, because TVM's reader knows no escapes by number."""
    return json.dumps(text, ensure_ascii=False)
