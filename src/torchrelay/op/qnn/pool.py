"""Pools of quantized tensors."""

from __future__ import annotations

from typing import cast

from torchrelay.ir import DType, Fusion, TensorType, Type, operator
from torchrelay.op._numpy import Array
from torchrelay.op.nn.pool import AvgPool2DAttrs, avg_pool2d as plain_avg_pool2d
from torchrelay.op.qnn._scales import BYTES, check_dtype, check_single, rescaled, saturated

__all__ = ["avg_pool2d"]


@operator("qnn.avg_pool2d", AvgPool2DAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=11)
def avg_pool2d(
    data: TensorType,
    input_scale: TensorType,
    input_zero_point: TensorType,
    output_scale: TensorType,
    output_zero_point: TensorType,
    attrs: AvgPool2DAttrs,
) -> Type:
    """The mean of each window of quantized numbers, rounded toward zero; padding that counts is the integer 0."""
    check_dtype(BYTES, data=data)
    check_single(input_scale=input_scale, input_zero_point=input_zero_point)
    check_single(output_scale=output_scale, output_zero_point=output_zero_point)
    return plain_avg_pool2d.relation(data, attrs)


@avg_pool2d.reference
def avg_pool2d_numpy(
    data: Array,
    input_scale: Array,
    input_zero_point: Array,
    output_scale: Array,
    output_zero_point: Array,
    attrs: AvgPool2DAttrs,
) -> Array:
    moved = rescaled(data, input_scale, input_zero_point, output_scale, output_zero_point)
    pooled = cast("Array", plain_avg_pool2d.meaning(moved, attrs))
    return saturated(pooled, DType.of(data.dtype))
