"""The archives of recorded programs, where they are: their names, and the open file."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import SHARED

__all__ = ["archive_of", "names_in"]


def _path(archive: str) -> Path:
    return SHARED / "conformance" / archive


def names_in(archive: str, ending: str, folder: str = "") -> list[str]:
    """The programs of an archive: its files in the folder with that ending, without it, sorted; none where it is absent."""
    path = _path(archive)
    if not path.exists():
        return []
    with zipfile.ZipFile(path) as file:
        found = [name for name in file.namelist() if name.startswith(folder) and name.endswith(ending)]
    return sorted(name.removesuffix(ending) for name in found)


def archive_of(archive: str) -> Callable[[], Iterator[zipfile.ZipFile]]:
    """The fixture that gives the open archive to the tests of a module."""

    @pytest.fixture(scope="module")
    def recorded() -> Iterator[zipfile.ZipFile]:
        with zipfile.ZipFile(_path(archive)) as file:
            yield file

    return recorded
