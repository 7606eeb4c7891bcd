"""tvm.relay's functions for quantized operators.

Written by ``python -m torchrelay.relay.stubs``.
"""

from collections.abc import Sequence

from torchrelay.ir import Call, Expr
from torchrelay.relay.functions import Made, TupleWrapper

__all__ = [
    "abs",
    "add",
    "avg_pool2d",
    "batch_matmul",
    "concatenate",
    "contrib_dense_pack",
    "conv2d",
    "conv2d_transpose",
    "dense",
    "dequantize",
    "erf",
    "exp",
    "hardswish",
    "leaky_relu",
    "log",
    "mul",
    "quantize",
    "requantize",
    "rsqrt",
    "sigmoid",
    "simulated_dequantize",
    "simulated_quantize",
    "softmax",
    "sqrt",
    "subtract",
    "tanh",
]
Operand = Expr | TupleWrapper | Sequence[Expr]

def abs(x: Operand, scale: Operand, zero_point: Operand, output_scale: Operand, output_zero_point: Operand) -> Made:
    """The absolute value of quantized numbers, quantized."""

def add(
    lhs: Operand,
    rhs: Operand,
    lhs_scale: Operand,
    lhs_zero_point: Operand,
    rhs_scale: Operand,
    rhs_zero_point: Operand,
    output_scale: Operand,
    output_zero_point: Operand,
    lhs_axis: int = -1,
    rhs_axis: int = -1,
) -> Made:
    """The sum of two quantized tensors, quantized."""

def avg_pool2d(
    data: Operand,
    input_scale: Operand,
    input_zero_point: Operand,
    output_scale: Operand,
    output_zero_point: Operand,
    pool_size: Sequence[int] | int,
    strides: Sequence[int] | int = (1, 1),
    dilation: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    layout: str = "NCHW",
    out_layout: str = "",
    ceil_mode: bool = False,
    count_include_pad: bool = False,
) -> Made:
    """The mean of each window of quantized numbers, rounded toward zero; padding that counts is the integer 0."""

def batch_matmul(
    x: Expr, y: Expr, x_zero_point: Expr, y_zero_point: Expr, x_scale: Expr, y_scale: Expr, out_dtype: str = "int32"
) -> Call:
    """Batches of matrices times the transposes of others, both quantized."""

def concatenate(
    data: Operand,
    input_scales: Operand,
    input_zero_points: Operand,
    output_scale: Operand,
    output_zero_point: Operand,
    axis: int,
) -> Made:
    """Quantized tensors brought to one scale and zero point and joined along an axis."""

def contrib_dense_pack(
    data: Operand,
    weight: Operand,
    input_zero_point: Operand,
    kernel_zero_point: Operand,
    input_scale: Operand,
    kernel_scale: Operand,
    kernel_layout: str = "NC",
    units: int | None = None,
    out_dtype: str = "int32",
) -> Made:
    """``qnn.dense`` with a weight in blocks: (units / n, k / c, n, c), the layout ``NC16n4c`` for n = 16, c = 4."""

def conv2d(
    data: Operand,
    kernel: Operand,
    input_zero_point: Operand,
    kernel_zero_point: Operand,
    input_scale: Operand,
    kernel_scale: Operand,
    kernel_size: Sequence[int] | int | None,
    channels: int | None,
    strides: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    dilation: Sequence[int] | int = (1, 1),
    groups: int = 1,
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: str = "int32",
) -> Made:
    """The convolution of data and weight without their zero points; its scale is the product of their scales.

    Padding stands for the real number 0. Weight zero points may be one for each row of the weight, weight scales one for
    each output channel.
    """

def conv2d_transpose(
    data: Operand,
    weight: Operand,
    input_zero_point: Operand,
    kernel_zero_point: Operand,
    input_scale: Operand,
    kernel_scale: Operand,
    strides: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    dilation: Sequence[int] | int = (1, 1),
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Sequence[int] | int | None = None,
    data_layout: str = "NCHW",
    kernel_layout: str = "IOHW",
    out_layout: str = "",
    output_padding: Sequence[int] | int = (0, 0),
    out_dtype: str = "int32",
) -> Made:
    """The transposed convolution of data and weight without their zero points; its scale is the product of their scales.

    Weight zero points may be one for each output of a group, weight scales one for each output channel.
    """

def dense(
    data: Operand,
    weight: Operand,
    input_zero_point: Operand,
    kernel_zero_point: Operand,
    input_scale: Operand,
    kernel_scale: Operand,
    units: int | None,
    out_dtype: str = "int32",
) -> Made:
    """Data (..., k) times the transpose of weight (units, k), without their zero points.

    Its scale is the product of their scales. Weight scales and zero points may be one for each unit.
    """

def dequantize(
    data: Operand, input_scale: Operand, input_zero_point: Operand, axis: int = -1, out_dtype: str = "float32"
) -> Made:
    """Scale * (data - zero point); float16 results saturate at its largest finite number."""

def erf(x: Operand, scale: Operand, zero_point: Operand, output_scale: Operand, output_zero_point: Operand) -> Made:
    """The error function of quantized numbers, quantized."""

def exp(x: Operand, scale: Operand, zero_point: Operand, output_scale: Operand, output_zero_point: Operand) -> Made:
    """The exponential of quantized numbers, quantized."""

def hardswish(
    x: Operand, scale: Operand, zero_point: Operand, output_scale: Operand, output_zero_point: Operand
) -> Made:
    """X * min(max(x + 3, 0), 6) / 6 of quantized numbers, quantized."""

def leaky_relu(
    data: Operand,
    input_scale: Operand,
    input_zero_point: Operand,
    output_scale: Operand,
    output_zero_point: Operand,
    alpha: float = 0.25,
) -> Made:
    """Quantized numbers under the output's parameters, times ``alpha`` where they are negative."""

def log(x: Operand, scale: Operand, zero_point: Operand, output_scale: Operand, output_zero_point: Operand) -> Made:
    """The natural logarithm of quantized numbers, quantized."""

def mul(
    lhs: Operand,
    rhs: Operand,
    lhs_scale: Operand,
    lhs_zero_point: Operand,
    rhs_scale: Operand,
    rhs_zero_point: Operand,
    output_scale: Operand,
    output_zero_point: Operand,
    lhs_axis: int = -1,
    rhs_axis: int = -1,
) -> Made:
    """The product of two quantized tensors, quantized."""

def quantize(
    data: Operand, output_scale: Operand, output_zero_point: Operand, axis: int = -1, out_dtype: str = "int8"
) -> Made:
    """round(data / scale) + zero point, halves away from zero, saturated to ``out_dtype``."""

def requantize(
    data: Operand,
    input_scale: Operand,
    input_zero_point: Operand,
    output_scale: Operand,
    output_zero_point: Operand,
    axis: int = -1,
    rounding: str = "None",
    compute_dtype: str = "None",
    out_dtype: str = "int8",
) -> Made:
    """Quantized values under another scale and zero point, rounded to nearest and saturated to ``out_dtype``."""

def rsqrt(x: Operand, scale: Operand, zero_point: Operand, output_scale: Operand, output_zero_point: Operand) -> Made:
    """One by the square root of quantized numbers, quantized."""

def sigmoid(x: Operand, scale: Operand, zero_point: Operand, output_scale: Operand, output_zero_point: Operand) -> Made:
    """The logistic function of quantized numbers, quantized."""

def simulated_dequantize(
    data: Expr, input_scale: Expr, input_zero_point: Expr, axis: int = -1, in_dtype: str | Expr = "int8"
) -> Call:
    """The inverse of ``simulated_quantize``, in float."""

def simulated_quantize(
    data: Expr, output_scale: Expr, output_zero_point: Expr, axis: int = -1, out_dtype: str | Expr = "int8"
) -> Call:
    """The data rounded as quantization would, in float."""

def softmax(
    data: Operand,
    scale: Operand,
    zero_point: Operand,
    output_scale: Operand,
    output_zero_point: Operand,
    axis: int = -1,
) -> Made:
    """Softmax of int8 along ``axis`` in integers alone: powers of two with linear steps between; ``scale`` is 1 at most."""

def sqrt(x: Operand, scale: Operand, zero_point: Operand, output_scale: Operand, output_zero_point: Operand) -> Made:
    """The square root of quantized numbers, quantized."""

def subtract(
    lhs: Operand,
    rhs: Operand,
    lhs_scale: Operand,
    lhs_zero_point: Operand,
    rhs_scale: Operand,
    rhs_zero_point: Operand,
    output_scale: Operand,
    output_zero_point: Operand,
    lhs_axis: int = -1,
    rhs_axis: int = -1,
) -> Made:
    """The difference of two quantized tensors, quantized."""

def tanh(x: Operand, scale: Operand, zero_point: Operand, output_scale: Operand, output_zero_point: Operand) -> Made:
    """The hyperbolic tangent of quantized numbers, quantized."""
