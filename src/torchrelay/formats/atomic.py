"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

__all__ = ["atomic_folder", "write_atomically"]


def write_atomically(path: Path, pieces: Iterable[bytes | memoryview]) -> None:
    """Writes the pieces to a file beside ``path`` and puts it in place when it is complete."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                file.write(piece)
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


@contextlib.contextmanager
def atomic_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into, which takes the place of ``folder`` when everything in it is written.

    The files of the new one replace those of the same names; other files stay.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        yield temporary
        folder.mkdir(exist_ok=True)
        for file in sorted(temporary.iterdir()):
            file.replace(folder / file.name)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
