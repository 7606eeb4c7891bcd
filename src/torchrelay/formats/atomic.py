"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Generator, Iterable
from pathlib import Path

from torchrelay.errors import CannotWrite

__all__ = ["atomic_folder", "check_folder", "write_atomically"]


def write_atomically(path: Path, pieces: Iterable[bytes | memoryview]) -> None:
    """Writes the pieces to a file beside ``path`` and puts it in place when it is complete. Raises CannotWrite."""
    with _told(path):
        if path.is_dir():
            raise CannotWrite(f"{path} is a folder", hint="give the path of a file")
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                with _told(path):
                    file.write(piece)
        with _told(path):
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def _told(path: Path) -> Generator[None, None, None]:
    """What the system refuses, as CannotWrite."""
    try:
        yield
    except CannotWrite:
        raise
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror or error}", hint=_hint(path)) from error


def _hint(path: Path) -> str:
    """The nearest thing above the path that stands in its way."""
    above = next((parent for parent in path.parents if parent.exists()), None)
    if above is None or (above == path.parent and above.is_dir()):
        return ""
    return f"{above} is no folder" if not above.is_dir() else f"there is no folder {path.parent}"


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def check_folder(folder: Path) -> None:
    """Raises CannotWrite where it can be seen beforehand that nothing can be written to the folder."""
    whole = folder.absolute()
    above = next(path for path in (whole, *whole.parents) if path.exists())
    if not above.is_dir():
        raise CannotWrite(f"{folder} cannot be written: {above} is no folder")
    if not os.access(above, os.W_OK):
        raise CannotWrite(f"{folder} cannot be written: {above} does not let you")


@contextlib.contextmanager
def atomic_folder(folder: Path) -> Generator[Path, None, None]:
    """A folder to write into, which takes the place of ``folder`` when everything in it is written.

    The files of the new one replace those of the same names; other files stay. Raises CannotWrite, before anything is written
    where that can be seen.
    """
    with _told(folder):
        if folder.exists() and not folder.is_dir():
            raise CannotWrite(f"{folder} is a file", hint="give the path of a folder")
        made = _made_above(folder)
        temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        yield temporary
        with _told(folder):
            _put_in_place(temporary, folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        for parent in made:
            with contextlib.suppress(OSError):  # another process has put something there
                parent.rmdir()
        raise
    shutil.rmtree(temporary, ignore_errors=True)


def _made_above(folder: Path) -> list[Path]:
    """Makes the folders above; those that were made, the innermost first."""
    missing = [parent for parent in folder.parents if not parent.exists()]
    folder.parent.mkdir(parents=True, exist_ok=True)
    return missing


def _put_in_place(temporary: Path, folder: Path) -> None:
    temporary.chmod(0o777 & ~_umask())
    if not folder.exists():
        temporary.rename(folder)
        return
    for file in sorted(temporary.iterdir()):
        file.replace(folder / file.name)
