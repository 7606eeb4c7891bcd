"""Converters between real and quantized tensors, and of what a quantized tensor tells of itself."""

from __future__ import annotations

from collections.abc import Sequence

from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.quantized.values import FLOAT, INT, dequantized, number, parameter, quantized
from torchrelay.frontend.promote import Computed, Quantized
from torchrelay.frontend.registry import aten
from torchrelay.frontend.scales import quantized_dtype
from torchrelay.ir import Expr

__all__: list[str] = []


@aten("quantize_per_tensor.default", "quantize_per_tensor.tensor_qparams")
def quantize_per_tensor(
    self: Expr, scale: float | Computed | Expr, zero_point: int | Computed | Expr, dtype: str
) -> Quantized:
    """The tensor as integers under one scale and zero point."""
    return quantized(self, parameter(scale, FLOAT), parameter(zero_point, INT), quantized_dtype(dtype))


@aten("quantize_per_channel.default")
def quantize_per_channel(self: Expr, scales: Expr, zero_points: Expr, axis: int, dtype: str) -> Quantized:
    """The tensor as integers under a scale and zero point for each place along an axis."""
    if zero_points.dtype.is_float:
        raise UnsupportedProgram("zero points that are no integers")
    scale, zero = parameter(scales, FLOAT, vector=True), parameter(zero_points, INT, vector=True)
    return quantized(self, scale, zero, quantized_dtype(dtype), axis % self.tensor.rank)


@aten("dequantize.self")
def dequantize(self: Quantized | Expr) -> Expr:
    """The real numbers of a quantized tensor; any other one itself."""
    return dequantized(self) if isinstance(self, Quantized) else self


@aten("dequantize.tensors")
def dequantize_all(tensors: Sequence[Quantized | Expr]) -> tuple[Expr, ...]:
    """The real numbers of each quantized tensor."""
    return tuple([dequantize(tensor) for tensor in tensors])


@aten("int_repr.default")
def int_repr(self: Quantized) -> Expr:
    """The integers of a quantized tensor."""
    return self.expr


@aten("q_scale.default")
def q_scale(self: Quantized) -> float:
    """The scale of a quantized tensor."""
    return number(self.scale, "scale")


@aten("q_zero_point.default")
def q_zero_point(self: Quantized) -> int:
    """The zero point of a quantized tensor."""
    return int(number(self.zero_point, "zero point"))
