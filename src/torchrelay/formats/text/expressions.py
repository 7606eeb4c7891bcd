"""Expressions and blocks, by the words they begin with."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from torchrelay.errors import TorchRelayError
from torchrelay.formats.text.branches import branch, matching, reference
from torchrelay.formats.text.calls import call, graph_value, leaf
from torchrelay.formats.text.literals import attribute_value, number
from torchrelay.formats.text.reading import Parsing, Part, Reading
from torchrelay.ir import (
    AttrValue,
    Call,
    Constant,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    Let,
    Tuple,
    TupleGetItem,
    Var,
    registry,
    with_type,
)

__all__ = ["READERS"]

_FIELD = re.compile(r"[0-9]{1,9}\Z")
_INFIX = {
    "*": (12, "multiply"),
    "/": (12, "divide"),
    "+": (10, "add"),
    "-": (10, "subtract"),
    "<": (8, "less"),
    "<=": (8, "less_equal"),
    ">": (8, "greater"),
    ">=": (8, "greater_equal"),
    "==": (7, "equal"),
    "!=": (7, "not_equal"),
}


# Blocks


def block(reading: Reading) -> Parsing:
    """Bindings and the expression they end in; what closes the block is left."""
    scanner = reading.scanner
    lets: list[tuple[int, Var, Expr]] = []
    depth = len(reading.scopes)
    reading.scopes.append({})
    while True:
        index = scanner.index
        if scanner.kind == "graph" and scanner.after() == "=":
            name = scanner.take()
            value = yield from _bound(reading)
            reading.graph.setdefault(name, value)
        elif scanner.accept("let"):
            index = scanner.index
            var = reading.declared()
            # A function may refer to itself by the name that it is bound to.
            reading.scopes.append({var.name: var})
            value = yield from _bound(reading)
            lets.append((index, _let_var(reading, var, value), value))
            reading.scopes[-1][var.name] = lets[-1][1]
        elif scanner.accept("free_var"):
            var = reading.declared()
            reading.scopes[-1].setdefault(var.name, var)
            scanner.expect(";")
        else:
            body = yield Part.EXPRESSION
            if not scanner.accept(";"):
                break
            lets.append((index, with_type(Var("", place=scanner.place(index)), body.type), body))
            reading.whole = False
    del reading.scopes[depth:]
    for index, var, value in reversed(lets):
        body = Let(var, value, body, place=scanner.place(index))
    return body


def _bound(reading: Reading) -> Parsing:
    """What is bound to the name before, up to the semicolon."""
    scanner = reading.scanner
    scanner.expect("=")
    if scanner.at_sign("{"):
        scanner.unexpected("an expression")
    value = yield Part.EXPRESSION
    scanner.expect(";")
    return value


def _let_var(reading: Reading, var: Var, value: Expr) -> Var:
    if var.type_annotation is None or var.type_annotation != value.type:
        reading.whole = False
    # A function may have used the variable it is bound to, as it is.
    return var if var.type is not None or var in reading.used else with_type(var, value.type)


# Expressions


def expression(reading: Reading) -> Parsing:
    """An expression with infix operators, left to right by strength."""
    scanner = reading.scanner
    left = yield from atom(reading)
    if scanner.kind != "sign" or scanner.text not in _INFIX:
        return left
    operands, pending = [left], list[tuple[int, str, int]]()
    while scanner.kind == "sign" and scanner.text in _INFIX:
        index = scanner.index
        strength, name = _INFIX[scanner.take()]
        while pending and pending[-1][0] >= strength:
            _reduce(reading, operands, pending)
        pending.append((strength, name, index))
        operands.append((yield Part.ATOM))
    while pending:
        _reduce(reading, operands, pending)
    return operands[0]


def _reduce(reading: Reading, operands: list[Expr], pending: list[tuple[int, str, int]]) -> None:
    _, name, index = pending.pop()
    right, left = operands.pop(), operands.pop()
    try:
        made = Call(registry.get(name), (left, right), place=reading.scanner.place(index))
    except TorchRelayError as error:
        reading.fail_as(error, index)
    reading.whole = reading.whole and made.type is not None
    operands.append(made)


def atom(reading: Reading) -> Parsing:
    """A value, with the calls and the projection that follow it."""
    scanner = reading.scanner
    index = scanner.index
    simple = leaf(reading)
    if simple is not None:
        return simple
    plain = _PLAIN.get(scanner.kind)
    expr = plain(reading) if plain is not None else (yield from _compound(reading))
    projected = False
    while True:
        if scanner.at_sign("("):
            expr = yield from call(reading, expr, index)
            projected = False
        elif not projected and (scanner.at_sign(".") or (scanner.kind == "number" and scanner.text[0] == ".")):
            expr = _projection(reading, expr, index)
            projected = True
        elif isinstance(expr, Constructor) and not expr.inputs:
            # A constructor without fields alone is its call.
            return Call(expr, (), place=scanner.place(index))
        else:
            return expr


def _projection(reading: Reading, expr: Expr, index: int) -> Expr:
    scanner = reading.scanner
    if scanner.text == ".":
        scanner.take()
        field = scanner.text if scanner.kind == "number" else ""
    else:
        field = scanner.text[1:]
    if not _FIELD.match(field):
        scanner.fail(f"{scanner.text[:60]!r} is no number of a field", hint="write (t.1).0")
    scanner.take()
    try:
        made = TupleGetItem(expr, int(field), place=scanner.place(index))
    except TorchRelayError as error:
        reading.fail_as(error, index)
    reading.whole = reading.whole and made.type is not None
    return made


# Values, by the kind of word


def _global(reading: Reading) -> GlobalVar:
    place = reading.scanner.place(reading.scanner.index)
    reading.whole = False
    return GlobalVar(reading.name("@"), place=place)


def _numeral(reading: Reading) -> Expr:
    found = reading.constructors.get(reading.scanner.text)
    if found is None:
        return number(reading)
    reading.scanner.take()
    return found


def _meta_expression(reading: Reading) -> Expr:
    scanner = reading.scanner
    index = scanner.index
    value = reading.meta_object()
    if not isinstance(value, Expr):
        scanner.fail(f"this is a {type(value).__name__}, not an expression", index)
    reading.whole = reading.whole and value.type is not None
    return value


_PLAIN: dict[str, Callable[[Reading], Expr]] = {
    "graph": graph_value,
    "local": Reading.variable,
    "global": _global,
    "number": _numeral,
    "meta": _meta_expression,
}


def _compound(reading: Reading) -> Parsing:
    """What begins with a word or a bracket."""
    scanner = reading.scanner
    if scanner.kind == "word":
        return (yield from _word(reading))
    if scanner.accept("("):
        return (yield from _parenthesis(reading))
    if scanner.accept("{"):
        inner = yield Part.BLOCK
        scanner.expect("}")
        return inner
    scanner.unexpected("an expression")


def _word(reading: Reading) -> Parsing:
    scanner = reading.scanner
    index = scanner.index
    word = scanner.text
    if word in reading.constructors:
        scanner.take()
        return reading.constructors[word]
    match word:
        case "True" | "False":
            scanner.take()
            return Constant(np.array(word == "True"), place=scanner.place(index))
        case "fn":
            return (yield from function(reading))
        case "if":
            scanner.take()
            return (yield from branch(reading, index))
        case "match" | "match?":
            scanner.take()
            return (yield from matching(reading, index, complete=word == "match"))
        case "ref" | "ref_read" | "ref_write":
            scanner.take()
            return (yield from reference(reading, word, index))
        case _:
            return _operator(reading)


def _operator(reading: Reading) -> Expr:
    scanner = reading.scanner
    found = registry.find(scanner.text) or registry.find("".join(scanner.text.split()))
    if found is None:
        scanner.fail(f"there is no operator {scanner.text[:80]!r}")
    scanner.take()
    return found


def _parenthesis(reading: Reading) -> Parsing:
    """A tuple, or one expression or block in parentheses, the first of which is taken."""
    scanner = reading.scanner
    index = scanner.index - 1
    fields: list[Expr] = []
    commas = 0
    for _ in scanner.separated(")"):
        before = scanner.index
        fields.append(leaf(reading) or (yield Part.BLOCK))
        commas += scanner.at_sign(",")
        assert scanner.index > before, "a block is a word at least"
    if len(fields) == 1 and not commas:
        return fields[0]
    return Tuple(tuple(fields), place=scanner.place(index))


def function(reading: Reading) -> Parsing:
    """A function from ``fn`` on, or from what follows the name of a definition."""
    scanner = reading.scanner
    index = scanner.index
    scanner.accept("fn")
    type_params = reading.types.parameters()
    outer = reading.type_scope
    reading.type_scope = {**outer, **{param.name: param for param in type_params}}
    scope: dict[str, Var] = {}
    scanner.expect("(")
    params, attrs = _parameters(reading, scope)
    ret_type = reading.types.type(reading.type_scope) if scanner.accept("->") else None
    scanner.expect("{")
    reading.scopes.append(scope)
    body = yield Part.BLOCK
    scanner.expect("}")
    reading.scopes.pop()
    reading.type_scope = outer
    if ret_type is None or ret_type != body.type:
        reading.whole = False
    return Function(tuple(params), body, ret_type, type_params, attrs, place=scanner.place(index))


def _parameters(reading: Reading, scope: dict[str, Var]) -> tuple[list[Var], dict[str, AttrValue]]:
    """Parameters, then attributes, up to the closing parenthesis."""
    scanner = reading.scanner
    params: list[Var] = []
    attrs: dict[str, AttrValue] = {}
    for _ in scanner.separated(")"):
        if scanner.kind == "local" and not attrs:
            params.append(reading.declared())
            scope.setdefault(params[-1].name, params[-1])
            continue
        if scanner.kind != "word" or scanner.after() != "=" or ("." in scanner.text and not attrs):
            scanner.unexpected("a parameter or an attribute")
        key = scanner.take()
        scanner.expect("=")
        attrs[key] = attribute_value(reading)
    return params, attrs


READERS: dict[Part, Callable[[Reading], Parsing]] = {
    Part.EXPRESSION: expression,
    Part.ATOM: atom,
    Part.BLOCK: block,
    Part.FUNCTION: function,
}
