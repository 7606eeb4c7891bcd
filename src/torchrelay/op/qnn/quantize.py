"""Between real and quantized values, and between the quantized values of two scales."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import WrongArgument
from torchrelay.ir import VOID, Attrs, DType, Fusion, TensorType, Type, attrs, operator
from torchrelay.op._numpy import Array
from torchrelay.op.qnn._scales import (
    along,
    channels,
    check_dtype,
    check_each,
    check_out_dtype,
    check_single,
    in_real,
    rescaled,
    saturated,
    to_quantized,
)

__all__ = ["DequantizeAttrs", "dequantize", "quantize", "requantize"]

QUANTIZED = ("int8", "uint8", "int16", "uint16", "int32")


@attrs("relay.attrs.QuantizeAttrs")
class QuantizeAttrs(Attrs):
    out_dtype: DType
    """The dtype of the quantized values."""
    axis: int = -1
    """The axis of the channels, for parameters that are vectors."""


@operator("qnn.quantize", QuantizeAttrs, Fusion.ELEMWISE, level=11)
def quantize(data: TensorType, output_scale: TensorType, output_zero_point: TensorType, attrs: QuantizeAttrs) -> Type:
    """round(data / scale) + zero point, halves away from zero, saturated to ``out_dtype``."""
    check_dtype(("float32",), data=data)
    check_out_dtype(attrs.out_dtype, QUANTIZED)
    check_each(channels(data, attrs.axis), output_scale=output_scale, output_zero_point=output_zero_point)
    return TensorType(data.shape, attrs.out_dtype)


@quantize.reference
def quantize_numpy(data: Array, output_scale: Array, output_zero_point: Array, attrs: QuantizeAttrs) -> Array:
    scale = along(output_scale, data.ndim, attrs.axis)
    return to_quantized(data, scale, along(output_zero_point, data.ndim, attrs.axis), attrs.out_dtype)


@attrs("relay.attrs.DequantizeAttrs")
class DequantizeAttrs(Attrs):
    out_dtype: DType
    """The dtype of the real values."""
    axis: int = -1
    """The axis of the channels, for parameters that are vectors."""


@operator("qnn.dequantize", DequantizeAttrs, Fusion.ELEMWISE, level=11)
def dequantize(data: TensorType, input_scale: TensorType, input_zero_point: TensorType, attrs: DequantizeAttrs) -> Type:
    """Scale * (data - zero point); float16 results saturate at its largest finite number."""
    check_dtype(QUANTIZED, data=data)
    check_out_dtype(attrs.out_dtype, ("float16", "float32"))
    size = channels(data, attrs.axis)
    check_each(size, vectors=True, input_scale=input_scale, input_zero_point=input_zero_point)
    return TensorType(data.shape, attrs.out_dtype)


@dequantize.reference
def dequantize_numpy(data: Array, input_scale: Array, input_zero_point: Array, attrs: DequantizeAttrs) -> Array:
    shifted = data.astype(np.int32) - along(input_zero_point, data.ndim, attrs.axis)
    result = shifted.astype(np.float32) * along(input_scale, data.ndim, attrs.axis)
    if attrs.out_dtype == "float16":
        limit = np.float32(np.finfo(np.float16).max)
        return np.clip(result, -limit, limit).astype(np.float16)
    return result


@attrs("relay.attrs.RequantizeAttrs")
class RequantizeAttrs(Attrs):
    axis: int = -1
    """The axis of the channels, for input parameters that are vectors."""
    rounding: str = "None"
    """Where halves go: UPWARD, or TONEAREST, which is away from zero; UPWARD when None."""
    compute_dtype: str = "None"
    """What is computed in: int64 (fixed point), float32 or float64; int64 when None."""
    out_dtype: DType = VOID
    """The dtype of the result."""


@operator("qnn.requantize", RequantizeAttrs, Fusion.ELEMWISE, level=11)
def requantize(
    data: TensorType,
    input_scale: TensorType,
    input_zero_point: TensorType,
    output_scale: TensorType,
    output_zero_point: TensorType,
    attrs: RequantizeAttrs,
) -> Type:
    """Quantized values under another scale and zero point, rounded to nearest and saturated to ``out_dtype``."""
    check_dtype(("int8", "uint8", "int16", "int32", "int64"), data=data)
    check_out_dtype(attrs.out_dtype, ("int8", "uint8", "int16", "int32"))
    check_each(channels(data, attrs.axis), input_scale=input_scale, input_zero_point=input_zero_point)
    check_single(output_scale=output_scale, output_zero_point=output_zero_point)
    if attrs.rounding not in ("None", "UPWARD", "TONEAREST"):
        raise WrongArgument(f"rounding is {attrs.rounding!r}, but must be UPWARD, TONEAREST or None")
    if attrs.compute_dtype not in ("None", "int64", "float32", "float64"):
        raise WrongArgument(f"compute_dtype is {attrs.compute_dtype!r}, but must be int64, float32, float64 or None")
    return TensorType(data.shape, attrs.out_dtype)


@requantize.reference
def requantize_numpy(
    data: Array,
    input_scale: Array,
    input_zero_point: Array,
    output_scale: Array,
    output_zero_point: Array,
    attrs: RequantizeAttrs,
) -> Array:
    scale, zero_point = (along(given, data.ndim, attrs.axis) for given in (input_scale, input_zero_point))
    rounding = "TONEAREST" if attrs.rounding == "TONEAREST" else "UPWARD"
    if attrs.compute_dtype in ("None", "int64"):
        result = rescaled(data, scale, zero_point, output_scale, output_zero_point, rounding)
        return saturated(result, attrs.out_dtype)
    real = np.dtype(attrs.compute_dtype)
    factor = (scale.astype(np.float64) / output_scale.astype(np.float64)).astype(real)
    shifted = data.astype(real) - zero_point.astype(real)
    return saturated(in_real(shifted, factor, output_zero_point.astype(real), rounding), attrs.out_dtype)
