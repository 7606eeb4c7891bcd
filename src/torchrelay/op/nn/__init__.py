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
from torchrelay.op.nn.bitserial import bitpack, bitserial_conv2d, bitserial_dense
from torchrelay.op.nn.buffer import fifo_buffer
from torchrelay.op.nn.conv import conv1d, conv2d, conv3d
from torchrelay.op.nn.conv_blocked import (
    contrib_conv2d_gemm_weight_transform,
    contrib_conv2d_gemm_without_weight_transform,
    contrib_conv2d_NCHWc,
    contrib_depthwise_conv2d_NCHWc,
)
from torchrelay.op.nn.conv_grad import conv2d_backward_weight
from torchrelay.op.nn.conv_transpose import conv1d_transpose, conv2d_transpose, conv3d_transpose
from torchrelay.op.nn.deformable import correlation, deformable_conv2d
from torchrelay.op.nn.dense import batch_matmul, bias_add, contrib_dense_pack, dense, matmul
from torchrelay.op.nn.loss import cross_entropy, cross_entropy_with_logits, nll_loss
from torchrelay.op.nn.norm import batch_norm, group_norm, instance_norm, l2_normalize, layer_norm, lrn
from torchrelay.op.nn.pad import batch_flatten, dilate, mirror_pad, pad
from torchrelay.op.nn.pool import avg_pool1d, avg_pool2d, avg_pool3d, max_pool1d, max_pool2d, max_pool3d
from torchrelay.op.nn.pool_grad import avg_pool2d_grad, max_pool2d_grad
from torchrelay.op.nn.space import batch_to_space_nd, depth_to_space, space_to_batch_nd, space_to_depth
from torchrelay.op.nn.sparse import sparse_add, sparse_conv2d, sparse_dense, sparse_transpose
from torchrelay.op.nn.upsampling import upsampling, upsampling3d
from torchrelay.op.nn.winograd import (
    contrib_conv2d_winograd_nnpack_weight_transform,
    contrib_conv2d_winograd_weight_transform,
    contrib_conv2d_winograd_without_weight_transform,
    contrib_conv3d_winograd_weight_transform,
    contrib_conv3d_winograd_without_weight_transform,
)

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool2d_grad",
    "avg_pool3d",
    "batch_flatten",
    "batch_matmul",
    "batch_norm",
    "batch_to_space_nd",
    "bias_add",
    "bitpack",
    "bitserial_conv2d",
    "bitserial_dense",
    "contrib_conv2d_NCHWc",
    "contrib_conv2d_gemm_weight_transform",
    "contrib_conv2d_gemm_without_weight_transform",
    "contrib_conv2d_winograd_nnpack_weight_transform",
    "contrib_conv2d_winograd_weight_transform",
    "contrib_conv2d_winograd_without_weight_transform",
    "contrib_conv3d_winograd_weight_transform",
    "contrib_conv3d_winograd_without_weight_transform",
    "contrib_dense_pack",
    "contrib_depthwise_conv2d_NCHWc",
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_backward_weight",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "correlation",
    "cross_entropy",
    "cross_entropy_with_logits",
    "deformable_conv2d",
    "dense",
    "depth_to_space",
    "dilate",
    "dropout",
    "fast_softmax",
    "fifo_buffer",
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
    "max_pool2d_grad",
    "max_pool3d",
    "mirror_pad",
    "nll_loss",
    "pad",
    "prelu",
    "relu",
    "softmax",
    "space_to_batch_nd",
    "space_to_depth",
    "sparse_add",
    "sparse_conv2d",
    "sparse_dense",
    "sparse_transpose",
    "upsampling",
    "upsampling3d",
]
