"""A model as a folder: text, JSON, parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from torchrelay.errors import BadFile, expect
from torchrelay.formats.atomic import atomic_folder
from torchrelay.formats.json import save_json
from torchrelay.formats.params import load_params, save_params
from torchrelay.formats.text import parse, printed
from torchrelay.ir import Function, IRModule, Var, bind

__all__ = ["load", "save"]


def save(mod: IRModule, params: Mapping[str, np.ndarray], folder: str | Path, *, for_tvm: bool = False) -> None:
    """Writes ``model.relay``, ``model.json`` and ``model.params`` into the folder, all three or none.

    ``for_tvm`` writes what the real TVM reads: the names of variables made plain and unique, the same in all three, and
    ``names.json``, which maps the own names to them. Raises BadFile for a dtype that TVM's files have not, CannotWrite for a
    folder that cannot be made, WrongUsage for what is no module or no parameters.
    """
    expect(mod, IRModule, "save takes a module first")
    expect(params, Mapping, "save takes the parameters by name second")
    shown = printed(mod, for_tvm=for_tvm)
    renamed = {name: shown.names.get(name, name) for name in params} if for_tvm else {name: name for name in params}
    with atomic_folder(Path(folder)) as inside:
        (inside / "model.relay").write_text(shown.text, "utf-8")
        (inside / "model.json").write_text(save_json(_with_names(mod, shown.names) if for_tvm else mod), "utf-8")
        save_params({renamed[name]: array for name, array in params.items()}, inside / "model.params")
        if for_tvm:
            (inside / "names.json").write_text(json.dumps(dict(shown.names), indent=1), "utf-8")


def _with_names(mod: IRModule, names: Mapping[str, str]) -> IRModule:
    """The module with the parameters of its functions named as they are printed."""
    functions: dict[str, Function] = {}
    for name, function in mod.functions.items():
        fresh = {
            var: Var(names.get(var.name, var.name), var.type_annotation, place=var.place) for var in function.params
        }
        renamed = bind(function, dict(fresh))
        assert isinstance(renamed, Function), "a function is rebuilt into a function"
        functions[name] = renamed
    return mod.with_functions(functions)


def load(folder: str | Path) -> tuple[IRModule, dict[str, np.ndarray]]:
    """The module and the parameters that ``save`` wrote there; the arrays are read-only views of the file.

    Raises BadFile where a file is missing or broken, and what ``parse`` raises.
    """
    expect(folder, str | Path, "load takes the path of a folder")
    inside = Path(folder)
    text = inside / "model.relay"
    if not text.is_file():
        raise BadFile(f"{inside} holds no model.relay", hint="give a folder that save or convert wrote")
    try:
        written = text.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise BadFile(f"{text} is not a text in UTF-8: {error.reason}") from None
    return parse(written, str(text)), load_params(inside / "model.params")
