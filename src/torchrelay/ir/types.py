"""The types of Relay values: tensors, tuples, functions, references, algebraic data types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir.tvm_names import Named

if TYPE_CHECKING:
    from torchrelay.ir.expr import Constructor

__all__ = [
    "ANY",
    "VOID",
    "Any",
    "DType",
    "Dim",
    "FuncType",
    "GlobalTypeVar",
    "IncompleteType",
    "Int64",
    "RefType",
    "Shape",
    "SizeVar",
    "TensorType",
    "TupleType",
    "Type",
    "TypeCall",
    "TypeData",
    "TypeVar",
    "is_known",
    "parts_of_type",
]

_DTYPE = re.compile(r"(bool|handle|bfloat|uint|int|float(?:8_e4m3fn|8_e5m2)?)(\d*)(?:x(\d+))?\Z")
_DEFAULT_BITS = {"bool": 1, "handle": 64, "bfloat": 16, "float8_e4m3fn": 8, "float8_e5m2": 8}


class DType(str):
    """The element type of a tensor by its Relay name (``float32``, ``bool``, ``int8``); equal to that name as a text.

    ``code`` is one of bool, int, uint, float, bfloat, handle, float8_e4m3fn, float8_e5m2, void; ``bits`` and ``lanes``
    count as in TVM.
    """

    __slots__ = ("bits", "code", "lanes")
    code: str
    bits: int
    lanes: int

    @staticmethod
    @cache
    def parse(text: str) -> DType:
        """The dtype of that name; ``int`` and ``float`` mean 32 bits, an empty text is void (no dtype).

        Raises WrongArgument for a text that names no dtype.
        """
        if isinstance(text, DType):
            return text
        if text == "":
            return _dtype("", "void", 0, 0)
        match = _DTYPE.match(text)
        if match is None:
            raise WrongArgument(f"{text!r} is not the name of a dtype", hint="such as float32, int64, bool")
        code, digits, lane_digits = match.groups()
        bits = int(digits) if digits else _DEFAULT_BITS.get(code, 32)
        lanes = int(lane_digits) if lane_digits else 1
        name = code if code in ("bool", "handle") or code.startswith("float8_") else f"{code}{bits}"
        return _dtype(name if lanes == 1 else f"{name}x{lanes}", code, bits, lanes)

    @staticmethod
    def of(dtype: np.dtype) -> DType:
        """The dtype of a NumPy array."""
        return _from_numpy(dtype)

    @property
    def numpy(self) -> np.dtype:
        """NumPy's dtype for it (ml_dtypes' where NumPy has none); int4 and the like take their storage type.

        Raises WrongArgument where an array cannot hold it.
        """
        return _to_numpy(self)

    @property
    def is_float(self) -> bool:
        """Whether it is a floating-point type of any width."""
        return self.code.startswith(("float", "bfloat"))

    @property
    def is_int(self) -> bool:
        """Whether it is a signed or unsigned integer (bool is not)."""
        return self.code in ("int", "uint")

    @property
    def is_bool(self) -> bool:
        """Whether it is the truth value type."""
        return self.code == "bool"


def _dtype(name: str, code: str, bits: int, lanes: int) -> DType:
    made = DType(name)
    made.code, made.bits, made.lanes = code, bits, lanes
    return made


@cache
def _from_numpy(dtype: np.dtype) -> DType:
    return DType.parse(np.dtype(dtype).name)


@cache
def _to_numpy(dtype: DType) -> np.dtype:
    if dtype.lanes == 1 and dtype.code in ("bool", "int", "uint", "float") and dtype.bits in (1, 8, 16, 32, 64):
        return np.dtype(str(dtype))
    if dtype.lanes == 1 and (dtype.code == "bfloat" or dtype.code.startswith("float8")):
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, str(dtype)))
    if dtype.lanes == 1 and dtype.code in ("int", "uint") and dtype.bits < 8:
        return np.dtype(f"{dtype.code}8")
    raise WrongArgument(f"no array can hold elements of dtype {dtype}")


VOID = DType.parse("")


class Any:
    """A dimension whose size is known only when the program runs; printed ``?``."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Any)

    def __hash__(self) -> int:
        return hash(Any)

    def __repr__(self) -> str:
        return "?"


ANY = Any()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SizeVar(Any):
    """An unknown dimension that has a name; it fits where Any fits, and only text and JSON tell them apart.

    ``type_key`` is tir.SizeVar, or tir.Var for one that may be negative.
    """

    name: str
    dtype: DType
    type_key: str = "tir.SizeVar"


class Int64(int):
    """An integer that is kept in 64 bits where 32 would hold it; equal to the same integer in 32."""

    __slots__ = ()


Dim = int | Any
Shape = tuple[Dim, ...]


class Type:
    """Base of every type."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TensorType(Type):
    """A dense array of ``shape`` (each dim a size, or Any) with elements of ``dtype``."""

    shape: Shape
    dtype: DType

    @staticmethod
    def of(shape: Iterable[Dim], dtype: str = "float32") -> TensorType:
        """The type with these sizes and that dtype by name."""
        return TensorType(tuple(shape), DType.parse(dtype))

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def concrete_shape(self) -> tuple[int, ...]:
        """The sizes. Raises TypeMismatch where one is known only when the program runs."""
        sizes = tuple([size for size in self.shape if isinstance(size, int)])
        if len(sizes) < self.rank:
            raise TypeMismatch(f"{self} has a size that is known only when the program runs")
        return sizes

    def __str__(self) -> str:
        if not self.shape:
            return str(self.dtype)
        return f"Tensor[({', '.join(map(str, self.shape))}), {self.dtype}]"


@dataclass(frozen=True, slots=True)
class TupleType(Type):
    """A tuple of values with these types."""

    fields: tuple[Type, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.fields))}{',' if len(self.fields) == 1 else ''})"


@dataclass(frozen=True, slots=True, eq=False)
class TypeVar(Named, Type):
    """A type parameter of a function or a data type; equal only to itself."""

    name: str
    kind: int = 0

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class GlobalTypeVar(Named, Type):
    """The name of a data type of a module."""

    name: str
    kind: int = 5

    def __call__(self, *args: Type) -> TypeCall:
        """The data type applied to type arguments."""
        return TypeCall(self, args)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class TypeCall(Type):
    """A data type applied to type arguments: ``List[int32]``."""

    func: Type
    args: tuple[Type, ...]

    def __str__(self) -> str:
        return f"{self.func}[{', '.join(map(str, self.args))}]"


@dataclass(frozen=True, slots=True)
class FuncType(Type):
    """A function from ``arg_types`` to ``ret_type``, for every choice of ``type_params``."""

    arg_types: tuple[Type, ...]
    ret_type: Type
    type_params: tuple[TypeVar, ...] = ()
    type_constraints: tuple[Type, ...] = ()

    def __str__(self) -> str:
        params = f"[{', '.join(map(str, self.type_params))}]" if self.type_params else ""
        return f"fn {params}({', '.join(map(str, self.arg_types))}) -> {self.ret_type}"


@dataclass(frozen=True, slots=True)
class RefType(Type):
    """A mutable cell that holds a value of that type."""

    value: Type

    def __str__(self) -> str:
        return f"ref({self.value})"


@dataclass(frozen=True, slots=True, eq=False)
class IncompleteType(Type):
    """A type still to be inferred; equal only to itself."""

    kind: int = 0

    def __str__(self) -> str:
        return "_"


@dataclass(frozen=True, slots=True, eq=False)
class TypeData(Type):
    """The definition of a data type: its name, type parameters and constructors."""

    header: GlobalTypeVar
    type_vars: tuple[TypeVar, ...]
    constructors: tuple[Constructor, ...] = field(default=(), repr=False)
    kind: ClassVar[int] = 6


def _children(t: Type) -> tuple[Type, ...]:
    match t:
        case TupleType(fields):
            return fields
        case FuncType(arg_types, ret_type, _, constraints):
            return (*arg_types, ret_type, *constraints)
        case RefType(value):
            return (value,)
        case TypeCall(func, args):
            return (func, *args)
        case _:
            return ()


def parts_of_type(t: Type) -> Iterator[Type]:
    """The type and every type that it is made of."""
    stack = [t]
    while stack:
        part = stack.pop()
        yield part
        stack.extend(_children(part))


def is_known(t: Type | None) -> bool:
    """Whether the type is there and has no part that is still to be inferred."""
    if t is None or isinstance(t, IncompleteType):
        return False
    return isinstance(t, TensorType) or not any(isinstance(part, IncompleteType) for part in parts_of_type(t))
