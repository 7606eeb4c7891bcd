"""The schemas of torch operators: arguments by name, defaults, what an overload writes to, its functional twin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import torch

from torchrelay.frontend.graph import Arg
from torchrelay.ir import DType

__all__ = [
    "Argument",
    "Schema",
    "dtype_of",
    "functional_twin",
    "parse_schema",
    "scalar_type",
    "schema_for",
    "schema_of",
]

_SCALAR_TYPES = (
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex32",
    "complex64",
    "complex128",
    "bool",
    "qint8",
    "quint8",
    "qint32",
    "bfloat16",
    "quint4x2",
    "quint2x4",
    "bits1x8",
    "bits2x4",
    "bits4x2",
    "bits8",
    "bits16",
    "float8_e5m2",
    "float8_e4m3fn",
)
"""torch's ScalarType numbers in order (c10/core/ScalarType.h)."""


def _named(name: str) -> DType | str:
    """The dtype of that name; the name itself where Relay has no such dtype (complex, quantized)."""
    return name if name.startswith(("complex", "q", "bits")) else DType.parse(name)


def scalar_type(number: int) -> DType | str:
    """The dtype that a ScalarType number stands for."""
    return _named(_SCALAR_TYPES[number])


def dtype_of(dtype: torch.dtype) -> DType | str:
    """Torch's dtype as Relay's; its name where Relay has no such dtype."""
    return _named(str(dtype).removeprefix("torch."))


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: name, type as torch writes it, default, and the alias sets it is in."""

    name: str
    type: str
    default: Arg
    required: bool
    keyword: bool
    aliases: frozenset[str]
    written: bool
    out: bool


@dataclass(frozen=True, slots=True)
class Schema:
    """The schema of one overload. ``results`` holds the alias sets of each result."""

    target: str
    name: str
    overload: str
    arguments: tuple[Argument, ...]
    results: tuple[frozenset[str], ...]
    result_types: tuple[str, ...]

    @property
    def mutates(self) -> bool:
        """Whether it writes to an argument."""
        return any(argument.written for argument in self.arguments)

    def bind(self, values: Sequence[Arg], keywords: Mapping[str, Arg] | None = None) -> dict[str, Arg]:
        """Every argument by its name, dtypes as such, defaults filled in."""
        given = dict(zip([argument.name for argument in self.arguments], values, strict=False))
        given.update(keywords or {})
        return {
            argument.name: _meant(argument, given.get(argument.name, argument.default)) for argument in self.arguments
        }


def _meant(argument: Argument, value: Arg) -> Arg:
    """A number that stands for a dtype, layout or memory format as what it stands for."""
    if type(value) is not int:
        return value
    if argument.type.startswith("ScalarType"):
        return scalar_type(value)
    if argument.type.startswith(("Layout", "MemoryFormat")):
        return f"{argument.type.rstrip('?').lower()}:{value}"
    return value


def _type_text(t: object) -> str:
    text = str(t)
    return f"{text[9:-1]}?" if text.startswith("Optional[") else text


def _default(value: object) -> Arg:
    if isinstance(value, list | tuple):
        return tuple([_default(part) for part in value])
    if isinstance(value, torch.dtype):
        return dtype_of(value)
    if value is None or isinstance(value, bool | int | float | complex | str):
        return value
    return str(value)


def _from_torch(schema: torch._C.FunctionSchema) -> Schema:
    arguments: list[Argument] = []
    for argument in schema.arguments:
        info = argument.alias_info
        has_default = argument.has_default_value()
        arguments.append(
            Argument(
                argument.name,
                _type_text(argument.real_type),
                _default(argument.default_value) if has_default else None,
                not has_default,
                argument.kwarg_only,
                frozenset(info.before_set) if info else frozenset(),
                bool(info and info.is_write),
                bool(argument.is_out),
            )
        )
    results = tuple(frozenset(r.alias_info.before_set) if r.alias_info else frozenset() for r in schema.returns)
    overload = schema.overload_name or "default"
    types = tuple(str(r.type) for r in schema.returns)
    made = Schema(f"{schema.name}.{overload}", schema.name, overload, tuple(arguments), results, types)
    return _BY_TARGET.setdefault(made.target, made)


_BY_TARGET: dict[str, Schema] = {}


def schema_for(target: str) -> Schema | None:
    """The schema of a target (``aten::mean.dim``); None for one that has none, such as a construct of the program."""
    if target not in _BY_TARGET:
        name = target.rpartition(".")[0]
        for schema in torch._C._jit_get_schemas_for_operator(name):
            _from_torch(schema)
    return _BY_TARGET.get(target)


@cache
def parse_schema(text: str) -> Schema:
    """The schema that a node of TorchScript shows of itself."""
    return _from_torch(torch._C.parse_schema(text))


_BY_OVERLOAD: dict[object, Schema] = {}


def schema_of(overload: torch._ops.OpOverload) -> Schema:
    """The schema of an overload of ``torch.ops``."""
    found = _BY_OVERLOAD.get(overload)
    if found is None:
        found = _BY_OVERLOAD[overload] = _from_torch(overload._schema)
    return found


@cache
def functional_twin(schema: Schema) -> str | None:
    """The overload that computes the same without writing, or None: arguments of the same types in order, none written.

    The base name is that of the overload without the underscore of in-place names; whether there is such a twin is
    decided by the schemas of that name. Names may differ: ``dropout_(self)`` is ``dropout(input)``.
    """
    wanted = [a.type for a in schema.arguments if not a.out]
    for name in (schema.name, schema.name.rstrip("_")):
        for other in torch._C._jit_get_schemas_for_operator(name):
            twin = _from_torch(other)
            if not twin.mutates and [a.type for a in twin.arguments] == wanted and len(twin.results) == 1:
                return twin.target
    return None
