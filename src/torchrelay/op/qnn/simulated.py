"""Quantization in floating point: the numbers that quantized values would have, in a dtype known only when run."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Fusion, TensorType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array, round_half_away
from torchrelay.op._relations import check_integers
from torchrelay.op.qnn._scales import along, channels, check_dtype, check_each
from torchrelay.op.qnn.quantize import DequantizeAttrs

__all__ = ["simulated_dequantize", "simulated_quantize"]

DISABLED = 0
CODES = {1: np.int8, 2: np.uint8, 3: np.int32}
"""What the dtypes are called in programs; 0 leaves the data as it is."""


def _check_code(name: str, code: TensorType) -> None:
    check_integers(**{name: code})
    if code.rank > 1 or (code.rank == 1 and not shapes.dims_fit(code.shape[0], 1)):
        raise TypeMismatch(f"{name} must be one number, not of shape {code.shape}")


def _code(name: str, given: Array) -> int:
    code = int(given.reshape(()))
    if code != DISABLED and code not in CODES:
        raise WrongArgument(f"{name} is {code}, but must be 0 (none), 1 (int8), 2 (uint8) or 3 (int32)")
    return code


@attrs("relay.attrs.SimulatedQuantizeAttrs")
class SimulatedQuantizeAttrs(Attrs):
    axis: int = -1
    """The axis of the channels, for parameters that are vectors."""


@operator("qnn.simulated_quantize", SimulatedQuantizeAttrs, Fusion.ELEMWISE, level=11)
def simulated_quantize(
    data: TensorType,
    out_dtype: TensorType,
    output_scale: TensorType,
    output_zero_point: TensorType,
    attrs: SimulatedQuantizeAttrs,
) -> Type:
    """The quantized values as floats; ``out_dtype`` is 0 (the data stays), 1 (int8), 2 (uint8) or 3 (int32)."""
    check_dtype(("float32",), data=data)
    _check_code("out_dtype", out_dtype)
    size = channels(data, attrs.axis)
    check_each(size, vectors=True, output_scale=output_scale, output_zero_point=output_zero_point)
    return data


@simulated_quantize.reference
def simulated_quantize_numpy(
    data: Array, out_dtype: Array, output_scale: Array, output_zero_point: Array, attrs: SimulatedQuantizeAttrs
) -> Array:
    code = _code("out_dtype", out_dtype)
    if code == DISABLED:
        return data
    limits = np.iinfo(CODES[code])
    whole = round_half_away(data / along(output_scale, data.ndim, attrs.axis))
    moved = whole + along(output_zero_point, data.ndim, attrs.axis).astype(np.float32)
    return np.clip(moved, np.float32(limits.min), np.float32(limits.max))


@operator("qnn.simulated_dequantize", DequantizeAttrs, Fusion.ELEMWISE, level=11)
def simulated_dequantize(
    data: TensorType,
    in_dtype: TensorType,
    input_scale: TensorType,
    input_zero_point: TensorType,
    attrs: DequantizeAttrs,
) -> Type:
    """Scale * (data - zero point) for quantized values held as floats; the data itself where ``in_dtype`` is 0."""
    check_dtype(("float32",), data=data)
    _check_code("in_dtype", in_dtype)
    size = channels(data, attrs.axis)
    check_each(size, vectors=True, input_scale=input_scale, input_zero_point=input_zero_point)
    return data


@simulated_dequantize.reference
def simulated_dequantize_numpy(
    data: Array, in_dtype: Array, input_scale: Array, input_zero_point: Array, attrs: DequantizeAttrs
) -> Array:
    if _code("in_dtype", in_dtype) == DISABLED:
        return data
    shifted = data - along(input_zero_point, data.ndim, attrs.axis).astype(np.float32)
    return shifted * along(input_scale, data.ndim, attrs.axis)
