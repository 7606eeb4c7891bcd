"""TVM's JSON to objects of the IR."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torchrelay.op  # noqa: F401 what a file calls must be declared before
from torchrelay.errors import BadFile, Place, WrongArgument
from torchrelay.formats.ndarray import read_array
from torchrelay.ir import (
    ANY,
    Attrs,
    Call,
    Clause,
    Constant,
    Constructor,
    DType,
    Expr,
    Function,
    FuncType,
    GlobalTypeVar,
    GlobalVar,
    If,
    IncompleteType,
    IRModule,
    Kind,
    Let,
    Match,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    RefCreate,
    RefRead,
    RefType,
    RefWrite,
    TensorType,
    Tuple,
    TupleGetItem,
    TupleType,
    TypeCall,
    TypeData,
    TypeVar,
    Var,
    record_class,
    registry,
    with_type,
)

__all__ = ["load_json", "load_nodes"]

Node = Mapping[str, Any]


def load_json(source: str | Path) -> object:
    """The module, expression or type that TVM's JSON holds; a path is read, a text is taken as it is.

    Raises BadFile, naming the node, for what is not TVM's JSON or holds what torchrelay has not.
    """
    if isinstance(source, Path):
        return _Table.opened(source.read_text("utf-8"), str(source)).root()
    return _Table.opened(source, "the JSON").root()


def load_nodes(text: str) -> Mapping[str, Sequence[object]]:
    """The map from type keys to lists of objects that a metadata section holds. Raises BadFile."""
    loaded = _Table.opened(text, "the metadata section").root()
    if not isinstance(loaded, dict):
        raise BadFile("the metadata section holds no map")
    return loaded


@dataclass(slots=True)
class _Table:
    nodes: Sequence[Node]
    arrays: Sequence[str]
    start: int
    source: str
    done: dict[int, object] = field(default_factory=dict)
    constructors: dict[int, Constructor] = field(default_factory=dict)

    @staticmethod
    def opened(text: str, source: str) -> _Table:
        try:
            data = json.loads(text)
            nodes, start = data["nodes"], int(data["root"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise BadFile(f"{source} is not TVM's JSON: {error or type(error).__name__}") from None
        if not isinstance(nodes, list) or not 0 <= start < len(nodes):
            raise BadFile(f"{source} is not TVM's JSON: its root is not one of its nodes")
        return _Table(nodes, data.get("b64ndarrays", []), start, source)

    def root(self) -> object:
        """The object of the root node; every node is made once, what it is made of before it."""
        stack: list[tuple[int, bool]] = [(self.start, False)]
        open_nodes: set[int] = set()
        while stack:
            index, expanded = stack.pop()
            if index in self.done:
                continue
            if expanded:
                self.done[index] = self._made(index)
                open_nodes.discard(index)
                continue
            if index in open_nodes:
                raise BadFile(f"{self.source}: node {index} is made of itself")
            open_nodes.add(index)
            stack.append((index, True))
            stack.extend([(part, False) for part in reversed(self._parts(index)) if part not in self.done])
        return self.done[self.start]

    def _parts(self, index: int) -> list[int]:
        """The nodes that a node is made of."""
        node = self._node(index)
        if "data" in node:
            return [int(part) for part in node["data"]]
        key = str(node["type_key"])
        if key.startswith("relay.attrs."):
            return [int(text) for _, kind, text in self._fields(index, key) if _is_node(kind)]
        wanted = _REFERENCES.get(key, ())
        attrs = node.get("attrs", {})
        return [self._number(index, name) for name in wanted if name in attrs]

    def _node(self, index: int) -> Node:
        if not 0 <= index < len(self.nodes):
            raise BadFile(f"{self.source}: there is no node {index}")
        node = self.nodes[index]
        if not isinstance(node, dict) or "type_key" not in node:
            raise BadFile(f"{self.source}: node {index} has no type key")
        return node

    def _text(self, index: int, name: str) -> str:
        attrs = self._node(index).get("attrs", {})
        if name not in attrs:
            raise BadFile(f"{self.source}: node {index} ({self._node(index)['type_key']}) has no field {name}")
        return str(attrs[name])

    def _number(self, index: int, name: str) -> int:
        text = self._text(index, name)
        if not text.lstrip("-").isdigit():
            raise BadFile(f"{self.source}: the field {name} of node {index} is {text!r}, not a number")
        return int(text)

    def get(self, index: int, name: str) -> Any:
        """The object that a field refers to."""
        return self.done[self._number(index, name)]

    def _fields(self, index: int, key: str) -> list[tuple[str, Kind, str]]:
        try:
            fields = record_class(key).fields
        except WrongArgument as error:
            raise BadFile(f"{self.source}: node {index}: {error.message}") from None
        return [(item.name, item.kind, self._text(index, item.name)) for item in fields]

    def _made(self, index: int) -> object:
        node = self._node(index)
        key = str(node["type_key"])
        if key == "":
            return None
        if key == "Array":
            return tuple([self.done[int(part)] for part in node.get("data", [])])
        if key == "Map":
            return self._map(node)
        if key == "runtime.String":
            return _string(node)
        if key == "Op":
            found = registry.find(str(node.get("repr_str", "")))
            if found is None:
                raise BadFile(f"{self.source}: node {index}: there is no operator {node.get('repr_str')!r}")
            return found
        if key in ("SourceName", "EnvFunc"):
            return str(node.get("repr_str", ""))
        if key.startswith("relay.attrs."):
            return self._record(index, key)
        make = _MAKE.get(key)
        if make is None:
            raise BadFile(f"{self.source}: node {index} is a {key}, which torchrelay has not")
        return self._located(make(self, index), index)

    def _map(self, node: Node) -> dict[Any, object]:
        values = [self.done[int(part)] for part in node.get("data", [])]
        if "keys" in node:
            return dict(zip(map(str, node["keys"]), values, strict=True))
        return dict(zip(values[::2], values[1::2], strict=True))

    def _record(self, index: int, key: str) -> Attrs:
        values = {name: self._value(kind, text) for name, kind, text in self._fields(index, key)}
        return record_class(key)(**values)

    def _value(self, kind: Kind, text: str) -> object:
        if _is_node(kind):
            return self.done[int(text)]
        match kind.name:
            case "int":
                return int(text)
            case "bool":
                return text not in ("0", "false", "False")
            case "float":
                return float(text)
            case _:
                return text

    def _located(self, made: object, index: int) -> object:
        """The expression with its type, where it could not be inferred from what it is made of."""
        attrs = self._node(index).get("attrs", {})
        if isinstance(made, Expr) and made.type is None and "_checked_type_" in attrs:
            kind = self.done.get(int(attrs["_checked_type_"]))
            return made if kind is None else with_type(made, kind)  # pyright: ignore[reportArgumentType] a type node
        return made

    def array(self, index: int) -> Constant:
        """The constant of a node. Raises BadFile where its array is missing or broken."""
        which = self._number(index, "data")
        if not 0 <= which < len(self.arrays):
            raise BadFile(f"{self.source}: node {index} wants array {which} of {len(self.arrays)}")
        try:
            data = base64.b64decode(self.arrays[which], validate=True)
        except ValueError as error:
            raise BadFile(f"{self.source}: array {which} is not base64: {error}") from None
        array, end = read_array(memoryview(data), 0, f"{self.source}, array {which}")
        if end != len(data):
            raise BadFile(f"{self.source}: array {which} has {len(data) - end} bytes after its end")
        return Constant(array, place=self.place(index))

    def place(self, index: int) -> Place | None:
        """The place of a node, where it has one."""
        span = self.done.get(self._number(index, "span")) if "span" in self._node(index).get("attrs", {}) else None
        return span if isinstance(span, Place) else None

    def constructor(self, index: int) -> Constructor:
        """The constructor of a node."""
        inputs, belongs = self.get(index, "inputs"), self.get(index, "belong_to")
        tag = self._number(index, "tag") & 0xFFFFFF
        variables = tuple(dict.fromkeys(v for t in inputs for v in _type_variables(t)))
        return Constructor(self.get(index, "name_hint"), inputs, belongs, tag, variables, place=None)

    def number(self, index: int, name: str) -> int:
        """The number that a field is."""
        return self._number(index, name)

    def text(self, index: int, name: str) -> str:
        """The text that a field is."""
        return self._text(index, name)


def _type_variables(t: object) -> list[TypeVar]:
    match t:
        case TypeVar():
            return [t]
        case TypeCall(_, args):
            return [v for arg in args for v in _type_variables(arg)]
        case TupleType(fields):
            return [v for part in fields for v in _type_variables(part)]
        case FuncType(args, ret, _, _):
            return [v for part in (*args, ret) for v in _type_variables(part)]
        case RefType(value):
            return _type_variables(value)
        case _:
            return []


def _is_node(kind: Kind) -> bool:
    return kind.name not in ("int", "bool", "float", "str", "dtype")


def _string(node: Node) -> str:
    if "repr_b64" in node:
        return base64.b64decode(str(node["repr_b64"]))[8:].decode()
    return str(node.get("repr_str", ""))


def _function_attrs(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _immediate(table: _Table, index: int) -> object:
    dtype, text = table.text(index, "dtype"), table.text(index, "value")
    if dtype.startswith(("float", "bfloat")):
        return float(text)
    return bool(int(text)) if dtype == "bool" else int(text)


def _module(table: _Table, index: int) -> IRModule:
    functions = {key.name: function for key, function in table.get(index, "functions").items()}
    types = {key.name: data for key, data in table.get(index, "type_definitions").items()}
    return IRModule(functions, types, _function_attrs(table.get(index, "attrs")))


def _type_data(table: _Table, index: int) -> TypeData:
    header, variables = table.get(index, "header"), table.get(index, "type_vars")
    made = [
        Constructor(c.name, c.inputs, header, number, variables, place=None)
        for number, c in enumerate(table.get(index, "constructors"))
    ]
    return TypeData(header, variables, tuple(made))


_Make = Callable[[_Table, int], object]

_MAKE: dict[str, _Make] = {
    "IntImm": _immediate,
    "FloatImm": _immediate,
    "tir.Any": lambda t, i: ANY,
    "relay.Id": lambda t, i: t.get(i, "name_hint"),
    "Span": lambda t, i: Place(
        t.get(i, "source_name"),
        t.number(i, "line"),
        t.number(i, "column"),
        t.number(i, "end_line"),
        t.number(i, "end_column"),
    ),
    "VirtualDevice": lambda t, i: None,
    "SourceMap": lambda t, i: None,
    "DictAttrs": lambda t, i: t.get(i, "__dict__"),
    "relay.TensorType": lambda t, i: TensorType(t.get(i, "shape"), DType.parse(t.text(i, "dtype"))),
    "TupleType": lambda t, i: TupleType(t.get(i, "fields")),
    "FuncType": lambda t, i: FuncType(t.get(i, "arg_types"), t.get(i, "ret_type"), t.get(i, "type_params")),
    "relay.RefType": lambda t, i: RefType(t.get(i, "value")),
    "TypeCall": lambda t, i: TypeCall(t.get(i, "func"), t.get(i, "args")),
    "TypeVar": lambda t, i: TypeVar(t.get(i, "name_hint"), t.number(i, "kind")),
    "GlobalTypeVar": lambda t, i: GlobalTypeVar(t.get(i, "name_hint"), t.number(i, "kind")),
    "IncompleteType": lambda t, i: IncompleteType(t.number(i, "kind")),
    "relay.TypeData": _type_data,
    "relay.Constructor": lambda t, i: t.constructor(i),
    "relay.Constant": lambda t, i: t.array(i),
    "relay.Var": lambda t, i: Var(t.get(i, "vid"), t.get(i, "type_annotation"), place=t.place(i)),
    "GlobalVar": lambda t, i: GlobalVar(t.get(i, "name_hint"), place=t.place(i)),
    "relay.Tuple": lambda t, i: Tuple(t.get(i, "fields"), place=t.place(i)),
    "relay.TupleGetItem": lambda t, i: TupleGetItem(t.get(i, "tuple_value"), t.number(i, "index"), place=t.place(i)),
    "relay.Call": lambda t, i: Call(
        t.get(i, "op"), t.get(i, "args"), t.get(i, "attrs"), t.get(i, "type_args") or (), place=t.place(i)
    ),
    "relay.Let": lambda t, i: Let(t.get(i, "var"), t.get(i, "value"), t.get(i, "body"), place=t.place(i)),
    "relay.If": lambda t, i: If(t.get(i, "cond"), t.get(i, "true_branch"), t.get(i, "false_branch"), place=t.place(i)),
    "relay.Function": lambda t, i: Function(
        t.get(i, "params"),
        t.get(i, "body"),
        t.get(i, "ret_type"),
        t.get(i, "type_params"),
        _function_attrs(t.get(i, "attrs")),
        place=t.place(i),
    ),
    "relay.RefCreate": lambda t, i: RefCreate(t.get(i, "value"), place=t.place(i)),
    "relay.RefRead": lambda t, i: RefRead(t.get(i, "ref"), place=t.place(i)),
    "relay.RefWrite": lambda t, i: RefWrite(t.get(i, "ref"), t.get(i, "value"), place=t.place(i)),
    "relay.Match": lambda t, i: Match(
        t.get(i, "data"), t.get(i, "clauses"), bool(t.number(i, "complete")), place=t.place(i)
    ),
    "relay.Clause": lambda t, i: Clause(t.get(i, "lhs"), t.get(i, "rhs")),
    "relay.PatternWildcard": lambda t, i: PatternWildcard(),
    "relay.PatternVar": lambda t, i: PatternVar(t.get(i, "var")),
    "relay.PatternConstructor": lambda t, i: PatternConstructor(t.get(i, "constructor"), t.get(i, "patterns")),
    "relay.PatternTuple": lambda t, i: PatternTuple(t.get(i, "patterns")),
    "IRModule": _module,
}

_COMMON = ("span", "_checked_type_")
_REFERENCES: dict[str, tuple[str, ...]] = {
    "relay.Id": ("name_hint",),
    "Span": ("source_name",),
    "DictAttrs": ("__dict__",),
    "relay.TensorType": ("shape",),
    "TupleType": ("fields",),
    "FuncType": ("arg_types", "ret_type", "type_params"),
    "relay.RefType": ("value",),
    "TypeCall": ("func", "args"),
    "TypeVar": ("name_hint",),
    "GlobalTypeVar": ("name_hint",),
    "relay.TypeData": ("header", "type_vars", "constructors"),
    "relay.Constructor": ("name_hint", "inputs", "belong_to"),
    "relay.Constant": _COMMON,
    "relay.Var": ("vid", "type_annotation", *_COMMON),
    "GlobalVar": ("name_hint", *_COMMON),
    "relay.Tuple": ("fields", *_COMMON),
    "relay.TupleGetItem": ("tuple_value", *_COMMON),
    "relay.Call": ("op", "args", "attrs", "type_args", *_COMMON),
    "relay.Let": ("var", "value", "body", *_COMMON),
    "relay.If": ("cond", "true_branch", "false_branch", *_COMMON),
    "relay.Function": ("params", "body", "ret_type", "type_params", "attrs", *_COMMON),
    "relay.RefCreate": ("value", *_COMMON),
    "relay.RefRead": ("ref", *_COMMON),
    "relay.RefWrite": ("ref", "value", *_COMMON),
    "relay.Match": ("data", "clauses", *_COMMON),
    "relay.Clause": ("lhs", "rhs"),
    "relay.PatternVar": ("var",),
    "relay.PatternConstructor": ("constructor", "patterns"),
    "relay.PatternTuple": ("patterns",),
    "IRModule": ("functions", "type_definitions", "attrs"),
}
"""The fields of a node that are nodes themselves and that torchrelay keeps."""
