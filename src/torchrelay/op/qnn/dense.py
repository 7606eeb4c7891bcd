"""Products of quantized matrices: exact integer sums, to be scaled by ``qnn.requantize``."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Fusion, TensorType, Type, operator, shapes
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array
from torchrelay.op.nn.dense import (
    BatchMatmulAttrs,
    DenseAttrs,
    DensePackAttrs,
    batch_matmul as plain_batch_matmul,
    dense as plain_dense,
)
from torchrelay.op.qnn._scales import BYTES, along, check_dtype, check_each, check_out_dtype, check_single

__all__ = ["batch_matmul", "contrib_dense_pack", "dense"]

DATA = ("int8", "uint8", "int16", "uint16")


@operator("qnn.dense", DenseAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=11)
def dense(
    data: TensorType,
    weight: TensorType,
    input_zero_point: TensorType,
    weight_zero_point: TensorType,
    input_scale: TensorType,
    weight_scale: TensorType,
    attrs: DenseAttrs,
) -> Type:
    """Data (..., k) times the transpose of weight (units, k), without their zero points.

    Its scale is the product of their scales. Weight scales and zero points may be one for each unit.
    """
    check_dtype(DATA, data=data)
    check_dtype(BYTES, weight=weight)
    check_out_dtype(attrs.out_dtype, ("int32", "int64"))
    check_single(input_scale=input_scale, input_zero_point=input_zero_point)
    result = plain_dense.relation(data, weight, attrs)
    check_each(weight.shape[0], weight_scale=weight_scale, weight_zero_point=weight_zero_point)
    return result


@dense.reference
def dense_numpy(
    data: Array,
    weight: Array,
    input_zero_point: Array,
    weight_zero_point: Array,
    input_scale: Array,
    weight_scale: Array,
    attrs: DenseAttrs,
) -> object:
    shifted = data.astype(np.int32) - input_zero_point
    return plain_dense.meaning(shifted, weight.astype(np.int32) - along(weight_zero_point, 2, 0), attrs)


@operator("qnn.contrib_dense_pack", DensePackAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=11)
def contrib_dense_pack(
    data: TensorType,
    weight: TensorType,
    input_zero_point: TensorType,
    weight_zero_point: TensorType,
    input_scale: TensorType,
    weight_scale: TensorType,
    attrs: DensePackAttrs,
) -> Type:
    """``qnn.dense`` with a weight in blocks: (units / n, k / c, n, c), the layout ``NC16n4c`` for n = 16, c = 4."""
    if data.rank != 2 or weight.rank != 4:
        raise TypeMismatch(
            f"data (m, k) and weight (units / n, k / c, n, c) are needed, not ranks {data.rank} and {weight.rank}"
        )
    blocks = [(letter, block) for letter, block in Layout.parse(attrs.weight_layout).axes]
    if attrs.weight_layout != "NC" and [letter for letter, _ in blocks] != ["N", "C", "n", "c"]:
        raise WrongArgument(f"weight_layout is {attrs.weight_layout!r}, but must be NC with blocks, such as NC16n4c")
    for (letter, block), size in zip(blocks[2:], weight.shape[2:], strict=False):
        if not shapes.dims_fit(block, size):
            raise TypeMismatch(f"weight_layout has blocks of {block} along {letter.upper()}, but the weight of {size}")
    rows, depth, row, column = weight.shape
    plain = TensorType((shapes.multiply(rows, row), shapes.multiply(depth, column)), weight.dtype)
    return dense.relation(data, plain, input_zero_point, weight_zero_point, input_scale, weight_scale, attrs)


@contrib_dense_pack.reference
def contrib_dense_pack_numpy(
    data: Array,
    weight: Array,
    input_zero_point: Array,
    weight_zero_point: Array,
    input_scale: Array,
    weight_scale: Array,
    attrs: DensePackAttrs,
) -> object:
    rows, depth, row, column = weight.shape
    plain = weight.transpose(0, 2, 1, 3).reshape(rows * row, depth * column)
    return dense.meaning(data, plain, input_zero_point, weight_zero_point, input_scale, weight_scale, attrs)


@operator("qnn.batch_matmul", BatchMatmulAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=11)
def batch_matmul(
    x: TensorType,
    y: TensorType,
    x_zero_point: TensorType,
    y_zero_point: TensorType,
    x_scale: TensorType,
    y_scale: TensorType,
    attrs: BatchMatmulAttrs,
) -> Type:
    """The products of two stacks of matrices without their zero points; its scale is the product of their scales."""
    check_dtype(BYTES, x=x, y=y)
    check_out_dtype(attrs.out_dtype, ("int32",))
    check_single(x_scale=x_scale, x_zero_point=x_zero_point, y_scale=y_scale, y_zero_point=y_zero_point)
    return plain_batch_matmul.relation(x, y, attrs)


@batch_matmul.reference
def batch_matmul_numpy(
    x: Array,
    y: Array,
    x_zero_point: Array,
    y_zero_point: Array,
    x_scale: Array,
    y_scale: Array,
    attrs: BatchMatmulAttrs,
) -> object:
    return plain_batch_matmul.meaning(x.astype(np.int32) - x_zero_point, y.astype(np.int32) - y_zero_point, attrs)
