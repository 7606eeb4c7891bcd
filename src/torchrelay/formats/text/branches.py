"""Branches, matches with their patterns, and references."""

from __future__ import annotations

from collections.abc import Sequence

from torchrelay.errors import TorchRelayError
from torchrelay.formats.text.reading import Parsing, Part, Reading
from torchrelay.ir import (
    Clause,
    Expr,
    If,
    Match,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    RefCreate,
    RefRead,
    RefWrite,
    TupleType,
    Type,
    TypeCall,
    Var,
    substituted,
    with_type,
)

__all__ = ["branch", "matching", "reference"]


def branch(reading: Reading, index: int) -> Parsing:
    """What comes behind ``if``, which is word ``index``."""
    scanner = reading.scanner
    scanner.expect("(")
    cond = yield Part.EXPRESSION
    scanner.expect(")")
    scanner.expect("{")
    left = yield Part.BLOCK
    scanner.expect("}")
    scanner.expect("else")
    scanner.expect("{")
    right = yield Part.BLOCK
    scanner.expect("}")
    reading.whole = False
    try:
        return If(cond, left, right, place=scanner.place(index))
    except TorchRelayError as error:
        reading.fail_as(error, index)


def reference(reading: Reading, word: str, index: int) -> Parsing:
    """What comes behind ``ref``, ``ref_read`` or ``ref_write``, which is word ``index``."""
    scanner = reading.scanner
    scanner.expect("(")
    value = yield Part.EXPRESSION
    written: Expr | None = None
    if word == "ref_write":
        scanner.expect(",")
        written = yield Part.EXPRESSION
    scanner.expect(")")
    reading.whole = False
    place = scanner.place(index)
    if written is not None:
        return RefWrite(value, written, place=place)
    return RefCreate(value, place=place) if word == "ref" else RefRead(value, place=place)


def matching(reading: Reading, index: int, *, complete: bool) -> Parsing:
    """What comes behind ``match`` or ``match?``, which is word ``index``."""
    scanner = reading.scanner
    data = yield Part.ATOM
    scanner.expect("{")
    clauses: list[Clause] = []
    for _ in scanner.separated("}"):
        scope: dict[str, Var] = {}
        pattern = _pattern(reading, scope, data.type)
        reading.scopes.append(scope)
        scanner.expect("=>")
        result = yield Part.EXPRESSION
        reading.scopes.pop()
        clauses.append(Clause(pattern, result))
    reading.whole = False
    return Match(data, tuple(clauses), complete, place=scanner.place(index))


def _pattern(reading: Reading, scope: dict[str, Var], kind: Type | None) -> Pattern:
    """The pattern that comes next; ``scope`` gets its variables, ``kind`` is the type of what it is held against."""
    scanner = reading.scanner
    if scanner.kind == "local":
        var = reading.declared()
        typed = var if var.type is not None else with_type(var, kind)
        scope.setdefault(typed.name, typed)
        return PatternVar(typed)
    if scanner.accept("_"):
        return PatternWildcard()
    if scanner.accept("("):
        return PatternTuple(_patterns(reading, scope, kind.fields if isinstance(kind, TupleType) else ()))
    return _constructor_pattern(reading, scope, kind)


def _constructor_pattern(reading: Reading, scope: dict[str, Var], kind: Type | None) -> PatternConstructor:
    scanner = reading.scanner
    index = scanner.index
    name = reading.constructor_name("a pattern")
    constructor = reading.constructors.get(name)
    if constructor is None:
        scanner.fail(f"there is no constructor {name!r}", index)
    inputs: tuple[Type, ...] = ()
    if isinstance(kind, TypeCall) and len(kind.args) == len(constructor.type_vars):
        binding: dict[Type, Type] = dict(zip(constructor.type_vars, kind.args, strict=True))
        inputs = tuple([substituted(t, binding) for t in constructor.inputs])
    parts = _patterns(reading, scope, inputs) if scanner.accept("(") else ()
    if len(parts) != len(constructor.inputs):
        scanner.fail(f"{name} has {len(constructor.inputs)} fields, the pattern {len(parts)}", index)
    return PatternConstructor(constructor, parts)


def _patterns(reading: Reading, scope: dict[str, Var], kinds: Sequence[Type]) -> tuple[Pattern, ...]:
    with reading.scanner.deeper():
        count = reading.scanner.separated(")")
        return tuple([_pattern(reading, scope, kinds[i] if i < len(kinds) else None) for i in count])
