"""Quantization parameters: what they may be, and the integer arithmetic between two scales.

A quantized value q stands for scale * (q - zero_point). A parameter is one number, or a vector with one for each channel.
"""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Dim, DType, TensorType, shapes
from torchrelay.op._numpy import Array, round_half_away
from torchrelay.op.fixed_point import scaled

__all__ = [
    "BYTES",
    "along",
    "as_fixed_point",
    "channels",
    "check_dtype",
    "check_each",
    "check_out_dtype",
    "check_parameter",
    "check_single",
    "in_real",
    "rescaled",
    "saturated",
    "times",
    "to_quantized",
]

FLOAT32 = DType.parse("float32")
INT32 = DType.parse("int32")
BYTES = ("int8", "uint8")


def _listed(allowed: tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(allowed[:-1]), allowed[-1])))


def check_dtype(allowed: tuple[str, ...], **tensors: TensorType) -> None:
    """Raises TypeMismatch for a tensor of another dtype."""
    for name, tensor in tensors.items():
        if tensor.dtype not in allowed:
            raise TypeMismatch(f"{name} must hold {_listed(allowed)}, not {tensor.dtype}")


def check_out_dtype(dtype: DType, allowed: tuple[str, ...]) -> None:
    """Raises WrongArgument for another dtype of the result."""
    if dtype not in allowed:
        raise WrongArgument(f"out_dtype is {dtype or 'not given'}, but must be {_listed(allowed)}")


def check_parameter(name: str, given: TensorType, size: Dim | None = None, *, vectors: bool = False) -> None:
    """Raises TypeMismatch unless it is one number of its dtype, or a vector of ``size`` where that is not None.

    Scales are float32, zero points int32. With ``vectors``, a vector of one is one number too.
    """
    wanted = FLOAT32 if "scale" in name else INT32
    if given.dtype != wanted:
        raise TypeMismatch(f"{name} must hold {wanted}, not {given.dtype}")
    sizes = [dim for dim in (size, 1 if vectors else None) if dim is not None]
    if given.rank and not (given.rank == 1 and any(shapes.dims_fit(given.shape[0], dim) for dim in sizes)):
        allowed = "one number" if size is None else f"one number or of shape ({size},)"
        raise TypeMismatch(f"{name} must be {allowed}, not of shape {given.shape}")


def check_single(*, vectors: bool = False, **parameters: TensorType) -> None:
    """Raises TypeMismatch unless each is one number of its dtype."""
    for name, given in parameters.items():
        check_parameter(name, given, vectors=vectors)


def check_each(size: Dim | None, *, vectors: bool = False, **parameters: TensorType) -> None:
    """Raises TypeMismatch unless each is one number of its dtype, or a vector of ``size`` where that is not None."""
    for name, given in parameters.items():
        check_parameter(name, given, size, vectors=vectors)


def channels(data: TensorType, axis: int) -> Dim | None:
    """The number of channels along the axis; None where the data is a single number."""
    return data.shape[shapes.normal_axis(axis, data.rank)] if data.rank else None


def along(parameter: Array, rank: int, axis: int) -> Array:
    """The parameter so that it broadcasts over data of that rank, its channels being along the axis."""
    if parameter.size == 1:
        return parameter.reshape(())
    return parameter.reshape(*parameter.shape, *(1,) * (rank - 1 - axis % rank))


def as_fixed_point(factor: Array | float) -> tuple[Array, Array]:
    """A factor as (multiplier, exponent): multiplier / 2**31 * 2**exponent, with 1/2 <= multiplier / 2**31 < 1."""
    fraction, exponent = np.frexp(np.asarray(factor, np.float64))
    multiplier = round_half_away(fraction * 2.0**31).astype(np.int64)
    full = multiplier == 2**31
    return np.where(full, multiplier >> 1, multiplier), exponent.astype(np.int64) + full


def times(data: Array, factor: Array | float, rounding: str = "UPWARD") -> Array:
    """int32 data times a factor in fixed point, rounded to nearest: halves up, or away from zero for TONEAREST."""
    multiplier, exponent = as_fixed_point(factor)
    left, right = np.maximum(exponent, 0), np.minimum(np.maximum(-exponent, 0), 32)
    if rounding == "UPWARD":
        return scaled(data, multiplier, left, right)
    product = (data.astype(np.int64) << left) * multiplier
    half = (np.int64(1) << (right + 30)) - (product < 0)
    return ((product + half) >> (right + 31)).astype(np.int32)


def in_real(data: Array, factor: Array, zero_point: Array, rounding: str) -> Array:
    """The data times a factor plus a zero point in the floating point of all three, rounded to whole numbers."""
    result = data * factor + zero_point
    half = result.dtype.type(0.5)
    if rounding == "UPWARD":
        return np.floor(result + half)
    return np.copysign(np.floor(np.abs(result) + half), result)


def rescaled(
    data: Array,
    input_scale: Array,
    input_zero_point: Array,
    output_scale: Array,
    output_zero_point: Array,
    rounding: str = "UPWARD",
) -> Array:
    """Quantized data under other parameters as int32, not yet saturated. The parameters broadcast over the data."""
    shifted = data.astype(np.int32) - input_zero_point
    factor = input_scale.astype(np.float64) / output_scale.astype(np.float64)
    return times(shifted, factor, rounding) + output_zero_point


def saturated(values: Array, dtype: DType) -> Array:
    """Whole numbers as that dtype: the nearest that it has, and for NaN the largest."""
    limits = np.iinfo(dtype.numpy)
    wide = values.astype(np.float64) if values.dtype.kind == "f" else values.astype(np.int64)
    return np.maximum(np.fmin(wide, limits.max), limits.min).astype(dtype.numpy)


def to_quantized(data: Array, scale: Array, zero_point: Array, dtype: DType) -> Array:
    """float32 data as quantized values: halves round away from zero, and what is beyond the dtype saturates."""
    whole = round_half_away(data / scale)
    return saturated(whole + zero_point.astype(np.float32), dtype)
