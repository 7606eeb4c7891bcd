"""The operators under ``nn.``: layers of networks."""

from torchrelay.op.nn.activation import dropout, fast_softmax, leaky_relu, log_softmax, prelu, relu, softmax
from torchrelay.op.nn.adaptive_pool import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
    global_avg_pool2d,
    global_max_pool2d,
)
from torchrelay.op.nn.conv import conv1d, conv2d, conv3d
from torchrelay.op.nn.conv_transpose import conv1d_transpose, conv2d_transpose, conv3d_transpose
from torchrelay.op.nn.dense import batch_matmul, bias_add, dense, matmul
from torchrelay.op.nn.norm import batch_norm, group_norm, instance_norm, l2_normalize, layer_norm, lrn
from torchrelay.op.nn.pad import batch_flatten, depth_to_space, dilate, mirror_pad, pad, space_to_depth
from torchrelay.op.nn.pool import avg_pool1d, avg_pool2d, avg_pool3d, max_pool1d, max_pool2d, max_pool3d
from torchrelay.op.nn.upsampling import upsampling, upsampling3d

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_flatten",
    "batch_matmul",
    "batch_norm",
    "bias_add",
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "dense",
    "depth_to_space",
    "dilate",
    "dropout",
    "fast_softmax",
    "global_avg_pool2d",
    "global_max_pool2d",
    "group_norm",
    "instance_norm",
    "l2_normalize",
    "layer_norm",
    "leaky_relu",
    "log_softmax",
    "lrn",
    "matmul",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "mirror_pad",
    "pad",
    "prelu",
    "relu",
    "softmax",
    "space_to_depth",
    "upsampling",
    "upsampling3d",
]
