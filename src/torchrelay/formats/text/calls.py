"""Calls: arguments, then attributes, and the record they make."""

from __future__ import annotations

from dataclasses import dataclass, field

from torchrelay.errors import TorchRelayError, TypeMismatch, WrongArgument
from torchrelay.formats.text.literals import attribute_value, number
from torchrelay.formats.text.reading import Parsing, Part, Reading
from torchrelay.ir import Attrs, AttrValue, Expr, GlobalVar, Operator, Type, call_of_type, record_class

__all__ = ["call", "leaf"]

_AFTER_LEAF = frozenset([",", ")", ";"])


def leaf(reading: Reading) -> Expr | None:
    """Takes an operand that is one word with a separator behind it; None where more comes."""
    scanner = reading.scanner
    if scanner.after() not in _AFTER_LEAF:
        return None
    match scanner.kind:
        case "graph":
            return graph_value(reading)
        case "local" if scanner.text[1:] not in reading.tails:
            return reading.variable()
        case "number" if scanner.text not in reading.constructors:
            return number(reading)
        case _:
            return None


def graph_value(reading: Reading) -> Expr:
    """Takes ``%0`` and gives what was bound to it."""
    scanner = reading.scanner
    found = reading.graph.get(scanner.text)
    if found is None:
        scanner.fail(f"the graph binding {scanner.text} has not been given a value")
    scanner.take()
    return found


@dataclass(slots=True)
class _Arguments:
    args: list[Expr] = field(default_factory=list[Expr])
    values: dict[str, AttrValue] = field(default_factory=dict[str, AttrValue])
    record: Attrs | None = None


def call(reading: Reading, callee: Expr, index: int) -> Parsing:
    """The call of what was read before; ``index`` is the word where that begins."""
    scanner = reading.scanner
    scanner.expect("(")
    given = _Arguments()
    for _ in scanner.separated(")"):
        if scanner.kind == "word" and scanner.after() == "=":
            _attribute(reading, given)
        elif given.values or given.record is not None:
            scanner.fail("attributes come last, and nothing comes behind a record of them")
        elif scanner.kind == "meta" and isinstance(reading.meta.get(scanner.text), Attrs):
            given.record = _record_of(reading)
        else:
            given.args.append(leaf(reading) or (yield Part.EXPRESSION))
    return _made(reading, callee, given, index)


def _attribute(reading: Reading, given: _Arguments) -> None:
    scanner = reading.scanner
    if "." in scanner.text and not given.values:
        scanner.unexpected("the name of an attribute")
    key = scanner.take()
    scanner.expect("=")
    given.values[key] = attribute_value(reading)


def _record_of(reading: Reading) -> Attrs:
    record = reading.meta_object()
    assert isinstance(record, Attrs), "it was looked at before"
    return record


def _made(reading: Reading, callee: Expr, given: _Arguments, index: int) -> Expr:
    args = tuple(given.args)
    place = reading.scanner.place(index)
    if isinstance(callee, GlobalVar):
        reading.whole = False
    try:
        attrs = _attributes(callee, given)
    except TorchRelayError as error:
        reading.fail_as(error, index)
    try:
        type_ = _type_of(reading, callee, args, attrs)
    except (TypeMismatch, WrongArgument) as error:
        if reading.checked:
            reading.fail_as(error, index)
        type_ = None
    if type_ is None:
        reading.whole = False
    return call_of_type(callee, args, attrs, type_, place)


def _type_of(reading: Reading, callee: Expr, args: tuple[Expr, ...], attrs: Attrs | None) -> Type | None:
    """The type of the call; alike calls of an operator are asked for once."""
    if not isinstance(callee, Operator):
        return callee.result_type(args, attrs)
    key = (callee, attrs, *[arg.type for arg in args])
    if key not in reading.call_types:
        reading.call_types[key] = callee.result_type(args, attrs)
    return reading.call_types[key]


def _attributes(callee: Expr, given: _Arguments) -> Attrs | None:
    attrs = given.record or _record(callee, given.values)
    if attrs is None:
        return None
    names = [item.name for item in attrs.fields if item.kind.name == "expr"]
    if names and len(names) == len(given.args):
        # The bounds of a range are its operands; the metadata section holds copies of them.
        return attrs.replace(**dict(zip(names, given.args, strict=True)))
    return attrs


def _record(callee: Expr, values: dict[str, AttrValue]) -> Attrs | None:
    key = values.pop("attrs_type_key", None)
    if isinstance(key, str):
        return record_class(key)(**values)
    if isinstance(callee, Operator):
        return callee.attributes(values)
    if values:
        raise WrongArgument("attributes of what is no operator need attrs_type_key, the name of their record")
    return None
