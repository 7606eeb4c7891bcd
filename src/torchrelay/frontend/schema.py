"""The schemas of torch operators: arguments by name, defaults, what an overload writes to, its functional twin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import torch

from torchrelay.frontend.graph import Arg
from torchrelay.ir import DType

__all__ = [
    "Argument",
    "Schema",
    "Twin",
    "dtype_of",
    "functional_twin",
    "parse_schema",
    "scalar_type",
    "scalar_type_number",
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
    "float8_e5m2fnuz",
    "float8_e4m3fnuz",
    "uint16",
    "uint32",
    "uint64",
)
"""torch's ScalarType numbers in order."""

_LAYOUTS = ("strided", "sparse_coo", "sparse_csr", "mkldnn", "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged")
_MEMORY_FORMATS = ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d")


def _named(name: str) -> DType | str:
    """The dtype of that name; the name itself where Relay has no such dtype (complex, quantized)."""
    return name if name.startswith(("complex", "q", "bits")) or name.endswith("fnuz") else DType.parse(name)


_BY_NUMBER: tuple[DType | str, ...] = tuple([_named(name) for name in _SCALAR_TYPES])


def scalar_type(number: int) -> DType | str:
    """The dtype that a ScalarType number stands for; a text where Relay has no such dtype."""
    return _BY_NUMBER[number] if 0 <= number < len(_BY_NUMBER) else f"dtype {number}"


def scalar_type_number(dtype: DType) -> int:
    """The ScalarType number of a dtype."""
    return _BY_NUMBER.index(dtype)


@cache
def dtype_of(dtype: torch.dtype) -> DType | str:
    """Torch's dtype as Relay's; its name where Relay has no such dtype."""
    return _named(str(dtype).removeprefix("torch."))


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: name, type as torch writes it, default, the alias sets it is in, whether the operator writes to it."""

    name: str
    type: str
    default: Arg
    required: bool
    aliases: frozenset[str]
    written: bool
    keyword: bool
    out: bool


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """The schema of one overload; there is one for each ``target``. ``results`` holds the alias sets of each result."""

    target: str
    name: str
    arguments: tuple[Argument, ...]
    results: tuple[frozenset[str], ...]
    defaults: Mapping[str, Arg]
    """Every argument in order with its default, None where it has none."""
    numbered: tuple[tuple[str, str], ...]
    """Arguments whose numbers stand for a dtype, a layout or a memory format, with the name of that type."""
    written: tuple[str, ...]
    """The arguments that the operator writes to."""
    only_numbers: bool
    """Whether it takes and gives only numbers, texts and lists of them."""

    @property
    def mutates(self) -> bool:
        """Whether it writes to an argument."""
        return bool(self.written)

    @property
    def views(self) -> bool:
        """Whether a result shows the memory of an argument."""
        return any(self.results)

    def bind(self, values: Sequence[Arg], keywords: Mapping[str, Arg] | None = None) -> dict[str, Arg]:
        """Every argument by its name in the schema's order, dtypes as such, defaults filled in."""
        bound = dict(self.defaults)
        bound.update(zip(bound, values, strict=False))
        if keywords:
            bound.update(keywords)
        for name, kind in self.numbered:
            value = bound[name]
            if type(value) is int:
                bound[name] = _meant(kind, value)
        return bound

    def source_of(self, result: int) -> str | None:
        """The argument whose memory that result shows, None where it shows none."""
        sets = self.results[result] if result < len(self.results) else frozenset()
        return next((argument.name for argument in self.arguments if argument.aliases & sets), None)


def _meant(kind: str, number: int) -> Arg:
    if kind == "ScalarType":
        return scalar_type(number)
    names = _LAYOUTS if kind == "Layout" else _MEMORY_FORMATS
    return names[number] if 0 <= number < len(names) else f"{kind} {number}"


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
    return str(value).removeprefix("torch.")


def _argument(argument: torch._C.Argument) -> Argument:
    info = argument.alias_info
    has_default = argument.has_default_value()
    return Argument(
        argument.name,
        _type_text(argument.real_type),
        _default(argument.default_value) if has_default else None,
        not has_default,
        frozenset(info.before_set) if info else frozenset(),
        bool(info and info.is_write),
        argument.kwarg_only,
        bool(argument.is_out),
    )


def _corrected(target: str, argument: Argument) -> Argument:
    """The argument without a write that the schema tells and the operator does not do."""
    if target.startswith("aten::update.") and argument.name == "to_add":
        return replace(argument, written=False)
    return argument


_RETURNED = {"aten::add_.t": frozenset({"a"})}
"""The alias sets of a result of which the schema does not tell them: the list that is written to."""


def _shown(result: torch._C.Argument, arguments: Sequence[Argument]) -> frozenset[str]:
    """The alias sets that a result is in. torch tells none for the elements of a list: those of what is not written."""
    told = frozenset(result.alias_info.before_set) if result.alias_info else frozenset()
    if told or result.alias_info is None or str(result.type) != "List[Tensor]":
        return told
    return frozenset().union(*(argument.aliases for argument in arguments if not argument.written))


_PLAIN = frozenset(
    ("int", "float", "bool", "complex", "str", "number", "NoneType", "Device", "ScalarType", "Layout", "t", "Any")
)


def _is_plain(text: str) -> bool:
    """Whether a type, as torch writes it, is that of a number, a text or a list of them."""
    element = text.rstrip("?")
    while element.startswith("List["):
        element = element[5:-1].rstrip("?")
    return element in _PLAIN


_BY_TARGET: dict[str, Schema] = {}
_NUMBERED = ("ScalarType", "Layout", "MemoryFormat")


def _from_torch(schema: torch._C.FunctionSchema) -> Schema:
    """The schema as ours, the same object whenever it is asked for."""
    target = f"{schema.name}.{schema.overload_name or 'default'}"
    found = _BY_TARGET.get(target)
    if found is not None:
        return found
    arguments = tuple([_argument(argument) for argument in schema.arguments])
    arguments = tuple([_corrected(target, argument) for argument in arguments])
    made = Schema(
        target,
        schema.name,
        arguments,
        tuple([_shown(result, arguments) or _RETURNED.get(target, frozenset()) for result in schema.returns]),
        {argument.name: argument.default for argument in arguments},
        tuple([(a.name, a.type.rstrip("?")) for a in arguments if a.type.rstrip("?") in _NUMBERED]),
        tuple([argument.name for argument in arguments if argument.written]),
        all(
            map(
                _is_plain, [argument.type for argument in arguments] + [_type_text(r.real_type) for r in schema.returns]
            )
        ),
    )
    return _BY_TARGET.setdefault(target, made)


def _overloads(name: str) -> Iterator[Schema]:
    for schema in torch._C._jit_get_schemas_for_operator(name):
        yield _from_torch(schema)


@cache
def schema_for(target: str) -> Schema | None:
    """The schema of a target (``aten::mean.dim``); None for one that has none, such as a construct of the program."""
    found = _BY_TARGET.get(target)
    if found is not None:
        return found
    return next((schema for schema in _overloads(target.rpartition(".")[0]) if schema.target == target), None)


@cache
def parse_schema(text: str) -> Schema:
    """The schema that a node of TorchScript shows of itself."""
    return _from_torch(torch._C.parse_schema(text))


@cache
def schema_of(overload: torch._ops.OpOverload) -> Schema:
    """The schema of an overload of ``torch.ops``."""
    return _from_torch(overload._schema)


@dataclass(frozen=True, slots=True)
class Twin:
    """The overload that computes the same as another without writing, and which argument of the other each of its own is."""

    schema: Schema
    names: Mapping[str, str]

    def args(self, args: Mapping[str, Arg]) -> dict[str, Arg]:
        """The arguments of the other overload as those of the twin."""
        return {**self.schema.defaults, **{own: args[other] for own, other in self.names.items()}}


@cache
def functional_twin(schema: Schema) -> Twin | None:
    """The twin of an overload, or None where there is none: the same arguments but ``out``, none of them written, and
    perhaps more that need not be given. Of several, the one with the fewest arguments.

    Names only say where to look; whether one of them is the twin is decided by its schema.
    """
    found = [_as_twin(schema, other) for name in _names_of_twins(schema.name) for other in _overloads(name)]
    twins = [twin for twin in found if twin is not None]
    return min(twins, key=lambda twin: len(twin.schema.arguments), default=None)


def _names_of_twins(name: str) -> Iterator[str]:
    yield name
    if name.endswith("_"):
        yield name.rstrip("_")
    space, _, base = name.partition("::")
    if base.startswith("__i"):
        yield f"{space}::__{base[3:]}"


def _as_twin(schema: Schema, other: Schema) -> Twin | None:
    """The other overload as the twin of ``schema``, if it is one; a written argument may have another name there."""
    if other.mutates or len(other.results) < max(1, len(schema.written)):
        return None
    names: dict[str, str] = {}
    rest = iter(other.arguments)
    for argument in schema.arguments:
        if argument.out:
            continue
        own = next((a for a in rest if argument.type == a.type and (argument.written or argument.name == a.name)), None)
        if own is None:
            return None
        names[own.name] = argument.name
    if any(argument.required and argument.name not in names for argument in other.arguments):
        return None
    return Twin(other, names)
