"""Saved models: which reader a file is for, and what to do with one that is for none."""

from __future__ import annotations

import zipfile
from pathlib import Path

import torch

from torchrelay.errors import BadFile

__all__ = ["load_saved"]

_SAVE_AGAIN = "save it with torch.jit.save(torch.jit.trace(model, inputs), path) or torch.export.save(program, path)"


def load_saved(path: Path) -> torch.jit.ScriptModule | torch.export.ExportedProgram:
    """The TorchScript module or the exported program in the file. Nothing in it is executed but what torch's own loaders of
    these two forms do; a pickle is never loaded.

    Raises BadFile, saying what the file is and what to do, for anything else.
    """
    _check_file(path)
    names = _entries(path)
    if any(name.endswith("/code/") or "/code/" in name for name in names):
        return _script(path)
    if any("models/" in name or name.endswith("serialized_exported_program.json") for name in names):
        return _exported(path)
    if any(name.endswith("data.pkl") for name in names):
        raise BadFile(
            f"{path} holds a pickle (a state dict, or a module saved with torch.save): weights without a program, or "
            "code that would be executed",
            hint=f"build the model in Python, load the state dict into it, and {_SAVE_AGAIN}",
        )
    raise BadFile(f"{path} is a zip file, but holds no TorchScript and no exported program", hint=_SAVE_AGAIN)


def _check_file(path: Path) -> None:
    if path.is_dir():
        raise BadFile(f"{path} is a directory", hint="give the .pt or .pt2 file itself, or load(folder) for Relay")
    if not path.exists():
        raise BadFile(f"there is no file {path}")
    if not path.stat().st_size:
        raise BadFile(f"{path} is empty", hint=_SAVE_AGAIN)


def _entries(path: Path) -> list[str]:
    with path.open("rb") as file:
        start = file.read(4)
    if start[:2] != b"PK":
        if start[:1] == b"\x80":
            hint = f"it may execute code and is not loaded; build the model in Python and {_SAVE_AGAIN}"
            raise BadFile(f"{path} is a pickle of an old torch.save", hint=hint)
        raise BadFile(f"{path} is no file of torch's: it begins with {start!r}", hint=_SAVE_AGAIN)
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.namelist()
    except zipfile.BadZipFile:
        raise BadFile(f"{path} is truncated: a zip file without its end", hint="copy or save it again") from None


def _script(path: Path) -> torch.jit.ScriptModule:
    try:
        return torch.jit.load(str(path), map_location="cpu").eval()
    except RuntimeError as error:
        first = str(error).strip().splitlines()[0]
        foreign = "Unknown builtin op" in first
        hint = (
            "import the library that the operator is from, as torchvision, first"
            if foreign
            else "copy or save it again"
        )
        raise BadFile(f"{path}: torch cannot read this TorchScript: {first}", hint=hint) from None


def _exported(path: Path) -> torch.export.ExportedProgram:
    try:
        return torch.export.load(str(path))
    except (RuntimeError, ValueError, KeyError, TypeError, AssertionError) as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise BadFile(f"{path}: torch cannot read this exported program: {first}", hint="save it again") from None
