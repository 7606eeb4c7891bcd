"""Relay text, format 0.0.5, to modules and expressions; any depth."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import torchrelay.op  # noqa: F401 what a file calls must be declared before
from torchrelay.errors import SyntaxErrorInText, TorchRelayError
from torchrelay.formats.json import load_nodes
from torchrelay.formats.text.scanner import Scanner, Token
from torchrelay.formats.text.type_parser import parse_type, type_parameters
from torchrelay.ir import (
    ANY,
    Attrs,
    AttrValue,
    Call,
    Clause,
    Constant,
    Constructor,
    Expr,
    Function,
    GlobalTypeVar,
    GlobalVar,
    If,
    IRModule,
    Let,
    Match,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    TupleType,
    Type,
    TypeCall,
    TypeData,
    TypeVar,
    Var,
    at,
    rebuild,
    record_class,
    registry,
    substituted,
    with_type,
)

__all__ = ["parse", "parse_expr"]

_VERSION = re.compile(r'#\[\s*version\s*=\s*"0\.0\.5"\s*\]\Z')
_METADATA = re.compile(r"^#\[metadata\]\s*$", re.MULTILINE)
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


def parse(text: str, source: str = "from_string") -> IRModule:
    """The module of a Relay text. Every expression has its place in the text, and its type where that is known.

    Raises SyntaxErrorInText with line, column and a caret; TypeMismatch, WrongArgument and IllFormed, with the place, for what
    reads well but has no meaning; BadFile for a broken metadata section.
    """
    parser = _Parser(*_opened(text, source))
    parser.header(required=True)
    return _run(parser.module())


def parse_expr(text: str, source: str = "string") -> Expr:
    """The expression of a Relay text, with or without a header. Raises what ``parse`` raises."""
    parser = _Parser(*_opened(text, source))
    parser.header(required=False)
    return _run(parser.body("end"))


def _opened(text: str, source: str) -> tuple[Scanner, Mapping[str, Sequence[object]]]:
    found = _METADATA.search(text)
    if found is None:
        return Scanner(text, source), {}
    return Scanner(text[: found.start()], source), load_nodes(text[found.end() :])


Parsing = Generator[Any, Any, Any]
"""Yields the parsing of an inner part, is sent its result, returns its own: no recursion in Python."""


def _run(parsing: Parsing) -> Any:
    stack = [parsing]
    value: Any = None
    while stack:
        try:
            inner = stack[-1].send(value)
        except StopIteration as finished:
            stack.pop()
            value = finished.value
            continue
        stack.append(inner)
        value = None
    return value


@dataclass(slots=True)
class _Parser:
    scanner: Scanner
    meta: Mapping[str, Sequence[object]]
    graph: dict[str, Expr] = field(default_factory=dict)
    scopes: list[dict[str, Var]] = field(default_factory=lambda: [{}])
    type_scopes: list[dict[str, TypeVar]] = field(default_factory=lambda: [{}])
    constructors: dict[str, Constructor] = field(default_factory=dict)
    types: dict[str, TypeData] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    used: set[Var] = field(default_factory=set)

    # The whole

    def header(self, *, required: bool) -> None:
        token = self.scanner.token
        if token.kind == "header" and _VERSION.match(token.text):
            self.scanner.take()
        elif required or token.kind == "header":
            self.scanner.fail('a Relay text begins with #[version = "0.0.5"]')

    def module(self) -> Parsing:
        scanner = self.scanner
        while scanner.token.kind != "end":
            if scanner.accept("def"):
                name = scanner.kind("global", "the name of a function").text[1:]
                self.functions[name] = yield self.function(is_definition=True)
            elif scanner.accept("type"):
                self._type_definition()
            elif scanner.accept("extern"):
                scanner.expect("type")
                scanner.kind("word", "the name of a type")
            else:
                scanner.fail("expected def, type or the end of the text")
        return _globals_typed(IRModule(self.functions, self.types))

    def _type_definition(self) -> None:
        scanner = self.scanner
        header = GlobalTypeVar(scanner.kind("word", "the name of a data type").text)
        params = type_parameters(scanner)
        variables = {param.name: param for param in params}
        made: list[Constructor] = []
        if scanner.accept("{"):
            while not scanner.accept("}"):
                token = self._constructor_name("the name of a constructor")
                inputs: list[Type] = []
                if scanner.accept("("):
                    while not scanner.accept(")"):
                        inputs.append(parse_type(scanner, variables))
                        if not scanner.at(")"):
                            scanner.expect(",")
                if token.text in self.constructors:
                    scanner.fail(f"there are two constructors {token.text}", token)
                constructor = Constructor(token.text, tuple(inputs), header, len(made), params)
                self.constructors[token.text] = constructor
                made.append(constructor)
                if not scanner.at("}"):
                    scanner.expect(",")
        self.types[header.name] = TypeData(header, params, tuple(made))

    def _constructor_name(self, what: str) -> Token:
        """The name that comes next; Relay's defunctionalization names constructors by number."""
        return self.scanner.take() if self.scanner.token.text.isdigit() else self.scanner.kind("word", what)

    # Functions, blocks

    def function(self, *, is_definition: bool = False) -> Parsing:
        scanner = self.scanner
        start = scanner.token
        type_params = type_parameters(scanner)
        self.type_scopes.append({**self.type_scopes[-1], **{param.name: param for param in type_params}})
        scope: dict[str, Var] = {}
        self.scopes.append(scope)
        params, attrs = self._parameters(scope)
        ret_type = parse_type(scanner, self.type_scopes[-1]) if scanner.accept("->") else None
        scanner.expect("{")
        body = yield self.body("}")
        scanner.expect("}")
        self.scopes.pop()
        self.type_scopes.pop()
        with self._at(start):
            return Function(tuple(params), body, ret_type, type_params, attrs)

    def _parameters(self, scope: dict[str, Var]) -> tuple[list[Var], dict[str, AttrValue]]:
        scanner = self.scanner
        scanner.expect("(")
        params: list[Var] = []
        attrs: dict[str, AttrValue] = {}
        while not scanner.accept(")"):
            if scanner.token.kind == "local":
                params.append(self._declared(scope))
            else:
                key = scanner.kind("word", "a parameter or an attribute").text
                scanner.expect("=")
                attrs[key] = self._attr_value()
            if not scanner.at(")"):
                scanner.expect(",")
        return params, attrs

    def _declared(self, scope: dict[str, Var]) -> Var:
        token = self.scanner.kind("local", "a variable")
        annotation = parse_type(self.scanner, self.type_scopes[-1]) if self.scanner.accept(":") else None
        with self._at(token):
            var = Var(token.text[1:], annotation)
        scope.setdefault(var.name, var)
        return var

    def body(self, end: str) -> Parsing:
        """Bindings and the expression they end in, up to a brace, a parenthesis or the end of the text."""
        scanner = self.scanner
        lets: list[tuple[Token, Var, Expr]] = []
        depth = len(self.scopes)
        while True:
            token = scanner.token
            if token.kind == "graph" and self._binds():
                name = scanner.take().text
                scanner.expect("=")
                value = yield self.expression()
                self.graph.setdefault(name, value)
                scanner.expect(";")
            elif scanner.accept("let"):
                target = scanner.token
                var = self._declared({})
                scanner.expect("=")
                self.scopes.append({var.name: var})
                value = yield self.expression()
                # A function that refers to itself through the let has used the variable already, as it is.
                typed = var if var.type is not None or var in self.used else with_type(var, value.type)
                self.scopes[-1][var.name] = typed
                scanner.expect(";")
                lets.append((target, typed, value))
            elif scanner.accept("free_var"):
                self._declared(self.scopes[-1])
                scanner.expect(";")
            else:
                expr = yield self.expression()
                if not scanner.accept(";"):
                    break
                if scanner.token.kind == "end" or scanner.at("}"):
                    break
                lets.append((token, Var("", None), expr))
        del self.scopes[depth:]
        for token, var, value in reversed(lets):
            with self._at(token):
                expr = Let(var, value, expr)
        if end == "end" and scanner.token.kind != "end":
            scanner.fail("expected the end of the text")
        return expr

    def _binds(self) -> bool:
        """Whether ``%0 =`` comes next, not an expression that begins with ``%0``."""
        rest = self.scanner.text[self.scanner.token.end : self.scanner.token.end + 3].lstrip()
        return rest.startswith("=") and not rest.startswith("==")

    # Expressions

    def expression(self) -> Parsing:
        """An expression with infix operators, left to right by strength."""
        left = yield self.atom()
        if self.scanner.token.text not in _INFIX or self.scanner.token.kind != "sign":
            return left
        operands, pending = [left], list[tuple[int, str, Token]]()
        while self.scanner.token.kind == "sign" and self.scanner.token.text in _INFIX:
            token = self.scanner.take()
            strength, name = _INFIX[token.text]
            while pending and pending[-1][0] >= strength:
                self._reduce(operands, pending)
            pending.append((strength, name, token))
            operands.append((yield self.atom()))
        while pending:
            self._reduce(operands, pending)
        return operands[0]

    def _reduce(self, operands: list[Expr], pending: list[tuple[int, str, Token]]) -> None:
        _, name, token = pending.pop()
        right, left = operands.pop(), operands.pop()
        with self._at(token):
            operands.append(Call(registry.get(name), (left, right)))

    def atom(self) -> Parsing:
        scanner = self.scanner
        token = scanner.token
        expr = yield self._primary(token)
        while True:
            if scanner.at("("):
                expr = yield self._call(expr, token)
            elif scanner.at(".") or (scanner.token.kind == "number" and scanner.token.text.startswith(".")):
                scanner.take()
                index = scanner.kind("number", "the number of a field")
                if not index.text.isdigit():
                    scanner.fail(f"{index.text!r} is no number of a field", index, hint="write (t.1).0")
                with self._at(token):
                    expr = TupleGetItem(expr, int(index.text))
            else:
                return self._finished(expr, token)

    def _finished(self, expr: Expr, token: Token) -> Expr:
        """A constructor without fields alone is its call."""
        if isinstance(expr, Constructor) and not expr.inputs:
            with self._at(token):
                return Call(expr, ())
        return expr

    def _primary(self, token: Token) -> Parsing:
        scanner = self.scanner
        match token.kind:
            case "graph":
                scanner.take()
                if token.text not in self.graph:
                    scanner.fail(f"the graph binding {token.text} has not been given a value", token)
                return self.graph[token.text]
            case "local":
                return self._variable()
            case "global":
                scanner.take()
                return GlobalVar(token.text[1:], place=scanner.place(token.at))
            case "number":
                scanner.take()
                return self.constructors.get(token.text) or self._number(token)
            case "meta":
                scanner.take()
                return self._meta_expr(token)
            case "word":
                return (yield self._word(token))
            case "sign" if token.text == "(":
                return (yield self._parenthesis(token))
            case "sign" if token.text == "{":
                scanner.take()
                inner = yield self.body("}")
                scanner.expect("}")
                return inner
            case _:
                scanner.fail(f"expected an expression, not {token.text or 'the end of the text'!r}")

    def _variable(self) -> Expr:
        """The variable of the longest name in scope that the next word begins with."""
        token = self.scanner.token
        name = token.text[1:]
        while name:
            for scope in reversed(self.scopes):
                if name in scope:
                    self.scanner.shorten(len(name) + 1)
                    self.used.add(scope[name])
                    return scope[name]
            name = name[: max((name.rfind(mark) for mark in ".:/-"), default=-1)] if re.search(r"[.:/\-]", name) else ""
        self.scanner.fail(f"the variable {token.text} has not been declared")

    def _number(self, token: Token) -> Constant:
        found = re.fullmatch(r"(-*)(inf|nan|[\d.]+(?:[eE][+-]?\d+)?)([fi]?)(\d*)", token.text)
        if found is None:
            self.scanner.fail(f"{token.text!r} is no number", token)
        signs, digits, letter, width = found.groups()
        negative = len(signs) % 2 == 1
        whole = not letter or letter == "i"
        if whole and not digits.isdigit():
            self.scanner.fail(f"{token.text!r} is no integer", token, hint="a float ends in f: 1.5f")
        value = int(digits) if whole else float(digits)
        bits = width or ("64" if whole and not letter and value > 2**31 - 1 else "32")
        if bits not in ("16", "32", "64") or (letter == "f" and digits.count(".") > 1):
            self.scanner.fail(f"{token.text!r} is no number: widths are 16, 32 and 64", token)
        signed = -value if negative else value
        if whole and not -(2 ** (int(bits) - 1)) <= signed < 2 ** (int(bits) - 1):
            self.scanner.fail(f"{token.text} does not fit int{bits}", token)
        with np.errstate(over="ignore"):
            array = np.array(signed, f"{'int' if whole else 'float'}{bits}")
        if not whole and np.isinf(array) and digits != "inf":
            self.scanner.fail(f"{token.text} does not fit float{bits}", token)
        return Constant(array, place=self.scanner.place(token.at))

    def _meta(self, token: Token) -> object:
        key, index = re.fullmatch(r"meta\[([\w.]+)\]\[(\d+)\]", token.text).groups()  # type: ignore[union-attr] the scanner matched this form
        entries = self.meta.get(key, ())
        if int(index) >= len(entries):
            self.scanner.fail(f"the metadata has no entry {token.text}", token)
        return entries[int(index)]

    def _meta_expr(self, token: Token) -> Expr:
        value = self._meta(token)
        if not isinstance(value, Expr):
            self.scanner.fail(f"{token.text} is a {type(value).__name__}, not an expression", token)
        return value

    def _word(self, token: Token) -> Parsing:
        scanner = self.scanner
        scanner.take()
        match token.text:
            case "True" | "False":
                return Constant(np.array(token.text == "True"), place=scanner.place(token.at))
            case "fn":
                return (yield self.function())
            case "if":
                return (yield self._if(token))
            case "match":
                return (yield self._match(token))
            case "ref" | "ref_read" | "ref_write":
                return (yield self._reference(token))
            case name if name in self.constructors:
                return self.constructors[name]
            case name:
                found = registry.find(re.sub(r"\s", "", name))
                if found is None:
                    scanner.fail(f"there is no operator {name!r}", token)
                return found

    def _parenthesis(self, token: Token) -> Parsing:
        scanner = self.scanner
        scanner.take()
        if scanner.accept(")"):
            return Tuple((), place=scanner.place(token.at))
        if scanner.at("let"):
            inner = yield self.body(")")
            scanner.accept(";")
            scanner.expect(")")
            return inner
        fields = [(yield self.expression())]
        if scanner.accept(")"):
            return fields[0]
        while not scanner.accept(")"):
            scanner.expect(",")
            if not scanner.at(")"):
                fields.append((yield self.expression()))
        return Tuple(tuple(fields), place=scanner.place(token.at))

    def _if(self, token: Token) -> Parsing:
        scanner = self.scanner
        scanner.expect("(")
        cond = yield self.expression()
        scanner.expect(")")
        scanner.expect("{")
        left = yield self.body("}")
        scanner.expect("}")
        scanner.expect("else")
        scanner.expect("{")
        right = yield self.body("}")
        scanner.expect("}")
        with self._at(token):
            return If(cond, left, right)

    def _reference(self, token: Token) -> Parsing:
        scanner = self.scanner
        scanner.expect("(")
        value = yield self.expression()
        other = None
        if token.text == "ref_write":
            scanner.expect(",")
            other = yield self.expression()
        scanner.expect(")")
        with self._at(token):
            if other is not None:
                return RefWrite(value, other)
            return RefCreate(value) if token.text == "ref" else RefRead(value)

    def _match(self, token: Token) -> Parsing:
        scanner = self.scanner
        complete = not scanner.accept("?")
        data = yield self.atom()
        scanner.expect("{")
        clauses: list[Clause] = []
        while not scanner.accept("}"):
            scope: dict[str, Var] = {}
            pattern = self._pattern(scope, data.type)
            self.scopes.append(scope)
            scanner.expect("=>")
            clauses.append(Clause(pattern, (yield self.expression())))
            self.scopes.pop()
            if not scanner.at("}"):
                scanner.expect(",")
        with self._at(token):
            return Match(data, tuple(clauses), complete)

    def _pattern(self, scope: dict[str, Var], kind: Type | None) -> Pattern:
        scanner = self.scanner
        token = scanner.token
        if token.kind == "local":
            var = self._declared({})
            typed = var if var.type is not None else with_type(var, kind)
            scope[typed.name] = typed
            return PatternVar(typed)
        if scanner.accept("_"):
            return PatternWildcard()
        if scanner.accept("("):
            fields = kind.fields if isinstance(kind, TupleType) else ()
            return PatternTuple(self._patterns(scope, fields))
        name = self._constructor_name("a pattern").text
        if name not in self.constructors:
            scanner.fail(f"there is no constructor {name!r}", token)
        constructor = self.constructors[name]
        inputs: tuple[Type, ...] = ()
        if isinstance(kind, TypeCall) and len(kind.args) == len(constructor.type_vars):
            binding: dict[Type, Type] = dict(zip(constructor.type_vars, kind.args, strict=True))
            inputs = tuple([substituted(t, binding) for t in constructor.inputs])
        parts = self._patterns(scope, inputs) if scanner.accept("(") else ()
        if len(parts) != len(constructor.inputs):
            scanner.fail(f"{name} has {len(constructor.inputs)} fields, the pattern {len(parts)}", token)
        return PatternConstructor(constructor, parts)

    def _patterns(self, scope: dict[str, Var], kinds: Sequence[Type]) -> tuple[Pattern, ...]:
        parts: list[Pattern] = []
        while not self.scanner.accept(")"):
            parts.append(self._pattern(scope, kinds[len(parts)] if len(parts) < len(kinds) else None))
            if not self.scanner.at(")"):
                self.scanner.expect(",")
        return tuple(parts)

    # Calls

    def _call(self, callee: Expr, token: Token) -> Parsing:
        scanner = self.scanner
        scanner.expect("(")
        args: list[Expr] = []
        values: dict[str, AttrValue] = {}
        record: Attrs | None = None
        while not scanner.accept(")"):
            if scanner.token.kind == "word" and self._key_follows():
                key = scanner.take().text
                scanner.expect("=")
                values[key] = self._attr_value()
            elif values:
                scanner.fail("an argument comes before the attributes")
            elif scanner.token.kind == "meta" and isinstance(self._meta(scanner.token), Attrs):
                record = self._meta(scanner.take())  # type: ignore[assignment] it was tested
            else:
                args.append((yield self.expression()))
            if not scanner.at(")"):
                scanner.expect(",")
        with self._at(token):
            return self._located(lambda: self._made(callee, args, record, values), token)

    def _made(self, callee: Expr, args: Sequence[Expr], record: Attrs | None, values: dict[str, AttrValue]) -> Call:
        attrs = record or self._record(callee, values)
        if attrs is not None:
            names = [item.name for item, _ in attrs.items() if item.kind.name == "expr"]
            if names and len(names) == len(args):
                # The bounds of a range are its operands; the metadata section holds copies of them.
                attrs = attrs.replace(**dict(zip(names, args, strict=True)))
        return Call(callee, tuple(args), attrs)

    def _key_follows(self) -> bool:
        rest = self.scanner.text[self.scanner.token.end : self.scanner.token.end + 3].lstrip()
        return rest.startswith("=") and not rest.startswith("==")

    def _record(self, callee: Expr, values: dict[str, AttrValue]) -> Attrs | None:
        from torchrelay.ir import Operator

        key = values.pop("attrs_type_key", None)
        if isinstance(key, str):
            return record_class(key)(**values)
        return callee.attributes(values) if isinstance(callee, Operator) else None

    def _located(self, make: Callable[[], Expr], token: Token) -> Expr:
        """What is made, its errors placed in the text."""
        try:
            return make()
        except SyntaxErrorInText:
            raise
        except TorchRelayError as error:
            first = error.diagnostics[0]
            place = self.scanner.place(token.at)
            raise type(error)(error.message, place=place, notes=first.notes, hint=first.hint) from None

    def _attr_value(self) -> AttrValue:  # noqa: C901 one case for each kind
        scanner = self.scanner
        if scanner.token.kind == "local":
            return self._variable()
        token = scanner.take()
        if token.kind == "string":
            return _unescaped(token.text[1:-1])
        if token.kind == "number":
            return _double(token) if "f" in token.text else self._number(token).data.item()
        if token.kind == "meta":
            return self._meta(token)  # type: ignore[return-value] the record checks it
        if token.kind == "graph" and token.text in self.graph:
            return self.graph[token.text]
        if token.kind == "sign" and token.text in ("[", "("):
            values: list[AttrValue] = []
            end = "]" if token.text == "[" else ")"
            while not scanner.accept(end):
                values.append(self._attr_value())
                if not scanner.at(end):
                    scanner.expect(",")
            return values[0] if end == ")" and len(values) == 1 else tuple(values)
        if token.text == "?":
            return ANY
        words: dict[str, AttrValue] = {"True": True, "False": False, "None": None, "nullptr": None}
        if token.text in words:
            return words[token.text]
        scanner.fail(f"{token.text!r} is no value of an attribute", token)

    def _at(self, token: Token):
        return at(self.scanner.place(token.at))


def _double(token: Token) -> float:
    """A float attribute, which is a double whatever its width says."""
    return float(re.sub(r"f\d*\Z", "", token.text))


def _unescaped(text: str) -> str:
    marks = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
    return re.sub(r"\\(.)", lambda found: marks.get(found.group(1), found.group(0)), text)


def _globals_typed(module: IRModule) -> IRModule:
    """The module with every use of a function of its own typed, as far as the functions' types are known."""
    for _ in range(len(module.functions) + 1):
        known = {name: function.type for name, function in module.functions.items()}

        def typed(node: Expr, known: Mapping[str, Type | None] = known) -> Expr:
            if isinstance(node, GlobalVar) and node.type is None and known.get(node.name) is not None:
                return with_type(node, known[node.name])
            return node

        rebuilt = {name: rebuild(function, typed) for name, function in module.functions.items()}
        if all(rebuilt[name] is function for name, function in module.functions.items()):
            return module
        module = module.with_functions({n: f for n, f in rebuilt.items() if isinstance(f, Function)})
    return module
