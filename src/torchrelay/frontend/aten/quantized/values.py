"""Quantized values: made of real numbers and turned into them, brought to another scale."""

from __future__ import annotations

import numpy as np

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.promote import Computed, Operand, Quantized
from torchrelay.ir import Constant, DType, Expr, const

__all__ = [
    "FLOAT",
    "INT",
    "ZERO",
    "clipped",
    "dequantized",
    "number",
    "parameter",
    "product",
    "quantized",
    "requantized",
]

FLOAT, INT = DType.parse("float32"), DType.parse("int32")
ZERO = const(0, INT)


def parameter(value: Operand, dtype: DType, *, vector: bool = False) -> Expr:
    """A scale or a zero point as Relay takes it: of that dtype and of rank 0, or a vector; a constant stays one."""
    if isinstance(value, Computed):
        value = value.expr
    if not isinstance(value, Expr):
        return const(value, dtype)
    if isinstance(value, Constant):
        array = value.data.astype(dtype.numpy)
        return Constant(array if vector else array.reshape(()))
    if value.dtype != dtype:
        value = op.cast(value, dtype=dtype)
    return value if vector or not value.tensor.rank else op.reshape(value, newshape=())


def number(value: Expr, what: str) -> float:
    """A scale or zero point that is one number. Raises UnsupportedProgram where only the program can tell it."""
    if isinstance(value, Constant) and not value.data.ndim:
        return value.data.item()
    raise UnsupportedProgram(f"the {what} of a quantized tensor is no number that is known here")


def product(left: Expr, right: Expr) -> Expr:
    """The product of two scales."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(np.asarray(left.data * right.data, np.float32))
    return op.multiply(left, right)


def quantized(real: Expr, scale: Expr, zero_point: Expr, dtype: DType, axis: int | None = None) -> Quantized:
    """Real numbers as the nearest integers under a scale and zero point."""
    along = -1 if axis is None else axis
    return Quantized(op.qnn.quantize(real, scale, zero_point, out_dtype=dtype, axis=along), scale, zero_point, axis)


def dequantized(value: Quantized) -> Expr:
    """The real numbers, float32."""
    along = -1 if value.axis is None else value.axis
    return op.qnn.dequantize(value.expr, value.scale, value.zero_point, out_dtype=FLOAT, axis=along)


def requantized(sums: Expr, scale: Expr, axis: int, output: tuple[Expr, Expr], dtype: DType) -> Quantized:
    """int32 sums of that scale under another scale and zero point."""
    made = op.qnn.requantize(sums, scale, ZERO, *output, axis=axis, out_dtype=dtype)
    return Quantized(made, *output)


def clipped(value: Quantized, low: float | None, high: float | None) -> Quantized:
    """The value between two real numbers, each of them rounded to one that there is."""
    scale, zero = number(value.scale, "scale"), int(number(value.zero_point, "zero point"))
    limits = np.iinfo(value.expr.dtype.numpy)

    def held(real: float | None, otherwise: int) -> float:
        if real is None:
            return otherwise
        return float(np.clip(np.rint(np.float32(real) / np.float32(scale)) + zero, limits.min, limits.max))

    clip = op.clip(value.expr, a_min=held(low, limits.min), a_max=held(high, limits.max))
    return Quantized(clip, value.scale, value.zero_point)
