"""The attribute records of operators, declared once as classes, and the kinds of value that a field may hold."""

from __future__ import annotations

import inspect
import math
import numbers
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    ClassVar,
    Self,
    TypeVar as PyTypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from torchrelay.errors import IllFormed, WrongArgument
from torchrelay.ir.device import VirtualDevice
from torchrelay.ir.expr import Constant, Expr
from torchrelay.ir.tvm_names import AttrsNames
from torchrelay.ir.types import Any, Dim, DType, Int64

__all__ = [
    "AttrField",
    "AttrValue",
    "Attrs",
    "Boolean",
    "EnvFunc",
    "Float",
    "Floats",
    "Index",
    "Indices",
    "Integer",
    "Integers",
    "Kind",
    "Number",
    "Numbers",
    "String",
    "attrs",
    "record_class",
    "record_classes",
]

AttrValue = (
    int
    | float
    | bool
    | str
    | DType
    | Any
    | Expr
    | VirtualDevice
    | None
    | tuple["AttrValue", ...]
    | Mapping[str, "AttrValue"]
)
"""What an attribute may hold."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of field: ``name`` selects its text and JSON form, ``element`` is the kind inside a list or an optional.

    The names follow TVM's storage, because JSON shows it: ``int``, ``float``, ``bool``, ``str``, ``dtype`` are stored in
    the record itself; ``Integer``, ``Index``, ``Float``, ``Number``, ``Boolean``, ``String`` are nodes of their own; ``list``;
    ``optional``; ``expr``; ``one_or_list``; ``device``; ``EnvFunc``.
    """

    name: str
    element: Kind | None = None

    def normalise(self, value: object) -> AttrValue:
        """The value as the field holds it. Raises WrongArgument with what is allowed."""
        return _NORMALISE[self.name](self, value)


@dataclass(frozen=True, slots=True)
class _Stored:
    """Marks an annotation whose values are nodes of their own in TVM."""

    name: str


Integer = Annotated[int, _Stored("Integer")]
"""An integer kept as a node (IntImm); ``int`` is kept in the record."""
Index = Annotated[Dim, _Stored("Index")]
"""A dim: a size or Any (IndexExpr)."""
Float = Annotated[float, _Stored("Float")]
"""A double kept as a node (FloatImm)."""
Boolean = Annotated[bool, _Stored("Boolean")]
"""A truth value kept as a node (IntImm of bool)."""
String = Annotated[str, _Stored("String")]
"""A text kept as a node (runtime.String); ``str`` is kept in the record."""
EnvFunc = Annotated[str, _Stored("EnvFunc")]
"""A function of the environment the program runs in, by its name there (EnvFunc)."""
Number = Annotated[float, _Stored("Number")]
"""A float32 kept as a node (FloatImm) where Relay takes an expression."""
Integers = tuple[Integer, ...]
Indices = tuple[Index, ...]
Floats = tuple[Float, ...]
Numbers = tuple[Number, ...]

_PLAIN: Mapping[object, str] = {
    int: "int",
    float: "float",
    bool: "bool",
    str: "str",
    DType: "dtype",
    Expr: "expr",
    Constant: "expr",
    VirtualDevice: "device",
}


def _kind_of(annotation: object) -> Kind:
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return Kind(next(mark.name for mark in args[1:] if isinstance(mark, _Stored)))
    if origin is tuple:
        return Kind("list", _kind_of(args[0]))
    if origin in (UnionType, Union) and NoneType in args:
        rest = [part for part in args if part is not NoneType]
        return Kind("optional", _kind_of(rest[0] if len(rest) == 1 else Union[tuple(rest)]))  # noqa: UP007 built at run time
    if origin in (UnionType, Union) and any(get_origin(part) is tuple for part in args):
        return Kind("one_or_list", Kind("Integer"))
    plain = _PLAIN.get(annotation)
    if plain is not None:
        return Kind(plain)
    raise IllFormed(f"a field cannot be annotated {annotation!r}")


def _refusal(kind: Kind, value: object, wanted: str) -> WrongArgument:
    return WrongArgument(f"is {value!r}, but must be {wanted}")


def _an_int(kind: Kind, value: object) -> int:
    if type(value) is int or (type(value) is Int64 and kind.name in ("Integer", "Index")):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, Constant) and value.data.ndim == 0 and value.data.dtype.kind in "iub":
        return int(value.data)
    raise _refusal(kind, value, "an integer")


def _a_dim(kind: Kind, value: object) -> Dim:
    return value if isinstance(value, Any) else _an_int(kind, value)


def _a_float(kind: Kind, value: object) -> float:
    if isinstance(value, numbers.Real):
        return float(value)
    raise _refusal(kind, value, "a number")


def _a_bool(kind: Kind, value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral) or type(value).__name__ == "bool":
        return bool(value)
    raise _refusal(kind, value, "True or False")


def _a_text(kind: Kind, value: object) -> str:
    if isinstance(value, str):
        return value
    raise _refusal(kind, value, "a text")


def _a_dtype(kind: Kind, value: object) -> DType:
    return DType.parse(_a_text(kind, value))


def _an_expr(kind: Kind, value: object) -> Expr:
    if isinstance(value, Expr):
        return value
    raise _refusal(kind, value, "an expression")


def _a_device(kind: Kind, value: object) -> VirtualDevice:
    if isinstance(value, VirtualDevice):
        return value
    raise _refusal(kind, value, "a VirtualDevice")


def _a_list(kind: Kind, value: object) -> tuple[AttrValue, ...]:
    element = kind.element
    assert element is not None
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise _refusal(kind, cast("object", value), "a list")
    normalise = _NORMALISE[element.name]
    return tuple([normalise(element, part) for part in cast("Iterable[object]", value)])


def _optional(kind: Kind, value: object) -> AttrValue:
    assert kind.element is not None
    return None if value is None else kind.element.normalise(value)


def _one_or_list(kind: Kind, value: object) -> AttrValue:
    assert kind.element is not None
    if isinstance(value, numbers.Integral):
        return int(value)
    return _a_list(kind, value)


_NORMALISE: dict[str, Callable[[Kind, object], AttrValue]] = {
    "int": _an_int,
    "Integer": _an_int,
    "Index": _a_dim,
    "float": _a_float,
    "Float": _a_float,
    "Number": _a_float,
    "bool": _a_bool,
    "Boolean": _a_bool,
    "str": _a_text,
    "String": _a_text,
    "dtype": _a_dtype,
    "EnvFunc": _a_text,
    "expr": _an_expr,
    "device": _a_device,
    "list": _a_list,
    "optional": _optional,
    "one_or_list": _one_or_list,
}


class _Required:
    def __repr__(self) -> str:
        return "required"


REQUIRED = _Required()


@dataclass(frozen=True, slots=True)
class AttrField:
    """One field of a record: its name, kind, default (``required`` is true where there is none) and what it is for."""

    name: str
    kind: Kind
    default: AttrValue | _Required

    @property
    def required(self) -> bool:
        """Whether a call must give it."""
        return isinstance(self.default, _Required)


class Attrs(AttrsNames):
    """Base of the attribute records. Fields are keywords; a record is frozen and equal to another with equal fields."""

    type_key: ClassVar[str]
    fields: ClassVar[tuple[AttrField, ...]]

    def __init__(self, **values: object) -> None:
        own = self.__dict__
        for field in self.fields:
            if field.name in values:
                try:
                    own[field.name] = field.kind.normalise(values.pop(field.name))
                except WrongArgument as error:
                    raise WrongArgument(f"{field.name} {error.message}", hint=error.diagnostics[0].hint) from None
            elif isinstance(field.default, _Required):
                raise WrongArgument(f"the attribute {field.name} must be given", notes=[self._allowed()])
            else:
                own[field.name] = field.default
        if values:
            raise WrongArgument(f"there is no attribute {next(iter(values))}", notes=[self._allowed()])

    @classmethod
    def _allowed(cls) -> str:
        return f"attributes of {cls.type_key}: {', '.join(field.name for field in cls.fields) or 'none'}"

    def items(self) -> Iterator[tuple[AttrField, AttrValue]]:
        """Each field with its value, in the order of declaration."""
        return ((field, self.__dict__[field.name]) for field in self.fields)

    def replace(self, **values: object) -> Self:
        """The same record with some fields changed."""
        return type(self)(**{**self.__dict__, **values})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and _same(self.__dict__, other.__dict__)

    def __hash__(self) -> int:
        return hash((self.type_key, tuple(self.__dict__.values())))

    def __repr__(self) -> str:
        shown = ", ".join(f"{field.name}={value!r}" for field, value in self.items() if value != field.default)
        return f"{type(self).__name__}({shown})"


def _same(mine: Mapping[str, object], theirs: Mapping[str, object]) -> bool:
    return mine == theirs or all(
        a == b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b))
        for a, b in zip(mine.values(), theirs.values(), strict=True)
    )


C = PyTypeVar("C", bound=type[Attrs])
_CLASSES: dict[str, type[Attrs]] = {}


@dataclass_transform(kw_only_default=True, frozen_default=True)
def attrs(type_key: str) -> Callable[[C], C]:
    """Declares a class as the record with that TVM type key; its annotations are the fields."""

    def declare(cls: C) -> C:
        if type_key in _CLASSES:
            raise IllFormed(f"the record {type_key} is declared twice")
        hints = get_type_hints(cls, include_extras=True)
        names = dict.fromkeys(name for base in reversed(cls.__mro__) for name in inspect.get_annotations(base))
        own = [name for name in names if get_origin(hints[name]) is not ClassVar]
        cls.type_key = type_key
        cls.fields = tuple(_field(cls, name, hints[name]) for name in own)
        _CLASSES[type_key] = cls
        return cls

    return declare


def _field(cls: type[Attrs], name: str, annotation: object) -> AttrField:
    kind = _kind_of(annotation)
    default = getattr(cls, name, REQUIRED)
    return AttrField(name, kind, default if isinstance(default, _Required) else kind.normalise(default))


def record_class(type_key: str) -> type[Attrs]:
    """The record declared under that TVM type key. Raises WrongArgument for a key that no record has."""
    if type_key not in _CLASSES:
        raise WrongArgument(f"there is no attribute record {type_key!r}")
    return _CLASSES[type_key]


def record_classes() -> Mapping[str, type[Attrs]]:
    """Every record declared so far, by TVM type key."""
    return dict(_CLASSES)
