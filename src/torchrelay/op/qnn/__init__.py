"""The operators under ``qnn.``: quantized tensors, each with a scale and a zero point as inputs beside it."""

from torchrelay.op.qnn.arithmetic import add, concatenate, mul, subtract
from torchrelay.op.qnn.conv import conv2d, conv2d_transpose
from torchrelay.op.qnn.dense import batch_matmul, contrib_dense_pack, dense
from torchrelay.op.qnn.elementwise import (
    abs,
    erf,
    exp,
    hardswish,
    leaky_relu,
    log,
    rsqrt,
    sigmoid,
    softmax,
    sqrt,
    tanh,
)
from torchrelay.op.qnn.pool import avg_pool2d
from torchrelay.op.qnn.quantize import dequantize, quantize, requantize
from torchrelay.op.qnn.simulated import simulated_dequantize, simulated_quantize

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
