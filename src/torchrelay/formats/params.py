"""Parameters to and from TVM's binary parameter files."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from torchrelay.errors import BadFile
from torchrelay.formats.atomic import write_atomically
from torchrelay.formats.ndarray import array_record, read_array

__all__ = ["load_params", "save_params"]

MAGIC = 0xF7E58D4F05049CB7
Params = Mapping[str, np.ndarray]


def _pieces(params: Params) -> Iterator[bytes | memoryview]:
    yield struct.pack("<QQQ", MAGIC, 0, len(params))
    for name in params:
        text = name.encode()
        yield struct.pack("<Q", len(text)) + text
    yield struct.pack("<Q", len(params))
    for array in params.values():
        yield from array_record(array)


def save_params(params: Params, path: str | Path | None = None) -> bytes | None:
    """The bytes of the parameter file, or None when they went to ``path``, array by array, appearing whole.

    Raises BadFile for a dtype that the format has not.
    """
    if path is None:
        return b"".join(_pieces(params))
    write_atomically(Path(path), _pieces(params))
    return None


def load_params(source: bytes | str | Path) -> dict[str, np.ndarray]:
    """The parameters by name; those of a file are read-only views of it, mapped and not copied.

    Raises BadFile for what is no parameter file, or ends before it should.
    """
    if isinstance(source, bytes):
        return _Reader(memoryview(source), "the bytes").params()
    path = Path(source)
    if not path.is_file():
        raise BadFile(f"there is no file {path}")
    if not path.stat().st_size:
        raise BadFile(f"{path} is empty")
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return _Reader(memoryview(mapped), str(path)).params()


@dataclass(slots=True)
class _Reader:
    """A view of the bytes and how far it is read."""

    data: memoryview
    source: str
    at: int = 0

    def _take(self, size: int, what: str) -> memoryview:
        if size < 0 or self.at + size > len(self.data):
            left = len(self.data) - self.at
            raise BadFile(f"{self.source} ends inside {what}: {size} bytes are claimed, {left} are left")
        self.at += size
        return self.data[self.at - size : self.at]

    def _numbers(self, form: str, what: str) -> tuple[int, ...]:
        return struct.unpack(f"<{form}", self._take(struct.calcsize(f"<{form}"), what))

    def params(self) -> dict[str, np.ndarray]:
        magic, _, count = self._numbers("QQQ", "its head")
        if magic != MAGIC:
            raise BadFile(f"{self.source} is no parameter file: it begins with {magic:#x}, not {MAGIC:#x}")
        names = [self._name(index) for index in range(self._checked(count, 8, "names"))]
        (arrays,) = self._numbers("Q", "the count of arrays")
        if arrays != count:
            raise BadFile(f"{self.source} has {count} names and {arrays} arrays")
        found = {name: self._array(name) for name in names}
        if self.at != len(self.data):
            raise BadFile(f"{self.source} has {len(self.data) - self.at} bytes after its last array")
        return found

    def _checked(self, count: int, least: int, what: str) -> int:
        if count * least > len(self.data) - self.at:
            raise BadFile(f"{self.source} claims {count} {what}, more than it has bytes for")
        return count

    def _name(self, index: int) -> str:
        (size,) = self._numbers("Q", f"name {index}")
        try:
            return bytes(self._take(size, f"name {index}")).decode()
        except UnicodeDecodeError as error:
            raise BadFile(f"{self.source}: name {index} is no text: {error.reason}") from None

    def _array(self, name: str) -> np.ndarray:
        array, self.at = read_array(self.data, self.at, f"{self.source}, the array {name}")
        return array
