"""How converter rows are made: a function or module of torch, its inputs, the captures it goes through."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

BOTH = ("trace", "export")
TOLERANCE = {"float64": 1e-11, "float32": 3e-6, "float16": 2e-3, "bfloat16": 2e-2}


@dataclass(frozen=True, eq=False)
class Case:
    """A program of one or a few operators, and how it is judged.

    ``routes`` are the captures it goes through: trace, script, export, and core, which is export with everything decomposed.
    ``differs`` says why the two readers do not give the same Relay, where they do not.
    """

    program: Callable[..., Any] | str
    inputs: tuple[Any, ...]
    routes: tuple[str, ...]
    tolerance: float | None
    differs: str
    values: bool

    def module(self) -> Callable[..., Any]:
        """The program as a module in eval mode whose inputs are named; a text as the scripted function or graph it says."""
        if isinstance(self.program, str) and self.program.startswith("graph"):
            return torch._C._create_function_from_graph("f", torch._C.parse_ir(self.program))
        if isinstance(self.program, str):
            return torch.jit.CompilationUnit(self.program).f
        if isinstance(self.program, torch.nn.Module):
            return self.program.eval()
        return _module(self.program, len(self.inputs))

    def infos(self) -> list[tuple[str, Any]]:
        """The inputs as Relay users name them."""
        return [(f"x{number}", _info(value)) for number, value in enumerate(self.inputs)]


def case(
    program: Callable[..., Any] | str,
    *inputs: Any,
    routes: Sequence[str] = BOTH,
    tolerance: float | None = None,
    differs: str = "",
    values: bool = True,
) -> Case:
    """A row. ``inputs`` are tensors, arrays, or (nested) tuples of them; ``values=False`` compares only shape and dtype."""
    return Case(program, tuple(map(as_tensors, inputs)), tuple(routes), tolerance, differs, values)


def scripted(program: Callable[..., Any] | str, *inputs: Any, **options: Any) -> Case:
    """A row that only a script reaches: numbers, lists and conditions of the program's own.

    The program is a module, or the text of a function ``f``.
    """
    return case(program, *inputs, routes=("script",), **options)


def core(program: Callable[..., Any], *inputs: Any, **options: Any) -> Case:
    """A row for an overload that an export has after everything is decomposed."""
    return case(program, *inputs, routes=("trace", "export", "core"), **options)


def as_tensors(value: Any) -> Any:
    """Arrays as tensors, however deep in tuples and lists."""
    if isinstance(value, np.ndarray):
        return torch.from_numpy(value.copy())
    return type(value)(map(as_tensors, value)) if isinstance(value, list | tuple) else value


def _info(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_info(part) for part in value]
    if isinstance(value, torch.Tensor):
        return tuple(value.shape), str(value.dtype).removeprefix("torch.")
    return (), {bool: "bool", int: "int64", float: "float64"}[type(value)]


def _module(program: Callable[..., Any], count: int) -> torch.nn.Module:
    """A module that calls the program; its forward names as many inputs as there are, as an export wants it."""
    names = [f"x{number}" for number in range(count)]

    class Program(torch.nn.Module):
        def forward(self, *args: Any) -> Any:
            return program(*args)

    parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("self", *names)]
    Program.forward.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]
    return Program().eval()


def _families() -> Iterator[Mapping[str, list[Case]]]:
    import tests.cases as package

    for family in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        rows = getattr(importlib.import_module(family.name), "ROWS", None)
        if rows is not None:
            yield rows


def all_cases() -> dict[str, list[Case]]:
    """Every row of every family, by the overload it is for: ``mean.dim`` of aten, others by their full name."""
    rows: dict[str, list[Case]] = {}
    for family in _families():
        for overload, cases in family.items():
            rows.setdefault(overload if "::" in overload else f"aten::{overload}", []).extend(cases)
    return rows
