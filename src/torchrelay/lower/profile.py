"""What a chip can do, as a small TOML file: the operators it has, each with limits."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TypeVar

from torchrelay.errors import Place, ProfileError
from torchrelay.ir import Call, DType, Operator, TensorType, TupleType, Type, registry

__all__ = ["AttributeLimits", "OperatorLimits", "Profile", "load_profile", "parse_profile", "profile_names"]


@dataclass(frozen=True, slots=True)
class AttributeLimits:
    """What an attribute may hold: at least ``min``, at most ``max`` (each element of a list), or one of ``allowed``."""

    min: float | None = None
    max: float | None = None
    allowed: tuple[object, ...] | None = None

    def refusal(self, name: str, value: object) -> str:
        """Why the value is not allowed; empty when it is."""
        if self.allowed is not None and value not in self.allowed:
            return f"{name} is {value!r}, the chip takes {', '.join(map(repr, self.allowed))}"
        for number in value if isinstance(value, tuple) else (value,):
            if not isinstance(number, int | float):
                continue
            if self.min is not None and number < self.min:
                return f"{name} is {value}, the chip takes {self.min} or more"
            if self.max is not None and number > self.max:
                return f"{name} is {value}, the chip takes at most {self.max}"
        return ""


@dataclass(frozen=True, slots=True)
class OperatorLimits:
    """Limits of one operator. None means any: dtypes and ranks of its tensor inputs, the size of every dim."""

    dtypes: tuple[DType, ...] | None = None
    ranks: tuple[int, ...] | None = None
    max_dim: int | None = None
    attributes: Mapping[str, AttributeLimits] = field(default_factory=dict)

    def refusal(self, call: Call) -> str:
        """Why the chip does not take this call; empty when it does."""
        for arg in call.args:
            for tensor in _tensors(arg.type):
                reason = self._tensor_refusal(tensor)
                if reason:
                    return reason
        for name, limits in self.attributes.items():
            reason = limits.refusal(name, _attribute(call, name))
            if reason:
                return reason
        return ""

    def _tensor_refusal(self, tensor: TensorType) -> str:
        if self.dtypes is not None and tensor.dtype not in self.dtypes:
            return f"an input has dtype {tensor.dtype}, the chip takes {', '.join(self.dtypes)}"
        if self.ranks is not None and tensor.rank not in self.ranks:
            return f"an input has rank {tensor.rank}, the chip takes rank {', '.join(map(str, self.ranks))}"
        large = [
            dim for dim in tensor.shape if self.max_dim is not None and isinstance(dim, int) and dim > self.max_dim
        ]
        return f"an input has a dim of {large[0]}, the chip takes at most {self.max_dim}" if large else ""


def _tensors(value: Type | None) -> list[TensorType]:
    if isinstance(value, TensorType):
        return [value]
    return [part for part in value.fields if isinstance(part, TensorType)] if isinstance(value, TupleType) else []


def _attribute(call: Call, name: str) -> object:
    value = getattr(call.attrs, name)
    # The kernel's size follows from the weight where the attribute is left out.
    if value is None and name == "kernel_size" and isinstance(call.args[1].type, TensorType):
        return call.args[1].type.shape[2:]
    return value


@dataclass(frozen=True, slots=True)
class Profile:
    """The operators that a chip has, with their limits."""

    name: str
    operators: Mapping[str, OperatorLimits]
    description: str = ""

    def refusal(self, call: Call) -> str:
        """Why the chip does not take this call of an operator; empty when it does."""
        assert isinstance(call.op, Operator)
        limits = self.operators.get(call.op.name)
        return f"the profile {self.name} has no {call.op.name}" if limits is None else limits.refusal(call)


def profile_names() -> list[str]:
    """The names of the profiles that come with torchrelay."""
    folder = resources.files("torchrelay.lower") / "profiles"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def load_profile(profile: str | Path | Profile) -> Profile:
    """The profile of that name or in that file.

    Raises ProfileError for what names no profile, and for a file that does not fit the schema, with the line.
    """
    if isinstance(profile, Profile):
        return profile
    if not isinstance(profile, str | Path):
        shipped = ", ".join(profile_names())
        hint = f"give a name ({shipped}), the path of a TOML file, or what load_profile or parse_profile gives"
        raise ProfileError(f"a profile cannot be a {type(profile).__name__}", hint=hint)
    if str(profile) in profile_names():
        source = resources.files("torchrelay.lower") / "profiles" / f"{profile}.toml"
        return parse_profile(source.read_text("utf-8"), f"{profile}.toml")
    path = Path(profile)
    if not path.is_file():
        shipped = ", ".join(profile_names())
        raise ProfileError(
            f"there is no profile {str(profile)!r}", hint=f"give the path of a TOML file, or one of: {shipped}"
        )
    try:
        return parse_profile(path.read_text("utf-8"), str(path))
    except UnicodeDecodeError as error:
        raise ProfileError(f"{path} is not a text in UTF-8: {error.reason}", place=Place(str(path))) from None


@dataclass(frozen=True, slots=True)
class _Source:
    """The text of a profile, to say on which line a key stands."""

    text: str
    file: str

    def error(self, path: tuple[str, ...], message: str, hint: str = "") -> ProfileError:
        line = self.line_of(path)
        shown = self.text.splitlines()[line - 1].strip() if line else ""
        return ProfileError(message, place=Place(self.file, line), source=shown, hint=hint)

    def line_of(self, path: tuple[str, ...]) -> int:
        """The line where the table or key at ``path`` begins; that of the nearest table above it that has one."""
        table: tuple[str, ...] = ()
        best, depth = 0, -1
        for number, line in enumerate(self.text.splitlines(), 1):
            header = re.match(r"\s*\[+([^\]]+)\]", line)
            key = re.match(r"\s*([\w.\"'-]+)\s*=", line)
            if header:
                table = here = _keys(header.group(1))
            elif key:
                here = (*table, *_keys(key.group(1)))
            else:
                continue
            common = len(here) if path[: len(here)] == here else -1
            if common > depth:
                best, depth = number, common
        return best


def _keys(dotted: str) -> tuple[str, ...]:
    return tuple(bare or quoted for quoted, bare in re.findall(r"[\"']([^\"']*)[\"']|([\w-]+)", dotted))


def parse_profile(text: str, file: str = "profile.toml") -> Profile:
    """The profile that the TOML text describes.

    Keys: ``name`` (text), ``description`` (text, optional), ``operators`` (a table of tables by operator name, each with
    ``dtypes``, ``ranks``, ``max_dim`` and ``attributes``, all optional; an attribute has ``min``, ``max``, ``in``).
    Raises ProfileError with the line of what does not fit.
    """
    source = _Source(text, file)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found.group(1)) if found else len(text.splitlines())
        shown = text.splitlines()[line - 1].strip() if 0 < line <= len(text.splitlines()) else ""
        raise ProfileError(f"not TOML: {error}", place=Place(file, line), source=shown) from None
    _only(data, ("name", "description", "operators"), (), source)
    name = _typed(data, "name", str, (), source)
    if name is None:
        raise source.error((), "a profile needs a name", hint='name = "my-chip"')
    tables = _typed(data, "operators", dict, (), source)
    if not tables:
        raise source.error(("operators",), "a profile needs operators", hint='[operators."nn.conv2d"]')
    operators = {key: _operator(key, value, source) for key, value in tables.items()}
    return Profile(name, operators, _typed(data, "description", str, (), source) or "")


V = TypeVar("V")
_SCALAR_NAMES = {str: "a text", int: "an integer", dict: "a table", list: "a list", float: "a number"}


def _only(table: Mapping[str, object], allowed: tuple[str, ...], path: tuple[str, ...], source: _Source) -> None:
    for key in table:
        if key not in allowed:
            raise source.error((*path, key), f"there is no key {key!r} here", hint=f"keys: {', '.join(allowed)}")


def _typed(table: Mapping[str, object], key: str, wanted: type[V], path: tuple[str, ...], source: _Source) -> V | None:
    value = table.get(key)
    if value is None or (isinstance(value, wanted) and not isinstance(value, bool)):
        return value
    raise source.error((*path, key), f"{key} is {value!r}, but must be {_SCALAR_NAMES[wanted]}")


def _list_of(
    table: Mapping[str, object], key: str, element: type, path: tuple[str, ...], source: _Source
) -> tuple | None:
    values = _typed(table, key, list, path, source)
    if values is None:
        return None
    for value in values:
        if not isinstance(value, element) or isinstance(value, bool):
            raise source.error((*path, key), f"{key} holds {value!r}, but must hold {_SCALAR_NAMES[element]} each")
    return tuple(values)


def _operator(name: str, table: object, source: _Source) -> OperatorLimits:
    path = ("operators", name)
    if registry.find(name) is None:
        near = _reason(lambda: registry.get(name)) or ""
        raise source.error(path, f"there is no operator {name!r}", hint=near)
    if not isinstance(table, dict):
        raise source.error(path, f"{name} is {table!r}, but must be a table of limits, such as {{}}")
    _only(table, ("dtypes", "ranks", "max_dim", "attributes"), path, source)
    dtypes = _list_of(table, "dtypes", str, path, source)
    if dtypes is not None:
        dtypes = tuple(_dtype(text, (*path, "dtypes"), source) for text in dtypes)
    attributes = _typed(table, "attributes", dict, path, source) or {}
    return OperatorLimits(
        dtypes,
        _list_of(table, "ranks", int, path, source),
        _typed(table, "max_dim", int, path, source),
        {key: _attribute_limits(name, key, value, source) for key, value in attributes.items()},
    )


def _dtype(text: str, path: tuple[str, ...], source: _Source) -> DType:
    reason = _reason(lambda: DType.parse(text))
    if reason is not None:
        raise source.error(path, f"{text!r} is not the name of a dtype", hint=reason)
    return DType.parse(text)


def _reason(attempt: Callable[[], object]) -> str | None:
    """The hint of the error that the attempt raises; None when it succeeds."""
    from torchrelay.errors import WrongArgument

    try:
        attempt()
    except WrongArgument as error:
        return error.diagnostics[0].hint
    return None


def _attribute_limits(operator: str, name: str, table: object, source: _Source) -> AttributeLimits:
    path = ("operators", operator, "attributes", name)
    record = registry.get(operator).record
    known = [field.name for field in record.fields] if record is not None else []
    if name not in known:
        raise source.error(
            path, f"{operator} has no attribute {name}", hint=f"attributes: {', '.join(known) or 'none'}"
        )
    if not isinstance(table, dict):
        raise source.error(path, f"{name} is {table!r}, but must be a table", hint=f"{name} = {{ max = 7 }}")
    _only(table, ("min", "max", "in"), path, source)
    for key in ("min", "max"):
        if key in table and (not isinstance(table[key], int | float) or isinstance(table[key], bool)):
            raise source.error((*path, key), f"{key} is {table[key]!r}, but must be a number")
    allowed = _typed(table, "in", list, path, source)
    choices = None if allowed is None else tuple(tuple(v) if isinstance(v, list) else v for v in allowed)
    return AttributeLimits(table.get("min"), table.get("max"), choices)
