"""Passes: frozen records that take a module and give a module, found by name, put in a row by a pipeline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from typing import ClassVar, Protocol, TypeVar, dataclass_transform, get_type_hints, runtime_checkable

from torchrelay.errors import TorchRelayError, WrongUsage
from torchrelay.ir import Expr, Function, IRModule

__all__ = [
    "Instrument",
    "ModulePass",
    "Pipeline",
    "each_function",
    "module_pass",
    "parse_pass",
    "parse_pipeline",
    "pass_class",
    "pass_names",
    "pass_text",
]


@runtime_checkable
class ModulePass(Protocol):
    """A module in, a module out. ``name`` is what pipelines call it, ``needs`` the passes that must have run before."""

    name: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]

    def __call__(self, module: IRModule, /) -> IRModule:
        """The module after the pass."""
        ...


Instrument = Callable[[ModulePass, IRModule, IRModule], None]
"""Sees a pass that ran, the module before and the module after; raises where it finds something wrong."""

_PASSES: dict[str, type[ModulePass]] = {}
C = TypeVar("C", bound=type)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def module_pass(name: str, *, needs: Sequence[str] = ()) -> Callable[[C], C]:
    """Declares the decorated class as the pass of that name: a frozen record whose fields are its options."""

    def declare(cls: C) -> C:
        if name in _PASSES:
            raise WrongUsage(f"the pass {name} is declared twice")
        made = dataclass(frozen=True, kw_only=True, slots=True)(cls)
        made.name = name
        made.needs = tuple(needs)
        _PASSES[name] = made
        return made

    return declare


def pass_names() -> tuple[str, ...]:
    """The names of all passes, sorted."""
    return tuple(sorted(_PASSES))


def pass_class(name: str) -> type[ModulePass]:
    """The class of the pass of that name. Raises WrongUsage where there is none."""
    if name not in _PASSES:
        raise WrongUsage(f"there is no pass {name!r}", hint=f"passes: {', '.join(pass_names())}")
    return _PASSES[name]


def each_function(module: IRModule, rewrite: Callable[[Function], Expr]) -> IRModule:
    """The module with every function rewritten; the very same module where none changes."""
    changed: dict[str, Function] = {}
    for name, function in module.functions.items():
        result = rewrite(function)
        assert isinstance(result, Function), "a function is rewritten into a function"
        if result is not function:
            changed[name] = result
    return module.with_functions(changed) if changed else module


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Passes one after the other.

    Instruments see each pass that ran. Raises WrongUsage where a pass stands before one that it needs; an error of a pass
    or an instrument names the pass.
    """

    passes: tuple[ModulePass, ...]
    instruments: tuple[Instrument, ...] = ()

    def __post_init__(self) -> None:
        ran: set[str] = set()
        for step in self.passes:
            for needed in step.needs:
                if needed not in ran:
                    raise WrongUsage(f"the pass {step.name} needs {needed} before it")
            ran.add(step.name)

    def __call__(self, module: IRModule) -> IRModule:
        """The module after all passes."""
        for step in self.passes:
            try:
                after = step(module)
                for instrument in self.instruments:
                    instrument(step, module, after)
            except TorchRelayError as error:
                error.add_note(f"while the pass {pass_text(step)} ran")
                raise
            module = after
        return module

    def __str__(self) -> str:
        return ",".join(map(pass_text, self.passes))


def _options(cls: type) -> Mapping[str, Field[object]]:
    return {option.name.replace("_", "-"): option for option in fields(cls)}


def pass_text(step: ModulePass) -> str:
    """The pass with the options that are not at their defaults: ``fuse-ops{max-depth=8}``."""
    shown = [
        f"{name}={_value_text(getattr(step, option.name))}"
        for name, option in _options(type(step)).items()
        if option.default is MISSING or getattr(step, option.name) != option.default
    ]
    return f"{step.name}{{{' '.join(shown)}}}" if shown else step.name


def _value_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


_STEP = re.compile(r"\s*([\w-]+)\s*(?:\{([^}]*)\})?\s*")
_READ: Mapping[object, Callable[[str], object]] = {int: int, float: float, str: str}


def parse_pass(text: str) -> ModulePass:
    """The pass that a text like ``fuse-ops{max-depth=8}`` says. Raises WrongUsage for one that does not say one."""
    found = _STEP.fullmatch(text)
    if found is None:
        raise WrongUsage(f"{text!r} is no pass", hint="write name or name{option=value option=value}")
    cls = pass_class(found[1])
    return cls(**dict(_option(cls, part) for part in (found[2] or "").split()))


def _option(cls: type[ModulePass], text: str) -> tuple[str, object]:
    name, _, value = text.partition("=")
    known = _options(cls)
    if name not in known:
        raise WrongUsage(f"the pass {cls.name} has no option {name!r}", hint=f"options: {', '.join(known) or 'none'}")
    kind = get_type_hints(cls)[known[name].name]
    if kind is bool and value in ("true", "false"):
        return known[name].name, value == "true"
    try:
        return known[name].name, _READ[kind](value)
    except (KeyError, ValueError):
        raise WrongUsage(f"{cls.name}: {name} is {value!r}, but must be {getattr(kind, '__name__', kind)}") from None


def parse_pipeline(text: str, instruments: Iterable[Instrument] = ()) -> Pipeline:
    """The pipeline that a text like ``simplify,dead-code`` says. Raises WrongUsage for one that does not say one."""
    steps = [part for part in re.split(r",(?![^{]*\})", text) if part.strip()]
    return Pipeline(tuple(map(parse_pass, steps)), tuple(instruments))
