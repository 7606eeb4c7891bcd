"""TVM's record of one array, as parameter files and JSON hold it."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

from torchrelay.errors import BadFile
from torchrelay.ir import DType

__all__ = ["array_record", "record_head"]

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
        yield memoryview(np.ascontiguousarray(array).reshape(-1).view(np.uint8))
