"""Files and folders appear whole or not at all, and what stands in their way is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import torchrelay
from torchrelay import op
from torchrelay.errors import BadFile, CannotWrite, WrongUsage
from torchrelay.formats import write_atomically
from torchrelay.ir import Function, IRModule, TensorType, Var

X = Var("x", TensorType.of((2,)), place=None)
MOD = IRModule({"main": Function((X,), op.exp(X), place=None)})


def _all_files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_save_makes_the_folders_above(tmp_path: Path) -> None:
    torchrelay.save(MOD, {}, tmp_path / "a" / "b")
    assert _all_files(tmp_path / "a" / "b") == ["model.json", "model.params", "model.relay"]
    (tmp_path / "a" / "b" / "mine.txt").touch()
    torchrelay.save(MOD, {}, tmp_path / "a" / "b")
    assert _all_files(tmp_path / "a" / "b") == ["mine.txt", "model.json", "model.params", "model.relay"]
    assert _all_files(tmp_path) == ["a", "a/b", *(f"a/b/{name}" for name in _all_files(tmp_path / "a" / "b"))]


WRONG: list[tuple[Callable[[Path], object], type[Exception], str]] = [
    (lambda folder: torchrelay.save(MOD, {}, folder / "file"), CannotWrite, "file is a file"),
    (lambda folder: torchrelay.save(MOD, {}, folder / "file" / "in"), CannotWrite, "file is no folder"),
    (lambda folder: torchrelay.save(MOD, {}, Path("/proc/none/out")), CannotWrite, "cannot be written"),
    (lambda folder: torchrelay.save(None, {}, folder / "out"), WrongUsage, "save takes a module first, not a NoneType"),
    (
        lambda folder: torchrelay.save(MOD, None, folder / "out"),
        WrongUsage,
        "save takes the parameters by name second, not a NoneType",
    ),
    (lambda folder: torchrelay.save_params({}, folder), CannotWrite, "is a folder"),
    (lambda folder: torchrelay.save_params({}, folder / "no" / "p"), CannotWrite, "there is no folder"),
    (lambda folder: torchrelay.load(folder), BadFile, "holds no model.relay"),
]


@pytest.mark.parametrize(("write", "kind", "message"), WRONG, ids=range(len(WRONG)))
def test_what_cannot_be_written_is_one_typed_error(
    write: Callable[[Path], object], kind: type[Exception], message: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(kind) as caught:
        write(tmp_path)
    assert message in str(caught.value)
    assert _all_files(tmp_path) == ["file"]


def test_an_interrupted_write_leaves_nothing(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "file", pieces())
    assert _all_files(tmp_path) == []


def test_an_interrupted_save_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("torchrelay.formats.folder.save_params", interrupted)
    with pytest.raises(KeyboardInterrupt):
        torchrelay.save(MOD, {"w": np.ones(3, "float32")}, tmp_path / "deep" / "out")
    assert _all_files(tmp_path) == []


def test_a_folder_whose_text_is_no_text(tmp_path: Path) -> None:
    torchrelay.save(MOD, {}, tmp_path / "out")
    (tmp_path / "out" / "model.relay").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="is not a text in UTF-8"):
        torchrelay.load(tmp_path / "out")
