"""Converters of sums, products and concatenation of quantized tensors, and of functions of each element."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torchrelay import op
from torchrelay.frontend.aten.quantized.values import (
    FLOAT,
    INT,
    ZERO,
    clipped,
    dequantized,
    parameter,
    product,
    quantized,
    requantized,
)
from torchrelay.frontend.promote import Computed, Quantized
from torchrelay.frontend.registry import find_converter, torch_op
from torchrelay.ir import Expr, Tuple, const

__all__ = ["concatenated"]

PARTS = 4096
"""Of how many parts a quantum consists while quantized tensors are added."""

Scale = float | Computed
ZeroPoint = int | Computed


def _output(scale: Scale, zero_point: ZeroPoint) -> tuple[Expr, Expr]:
    return parameter(scale, FLOAT), parameter(zero_point, INT)


@torch_op("quantized::add.default")
def add(qa: Quantized, qb: Quantized, scale: float | Computed, zero_point: int | Computed) -> Quantized:
    """The sum of two quantized tensors."""
    output = _output(scale, zero_point)
    sides = (qa.scale, qa.zero_point, qb.scale, qb.zero_point)
    # torch rounds the sum once: here the sides are rounded to parts of a quantum, and the sum to whole ones.
    fine = product(output[0], const(1 / PARTS, FLOAT))
    left, right = (op.cast(side.expr, dtype=INT) for side in (qa, qb))
    return requantized(op.qnn.add(left, right, *sides, fine, ZERO), fine, -1, output, qa.expr.dtype)


@torch_op("quantized::add_relu.default")
def add_relu(qa: Quantized, qb: Quantized, scale: float | Computed, zero_point: int | Computed) -> Quantized:
    """The sum of two quantized tensors, and no less than 0."""
    return clipped(add(qa, qb, scale, zero_point), 0, None)


@torch_op("quantized::mul.default")
def mul(qa: Quantized, qb: Quantized, scale: float | Computed, zero_point: int | Computed) -> Quantized:
    """The product of two quantized tensors."""
    output = _output(scale, zero_point)
    sides = (qa.scale, qa.zero_point, qb.scale, qb.zero_point)
    return Quantized(op.qnn.mul(qa.expr, qb.expr, *sides, *output), *output)


@torch_op("quantized::mul_relu.default")
def mul_relu(qa: Quantized, qb: Quantized, scale: float | Computed, zero_point: int | Computed) -> Quantized:
    """The product of two quantized tensors, and no less than 0."""
    return clipped(mul(qa, qb, scale, zero_point), 0, None)


def concatenated(parts: Sequence[Quantized], dim: int, output: tuple[Expr, Expr]) -> Quantized:
    """Quantized tensors brought to one scale and zero point and joined."""
    made = op.qnn.concatenate(
        Tuple(tuple([part.expr for part in parts])),
        Tuple(tuple([part.scale for part in parts])),
        Tuple(tuple([part.zero_point for part in parts])),
        *output,
        axis=dim,
    )
    return Quantized(made, *output)


@torch_op("quantized::cat.default")
def cat(qx: Sequence[Quantized], dim: int, scale: float | Computed | None, zero_point: int | None) -> Quantized:
    """Quantized tensors joined, under the parameters of the first where none are given."""
    first = qx[0]
    if scale is None or zero_point is None:
        return concatenated(qx, dim, (first.scale, first.zero_point))
    return concatenated(qx, dim, _output(scale, zero_point))


@torch_op("quantized::cat_relu.default")
def cat_relu(qx: Sequence[Quantized], dim: int, scale: float | Computed | None, zero_point: int | None) -> Quantized:
    """Quantized tensors joined, and no less than 0."""
    return clipped(cat(qx, dim, scale, zero_point), 0, None)


@torch_op("quantized::hardswish.default")
def hardswish(input: Quantized, output_scale: float | Computed, output_zero_point: int | Computed) -> Quantized:
    """X * min(max(x + 3, 0), 6) / 6 of a quantized tensor."""
    output = _output(output_scale, output_zero_point)
    return Quantized(op.qnn.hardswish(input.expr, input.scale, input.zero_point, *output), *output)


@torch_op("quantized::sigmoid.default")
def sigmoid(qx: Quantized, output_scale: float | Computed, output_zero_point: int | Computed) -> Quantized:
    """The logistic function of a quantized tensor."""
    output = _output(output_scale, output_zero_point)
    return Quantized(op.qnn.sigmoid(qx.expr, qx.scale, qx.zero_point, *output), *output)


@torch_op("quantized::leaky_relu.default", ignore=("inplace",))
def leaky_relu(
    qx: Quantized, negative_slope: float, output_scale: float | Computed, output_zero_point: int | Computed
) -> Quantized:
    """The tensor, times a slope where it is negative."""
    return _through_real(
        "aten::leaky_relu.default", qx, output_scale, output_zero_point, {"negative_slope": negative_slope}
    )


@torch_op("quantized::elu.default")
def elu(
    self: Quantized,
    output_scale: float | Computed,
    output_zero_point: int | Computed,
    alpha: float = 1,
    scale: float = 1,
    input_scale: float = 1,
) -> Quantized:
    """The exponential linear unit of a quantized tensor."""
    options = {"alpha": alpha, "scale": scale, "input_scale": input_scale}
    return _through_real("aten::elu.default", self, output_scale, output_zero_point, options)


def _through_real(
    target: str, data: Quantized, scale: Scale, zero_point: ZeroPoint, options: Mapping[str, float]
) -> Quantized:
    """What the converter for real numbers makes of the data, under that scale and zero point."""
    converter = find_converter(target)
    assert converter is not None, "it is one of the converters"
    real = converter({"self": dequantized(data), **options})
    assert isinstance(real, Expr), "a function of a tensor"
    return quantized(real, *_output(scale, zero_point), data.expr.dtype)
