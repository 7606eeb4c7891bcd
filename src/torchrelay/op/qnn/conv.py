"""Convolutions of quantized tensors: exact integer sums, to be scaled by ``qnn.requantize``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

import numpy as np

from torchrelay.errors import WrongArgument
from torchrelay.ir import Arg, Fusion, Operator, TensorType, Type, operator
from torchrelay.op._layout import DATA, Layout
from torchrelay.op._numpy import Array
from torchrelay.op.nn.conv import Conv2DAttrs, conv2d as plain_conv2d
from torchrelay.op.nn.conv_transpose import Conv2DTransposeAttrs, conv2d_transpose as plain_conv2d_transpose
from torchrelay.op.qnn._scales import along, check_dtype, check_each, check_out_dtype, check_single

__all__ = ["conv2d", "conv2d_transpose"]

P = ParamSpec("P")
ConvAttrs = Conv2DAttrs | Conv2DTransposeAttrs
Conv = Operator[Concatenate[Arg, Arg, Arg, Arg, Arg, Arg, P]]


def _output_axis(attrs: ConvAttrs) -> int:
    """The axis of the weight along which its zero points are given. Raises WrongArgument for one cut into blocks."""
    layout = Layout.parse(attrs.kernel_layout)
    if not layout.plain:
        raise WrongArgument(f"kernel_layout is {layout.text!r}, but must have no blocks")
    return [letter for letter, _ in layout.axes].index("O")


def _convolution(
    plain: Operator[...],
    record: Callable[P, ConvAttrs],
    fusion: Fusion | None,
    weights: tuple[str, ...],
    doc: str,
) -> Conv[P]:
    def relation(
        data: TensorType,
        weight: TensorType,
        input_zero_point: TensorType,
        weight_zero_point: TensorType,
        input_scale: TensorType,
        weight_scale: TensorType,
        attrs: ConvAttrs,
    ) -> Type:
        check_dtype(("int8", "uint8", "int16"), data=data)
        check_dtype(weights, weight=weight)
        check_out_dtype(attrs.out_dtype, ("int16", "int32", "int64"))
        check_single(vectors=True, input_scale=input_scale, input_zero_point=input_zero_point)
        result = plain.relation(data, weight, attrs)
        assert isinstance(result, TensorType)
        layout = Layout.parse(attrs.out_layout or attrs.data_layout)
        check_each(layout.to(DATA[2], result.shape)[1], weight_scale=weight_scale)
        check_each(weight.shape[_output_axis(attrs)], weight_zero_point=weight_zero_point)
        return result

    def meaning(
        data: Array,
        weight: Array,
        input_zero_point: Array,
        weight_zero_point: Array,
        input_scale: Array,
        weight_scale: Array,
        attrs: ConvAttrs,
    ) -> object:
        shifted = data.astype(np.int32) - along(input_zero_point, data.ndim, 0)
        kernel = weight.astype(np.int32) - along(weight_zero_point, weight.ndim, _output_axis(attrs))
        return plain.meaning(shifted, kernel, attrs)

    relation.__doc__ = doc
    made = operator(plain.name.replace("nn.", "qnn."), record, fusion, level=11)(relation)
    made.reference(meaning)
    return made


conv2d = _convolution(
    plain_conv2d,
    Conv2DAttrs,
    Fusion.OUT_ELEMWISE_FUSABLE,
    ("int8", "uint8", "int16"),
    """The convolution of data and weight without their zero points; its scale is the product of their scales.

    Padding stands for the real number 0. Weight zero points may be one for each row of the weight, weight scales one for
    each output channel.
    """,
)
conv2d_transpose = _convolution(
    plain_conv2d_transpose,
    Conv2DTransposeAttrs,
    None,
    ("int8", "uint8"),
    """The transposed convolution of data and weight without their zero points; its scale is the product of their scales.

    Weight zero points may be one for each output of a group, weight scales one for each output channel.
    """,
)
