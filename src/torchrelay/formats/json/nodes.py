"""What TVM's nodes are made of: for each object of the IR its type key and its fields in TVM's order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any as Anything, TypeVar as TypingVar

from torchrelay.errors import Place, UnsupportedProgram
from torchrelay.ir import (
    ANY,
    Any,
    Attrs,
    AttrValue,
    Call,
    Clause,
    Constant,
    Constructor,
    Dim,
    DType,
    Expr,
    Function,
    FuncType,
    GlobalTypeVar,
    GlobalVar,
    If,
    IncompleteType,
    Int64,
    IRModule,
    Kind,
    Let,
    Match,
    Operator,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    RefCreate,
    RefRead,
    RefType,
    RefWrite,
    SizeVar,
    Symbolic,
    TensorType,
    Tuple,
    TupleGetItem,
    TupleType,
    TypeCall,
    TypeData,
    TypeVar,
    Var,
    VirtualDevice,
    with_type,
)

__all__ = [
    "Array",
    "Immediate",
    "Inline",
    "Mapped",
    "NDArray",
    "Named",
    "Node",
    "Text",
    "described",
    "field_value",
    "plain_value",
]


@dataclass(frozen=True, slots=True, eq=False)
class Inline:
    """A field that is kept in the node itself, as this text."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class NDArray:
    """A field that is an index into the arrays."""

    constant: Constant


@dataclass(frozen=True, slots=True, eq=False)
class Array:
    """A list node."""

    items: tuple[object, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Mapped:
    """A map node: texts, or pairs of nodes."""

    items: tuple[tuple[object, object], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A runtime.String."""

    text: str


@dataclass(frozen=True, slots=True)
class Named:
    """A node that is known by its name alone: an operator, a source."""

    type_key: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Immediate:
    """A number as a node."""

    dtype: str
    value: int | float


@dataclass(frozen=True, slots=True, eq=False)
class _Id:
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class _PrimType:
    """The type of a number that is no tensor."""

    dtype: DType


@dataclass(frozen=True, slots=True, eq=False)
class _SourceMap:
    """The source texts of a module, which torchrelay does not keep."""


DEVICE = VirtualDevice()
"""The unconstrained device that every expression of TVM names."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node: its type key, its fields in order; or a text; or the items of a list or a map, whose keys may be texts."""

    type_key: str
    fields: tuple[tuple[str, object], ...] = ()
    items: tuple[object, ...] = ()
    keys: tuple[str, ...] = ()
    text: str | None = None

    @property
    def parts(self) -> Sequence[object]:
        """The things that are nodes of their own, in order."""
        return [value for _, value in self.fields if not isinstance(value, Inline | NDArray)] or self.items


def _whole(value: int) -> Inline:
    return Inline(str(int(value)))


def _dim(dim: Dim) -> object:
    if isinstance(dim, Any):
        return ANY if isinstance(dim, Symbolic) else dim  # Relay has no node for what is known of an unknown size
    wide = isinstance(dim, Int64) or not -(2**31) <= dim < 2**31
    return Immediate("int64" if wide else "int32", int(dim))


def _expr(expr: Expr, *fields: tuple[str, object], device: object = None) -> tuple[tuple[str, object], ...]:
    """The fields of an expression: its own, then device, place and type."""
    return (*fields, ("virtual_device_", device or DEVICE), ("span", expr.place), ("_checked_type_", expr.type))


def _function_attrs(attrs: Mapping[str, AttrValue]) -> object:
    return _DictAttrs(attrs) if attrs else None


@dataclass(frozen=True, slots=True, eq=False)
class _DictAttrs:
    values: Mapping[str, AttrValue]


def plain_value(value: AttrValue) -> object:
    """A value of a function's attributes as a node."""
    if isinstance(value, bool):
        return Immediate("bool", int(value))
    if isinstance(value, int):
        return _dim(value)
    if isinstance(value, float):
        return Immediate("float64", value)
    if isinstance(value, str):
        return Text(value)
    if isinstance(value, tuple):
        return Array(tuple([plain_value(part) for part in value]))
    if isinstance(value, Mapping):
        return Mapped(tuple([(key, plain_value(part)) for key, part in value.items()]))
    return value


Fields = tuple[tuple[str, object], ...]
Row = tuple[str, Callable[[Anything], Fields]]
T = TypingVar("T")


def _row(cls: type[T], key: str, fields: Callable[[T], Fields]) -> tuple[type, Row]:
    """How things of a class are written: the key of their type, and their fields in order."""
    return cls, (key, fields)


_EXPRS: Mapping[type, Row] = dict(
    [
        _row(Constant, "relay.Constant", lambda e: _expr(e, ("data", NDArray(e)))),
        _row(Tuple, "relay.Tuple", lambda e: _expr(e, ("fields", Array(e.fields)))),
        _row(
            Var,
            "relay.Var",
            lambda e: _expr(e, ("vid", _Id(e.name)), ("type_annotation", e.type_annotation), device=e.virtual_device),
        ),
        _row(
            Call,
            "relay.Call",
            lambda e: _expr(
                e, ("op", e.op), ("args", Array(e.args)), ("attrs", e.attrs), ("type_args", Array(e.type_args))
            ),
        ),
        # Chains of lets are visited one after the other, so that the body is the last.
        _row(Let, "relay.Let", lambda e: (*_expr(e, ("var", e.var), ("value", e.value)), ("body", e.body))),
        _row(
            If,
            "relay.If",
            lambda e: _expr(e, ("cond", e.cond), ("true_branch", e.true_branch), ("false_branch", e.false_branch)),
        ),
        _row(
            TupleGetItem,
            "relay.TupleGetItem",
            lambda e: _expr(e, ("tuple_value", e.tuple_value), ("index", _whole(e.index))),
        ),
        _row(RefCreate, "relay.RefCreate", lambda e: _expr(e, ("value", e.value))),
        _row(RefRead, "relay.RefRead", lambda e: _expr(e, ("ref", e.ref))),
        _row(RefWrite, "relay.RefWrite", lambda e: _expr(e, ("ref", e.ref), ("value", e.value))),
        _row(
            Match,
            "relay.Match",
            lambda e: _expr(e, ("data", e.data), ("clauses", Array(e.clauses)), ("complete", _whole(e.complete))),
        ),
        _row(
            Function,
            "relay.Function",
            lambda e: _expr(
                e,
                ("params", Array(e.params)),
                ("body", e.body),
                ("ret_type", e.ret_type),
                ("type_params", Array(e.type_params)),
                ("attrs", _function_attrs({k: v for k, v in e.attrs.items() if k != "virtual_device"})),
                device=e.attrs.get("virtual_device"),
            ),
        ),
        _row(
            GlobalVar,
            "GlobalVar",
            lambda e: (
                ("name_hint", Text(e.name)),
                ("virtual_device_", None),
                ("span", e.place),
                ("_checked_type_", e.type),
                ("struct_info_", None),
            ),
        ),
        _row(
            Constructor,
            "relay.Constructor",
            lambda e: (
                ("name_hint", Text(e.name)),
                ("inputs", Array(e.inputs)),
                ("belong_to", e.belong_to),
                ("tag", _whole(e.tag)),
                ("span", e.place),
                ("_checked_type_", e.type),
            ),
        ),
    ]
)

_OTHERS: Mapping[type, Row] = dict(
    [
        _row(PatternWildcard, "relay.PatternWildcard", lambda p: (("span", None),)),
        _row(PatternVar, "relay.PatternVar", lambda p: (("var", p.var), ("span", None))),
        _row(
            PatternConstructor,
            "relay.PatternConstructor",
            lambda p: (("constructor", p.constructor), ("patterns", Array(p.patterns)), ("span", None)),
        ),
        _row(PatternTuple, "relay.PatternTuple", lambda p: (("patterns", Array(p.patterns)), ("span", None))),
        _row(Clause, "relay.Clause", lambda c: (("lhs", c.lhs), ("rhs", c.rhs))),
        _row(
            TensorType,
            "relay.TensorType",
            lambda t: (("shape", Array(tuple(map(_dim, t.shape)))), ("dtype", Inline(str(t.dtype))), ("span", None)),
        ),
        _row(TupleType, "TupleType", lambda t: (("fields", Array(t.fields)), ("span", None))),
        _row(
            FuncType,
            "FuncType",
            lambda t: (
                ("arg_types", Array(t.arg_types)),
                ("ret_type", t.ret_type),
                ("type_params", Array(t.type_params)),
                ("type_constraints", Array(t.type_constraints)),
                ("span", None),
            ),
        ),
        _row(RefType, "relay.RefType", lambda t: (("value", t.value), ("span", None))),
        _row(TypeCall, "TypeCall", lambda t: (("func", t.func), ("args", Array(t.args)), ("span", None))),
        _row(TypeVar, "TypeVar", lambda t: (("name_hint", Text(t.name)), ("kind", _whole(t.kind)), ("span", None))),
        _row(GlobalTypeVar, "GlobalTypeVar", lambda t: (("name_hint", Text(t.name)), ("kind", _whole(t.kind)))),
        _row(IncompleteType, "IncompleteType", lambda t: (("kind", _whole(t.kind)), ("span", None))),
        _row(
            TypeData,
            "relay.TypeData",
            lambda t: (
                ("header", t.header),
                ("type_vars", Array(t.type_vars)),
                ("constructors", Array(t.constructors)),
                ("span", None),
            ),
        ),
        _row(Any, "tir.Any", lambda a: (("dtype", Inline("int32")), ("span", None))),
        _row(_Id, "relay.Id", lambda i: (("name_hint", Text(i.name)),)),
        _row(
            SizeVar,
            "",
            lambda v: (
                ("dtype", Inline(str(v.dtype))),
                ("name", Text(v.name)),
                ("type_annotation", _PrimType(v.dtype)),
                ("span", None),
            ),
        ),
        _row(_PrimType, "PrimType", lambda p: (("dtype", Inline(str(p.dtype))),)),
        _row(_SourceMap, "SourceMap", lambda s: (("source_map", Mapped(())),)),
        _row(
            _DictAttrs,
            "DictAttrs",
            lambda d: (("__dict__", Mapped(tuple([(k, plain_value(v)) for k, v in d.values.items()]))),),
        ),
        _row(
            VirtualDevice,
            "VirtualDevice",
            lambda d: (
                ("device_type_int", Inline(str(d.device_type))),
                ("virtual_device_id", Inline(str(d.device_id))),
                ("target", None),
                ("memory_scope", Text(d.memory_scope)),
            ),
        ),
        _row(
            Place,
            "Span",
            lambda p: (
                ("source_name", Named("SourceName", p.source_name.name)),
                ("line", _whole(p.line)),
                ("column", _whole(p.column)),
                ("end_line", _whole(p.end_line)),
                ("end_column", _whole(p.end_column)),
            ),
        ),
        _row(
            Immediate,
            "",
            lambda i: (
                ("dtype", Inline(i.dtype)),
                ("value", Inline(double(i.value) if isinstance(i.value, float) else str(i.value))),
                ("span", None),
            ),
        ),
    ]
)


def double(value: float) -> str:
    """A double with the 17 digits that TVM writes."""
    return f"{value:.17g}"


def field_value(kind: Kind, value: AttrValue) -> object:  # noqa: C901 one case for each kind
    """The value of a record's field: kept in the record, or a node."""
    match kind.name:
        case "optional":
            assert kind.element is not None, "an optional has an element"
            return None if value is None else field_value(kind.element, value)
        case "list" | "one_or_list":
            if not isinstance(value, tuple):
                return Immediate("int32", int(value))  # pyright: ignore[reportArgumentType] the kind says an integer
            assert kind.element is not None, "a list has an element"
            return Array(tuple([field_value(kind.element, part) for part in value]))
        case "int" | "bool":
            return Inline(str(int(value)))  # pyright: ignore[reportArgumentType] the kind says a number
        case "float":
            return Inline(double(float(value)))  # pyright: ignore[reportArgumentType] the kind says a number
        case "str" | "dtype":
            return Inline(str(value))
        case "String":
            return Text(str(value))
        case "EnvFunc":
            return Named("EnvFunc", str(value))
        case "Float" | "Number":
            dtype = "float64" if kind.name == "Float" else "float32"
            return Immediate(dtype, float(value))  # pyright: ignore[reportArgumentType] the kind says a number
        case "Boolean":
            return Immediate("bool", int(value))  # pyright: ignore[reportArgumentType] the kind says a truth value
        case "Integer" | "Index":
            return _dim(value)  # pyright: ignore[reportArgumentType] the kind says a dim
        case _:
            return value


def _map(pairs: Sequence[tuple[object, object]]) -> Node:
    """Keys that are texts stand in the node itself, others beside their values."""
    texts = [key for key, _ in pairs if isinstance(key, str)]
    if len(texts) == len(pairs):
        return Node("Map", items=tuple([value for _, value in pairs]), keys=tuple(texts))
    return Node("Map", items=tuple([part for pair in pairs for part in pair]))


def _module(module: IRModule) -> Node:
    names = {name: with_type(GlobalVar(name, place=None), module[name].type) for name in sorted(module.functions)}
    types = {name: data.header for name, data in module.type_definitions.items()}
    return Node(
        "IRModule",
        (
            ("functions", Mapped(tuple([(names[name], module.functions[name]) for name in names]))),
            ("type_definitions", Mapped(tuple([(types[n], d) for n, d in module.type_definitions.items()]))),
            ("global_var_map_", Mapped(tuple(names.items()))),
            ("global_type_var_map_", Mapped(tuple(types.items()))),
            ("source_map", _SourceMap()),
            ("attrs", _function_attrs(module.attrs)),
            ("global_infos", Mapped(())),
        ),
    )


def _own_key(thing: Immediate | SizeVar) -> str:
    if isinstance(thing, SizeVar):
        return thing.type_key
    return "FloatImm" if thing.dtype.startswith("float") else "IntImm"


def described(thing: object) -> Node:
    """What the node of an object holds. Raises UnsupportedProgram for one that TVM's JSON has no node for."""
    match thing:
        case Operator(name=name):
            return Node("Op", text=name)
        case Named(key, name):
            return Node(key, text=name)
        case Text(text) | (str() as text):
            return Node("runtime.String", text=text)
        case Array(items):
            return Node("Array", items=items)
        case Mapped(pairs):
            return _map(pairs)
        case Attrs():
            return Node(thing.type_key, tuple([(f.name, field_value(f.kind, v)) for f, v in thing.items()]))
        case IRModule():
            return _module(thing)
        case Immediate() | SizeVar():
            return Node(_own_key(thing), _OTHERS[type(thing)][1](thing))
        case _:
            found = _EXPRS.get(type(thing)) or _OTHERS.get(type(thing))
    if found is None:
        raise UnsupportedProgram(f"TVM's JSON has no node for a {type(thing).__name__}")
    key, fields = found
    return Node(key, fields(thing))
