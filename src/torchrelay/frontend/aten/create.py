"""Converters of operators that make tensors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.shape.cut import steps
from torchrelay.frontend.aten.shape.extents import Extent, Extents, filled, with_extents
from torchrelay.frontend.aten.shape.reshape import known, reshaped
from torchrelay.frontend.promote import (
    BOOL,
    DEFAULT_FLOAT,
    FLOAT64,
    INT64,
    Computed,
    Number,
    Operand,
    as_dtype,
    as_tensor,
    result_dtype,
)
from torchrelay.frontend.registry import Result, aten
from torchrelay.ir import Constant, DType, Expr, const, shapes

__all__: list[str] = []

INERT = ("layout", "device", "pin_memory", "memory_format", "requires_grad", "non_blocking", "copy")
"""Arguments about memory and gradients, which mean nothing in Relay."""


def real(dtype: DType | str | None, default: DType) -> DType:
    """The dtype, or a default where none is given. Raises UnsupportedProgram for one that Relay has not."""
    if dtype is None:
        return default
    if not isinstance(dtype, DType):
        raise UnsupportedProgram(f"Relay has no dtype {dtype}")
    return dtype


def _filled(size: Extents, value: Operand, dtype: DType) -> Expr:
    if not all(isinstance(extent, int) for extent in size):
        return filled(as_tensor(value, dtype), size)
    shape = known(size, "a tensor")
    if isinstance(value, int | float) and value in (0, 1) and shape:
        return (op.ones if value else op.zeros)(shape=shape, dtype=dtype)
    return op.full(as_tensor(value, dtype), shape=shape, dtype=dtype) if shape else as_tensor(value, dtype)


@aten("zeros.default", "empty.memory_format", ignore=INERT)
def zeros(size: Extents, *, dtype: DType | None = None) -> Expr:
    """Zeros; also where torch leaves the values open."""
    return _filled(size, 0, real(dtype, DEFAULT_FLOAT))


@aten("ones.default", ignore=INERT)
def ones(size: Extents, *, dtype: DType | None = None) -> Expr:
    """Ones."""
    return _filled(size, 1, real(dtype, DEFAULT_FLOAT))


def _number_type(value: Number | Computed) -> DType:
    if isinstance(value, Computed):
        return DEFAULT_FLOAT if value.expr.dtype.is_float else value.expr.dtype
    return BOOL if isinstance(value, bool) else INT64 if isinstance(value, int) else DEFAULT_FLOAT


@aten("full.default", ignore=INERT)
def full(size: Extents, fill_value: Operand, *, dtype: DType | None = None) -> Expr:
    """One value everywhere."""
    if isinstance(fill_value, Expr):
        return _filled(size, fill_value, real(dtype, fill_value.dtype))
    return _filled(size, fill_value, real(dtype, _number_type(fill_value)))


@aten("new_zeros.default", "new_empty.default", ignore=INERT)
def new_zeros(self: Expr, size: Extents, *, dtype: DType | None = None) -> Expr:
    """Zeros of the dtype of a tensor."""
    return _filled(size, 0, real(dtype, self.dtype))


@aten("new_ones.default", ignore=INERT)
def new_ones(self: Expr, size: Extents, *, dtype: DType | None = None) -> Expr:
    """Ones of the dtype of a tensor."""
    return _filled(size, 1, real(dtype, self.dtype))


@aten("new_full.default", ignore=INERT)
def new_full(self: Expr, size: Extents, fill_value: Operand, *, dtype: DType | None = None) -> Expr:
    """One value everywhere, of the dtype of a tensor."""
    return _filled(size, fill_value, real(dtype, self.dtype))


def _like(data: Expr, value: Operand, dtype: DType | None) -> Expr:
    wanted = real(dtype, data.dtype)
    if shapes.is_static(data.shape):
        return _filled(shapes.static(data.shape, "a tensor"), value, wanted)
    return op.full_like(as_dtype(data, wanted), as_tensor(value, wanted))


@aten("zeros_like.default", "empty_like.default", ignore=INERT)
def zeros_like(self: Expr, *, dtype: DType | None = None) -> Expr:
    """Zeros of the shape of a tensor."""
    return _like(self, 0, dtype)


@aten("ones_like.default", ignore=INERT)
def ones_like(self: Expr, *, dtype: DType | None = None) -> Expr:
    """Ones of the shape of a tensor."""
    return _like(self, 1, dtype)


@aten("full_like.default", ignore=INERT)
def full_like(self: Expr, fill_value: Operand, *, dtype: DType | None = None) -> Expr:
    """One value everywhere, of the shape of a tensor."""
    return _like(self, fill_value, dtype)


@aten("fill.Scalar", "fill.Tensor")
def fill(self: Expr, value: Operand) -> Expr:
    """One value everywhere, of the type of a tensor."""
    return op.full_like(self, as_tensor(value, self.dtype))


@aten("zero.default")
def zero(self: Expr) -> Expr:
    """Zeros of the type of a tensor."""
    return op.zeros_like(self)


@aten("arange.default", ignore=INERT)
def arange(end: Operand, *, dtype: DType | None = None) -> Expr:
    """0, 1, ... below an end."""
    return ranged(0, end, 1, dtype)


@aten("arange.start", ignore=INERT)
def arange_start(start: Operand, end: Operand, *, dtype: DType | None = None) -> Expr:
    """Numbers from a start, 1 apart, below an end."""
    return ranged(start, end, 1, dtype)


@aten("arange.start_step", ignore=INERT)
def arange_step(start: Operand, end: Operand, step: Operand = 1, *, dtype: DType | None = None) -> Expr:
    """Numbers from a start, ``step`` apart, before an end."""
    return ranged(start, end, step, dtype)


def ranged(start: Operand, end: Operand, step: Operand, dtype: DType | None) -> Expr:
    """The numbers of a range."""
    bounds = [value.data.item() if isinstance(value, Constant) else value for value in (start, end, step)]
    numbers = [bound for bound in bounds if isinstance(bound, bool | int | float)]
    if len(numbers) < len(bounds):
        return _computed_range(bounds, dtype)
    whole = all(isinstance(number, int) for number in numbers)
    wanted = real(dtype, INT64 if whole else DEFAULT_FLOAT)
    if (numbers[1] - numbers[0]) / numbers[2] <= 0:
        return op.zeros(shape=(0,), dtype=wanted)
    # Relay counts the elements in the dtype of the bounds: wide enough, then cast.
    counting = INT64 if whole else FLOAT64
    first, last, apart = (const(number, counting) for number in numbers)
    made = op.arange(first, last, apart, start=first, stop=last, step=apart, dtype=counting)
    return as_dtype(made, wanted)


def _computed_range(bounds: Sequence[Operand], dtype: DType | None) -> Expr:
    """The numbers of a range of which the program computes a bound."""
    floats = any(
        isinstance(bound, float) or (isinstance(bound, Expr | Computed) and as_tensor(bound).dtype.is_float)
        for bound in bounds
    )
    wanted = real(dtype, DEFAULT_FLOAT if floats else INT64)
    first, last, apart = (as_tensor(bound, FLOAT64 if floats else INT64) for bound in bounds)
    made = op.arange(first, last, apart, start=first, stop=last, step=apart, dtype=first.dtype)
    start, end, step = bounds
    if start == 0 and step == 1 and isinstance(end, Computed):
        made = with_extents(made, (end,))
    return as_dtype(made, wanted)


@aten("linspace.default", ignore=INERT)
def linspace(start: Number, end: Number, steps: int, *, dtype: DType | None = None) -> Expr:
    """So many numbers from start to end, both included, evenly apart."""
    wanted = real(dtype, DEFAULT_FLOAT)
    return const(np.linspace(start, end, steps), wanted)


@aten("scalar_tensor.default", ignore=INERT)
def scalar_tensor(s: Number, *, dtype: DType | None = None) -> Expr:
    """A number as a tensor without axes."""
    return as_tensor(s, real(dtype, DEFAULT_FLOAT))


@aten("eye.default", ignore=INERT)
def eye(n: Extent, *, dtype: DType | None = None) -> Expr:
    """The identity matrix."""
    return eye_m(n, n, dtype=dtype)


@aten("eye.m", ignore=INERT)
def eye_m(n: Extent, m: Extent, *, dtype: DType | None = None) -> Expr:
    """A matrix with ones on its diagonal."""
    if not (isinstance(n, int) and isinstance(m, int)):
        rows, columns = (steps(const(0, INT64), as_tensor(size, INT64)) for size in (n, m))
        made = op.equal(op.expand_dims(rows, axis=1), columns)
        return with_extents(op.cast(made, dtype=real(dtype, DEFAULT_FLOAT)), (n, m))
    return const(np.eye(n, m), real(dtype, DEFAULT_FLOAT))


@aten("tensor.int", "tensor.float", "tensor.bool", ignore=INERT)
def tensor_of_number(t: Operand, *, dtype: DType | None = None) -> Expr:
    """A number as a tensor without axes; a float as torch's default one."""
    return as_tensor(t, real(dtype, DEFAULT_FLOAT if isinstance(t, float) else as_tensor(t).dtype))


@aten("tensor.default", ignore=INERT)
def tensor_of_list(data: Result, *, dtype: DType | None = None) -> Expr:
    """Numbers in lists as a tensor."""
    leaves, shape = _leaves(data)
    wanted = real(dtype, result_dtype(leaves) if leaves else DEFAULT_FLOAT)
    if not any(isinstance(leaf, Computed | Expr) for leaf in leaves):
        return const(np.array(leaves).reshape(shape), wanted)
    parts = [op.reshape(as_tensor(leaf, wanted), newshape=(1,)) for leaf in leaves]
    return reshaped(op.concatenate(parts, axis=0), shape)


def _leaves(data: Result) -> tuple[list[Operand], tuple[int, ...]]:
    """The numbers in nested lists, and the shape that the lists have."""
    shape: list[int] = []
    level = [data]
    while level and isinstance(level[0], tuple):
        shape.append(len(level[0]))
        level = [part for row in level if isinstance(row, tuple) for part in row]
    return level, tuple(shape)  # pyright: ignore[reportReturnType] what is no list is a number


@aten("empty_permuted.default", ignore=(*INERT, "physical_layout"))
def empty_permuted(size: Extents, *, dtype: DType | None = None) -> Expr:
    """Zeros, where torch leaves the values open; how they lie in memory has no meaning in Relay."""
    return _filled(size, 0, real(dtype, DEFAULT_FLOAT))


@aten("empty_strided.default", ignore=(*INERT, "stride"))
def empty_strided(size: Extents, *, dtype: DType | None = None) -> Expr:
    """Zeros, where torch leaves the values open; how they lie in memory has no meaning in Relay."""
    return _filled(size, 0, real(dtype, DEFAULT_FLOAT))


@aten("logspace.default", ignore=INERT)
def logspace(start: Number, end: Number, steps: int, base: float = 10.0, *, dtype: DType | None = None) -> Expr:
    """The base to the power of so many numbers from start to end, both included, evenly apart."""
    return const(np.power(float(base), np.linspace(start, end, steps)), real(dtype, DEFAULT_FLOAT))


@aten("_shape_as_tensor.default")
def shape_as_tensor(self: Expr) -> Expr:
    """The size of every axis as a vector."""
    return op.shape_of(self, dtype=INT64)
