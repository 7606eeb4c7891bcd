"""TVM's JSON to objects of the IR."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import torchrelay.op  # noqa: F401  # pyright: ignore[reportUnusedImport] it declares the operators and the records that a file names
from torchrelay.errors import BadFile, TorchRelayError, TypeMismatch, expect
from torchrelay.formats.json.content import Content, Entry
from torchrelay.formats.json.forms import Form
from torchrelay.ir import Constructor, Expr, IRModule, Type, is_known, with_type

__all__ = ["load_json", "load_nodes"]


def load_json(source: str | bytes | Path) -> IRModule | Expr | Type:
    """The module, expression or type of a JSON text, or of the file at a path; a text begins with ``{``.

    Types are inferred as the expressions are made; where that is not possible, those that the file says are taken.
    Raises BadFile for what is no such JSON, with the number of the node; TypeMismatch for calls that are ill-typed.
    """
    found = _read(*_opened(source))
    if not isinstance(found, IRModule | Expr | Type):
        raise BadFile(f"the JSON holds a {type(found).__name__}, no module, expression or type")
    return found


def load_nodes(text: str) -> Mapping[str, Sequence[object]]:
    """The lists of a map from type keys, as the metadata section of Relay text holds it. Raises what load_json raises."""
    found = _read(text, "the metadata section")
    lists = cast("dict[object, object]", found)
    if not isinstance(found, dict) or not all(isinstance(k, str) and isinstance(v, tuple) for k, v in lists.items()):
        raise BadFile("the metadata section is no map from type keys to lists")
    return cast("dict[str, tuple[object, ...]]", found)


def _opened(source: str | bytes | Path) -> tuple[str | bytes, str]:
    expect(source, str | bytes | Path, "load_json takes a text, bytes or a path")
    if isinstance(source, bytes) or (isinstance(source, str) and not _LIKE_A_PATH.match(source)):
        return source, "the JSON"
    path = Path(source)
    if not path.is_file():
        raise BadFile(f"there is no file {path}")
    return path.read_bytes(), str(path)


def _read(text: str | bytes, source: str) -> object:
    try:
        content = json.loads(text)
    except RecursionError:
        raise BadFile(f"{source} is nested deeper than any node is") from None
    except ValueError as error:
        raise BadFile(f"{source} is no JSON: {error}") from None
    return _Reader(Content.of(content, source)).read()


_LIKE_A_PATH = re.compile(r"[^\s{\[][^\n\0]{0,4000}\Z")
_UNREAD = object()


@dataclass(slots=True)
class _Reader:
    """The entries of a file, and what was made of each so far."""

    content: Content
    made: list[object] = field(init=False)
    bound_to: dict[int, int] = field(default_factory=dict[int, int])
    """The node of a variable to that of the value a let gives it."""
    defined_by: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    """The node of a constructor to its index in its data type, and the node of the type's parameters."""

    def __post_init__(self) -> None:
        entries = self.content.entries
        self.made = [entry.value if entry.form is None and not entry.needs else _UNREAD for entry in entries]

    def read(self) -> object:
        """What the root stands for. Each node is made once, after those it needs; no recursion."""
        self._find_owners()
        made, entries = self.made, self.content.entries
        stack, opened = [self.content.root], bytearray(len(entries))
        while stack:
            index = stack[-1]
            if made[index] is not _UNREAD:
                stack.pop()
                continue
            missing = [part for part in entries[index].needs if made[part] is _UNREAD]
            if missing and opened[index]:
                self.content.fail(index, "refers to itself through others")
            if not missing:
                missing = self._finish(index, entries[index])
            opened[index] = 1
            stack.extend(reversed(missing))
        return made[self.content.root]

    def _find_owners(self) -> None:
        """Notes which value a let binds to a variable, and which data type a constructor is of."""
        for entry in self.content.entries:
            if entry.key == "relay.Let":
                self.bound_to[entry.link("var")] = entry.link("value")
            elif entry.key == "relay.TypeData":
                for tag, constructor in enumerate(self.content.entries[entry.link("constructors")].needs):
                    self.defined_by[constructor] = (tag, entry.link("type_vars"))
        for constructor, (_, params) in self.defined_by.items():
            self.content.entries[constructor].needs.append(params)

    def _finish(self, index: int, entry: Entry) -> list[int]:
        """Makes the node, or says what it needs for that after all: the type that the file says it has."""
        parts = [self.made[part] for part in entry.needs]
        if entry.form is None:
            self.made[index] = self.content.gathered(index, parts)
            return []
        value = self._value(index, entry, entry.form, parts)
        if isinstance(value, Expr) and not is_known(value.type):
            if entry.said and self.made[entry.said] is _UNREAD:
                return [entry.said]
            value = self._completed(index, entry, value)
        self.made[index] = value
        return []

    def _value(self, index: int, entry: Entry, form: Form, parts: list[object]) -> object:
        values = parts[: len(form.links)]
        for link, value in zip(form.links, values, strict=True):
            if not link.accepts(value):
                self.content.fail(index, f"has a {type(value).__name__} in its field {link.name}")
        try:
            made = form.make(*values, *entry.inline)
        except TypeMismatch as error:
            notes = (*error.diagnostics[0].notes, f"node {index} of {self.content.source}")
            raise TypeMismatch(error.message, place=error.place, notes=notes) from None
        except TorchRelayError as error:
            self.content.fail(index, error.message)
        if not isinstance(made, Constructor) or index not in self.defined_by:
            return made
        return replace(made, tag=self.defined_by[index][0], type_vars=parts[-1])

    def _completed(self, index: int, entry: Entry, expr: Expr) -> Expr:
        """The expression with the type that the file says it has, or that of the value bound to it."""
        said = self.made[entry.said] if entry.said else None
        if isinstance(said, Type):
            return with_type(expr, said)
        bound = self.made[self.bound_to[index]] if index in self.bound_to else None
        return with_type(expr, bound.type) if isinstance(bound, Expr) else expr
