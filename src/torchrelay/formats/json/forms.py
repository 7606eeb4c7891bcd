"""How each kind of TVM's nodes is read: its fields, what they must hold, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeVar as TypingVar, cast

from torchrelay.errors import BadFile, Place, WrongArgument
from torchrelay.ir import (
    ANY,
    Any,
    Attrs,
    AttrValue,
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
    Int64,
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
    RefType,
    RefWrite,
    SizeVar,
    TensorType,
    Tuple,
    TupleGetItem,
    TupleType,
    Type,
    TypeCall,
    TypeData,
    TypeVar,
    Var,
    VirtualDevice,
    record_class,
)

__all__ = ["Form", "Link", "form_of"]

Parse = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Link:
    """What a field that refers to a node must find there: one of ``classes``, or a list of such where ``many``.

    ``optional`` allows null, which is None.
    """

    name: str
    classes: type | tuple[type, ...]
    many: bool = False
    optional: bool = False

    def accepts(self, value: object) -> bool:
        """Whether what was made of a node may stand in this field."""
        if self.many:
            parts = cast("tuple[object, ...]", value)
            return isinstance(value, tuple) and all(isinstance(part, self.classes) for part in parts)
        return isinstance(value, self.classes) or (value is None and self.optional)


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of node: its fields, and what makes a value of theirs, which are given in the order they stand here.

    ``links`` refer to nodes, in the order these are to be read; ``inline`` are numbers and texts kept in the node.
    """

    make: Callable[..., object]
    links: tuple[Link, ...] = ()
    inline: tuple[tuple[str, Parse], ...] = ()


def _form(make: Callable[..., object], *links: Link, **inline: Parse) -> Form:
    return Form(make, links, tuple(inline.items()))


def _one(name: str, *classes: type) -> Link:
    return Link(name, classes)


def _many(name: str, *classes: type) -> Link:
    return Link(name, classes, many=True)


def _maybe(name: str, *classes: type) -> Link:
    return Link(name, classes, optional=True)


def _truth(text: str) -> bool:
    return bool(int(text))


_DEVICE = _maybe("virtual_device_", VirtualDevice)
_PLACE = _maybe("span", Place)
_NAME = _one("name_hint", str)


def _expr(make: Callable[..., object], *links: Link, **inline: Parse) -> Form:
    """The form of an expression: behind its own fields it has a device and a place."""

    def made(device: VirtualDevice | None, place: Place | None, *values: object) -> object:
        if device is not None and device != VirtualDevice():
            raise BadFile("is placed on a device, which no expression of torchrelay carries")
        return make(*values, place=place)

    return Form(made, (_DEVICE, _PLACE, *links), tuple(inline.items()))


def _var(device: VirtualDevice | None, place: Place | None, name: str, annotation: Type | None) -> Var:
    return Var(name, annotation, virtual_device=_known(device), place=place)


def _known(device: VirtualDevice | None) -> VirtualDevice | None:
    """The device, None for the one that says nothing."""
    return None if device == VirtualDevice() else device


def _let(value: Expr, var: Var, body: Expr, place: Place | None) -> Let:
    return Let(var, value, body, place=place)


def _function(
    device: VirtualDevice | None,
    place: Place | None,
    params: tuple[Var, ...],
    body: Expr,
    ret_type: Type | None,
    type_params: tuple[TypeVar, ...],
    attrs: Mapping[str, AttrValue] | None,
) -> Function:
    where = {"virtual_device": device} if _known(device) is not None else {}
    return Function(params, body, ret_type, type_params, {**(attrs or {}), **where}, place=place)


def _constructor(
    name: str, inputs: tuple[Type, ...], belong_to: GlobalTypeVar, place: Place | None, said: Type | None, tag: int
) -> Constructor:
    type_vars = said.type_params if isinstance(said, FuncType) else ()
    return Constructor(name, inputs, belong_to, tag, type_vars, place=place)


Named = GlobalVar | GlobalTypeVar
V = TypingVar("V")


def _module(
    functions: Mapping[object, object], type_definitions: Mapping[object, object], attrs: Mapping[str, AttrValue] | None
) -> IRModule:
    named, types = _by_name(functions, GlobalVar, Function), _by_name(type_definitions, GlobalTypeVar, TypeData)
    return IRModule(named, types, attrs)


def _by_name(pairs: Mapping[object, object], key: type[Named], value: type[V]) -> dict[str, V]:
    """A map from name nodes as one from names. Raises BadFile for other keys or values."""
    found: dict[str, V] = {}
    for name, part in pairs.items():
        if not isinstance(name, key) or not isinstance(part, value):
            raise BadFile(
                f"maps {type(name).__name__} to {type(part).__name__}, not {key.__name__} to {value.__name__}"
            )
        found[name.name] = part
    return found


def _span(source_name: str | None, line: int, column: int, end_line: int, end_column: int) -> Place:
    return Place(source_name or "", line, column, end_line, end_column)


def _sequential(spans: tuple[Place, ...], source_name: str | None, *numbers: int) -> Place:
    return spans[0] if spans else _span(source_name, *numbers)


def _device(target: None, memory_scope: str, device_type: int, device_id: int) -> VirtualDevice:
    return VirtualDevice(device_type, device_id, memory_scope)


def _int_imm(dtype: DType, value: int) -> int | bool:
    if dtype.is_bool:
        return bool(value)
    # One that needs its 64 bits shows that by itself.
    return Int64(value) if dtype == "int64" and -(2**31) <= value < 2**31 else value


def _size_var(name: str, dtype: DType) -> SizeVar:
    return SizeVar(name, dtype)


def _tir_var(name: str, dtype: DType) -> SizeVar:
    return SizeVar(name, dtype, "tir.Var")


def _itself(value: object) -> object:
    return value


_SPAN: dict[str, Parse] = {"line": int, "column": int, "end_line": int, "end_column": int}

_FORMS: dict[str, Form] = {
    # The number of its array; what is made of it gets the array.
    "relay.Constant": _expr(Constant, data=int),
    "relay.Tuple": _expr(Tuple, _many("fields", Expr)),
    "relay.Var": _form(_var, _DEVICE, _PLACE, _one("vid", str), _maybe("type_annotation", Type)),
    "relay.Call": _expr(Call, _one("op", Expr), _many("args", Expr), _maybe("attrs", Attrs), _many("type_args", Type)),
    # The value is read before the variable, which takes its type, and before the body, which wants to know it.
    "relay.Let": _expr(_let, _one("value", Expr), _one("var", Var), _one("body", Expr)),
    "relay.If": _expr(If, _one("cond", Expr), _one("true_branch", Expr), _one("false_branch", Expr)),
    "relay.TupleGetItem": _expr(TupleGetItem, _one("tuple_value", Expr), index=int),
    "relay.RefCreate": _expr(RefCreate, _one("value", Expr)),
    "relay.RefRead": _expr(RefRead, _one("ref", Expr)),
    "relay.RefWrite": _expr(RefWrite, _one("ref", Expr), _one("value", Expr)),
    "relay.Match": _expr(Match, _one("data", Expr), _many("clauses", Clause), complete=_truth),
    "relay.Function": _form(
        _function,
        _DEVICE,
        _PLACE,
        _many("params", Var),
        _one("body", Expr),
        _maybe("ret_type", Type),
        _many("type_params", TypeVar),
        _maybe("attrs", dict),
    ),
    "GlobalVar": _expr(GlobalVar, _NAME),
    "relay.Constructor": _form(
        _constructor,
        _NAME,
        _many("inputs", Type),
        _one("belong_to", GlobalTypeVar),
        _PLACE,
        _maybe("_checked_type_", Type),
        tag=int,
    ),
    "relay.PatternWildcard": _form(PatternWildcard),
    "relay.PatternVar": _form(PatternVar, _one("var", Var)),
    "relay.PatternConstructor": _form(PatternConstructor, _one("constructor", Constructor), _many("patterns", Pattern)),
    "relay.PatternTuple": _form(PatternTuple, _many("patterns", Pattern)),
    "relay.Clause": _form(Clause, _one("lhs", Pattern), _one("rhs", Expr)),
    "relay.TensorType": _form(TensorType, _many("shape", int, Any), dtype=DType.parse),
    "TupleType": _form(TupleType, _many("fields", Type)),
    "FuncType": _form(
        FuncType,
        _many("arg_types", Type),
        _one("ret_type", Type),
        _many("type_params", TypeVar),
        _many("type_constraints", Type),
    ),
    "relay.RefType": _form(RefType, _one("value", Type)),
    "TypeCall": _form(TypeCall, _one("func", Type), _many("args", Type)),
    "TypeVar": _form(TypeVar, _NAME, kind=int),
    "GlobalTypeVar": _form(GlobalTypeVar, _NAME, kind=int),
    "IncompleteType": _form(IncompleteType, kind=int),
    "relay.TypeData": _form(
        TypeData, _one("header", GlobalTypeVar), _many("type_vars", TypeVar), _many("constructors", Constructor)
    ),
    "IRModule": _form(_module, _one("functions", dict), _one("type_definitions", dict), _maybe("attrs", dict)),
    "DictAttrs": _form(_itself, _one("__dict__", dict)),
    "Span": _form(_span, _maybe("source_name", str), **_SPAN),
    "SequentialSpan": _form(_sequential, _many("spans", Place), _maybe("source_name", str), **_SPAN),
    "VirtualDevice": _form(
        _device,
        Link("target", (), optional=True),
        _one("memory_scope", str),
        device_type_int=int,
        virtual_device_id=int,
    ),
    "relay.Id": _form(_itself, _NAME),
    "IntImm": _form(_int_imm, dtype=DType.parse, value=int),
    "FloatImm": _form(float, value=float),
    "tir.Any": _form(lambda: ANY),
    "tir.SizeVar": _form(_size_var, _one("name", str), dtype=DType.parse),
    "tir.Var": _form(_tir_var, _one("name", str), dtype=DType.parse),
    "PrimType": _form(_itself, dtype=DType.parse),
    # The source texts of a module, which torchrelay does not keep.
    "SourceMap": _form(lambda: None),
    "Source": _form(lambda: None),
}

_INLINE: Mapping[str, Parse] = {"int": int, "float": float, "bool": _truth, "str": str, "dtype": DType.parse}


@cache
def form_of(type_key: str) -> Form | None:
    """How nodes of that kind are read, the records of operators among them; None for an unknown kind."""
    if type_key in _FORMS:
        return _FORMS[type_key]
    try:
        record = record_class(type_key)
    except WrongArgument:
        return None
    links = [Link(f.name, object, optional=True) for f in record.fields if f.kind.name not in _INLINE]
    inline = [(field.name, _INLINE[field.kind.name]) for field in record.fields if field.kind.name in _INLINE]
    names = [link.name for link in links] + [name for name, _ in inline]

    def made(*values: object) -> Attrs:
        return record(**dict(zip(names, values, strict=True)))

    return Form(made, tuple(links), tuple(inline))
