"""What a file of TVM's JSON says, checked node by node, before anything is made of it."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, cast

import numpy as np

from torchrelay.errors import BadFile
from torchrelay.formats.json.forms import Form, form_of
from torchrelay.formats.ndarray import Bytes, read_array
from torchrelay.ir import Expr, GlobalTypeVar, registry

__all__ = ["Content", "Entry"]


_INTS: frozenset[type] = frozenset([int])


def _object(content: object) -> dict[str, object] | None:
    """The content where it is an object of JSON, whose keys are texts."""
    return cast("dict[str, object]", content) if isinstance(content, dict) else None


def _list(content: object) -> list[object] | None:
    """The content where it is a list of JSON."""
    return cast("list[object]", content) if isinstance(content, list) else None


@dataclass(slots=True)
class Entry:
    """One node: the nodes it needs, in order, and the numbers and texts of its form.

    A node without a form is a list or a map of what it needs; where it needs nothing, ``value`` is what it stands for.
    ``said`` is the node of the type that an expression is said to have, 0 where it is not said.
    """

    key: str
    form: Form | None
    needs: list[int]
    inline: Sequence[object] = ()
    said: int = 0
    value: object = None
    keys: Sequence[str] | None = None

    def link(self, name: str) -> int:
        """The node that a field refers to."""
        assert self.form is not None, "only nodes with a form have fields"
        return self.needs[[link.name for link in self.form.links].index(name)]


@dataclass(frozen=True, slots=True)
class Content:
    """The nodes of a file and which of them is the root."""

    source: str
    nodes: Sequence[object]
    arrays: Sequence[object]
    root: int
    entries: list[Entry]

    @staticmethod
    def of(content: object, source: str) -> Content:
        """The content of a JSON value. Raises BadFile with the number of the node for what is wrong in itself."""
        whole = _object(content)
        if whole is None:
            raise BadFile(f"{source} is a list or a number, not an object with nodes")
        nodes, arrays, root = _list(whole.get("nodes")), _list(whole.get("b64ndarrays", [])), whole.get("root")
        if nodes is None or arrays is None or not isinstance(root, int) or isinstance(root, bool):
            raise BadFile(f"{source} has no list of nodes, or no root")
        if not 0 <= root < len(nodes):
            raise BadFile(f"{source} has its root at node {root}; there are {len(nodes)} nodes")
        found = Content(source, nodes, arrays, root, [])
        found.entries.extend([found.entry(index, node) for index, node in enumerate(nodes)])
        return found

    def fail(self, index: int, message: str) -> NoReturn:
        """Raises BadFile for a node."""
        key = (_object(self.nodes[index]) or {}).get("type_key")
        raise BadFile(f"{self.source}: node {index} ({key}) {message}")

    def entry(self, index: int, content: object) -> Entry:
        """What one node says."""
        node = _object(content) or {}
        key = node.get("type_key")
        if not isinstance(key, str):
            self.fail(index, "has no type_key")
        form = form_of(key)
        if form is None:
            return self._without_form(index, key, node)
        given = node.get("attrs", {})
        # That every value is a text is left to what reads it: asking each of a million fields first takes too long.
        attrs = cast("dict[str, str]", given)
        try:
            needs = [int(attrs[link.name], 10) for link in form.links]
            inline = [parse(attrs[name]) for name, parse in form.inline]
            said = int(attrs.get("_checked_type_", "0"), 10)
        except (TypeError, KeyError, ValueError, AttributeError):
            self._explain(index, form, given)
        count = len(self.nodes)
        if not (min(needs, default=0) >= 0 and max(needs, default=0) < count and 0 <= said < count):
            self.fail(index, f"refers to a node beyond the {count} that there are")
        if key == "relay.Constant":
            inline = [self._array(index, attrs["data"])]
        return Entry(key, form, needs, inline, said)

    def _explain(self, index: int, form: Form, given: object) -> NoReturn:
        """Raises BadFile for the first field that is missing or has a value it cannot have."""
        attrs = _object(given)
        if attrs is None:
            self.fail(index, "has fields that are no object")
        for name, parse in [(link.name, int) for link in form.links] + [*form.inline, ("_checked_type_", int)]:
            text = attrs.get(name, "0" if name == "_checked_type_" else None)
            if not isinstance(text, str):
                self.fail(index, f"has no text in its field {name}")
            try:
                parse(text)
            except ValueError:
                self.fail(index, f"has {text[:40]!r} in its field {name}")
        self.fail(index, "has fields that cannot be read")

    def _without_form(self, index: int, key: str, node: Mapping[str, object]) -> Entry:
        """A list, a map, or a leaf: null, a text, a thing known by its name, an array."""
        if key in ("Array", "Map"):
            return self._gathering(index, key, node)
        text = node.get("repr_str", "")
        if not isinstance(text, str):
            self.fail(index, "has a repr_str that is no text")
        match key:
            case "":
                value = None
            case "runtime.String":
                value = self._encoded(index, node["repr_b64"]) if "repr_b64" in node else text
            case "SourceName" | "EnvFunc":
                value = text
            case "runtime.NDArray":
                value = self._record(index, text)
            case "Op":
                value = registry.find(text)
                if value is None:
                    self.fail(index, f"names the operator {text!r}, which torchrelay does not know")
            case _:
                self.fail(index, "is of a kind that torchrelay does not know")
        return Entry(key, None, [], value=value)

    def _gathering(self, index: int, key: str, node: Mapping[str, object]) -> Entry:
        items, keys, count = _list(node.get("data", [])), _list(node.get("keys")), len(self.nodes)
        if items is None or not _INTS.issuperset(map(type, items)):
            self.fail(index, "has data that are no list of nodes")
        data = cast("list[int]", items)
        if data and not (min(data) >= 0 and max(data) < count):
            self.fail(index, f"refers to a node beyond the {count} that there are")
        if key == "Array":
            return Entry(key, None, data, value=())
        if node.get("keys") is None and len(data) % 2 == 0:
            return Entry(key, None, data, value={})
        if keys is None or len(keys) != len(data) or not all(isinstance(text, str) for text in keys):
            self.fail(index, "has not as many keys as values")
        return Entry(key, None, data, value={}, keys=cast("list[str]", keys))

    def gathered(self, index: int, parts: Sequence[object]) -> object:
        """A list as a tuple, a map as a dict, of what was made of their nodes."""
        entry = self.entries[index]
        if entry.key == "Array":
            return tuple(parts)
        if entry.keys is not None:
            return dict(zip(entry.keys, parts, strict=True))
        names = parts[::2]
        if not all(isinstance(name, str | Expr | GlobalTypeVar) for name in names):
            self.fail(index, "has keys that are neither texts nor names")
        return dict(zip(names, parts[1::2], strict=True))

    def _encoded(self, index: int, text: object) -> str:
        """A text in base64 behind its length."""
        data = self._decoded(index, text)
        if len(data) < 8 or int.from_bytes(data[:8], "little") != len(data) - 8:
            self.fail(index, "claims a text of another length than it has")
        try:
            return data[8:].decode()
        except UnicodeDecodeError as error:
            self.fail(index, f"is no text: {error.reason}")

    def _array(self, index: int, number: str) -> np.ndarray:
        if not 0 <= int(number) < len(self.arrays):
            self.fail(index, f"refers to array {number}; there are {len(self.arrays)}")
        return self._record(index, self.arrays[int(number)])

    def _record(self, index: int, text: object) -> np.ndarray:
        data = Bytes(memoryview(self._decoded(index, text)), f"{self.source}: node {index}")
        array = read_array(data, "the array")
        if data.left:
            self.fail(index, f"has {data.left} bytes after its array")
        return array

    def _decoded(self, index: int, text: object) -> bytes:
        if not isinstance(text, str):
            self.fail(index, "has no text where base64 is due")
        try:
            return base64.b64decode(text, validate=True)
        except ValueError as error:
            self.fail(index, f"has no base64: {error}")
