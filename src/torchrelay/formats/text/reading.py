"""What is known while a text is read: names in scope, graph bindings, data types; and how parts are read without recursion."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NoReturn

from torchrelay.errors import TorchRelayError
from torchrelay.formats.text.scanner import NAME_TAIL, Scanner
from torchrelay.formats.text.type_parser import TypeParser
from torchrelay.ir import Constructor, Expr, Function, IRModule, Type, TypeData, TypeVar, Var, VirtualDevice

__all__ = ["Parsing", "Part", "Reading", "run", "unescaped"]


class Part(Enum):
    """A part of a text that an expression holds, and that is read by a function of its own."""

    EXPRESSION = "expression"
    ATOM = "atom"
    BLOCK = "block"
    FUNCTION = "function"


Parsing = Generator[Part, Expr, Expr]
"""Reads a part: yields each part inside it, is sent the expression that it is, returns its own: no recursion in Python."""


@dataclass(slots=True)
class Reading:
    """The state of reading one text; ``meta`` has the objects of the metadata section by the words that name them.

    ``checked`` says that calls must fit their operators, ``whole`` that everything read so far has its type and needs no
    inference.
    """

    scanner: Scanner
    meta: Mapping[str, object]
    checked: bool
    types: TypeParser = field(init=False)
    whole: bool = True
    graph: dict[str, Expr] = field(default_factory=dict[str, Expr])
    scopes: list[dict[str, Var]] = field(default_factory=lambda: [{}])
    type_scope: Mapping[str, TypeVar] = field(default_factory=dict[str, TypeVar])
    constructors: dict[str, Constructor] = field(default_factory=dict[str, Constructor])
    definitions: dict[str, TypeData] = field(default_factory=dict[str, TypeData])
    functions: dict[str, Function] = field(default_factory=dict[str, Function])
    call_types: dict[tuple[object, ...], Type | None] = field(default_factory=dict[tuple[object, ...], Type | None])
    """The types of calls of operators, by operator, record and types of the operands."""
    tails: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """The names that go on behind their first word, by that word."""
    used: set[Var] = field(default_factory=set[Var])
    """The variables without a type that were used: each must stay the same variable."""

    def __post_init__(self) -> None:
        self.types = TypeParser(self.scanner, self.meta)

    def include(self, module: IRModule) -> None:
        """Begins with the functions and data types of a module."""
        self.functions.update(module.functions)
        self.definitions.update(module.type_definitions)
        self.constructors.update({c.name: c for data in self.definitions.values() for c in data.constructors})

    def meta_object(self) -> object:
        """Takes a word ``meta[...][...]`` and gives what it stands for."""
        scanner = self.scanner
        if scanner.text not in self.meta:
            scanner.fail(f"the metadata has no entry {scanner.text}")
        return self.meta[scanner.take()]

    def name(self, sigil: str) -> str:
        """Takes the name of a function or of a variable where it is declared, between quotes or not."""
        scanner = self.scanner
        kind, what = ("local", "a variable") if sigil == "%" else ("global", "the name of a function")
        start = scanner.at
        first = scanner.expect_kind(kind, what)[1:]
        if first.startswith('"'):
            return unescaped(first[1:-1])
        tail = NAME_TAIL.match(scanner.whole, start + 1 + len(first))
        if tail is None or not tail.group():
            return first
        scanner.skip_to(tail.end())
        return first + tail.group()

    def constructor_name(self, what: str) -> str:
        """Takes the name of a constructor; those that a pass makes for functions are numbers."""
        return self.scanner.take() if self.scanner.text.isdecimal() else self.scanner.expect_word(what)

    def declared(self) -> Var:
        """A variable with its device and its type, where these are written."""
        scanner = self.scanner
        place = scanner.place(scanner.index)
        start = scanner.text[1:]
        name = self.name("%")
        if name != start and not start.startswith('"'):
            self.tails.setdefault(start, set()).add(name)
        device = self._device() if scanner.accept("{") else None
        annotation = self.types.type(self.type_scope) if scanner.accept(":") else None
        var = Var(name, annotation, virtual_device=device, place=place)
        if var.type is None:
            self.whole = False
        return var

    def _device(self) -> VirtualDevice:
        scanner = self.scanner
        if scanner.expect_word("virtual_device") != "virtual_device":
            scanner.fail("only virtual_device may stand here", scanner.index - 1)
        scanner.expect("=")
        index = scanner.index
        device = self.meta_object() if scanner.kind == "meta" else None
        if not isinstance(device, VirtualDevice):
            scanner.fail("a device is needed here, such as meta[VirtualDevice][0]", index)
        scanner.expect("}")
        return device

    def variable(self) -> Var:
        """Takes a use of a variable: that of the longest name in scope that stands here."""
        scanner = self.scanner
        text = scanner.text
        first = unescaped(text[2:-1]) if text.startswith('%"') else text[1:]
        if first in self.tails:
            start = scanner.at + 1
            for name in sorted(self.tails[first], key=len, reverse=True):
                end = start + len(name)
                if scanner.whole.startswith(name, start) and not scanner.whole[end : end + 1].isalnum():
                    found = self.find(name)
                    if found is not None:
                        scanner.skip_to(end)
                        self.used.add(found)
                        return found
        found = self.find(first)
        if found is None:
            scanner.fail(f"the variable %{first} has not been declared")
        scanner.take()
        if found.type is None:
            self.used.add(found)
        return found

    def find(self, name: str) -> Var | None:
        """The variable of that name in the innermost scope that has one."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def fail_as(self, error: TorchRelayError, index: int) -> NoReturn:
        """Raises an error of the IR again, with the place of a word and its line."""
        first = error.diagnostics[0]
        place = first.place or self.scanner.place(index)
        raise type(error)(error.message, place=place, notes=first.notes, hint=first.hint) from None


def unescaped(text: str) -> str:
    """What stands between quotes, its escapes resolved; an unknown one stands for itself."""
    if "\\" not in text:
        return text
    parts = text.split("\\\\")
    for escape, mark in (('\\"', '"'), ("\\n", "\n"), ("\\t", "\t")):
        parts = [part.replace(escape, mark) for part in parts]
    return "\\".join(parts)


def run(reading: Reading, readers: Mapping[Part, Callable[[Reading], Parsing]], part: Part) -> Expr:
    """Reads a part and all the parts in it, to any depth."""
    stack = [readers[part](reading)]
    value: Expr | None = None
    while stack:
        try:
            wanted = next(stack[-1]) if value is None else stack[-1].send(value)
        except StopIteration as finished:
            stack.pop()
            value = finished.value
        else:
            stack.append(readers[wanted](reading))
            value = None
    assert value is not None, "every part is an expression"
    return value
