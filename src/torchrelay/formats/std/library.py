"""The library of functions and data types that Relay programs import: written in Relay text, read when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

from torchrelay.errors import IllFormed
from torchrelay.formats.std.names import DTYPES
from torchrelay.formats.text import parse
from torchrelay.ir import Dim, Expr, IRModule, TypeData, infer_types, structural_equal

__all__ = ["import_from_std", "imported", "prelude_module", "static_arrays_module"]

_FILES = ("prelude.rly", "nat.rly", "gradient.rly")
T = TypeVar("T", Expr, TypeData)


def import_from_std(mod: IRModule, file_name: str) -> IRModule:
    """The module with what a file of the library defines, and the lists, options and trees these build on.

    The files are prelude.rly, nat.rly and gradient.rly. Raises IllFormed for another name, and where the module has
    something else of a name that the file defines.
    """
    if file_name not in _FILES:
        raise IllFormed(f"the library has no file {file_name!r}", hint=f"its files: {', '.join(_FILES)}")
    return imported(mod, _file(file_name))


def imported(mod: IRModule, library: IRModule) -> IRModule:
    """The module with the functions and data types of the other. Raises IllFormed where both have different ones of a name."""
    _check_same("function", "@", mod.functions, library.functions)
    _check_same("data type", "", mod.type_definitions, library.type_definitions)
    return mod.with_types(library.type_definitions).with_functions(library.functions)


def _check_same(kind: str, sigil: str, own: Mapping[str, T], added: Mapping[str, T]) -> None:
    for name in own.keys() & added.keys():
        if own[name] is not added[name] and not structural_equal(own[name], added[name]):
            raise IllFormed(f"the module has another {kind} {sigil}{name} than the library")


def _text(file_name: str) -> str:
    return Path(__file__).with_name(file_name).read_text("utf-8")


@cache
def _file(file_name: str) -> IRModule:
    own = "" if file_name == "prelude.rly" else _text(file_name)
    return infer_types(parse(_text("prelude.rly") + own, file_name))


@cache
def prelude_module() -> IRModule:
    """prelude.rly with the tensor arrays of every dtype."""
    from torchrelay.formats.std.tensor_arrays import dynamic_arrays

    arrays = [dynamic_arrays(dtype) for dtype in DTYPES]
    return infer_types(parse("".join([_text("prelude.rly"), *arrays]), "prelude.rly"))


@cache
def static_arrays_module(dtype: str, shape: tuple[Dim, ...]) -> IRModule:
    """prelude.rly with the arrays of tensors of one dtype and shape."""
    from torchrelay.formats.std.tensor_arrays import static_arrays

    return infer_types(parse(_text("prelude.rly") + static_arrays(dtype, shape), "prelude.rly"))
