"""Relay types in text."""

from __future__ import annotations

from collections.abc import Mapping

from torchrelay.errors import WrongArgument
from torchrelay.formats.text.scanner import Scanner
from torchrelay.ir import (
    ANY,
    Dim,
    DType,
    FuncType,
    GlobalTypeVar,
    IncompleteType,
    RefType,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeVar,
)

__all__ = ["parse_type", "type_parameters"]

_DTYPE_STARTS = ("int", "uint", "float", "bool", "bfloat")


def parse_type(scanner: Scanner, variables: Mapping[str, TypeVar]) -> Type:  # noqa: C901 one case for each kind
    """The type that comes next; ``variables`` are the type variables in scope."""
    if scanner.accept("("):
        fields = _list(scanner, variables, ")")
        return TupleType(tuple(fields))
    if scanner.token.kind == "meta" and scanner.token.text.startswith("meta[IncompleteType]"):
        scanner.take()
        return IncompleteType()
    token = scanner.kind("word", "a type")
    word = token.text
    if word == "_":
        return IncompleteType()
    if word == "Tensor" and scanner.at("["):
        return _tensor(scanner)
    if word == "fn":
        return _function(scanner, variables)
    if word == "ref" and scanner.accept("("):
        value = parse_type(scanner, variables)
        scanner.expect(")")
        return RefType(value)
    if word in variables:
        return variables[word]
    if word.startswith(_DTYPE_STARTS):
        try:
            return TensorType((), DType.parse(word))
        except WrongArgument:
            scanner.fail(f"{word!r} is no type", token)
    if scanner.accept("["):
        return TypeCall(GlobalTypeVar(word), tuple(_list(scanner, variables, "]")))
    return TypeCall(GlobalTypeVar(word), ())


def _list(scanner: Scanner, variables: Mapping[str, TypeVar], end: str) -> list[Type]:
    found: list[Type] = []
    while not scanner.accept(end):
        found.append(parse_type(scanner, variables))
        if not scanner.at(end):
            scanner.expect(",")
    return found


def _tensor(scanner: Scanner) -> TensorType:
    scanner.expect("[")
    scanner.expect("(")
    dims: list[Dim] = []
    while not scanner.accept(")"):
        dims.append(_dim(scanner))
        if not scanner.at(")"):
            scanner.expect(",")
    scanner.expect(",")
    token = scanner.kind("word", "a dtype")
    scanner.expect("]")
    try:
        return TensorType(tuple(dims), DType.parse(token.text))
    except WrongArgument:
        scanner.fail(f"{token.text!r} is no dtype", token)


def _dim(scanner: Scanner) -> Dim:
    if scanner.accept("?"):
        return ANY
    token = scanner.kind("number", "a size or ?")
    try:
        return int(token.text.partition("i")[0])
    except ValueError:
        scanner.fail(f"{token.text!r} is no size", token)


def type_parameters(scanner: Scanner) -> tuple[TypeVar, ...]:
    """``[A, B]`` where it comes next."""
    found: list[TypeVar] = []
    if scanner.accept("["):
        while not scanner.accept("]"):
            found.append(TypeVar(scanner.kind("word", "a type variable").text))
            if not scanner.at("]"):
                scanner.expect(",")
    return tuple(found)


def _function(scanner: Scanner, variables: Mapping[str, TypeVar]) -> FuncType:
    params = type_parameters(scanner)
    inside = {**variables, **{param.name: param for param in params}}
    scanner.expect("(")
    args = _list(scanner, inside, ")")
    scanner.expect("->")
    return FuncType(tuple(args), parse_type(scanner, inside), params)
