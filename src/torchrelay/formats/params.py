"""Parameters to and from TVM's binary parameter files."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from torchrelay.errors import BadFile, expect
from torchrelay.formats.atomic import write_atomically
from torchrelay.formats.ndarray import Bytes, array_record, read_array

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
    expect(params, Mapping, "save_params takes arrays by name")
    arrays = {name: np.asarray(array) for name, array in params.items()}
    if path is None:
        return b"".join(_pieces(arrays))
    write_atomically(Path(path), _pieces(arrays))
    return None


def load_params(source: bytes | str | Path) -> dict[str, np.ndarray]:
    """The parameters by name; those of a file are read-only views of it, mapped and not copied.

    Raises BadFile for what is no parameter file, or ends before it should.
    """
    expect(source, str | bytes | Path, "load_params takes bytes or a path")
    if isinstance(source, bytes):
        return _read(Bytes(memoryview(source), "the bytes"))
    path = Path(source)
    if not path.is_file():
        raise BadFile(f"there is no file {path}")
    if not path.stat().st_size:
        raise BadFile(f"{path} is empty")
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return _read(Bytes(memoryview(mapped), str(path)))


def _read(data: Bytes) -> dict[str, np.ndarray]:
    magic, _, count = data.numbers("QQQ", "its head")
    if magic != MAGIC:
        raise BadFile(f"{data.source} is no parameter file: it begins with {magic:#x}, not {MAGIC:#x}")
    if count * 8 > data.left:
        raise BadFile(f"{data.source} claims {count} names, more than it has bytes for")
    names = [_name(data, index) for index in range(count)]
    (arrays,) = data.numbers("Q", "the count of arrays")
    if arrays != count:
        raise BadFile(f"{data.source} has {count} names and {arrays} arrays")
    if len(set(names)) != count:
        raise BadFile(f"{data.source} has the same name twice")
    found = {name: read_array(data, f"the array {name}") for name in names}
    if data.left:
        raise BadFile(f"{data.source} has {data.left} bytes after its last array")
    return found


def _name(data: Bytes, index: int) -> str:
    (size,) = data.numbers("Q", f"name {index}")
    try:
        return bytes(data.take(size, f"name {index}")).decode()
    except UnicodeDecodeError as error:
        raise BadFile(f"{data.source}: name {index} is no text: {error.reason}") from None
