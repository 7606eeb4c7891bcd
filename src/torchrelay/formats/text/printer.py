"""Relay text, format 0.0.5, of modules and expressions; any depth, each shared node once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from torchrelay.errors import expect
from torchrelay.formats.fields import double_text, int_text, string_text, value_text
from torchrelay.formats.json import save_nodes
from torchrelay.formats.json.nodes import described, field_value, plain_value
from torchrelay.formats.text.names import Names
from torchrelay.formats.text.type_text import TypeTexts, scalar_word, written_scalar
from torchrelay.ir import (
    Any,
    Attrs,
    AttrValue,
    Call,
    Constant,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    If,
    IncompleteType,
    IRModule,
    Kind,
    Let,
    Match,
    Operator,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    RefCreate,
    RefRead,
    RefWrite,
    SizeVar,
    Tuple,
    TupleGetItem,
    TypeData,
    Var,
    children,
    free_vars,
    pattern_vars,
)

__all__ = ["Printed", "astext", "printed"]

HEADER = '#[version = "0.0.5"]\n'
OMITTED = (
    "/* For debugging purposes the metadata section has been omitted.\n"
    " * If you would like to see the full metadata section you can set the \n"
    " * option to `True` when invoking `astext`. \n"
    " */"
)


@dataclass(frozen=True, slots=True)
class Printed:
    """A text, and the name that each variable, by its own name, has in it."""

    text: str
    names: Mapping[str, str]


def astext(node: Expr | IRModule, *, header: bool = True, show_meta_data: bool = True, for_tvm: bool = False) -> str:
    """The text of a module or an expression; see ``printed``."""
    return printed(node, header=header, show_meta_data=show_meta_data, for_tvm=for_tvm).text


def printed(
    node: Expr | IRModule, *, header: bool = True, show_meta_data: bool = True, for_tvm: bool = False
) -> Printed:
    """The text of a module or an expression, constants in a metadata section unless that is left out.

    ``for_tvm`` keeps to what the real reader reads: names of letters, digits and underscores, numbers that its digits hold,
    records named where it does not know them.
    """
    expect(node, IRModule | Expr, "astext takes a module or an expression")
    printer = _Printer(for_tvm=for_tvm, names=Names(plain=for_tvm))
    body = printer.module(node) if isinstance(node, IRModule) else printer.expression(node)
    text = (HEADER if header else "") + body
    if printer.meta:
        if show_meta_data:
            text += f"\n#[metadata]\n{save_nodes(printer.meta)}"
        elif header:
            text += f"\n{OMITTED}"
        else:
            text += "\n"
    return Printed(text, printer.names.chosen)


_ATOMS = (Var, GlobalVar, Operator, Constructor, Constant)
"""What is written in place wherever it stands."""
_SCOPED = (Function, If, Match, Let)
"""What has lines of its own inside."""
_Rendering = Generator["_Rendering", str, str]
"""Yields the rendering of an inner scope, is sent its text, returns its own: no recursion in Python."""


def _run(rendering: _Rendering) -> str:
    stack = [rendering]
    value = ""
    started = False
    while stack:
        try:
            inner = stack[-1].send(value) if started else next(stack[-1])
        except StopIteration as finished:
            stack.pop()
            value, started = finished.value, True
            continue
        stack.append(inner)
        value, started = "", False
    return value


@dataclass(slots=True)
class _Printer:
    for_tvm: bool
    names: Names
    meta: dict[str, list[object]] = field(default_factory=dict[str, list[object]])
    meta_index: dict[int, str] = field(default_factory=dict[int, str])
    bound: dict[Expr, str] = field(default_factory=dict[Expr, str])
    """What stands for a node that is printed already."""
    texts: dict[Expr, str] = field(default_factory=dict[Expr, str])
    """The texts of nodes that have no number yet; each is made once, because a number that is given inside stays there."""
    uses: Counter[Expr] = field(default_factory=Counter[Expr])
    scopes: list[list[str]] = field(default_factory=list[list[str]])
    counter: int = 0
    pending: dict[str, int] = field(default_factory=dict[str, int])
    """How many references to each number are still to come, without those that have none."""
    open_numbers: list[int] = field(default_factory=list[int])
    """The numbers given so far, without some that have no references to come."""
    types_written: TypeTexts = field(init=False)
    """The texts of annotations, which are read again."""
    types_told: TypeTexts = field(init=False)
    """The texts of types in comments."""

    def __post_init__(self) -> None:
        self.types_written = TypeTexts(self._size, written_scalar)
        self.types_told = TypeTexts(self._size, scalar_word)

    def _size(self, size: SizeVar) -> str:
        return self._meta(size, size.type_key)

    def module(self, module: IRModule) -> str:
        """Data types by name, then functions by name, an empty line between neighbours."""
        parts = [self._type_data(module.type_definitions[name]) for name in sorted(module.type_definitions)]
        for name in sorted(module.functions):
            function = module.functions[name]
            self._count(function)
            parts.append(_run(self._function(function, f"def @{self.names.function(name)}")) + "\n")
        return "\n".join(parts)

    def expression(self, expr: Expr) -> str:
        self._count(expr)
        lines: list[str] = []
        self.scopes.append(lines)
        free = free_vars(expr)
        lines.extend([f"free_var {self._var(var)}{self._annotated(var)};" for var in free])
        lines.append(_run(self._tail(expr)))
        self.scopes.pop()
        return "\n".join(lines) + ("\n" if free else "")

    def _count(self, root: Expr) -> None:
        """Counts how many times each node is referred to."""
        seen = {root}
        stack = [root]
        while stack:
            for part in children(stack.pop()):
                self.uses[part] += 1
                if part not in seen:
                    seen.add(part)
                    stack.append(part)

    # Scopes

    def _tail(self, root: Expr) -> _Rendering:
        """The text of an expression in tail position, its lines in the scope that is open."""
        lines, expr = self.scopes[-1], root
        while isinstance(expr, Let) and (expr is root or (expr not in self.bound and self.uses[expr] <= 1)):
            value = yield self._operand_in_place(expr.value)
            lines.append(f"let {self._var(expr.var)}{self._annotated(expr.var)} = {value};")
            expr = expr.body
        return (yield self._operand_in_place(expr))

    def _operand_in_place(self, expr: Expr) -> _Rendering:
        """The text of an expression where it stands, or its number where something else refers to it too."""
        text = yield self._region(expr)
        if self.uses[expr] > 1 and expr not in self.bound and not self._atomic(expr):
            return self._numbered(expr, text)
        return text

    def _scope(self, expr: Expr, indent: str = "  ") -> _Rendering:
        """The lines of an expression as the inside of braces."""
        # What something else refers to as well gets a number, a let too.
        shared = self.uses[expr] > 1 or expr in self.bound
        return self._indented(self._operand_in_place(expr) if shared else self._tail(expr), indent)

    def _indented(self, last: _Rendering, indent: str = "  ") -> _Rendering:
        """The lines of a scope of its own, the last of them given."""
        lines: list[str] = []
        self.scopes.append(lines)
        lines.append((yield last))
        self.scopes.pop()
        return "\n".join([f"{indent}{line}".replace("\n", f"\n{indent}") for line in lines])

    # Expressions

    def _atomic(self, expr: Expr) -> bool:
        return isinstance(expr, _ATOMS)

    def _region(self, root: Expr) -> _Rendering:
        """The text of the root, everything it is made of numbered in the scope that is open."""
        stack = [(root, "enter")]
        while stack:
            expr, event = stack.pop()
            if event == "number":
                self._numbered_before_use(expr)
            elif expr in self.bound or expr in self.texts:
                continue
            elif event == "render":
                first = self.counter
                self.texts[expr] = yield self._rendered(expr)
                if isinstance(expr, _SCOPED) and expr is not root and self._last_pending() >= first:
                    # A line inside is referred to from outside: this one must come before whatever does so.
                    self._numbered_before_use(expr)
            elif isinstance(expr, RefWrite):
                # A write alone has its first operand numbered before the second is looked at.
                stack += [(expr, "render"), (expr.value, "enter"), (expr.ref, "number"), (expr.ref, "enter")]
            else:
                stack.append((expr, "render"))
                stack.extend([(part, "enter") for part in reversed(_operands(expr)) if part not in self.bound])
        return self._reference(root, in_place=True)

    def _rendered(self, expr: Expr) -> _Rendering:
        if isinstance(expr, Call):
            args = [self._reference(arg) for arg in expr.args]
            return self._call(expr, args, self._reference(expr.op))
        if isinstance(expr, Function):
            return (yield self._function(expr, "fn "))
        if isinstance(expr, If):
            return (yield self._if(expr, self._reference(expr.cond)))
        if isinstance(expr, Match):
            return (yield self._match(expr, self._reference(expr.data)))
        if isinstance(expr, Let):
            inner = yield self._indented(self._tail(expr))
            return f"(\n{inner}\n)"
        return self._simple(expr)

    def _simple(self, expr: Expr) -> str:
        match expr:
            case Tuple(fields=fields):
                inside = ", ".join([self._reference(part) for part in fields])
                return f"({inside}{',' if len(fields) == 1 else ''}){self._comment(expr)}"
            case TupleGetItem(tuple_value=value, index=index):
                return f"{self._reference(value)}.{index}{self._comment(expr)}"
            case RefCreate(value=value):
                return f"ref({self._reference(value)})"
            case RefRead(ref=ref):
                return f"ref_read({self._reference(ref)})"
            case RefWrite(ref=ref, value=value):
                place = self._reference(ref)
                return f"ref_write({place}, {self._reference(value)})"
            case _:
                return self._atom(expr)

    def _reference(self, expr: Expr, *, in_place: bool = False) -> str:
        """What stands for an operand: itself where it is an atom or in place, otherwise its number."""
        if expr not in self.bound:
            text = self.texts[expr]
            return text if in_place or self._atomic(expr) else self._numbered(expr, text)
        name = self.bound[expr]
        if name in self.pending:
            self._used(name)
        return name

    def _numbered(self, expr: Expr, text: str) -> str:
        """The number of an expression that is referred to here for the first time."""
        name = self._line(expr, text)
        self._used(name)
        return name

    def _numbered_before_use(self, expr: Expr) -> None:
        if expr not in self.bound and not self._atomic(expr):
            self._line(expr, self.texts[expr])

    def _line(self, expr: Expr, text: str) -> str:
        name = self.bound[expr] = f"%{self.counter}"
        self.texts.pop(expr, None)
        self.scopes[-1].append(f"{name} = {text};")
        self.pending[name] = self.uses[expr]
        self.open_numbers.append(self.counter)
        self.counter += 1
        return name

    def _used(self, name: str) -> None:
        self.pending[name] -= 1
        if self.pending[name] <= 0:
            del self.pending[name]

    def _last_pending(self) -> int:
        """The last number that has references to come, -1 if there is none."""
        numbers = self.open_numbers
        while numbers and f"%{numbers[-1]}" not in self.pending:
            numbers.pop()
        return numbers[-1] if numbers else -1

    def _atom(self, expr: Expr) -> str:
        match expr:
            case Var():
                return self._var(expr)
            case GlobalVar(name=name):
                return f"@{self.names.function(name)}"
            case Operator(name=name) | Constructor(name=name):
                return name
            case Constant():
                return self._constant(expr)
            case _:
                return f"<{type(expr).__name__}>"

    def _var(self, var: Var) -> str:
        text = self.bound.get(var)
        if text is None:
            text = self.bound[var] = f"%{self.names.local(var.name)}"
        return text

    def _call(self, call: Call, args: list[str], callee: str) -> str:
        if isinstance(call.op, Constructor) and not call.op.inputs:
            return f"{callee}{self._comment(call)}"
        if call.attrs is not None:
            args = [*args, *self._attrs(call.attrs, call.op)]
        return f"{callee}({', '.join(args)}){self._comment(call)}"

    def _attrs(self, attrs: Attrs, callee: Expr) -> Iterable[str]:
        for item, value in attrs.items():
            # What must be given has no default that a value could equal.
            if value != item.default:
                yield f"{item.name}={value_text(item.kind, value, self._meta_value)}"
        known = isinstance(callee, Operator) and callee.record is type(attrs)
        if not known or (self.for_tvm and isinstance(callee, Operator) and not callee.keyed):
            yield f"attrs_type_key={string_text(attrs.type_key)}"

    def _meta_value(self, kind: Kind, value: AttrValue) -> str:
        if isinstance(value, Expr) and not isinstance(value, Constant) and value in self.bound:
            # An operand that is an attribute too, such as the end of a range: it must stay the same one.
            return self.bound[value]
        node = field_value(kind, value)
        return self._meta(node, described(node).type_key)

    def _meta(self, node: object, key: str) -> str:
        if id(node) not in self.meta_index:
            entries = self.meta.setdefault(key, [])
            self.meta_index[id(node)] = f"meta[{key}][{len(entries)}]"
            entries.append(node)
        return self.meta_index[id(node)]

    def _constant(self, constant: Constant) -> str:
        text = _scalar_text(constant.data)
        return f"{text or self._meta(constant, 'relay.Constant')}{self._comment(constant)}"

    # Functions, branches, types

    def _function(self, function: Function, head: str) -> _Rendering:
        type_params = ", ".join([param.name for param in function.type_params])
        params = [f"{self._var(param)}{self._annotated(param)}" for param in function.params]
        # The device comes last: in TVM it is no attribute, though it is written as one.
        attrs = sorted(function.attrs.items(), key=lambda item: item[0] == "virtual_device")
        params += [f"{name}={self._function_attr(value)}" for name, value in attrs]
        result = (
            f" -> {self.types_written(function.ret_type)}"
            if function.ret_type is not None
            else self._result(function, head)
        )
        inner = yield self._scope(function.body)
        types = f"[{type_params}]" if type_params else ""
        comment = "" if head.startswith("def") else self._comment(function)
        return f"{head}{types}({', '.join(params)}){result} {{\n{inner}\n}}{comment}"

    def _result(self, function: Function, head: str) -> str:
        known = function.body.type if head.startswith("def") else None
        return f" -> {self.types_written(known)}" if known is not None else ""

    def _annotated(self, param: Var) -> str:
        """What stands behind a variable where it is declared."""
        device = param.virtual_device
        where = f" {{virtual_device={self._meta(device, 'VirtualDevice')}}}" if device is not None else ""
        written = param.type_annotation
        annotation = ""
        if written is not None and not isinstance(written, IncompleteType):
            annotation = f": {self.types_written(written)}"
        return f"{where}{annotation}{self._comment(param)}"

    def _function_attr(self, value: AttrValue) -> str:
        match value:
            case bool() | None:
                return str(value)
            case str():
                return string_text(value)
            case float():
                return double_text(value)
            case int():
                return int_text(value)
            case tuple():
                return f"[{', '.join([self._function_attr(part) for part in value])}]"
            case Any():
                return "?"
            case _:
                node = plain_value(value)
                return self._meta(node, described(node).type_key)

    def _if(self, expr: If, cond: str) -> _Rendering:
        left = yield self._scope(expr.true_branch)
        right = yield self._scope(expr.false_branch)
        return f"if ({cond}) {{\n{left}\n}} else {{\n{right}\n}}"

    def _match(self, expr: Match, data: str) -> _Rendering:
        arms: list[str] = []
        for clause in expr.clauses:
            for var in pattern_vars(clause.lhs):
                self._var(var)
            pattern = self._pattern(clause.lhs)
            inner = yield self._scope(clause.rhs, "    ")
            arms.append(f"  {pattern} => {{\n{inner}\n  }},")
        arms_text = "\n".join(arms)
        return f"match{'' if expr.complete else '?'} ({data}) {{\n{arms_text}\n}}"

    def _pattern(self, pattern: Pattern) -> str:
        match pattern:
            case PatternVar(var):
                return f"{self._var(var)}{self._annotated(var)}"
            case PatternConstructor(constructor, patterns):
                inside = ", ".join([self._pattern(part) for part in patterns])
                return f"{constructor.name}({inside})" if patterns else constructor.name
            case PatternTuple(patterns):
                return f"({', '.join([self._pattern(part) for part in patterns])})"
            case _:
                return "_"

    def _type_data(self, data: TypeData) -> str:
        params = f"[{', '.join([var.name for var in data.type_vars])}]" if data.type_vars else ""
        lines: list[str] = []
        for constructor in data.constructors:
            fields = f"({', '.join(map(self.types_written, constructor.inputs))})" if constructor.inputs else ""
            lines.append(f"  {constructor.name}{fields},")
        inside = "\n".join(lines or ["  "])
        return f"type {data.header.name}{params} {{\n{inside}\n}}\n"

    def _comment(self, expr: Expr) -> str:
        """The type and the place of an expression, as far as they are known."""
        parts = [f"ty={self.types_told(expr.type)}"] if expr.type is not None else []
        place = expr.place
        if place is not None and (place.file or place.scope):
            # The last part of a path is the same on every machine; the module path tells same places apart.
            file = place.file.replace("\\", "/").rpartition("/")[2].replace("*/", "")
            source = "/".join(filter(None, (place.scope, file)))
            parts.append(f"span={source}:{place.line}:{place.column}")
        return f" /* {' '.join(parts)} */" if parts else ""


def _operands(expr: Expr) -> tuple[Expr, ...]:
    """What is rendered before an expression in the same scope: callee, then arguments."""
    match expr:
        case Function() | Let():
            return ()
        case If(cond=cond):
            return (cond,)
        case Match(data=data):
            return (data,)
        case _:
            return children(expr)


_SUFFIX = {"int32": "", "int64": "i64", "int16": "i16", "float32": "f", "float64": "f64", "float16": "f16"}


def _scalar_text(data: np.ndarray) -> str:
    """The literal of a scalar, empty where it has none that reads back to the last bit."""
    name = data.dtype.name
    if data.ndim or (name != "bool" and name not in _SUFFIX):
        return ""
    value = data[()]
    if name == "bool":
        return "True" if value else "False"
    if data.dtype.kind == "i":
        return f"{int(value)}{_SUFFIX[name]}" if int(value) != -(2**63) else ""
    if not np.isfinite(value):
        return "" if np.isnan(value) or name != "float32" else "-inff" if value < 0 else "inff"
    digits = str(value)
    return f"{digits[:-2] if digits.endswith('.0') else digits}{_SUFFIX[name]}"
