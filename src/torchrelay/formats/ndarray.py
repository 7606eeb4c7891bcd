"""TVM's record of one array, as parameter files and JSON hold it."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass

import ml_dtypes
import numpy as np

from torchrelay.errors import BadFile, WrongArgument
from torchrelay.ir import DType

__all__ = ["Bytes", "array_record", "read_array", "record_head"]

_MAGIC = 0xDD5E40F096B4A13F
_CODES = {"int": 0, "uint": 1, "bool": 1, "float": 2, "handle": 3, "bfloat": 4}
_NAMES = {0: "int", 1: "uint", 2: "float", 4: "bfloat"}
_PACKED = ("int4", "uint4", "int2", "uint2")
"""Dtypes narrower than a byte that arrays hold, one byte an element."""
_CPU = 1
_MOST_AXES = 64


def record_head(array: np.ndarray) -> bytes:
    """Everything of the record before the elements. Raises BadFile for a dtype that the format has not."""
    dtype = DType.of(array.dtype)
    if dtype.code not in _CODES:
        raise BadFile(f"TVM's files have no dtype {dtype}")
    head = struct.pack("<QQiiiBBH", _MAGIC, 0, _CPU, 0, array.ndim, _CODES[dtype.code], dtype.bits, dtype.lanes)
    return head + struct.pack(f"<{array.ndim}qq", *array.shape, array.nbytes)


def array_record(array: np.ndarray) -> Iterator[bytes | memoryview]:
    """The record in pieces: the head, then the elements, which are not copied where they lie in C order already."""
    yield record_head(array)
    if array.size:
        yield np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


@dataclass(slots=True)
class Bytes:
    """A view of bytes, how far it is read, and what to call it in an error."""

    data: memoryview
    source: str
    at: int = 0

    @property
    def left(self) -> int:
        """How many bytes are still to be read."""
        return len(self.data) - self.at

    def take(self, size: int, what: str) -> memoryview:
        """The next ``size`` bytes, not copied. Raises BadFile where so many are not left."""
        if not 0 <= size <= self.left:
            raise BadFile(f"{self.source} ends inside {what}: {size} bytes are claimed, {self.left} are left")
        self.at += size
        return self.data[self.at - size : self.at]

    def numbers(self, form: str, what: str) -> tuple[int, ...]:
        """The next numbers, in the letters of ``struct``, little endian. Raises BadFile where they are not left."""
        return struct.unpack(f"<{form}", self.take(struct.calcsize(f"<{form}"), what))


def read_array(data: Bytes, what: str) -> np.ndarray:
    """The next array, a view of the bytes. Raises BadFile for what is no record, or claims more than is there."""
    magic, _, _, _, rank = data.numbers("QQiii", what)
    if magic != _MAGIC:
        raise BadFile(f"{data.source}: {what} begins with {magic:#x}, not {_MAGIC:#x}")
    if not 0 <= rank <= _MOST_AXES:
        raise BadFile(f"{data.source}: {what} claims rank {rank}")
    dtype = _read_dtype(data, what)
    *shape, size = data.numbers(f"{rank}qq", f"the shape of {what}")
    if min(shape, default=0) < 0 or size != math.prod(shape) * dtype.itemsize:
        raise BadFile(f"{data.source}: {what} claims shape {tuple(shape)} of {dtype} in {size} bytes")
    return np.frombuffer(data.take(size, what), dtype).reshape(shape)


def _read_dtype(data: Bytes, what: str) -> np.dtype:
    code, bits, lanes = data.numbers("BBH", f"the dtype of {what}")
    if (code, bits, lanes) == (1, 1, 1):
        return np.dtype(bool)
    try:
        named = DType.parse(f"{_NAMES[code]}{bits}x{lanes}")
        dtype = np.dtype(getattr(ml_dtypes, named)) if named in _PACKED else named.numpy
    except (KeyError, WrongArgument):
        raise BadFile(f"{data.source}: {what} has an unknown dtype: code {code}, {bits} bits, {lanes} lanes") from None
    if DType.of(dtype) != named:
        raise BadFile(f"{data.source}: {what} has elements of {named}, which no array can hold")
    return dtype
