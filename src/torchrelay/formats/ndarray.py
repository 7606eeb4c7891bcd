"""TVM's record of one array, as parameter files and JSON hold it."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

from torchrelay.errors import BadFile
from torchrelay.ir import DType

__all__ = ["array_record", "read_array", "record_head"]

MAGIC = 0xDD5E40F096B4A13F
_CODES = {"int": 0, "uint": 1, "bool": 1, "float": 2, "handle": 3, "bfloat": 4}
_CPU = 1


def record_head(array: np.ndarray) -> bytes:
    """Everything of the record before the elements. Raises BadFile for a dtype that the format has not."""
    dtype = DType.of(array.dtype)
    if dtype.code not in _CODES:
        raise BadFile(f"TVM's files have no dtype {dtype}")
    head = struct.pack("<QQiiiBBH", MAGIC, 0, _CPU, 0, array.ndim, _CODES[dtype.code], dtype.bits, dtype.lanes)
    return head + struct.pack(f"<{array.ndim}qq", *array.shape, array.nbytes)


def array_record(array: np.ndarray) -> Iterator[bytes | memoryview]:
    """The record in pieces: the head, then the elements, which are not copied where they lie in C order already."""
    yield record_head(array)
    if array.size:
        yield np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


_HEAD = struct.Struct("<QQiiiBBH")
_KINDS = {0: "int", 1: "uint", 2: "float", 3: "handle", 4: "bfloat"}


def read_array(data: memoryview, at: int, what: str) -> tuple[np.ndarray, int]:
    """The array whose record begins at a position, a view of the bytes, and where the record ends.

    Raises BadFile, naming ``what``, for what is no such record or ends before it should.
    """
    magic, _, _, _, rank, code, bits, lanes = _HEAD.unpack(_taken(data, at, _HEAD.size, what))
    at += _HEAD.size
    if magic != MAGIC:
        raise BadFile(f"{what} begins with {magic:#x}, not {MAGIC:#x}")
    if not 0 <= rank <= 64:
        raise BadFile(f"{what} claims rank {rank}")
    dtype = _dtype(code, bits, lanes, what)
    *shape, size = struct.unpack(f"<{rank}qq", _taken(data, at, 8 * rank + 8, what))
    at += 8 * rank + 8
    count = 1
    for dim in shape:
        count *= dim
    if min(shape, default=0) < 0 or size != count * dtype.itemsize:
        raise BadFile(f"{what} claims shape {tuple(shape)} of {dtype} in {size} bytes")
    return np.frombuffer(_taken(data, at, size, what), dtype).reshape(shape), at + size


def _taken(data: memoryview, at: int, size: int, what: str) -> memoryview:
    if at + size > len(data):
        raise BadFile(f"{what} ends early: {size} bytes are claimed, {len(data) - at} are left")
    return data[at : at + size]


def _dtype(code: int, bits: int, lanes: int, what: str) -> np.dtype:
    if code not in _KINDS or lanes != 1:
        raise BadFile(f"{what} has the unknown dtype code {code} with {lanes} lanes")
    if (code, bits) == (1, 1):
        return np.dtype(bool)
    return DType.parse(f"{_KINDS[code]}{bits}").numpy
