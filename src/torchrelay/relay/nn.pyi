"""tvm.relay's functions for the operators of neural networks.

Written by ``python -m torchrelay.relay.stubs``.
"""

from collections.abc import Sequence

from torchrelay.ir import Call, Expr
from torchrelay.relay.functions import Made, TupleWrapper

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
    "contrib_conv2d_gemm_weight_transform",
    "contrib_conv2d_gemm_without_weight_transform",
    "contrib_conv2d_nchwc",
    "contrib_conv2d_winograd_nnpack_weight_transform",
    "contrib_conv2d_winograd_weight_transform",
    "contrib_conv2d_winograd_without_weight_transform",
    "contrib_conv3d_winograd_weight_transform",
    "contrib_conv3d_winograd_without_weight_transform",
    "contrib_dense_pack",
    "contrib_depthwise_conv2d_nchwc",
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
    "dropout_raw",
    "fast_softmax",
    "fifo_buffer",
    "global_avg_pool1d",
    "global_avg_pool2d",
    "global_avg_pool3d",
    "global_max_pool1d",
    "global_max_pool2d",
    "global_max_pool3d",
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
Operand = Expr | TupleWrapper | Sequence[Expr]

def adaptive_avg_pool1d(
    data: Operand, output_size: Sequence[int] | int | None = None, layout: str = "NCW", out_layout: str = ""
) -> Made:
    """The mean of windows that split each spatial axis into a given number."""

def adaptive_avg_pool2d(
    data: Operand, output_size: Sequence[int] | int | None = None, layout: str = "NCHW", out_layout: str = ""
) -> Made:
    """The mean of windows that split each spatial axis into a given number."""

def adaptive_avg_pool3d(
    data: Operand, output_size: Sequence[int] | int | None = None, layout: str = "NCDHW", out_layout: str = ""
) -> Made:
    """The mean of windows that split each spatial axis into a given number."""

def adaptive_max_pool1d(
    data: Operand, output_size: Sequence[int] | int | None = None, layout: str = "NCW", out_layout: str = ""
) -> Made:
    """The largest element of windows that split each spatial axis into a given number."""

def adaptive_max_pool2d(
    data: Operand, output_size: Sequence[int] | int | None = None, layout: str = "NCHW", out_layout: str = ""
) -> Made:
    """The largest element of windows that split each spatial axis into a given number."""

def adaptive_max_pool3d(
    data: Operand, output_size: Sequence[int] | int | None = None, layout: str = "NCDHW", out_layout: str = ""
) -> Made:
    """The largest element of windows that split each spatial axis into a given number."""

def avg_pool1d(
    data: Operand,
    pool_size: Sequence[int] | int = (1,),
    strides: Sequence[int] | int = (1,),
    dilation: Sequence[int] | int = (1,),
    padding: Sequence[int] | int = (0,),
    layout: str = "NCW",
    out_layout: str = "",
    ceil_mode: bool = False,
    count_include_pad: bool = False,
) -> Made:
    """The mean of a window over width."""

def avg_pool2d(
    data: Operand,
    pool_size: Sequence[int] | int = (1, 1),
    strides: Sequence[int] | int = (1, 1),
    dilation: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    layout: str = "NCHW",
    out_layout: str = "",
    ceil_mode: bool = False,
    count_include_pad: bool = False,
) -> Made:
    """The mean of a window over height and width."""

def avg_pool2d_grad(
    out_grad: Operand,
    data: Operand,
    pool_size: Sequence[int] | int = (1, 1),
    strides: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    layout: str = "NCHW",
    out_layout: str = "",
    ceil_mode: bool = False,
    count_include_pad: bool = False,
) -> Made:
    """The gradient of an average pool's data (the second input) from that of its result (the first one).

    Each window gives its gradient to its elements in equal parts.
    """

def avg_pool3d(
    data: Operand,
    pool_size: Sequence[int] | int = (1, 1, 1),
    strides: Sequence[int] | int = (1, 1, 1),
    dilation: Sequence[int] | int = (1, 1, 1),
    padding: Sequence[int] | int = (0, 0, 0),
    layout: str = "NCDHW",
    out_layout: str = "",
    ceil_mode: bool = False,
    count_include_pad: bool = False,
) -> Made:
    """The mean of a window over depth, height and width."""

def batch_flatten(data: Operand) -> Made:
    """All axes but the first in one."""

def batch_matmul(
    tensor_a: Operand, tensor_b: Operand, out_dtype: str = "", transpose_a: bool = False, transpose_b: bool = True
) -> Made:
    """The products of the matrices of (batch, m, k) and (batch, k, n); a batch of 1 serves all."""

def batch_norm(
    data: Operand,
    gamma: Operand,
    beta: Operand,
    moving_mean: Operand,
    moving_var: Operand,
    axis: int = 1,
    epsilon: float = 1e-05,
    center: bool = True,
    scale: bool = True,
) -> Made:
    """The data with each channel's moving mean and variance made 0 and 1, scaled and shifted; and these two again."""

def batch_to_space_nd(data: Operand, block_shape: Sequence[int] | int, crops: Sequence[Sequence[int] | int]) -> Made:
    """The data with parts of the batch made places of blocks, and with something taken off its ends.

    Parts at the end of the batch that make no whole block are dropped.
    """

def bias_add(data: Operand, bias: Operand, axis: int = 1) -> Made:
    """The data plus a vector along an axis."""

def bitpack(
    data: Operand,
    bits: int = 1,
    pack_axis: int = 1,
    bit_axis: int = 2,
    pack_type: str = "uint32",
    name: str = "BitPack",
) -> Made:
    """The bits of integers in words: one word for each bit of as many elements as a word has bits, the first highest."""

def bitserial_conv2d(
    data: Operand,
    weight: Operand,
    strides: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    channels: int | None = None,
    kernel_size: Sequence[int] | int = (3, 3),
    activation_bits: int = 1,
    weight_bits: int = 1,
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    pack_dtype: str = "uint32",
    out_dtype: str = "int16",
    unipolar: bool = True,
) -> Made:
    """The two-dimensional convolution of integers of a few bits."""

def bitserial_dense(
    data: Operand,
    weight: Operand,
    units: int | None = None,
    data_bits: int = 1,
    weight_bits: int = 1,
    pack_dtype: str = "uint32",
    out_dtype: str = "int16",
    unipolar: bool = True,
) -> Made:
    """Data (..., k) times the transpose of weight (units, k), integers of a few bits."""

def contrib_conv2d_gemm_weight_transform(weights: Operand, tile_N: int, tile_K: int, kernel_layout: object) -> Made:
    """A weight HWIO as a matrix of taps and output channels in tiles: (N / tile_N, K / tile_K, tile_K, tile_N).

    For 8-bit integers each tile is transposed.
    """

def contrib_conv2d_gemm_without_weight_transform(
    data: Operand,
    weight: Operand,
    strides: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    dilation: Sequence[int] | int = (1, 1),
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Sequence[int] | int | None = None,
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: str = "",
) -> Made:
    """The two-dimensional convolution of data NHWC with a weight in tiles."""

def contrib_conv2d_nchwc(
    data: Operand,
    kernel: Operand,
    strides: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    dilation: Sequence[int] | int = (1, 1),
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Sequence[int] | int | None = None,
    data_layout: str = "NCHW8c",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: str = "",
) -> Made:
    """The two-dimensional convolution of data in blocks of channels."""

def contrib_conv2d_winograd_nnpack_weight_transform(
    weight: Operand, convolution_algorithm: int, out_dtype: str = ""
) -> Made:
    """A weight OIHW of 3 x 3 kernels with its kernels at the points of NNPACK's tiles: (O, I, 8, 8)."""

def contrib_conv2d_winograd_weight_transform(weight: Operand, tile_size: int) -> Made:
    """A weight OIHW with its kernels at the points of tiles: (tile + H - 1, tile + W - 1, O, I)."""

def contrib_conv2d_winograd_without_weight_transform(
    data: Operand,
    weight: Operand,
    tile_size: int,
    strides: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    dilation: Sequence[int] | int = (1, 1),
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Sequence[int] | int | None = None,
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: str = "",
) -> Made:
    """The two-dimensional convolution with a transformed weight (tile + H - 1, tile + W - 1, I, O)."""

def contrib_conv3d_winograd_weight_transform(weight: Operand, tile_size: int) -> Made:
    """A weight OIDHW with its kernels at the points of tiles: (tile + D - 1, tile + H - 1, tile + W - 1, O, I).

    Kernels of a depth below 3 or above 7 are as many of two dimensions: (tile + H - 1, tile + W - 1, D, O, I).
    """

def contrib_conv3d_winograd_without_weight_transform(
    data: Operand,
    weight: Operand,
    tile_size: int,
    strides: Sequence[int] | int = (1, 1, 1),
    padding: Sequence[int] | int = (0, 0, 0),
    dilation: Sequence[int] | int = (1, 1, 1),
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Sequence[int] | int | None = None,
    data_layout: str = "NCDHW",
    kernel_layout: str = "OIDHW",
    out_layout: str = "",
    out_dtype: str = "",
) -> Made:
    """The three-dimensional convolution with a transformed weight (*tile, I, O)."""

def contrib_dense_pack(
    data: Operand, weight: Operand, weight_layout: str = "NC", units: int | None = None, out_dtype: str = ""
) -> Made:
    """Data (m, k) times the transpose of a weight whose rows are cut into blocks: (units / block, k, block)."""

def contrib_depthwise_conv2d_nchwc(
    data: Operand,
    kernel: Operand,
    strides: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    dilation: Sequence[int] | int = (1, 1),
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Sequence[int] | int | None = None,
    data_layout: str = "NCHW8c",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: str = "",
) -> Made:
    """The two-dimensional convolution of data in blocks of channels, each channel on its own."""

def conv1d(
    data: Operand,
    weight: Operand,
    strides: Sequence[int] | int = 1,
    padding: Sequence[int] | int = 0,
    dilation: Sequence[int] | int = 1,
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Sequence[int] | int | None = None,
    data_layout: str = "NCW",
    kernel_layout: str = "OIW",
    out_layout: str = "",
    out_dtype: str = "",
) -> Made:
    """The sum of a window over channels and width times a weight, at every place."""

def conv1d_transpose(
    data: Operand,
    weight: Operand,
    strides: Sequence[int] | int = (1,),
    padding: Sequence[int] | int = (0,),
    dilation: Sequence[int] | int = (1,),
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Sequence[int] | int | None = None,
    data_layout: str = "NCW",
    kernel_layout: str = "IOW",
    out_layout: str = "",
    output_padding: Sequence[int] | int = (0,),
    out_dtype: str = "",
) -> Made:
    """Each element spreads the kernel over the width of the result."""

def conv2d(
    data: Operand,
    weight: Operand,
    strides: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    dilation: Sequence[int] | int = (1, 1),
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Sequence[int] | int | None = None,
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: str = "",
) -> Made:
    """The sum of a window over channels, height and width times a weight."""

def conv2d_backward_weight(
    grad: Operand,
    data: Operand,
    strides: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    dilation: Sequence[int] | int = (1, 1),
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Sequence[int] | int | None = None,
    grad_layout: str = "NCHW",
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_dtype: str = "",
) -> Made:
    """The gradient of a two-dimensional convolution's weight, from that of its result and from its data.

    ``data_layout`` is the layout of the gradient, ``kernel_layout`` that of the data, ``out_layout`` that of the weight.
    """

def conv2d_transpose(
    data: Operand,
    weight: Operand,
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
    out_dtype: str = "",
) -> Made:
    """Each element spreads the kernel over height and width."""

def conv3d(
    data: Operand,
    weight: Operand,
    strides: Sequence[int] | int = (1, 1, 1),
    padding: Sequence[int] | int = (0, 0, 0),
    dilation: Sequence[int] | int = (1, 1, 1),
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Sequence[int] | int | None = None,
    data_layout: str = "NCDHW",
    kernel_layout: str = "OIDHW",
    out_layout: str = "",
    out_dtype: str = "",
) -> Made:
    """The sum of a window over channels, depth, height and width times a weight."""

def conv3d_transpose(
    data: Operand,
    weight: Operand,
    strides: Sequence[int] | int = (1, 1, 1),
    padding: Sequence[int] | int = (0, 0, 0),
    dilation: Sequence[int] | int = (1, 1, 1),
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Sequence[int] | int | None = None,
    data_layout: str = "NCDHW",
    kernel_layout: str = "IODHW",
    out_layout: str = "",
    output_padding: Sequence[int] | int = (0, 0, 0),
    out_dtype: str = "",
) -> Made:
    """Each element spreads the kernel over depth, height and width."""

def correlation(
    data1: Operand,
    data2: Operand,
    kernel_size: int,
    max_displacement: int,
    stride1: int,
    stride2: int,
    padding: Sequence[int] | int,
    is_multiply: bool,
    layout: str,
) -> Made:
    """For each displacement the mean product of a patch of one image and the displaced patch of another."""

def cross_entropy(predictions: Operand, targets: Operand) -> Made:
    """The mean over the batch of -sum(log(x) * y) of probabilities x and y."""

def cross_entropy_with_logits(predictions: Operand, targets: Operand) -> Made:
    """The mean over the batch of -sum(x * y) of logarithms of probabilities x and of probabilities y."""

def deformable_conv2d(
    data: Operand,
    offset: Operand,
    weight: Operand,
    strides: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    dilation: Sequence[int] | int = (1, 1),
    deformable_groups: int = 1,
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Sequence[int] | int | None = None,
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: str = "",
) -> Made:
    """The two-dimensional convolution whose taps are moved by offsets: for each group and tap one down and one right."""

def dense(data: Operand, weight: Operand, units: int | None = None, out_dtype: str = "") -> Made:
    """Data (..., k) times the transpose of weight (units, k)."""

def depth_to_space(data: Operand, block_size: int, layout: str = "NCHW", mode: str = "DCR") -> Made:
    """Blocks of pixels taken out of the channels."""

def dilate(data: Operand, strides: Sequence[int] | int, dilation_value: float = 0.0) -> Made:
    """The data with a value between neighbours."""

def dropout(data: Expr, rate: float = 0.5) -> Call:
    """The data, with values dropped when a model is trained."""

def dropout_raw(data: Operand, rate: float = 0.5) -> Made:
    """The data and a mask of ones: Relay runs models in inference, where nothing is dropped."""

def fast_softmax(data: Operand, axis: int = -1) -> Made:
    """The softmax, which an engine may approximate."""

def fifo_buffer(data: Operand, buffer: Operand, axis: int) -> Made:
    """The buffer with the data put at its end and as much taken off its start."""

def global_avg_pool1d(data: Expr, layout: str = "NCW", out_layout: str = "") -> Call:
    """One value for each channel."""

def global_avg_pool2d(data: Operand, layout: str = "NCHW", out_layout: str = "") -> Made:
    """The mean over height and width."""

def global_avg_pool3d(data: Expr, layout: str = "NCDHW", out_layout: str = "") -> Call:
    """One value for each channel."""

def global_max_pool1d(data: Expr, layout: str = "NCW", out_layout: str = "") -> Call:
    """One value for each channel."""

def global_max_pool2d(data: Operand, layout: str = "NCHW", out_layout: str = "") -> Made:
    """The largest element over height and width."""

def global_max_pool3d(data: Expr, layout: str = "NCDHW", out_layout: str = "") -> Call:
    """One value for each channel."""

def group_norm(
    data: Operand,
    gamma: Operand,
    beta: Operand,
    num_groups: int,
    axis: int = 1,
    epsilon: float = 1e-05,
    center: bool = True,
    scale: bool = True,
) -> Made:
    """The data with mean 0 and variance 1 over each group of channels and the axes after, scaled and shifted."""

def instance_norm(
    data: Operand,
    gamma: Operand,
    beta: Operand,
    axis: int = 1,
    epsilon: float = 1e-05,
    center: bool = True,
    scale: bool = True,
) -> Made:
    """The data with mean 0 and variance 1 over all axes but batch and channels, scaled and shifted."""

def l2_normalize(data: Operand, eps: float, axis: Sequence[int] | int | None = None) -> Made:
    """The data divided by the root of the sum of squares over axes."""

def layer_norm(
    data: Operand,
    gamma: Operand,
    beta: Operand,
    axis: int = -1,
    epsilon: float = 1e-05,
    center: bool = True,
    scale: bool = True,
) -> Made:
    """The data with mean 0 and variance 1 along one axis, scaled and shifted."""

def leaky_relu(data: Operand, alpha: float = 0.01) -> Made:
    """The element, times ``alpha`` where it is negative."""

def log_softmax(data: Operand, axis: int = -1) -> Made:
    """The logarithm of the softmax along an axis."""

def lrn(
    data: Operand,
    size: int = 5,
    axis: int = 1,
    bias: float = 2,
    alpha: float = 1e-05,
    beta: float = 0.75,
    norm_region: object = "ACROSS_CHANNELS",
) -> Made:
    """The data divided by (bias + alpha / size * sum of squares of the neighbouring channels) ** beta."""

def matmul(
    tensor_a: Operand,
    tensor_b: Operand,
    units: int | None = None,
    out_dtype: str = "",
    transpose_a: bool = False,
    transpose_b: bool = False,
) -> Made:
    """The product of a tensor (..., m, k) and a matrix (k, n)."""

def max_pool1d(
    data: Operand,
    pool_size: Sequence[int] | int = (1,),
    strides: Sequence[int] | int = (1,),
    dilation: Sequence[int] | int = (1,),
    padding: Sequence[int] | int = (0,),
    layout: str = "NCW",
    out_layout: str = "",
    ceil_mode: bool = False,
) -> Made:
    """The largest element of a window over width."""

def max_pool2d(
    data: Operand,
    pool_size: Sequence[int] | int = (1, 1),
    strides: Sequence[int] | int = (1, 1),
    dilation: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    layout: str = "NCHW",
    out_layout: str = "",
    ceil_mode: bool = False,
) -> Made:
    """The largest element of a window over height and width."""

def max_pool2d_grad(
    out_grad: Operand,
    data: Operand,
    pool_size: Sequence[int] | int = (1, 1),
    strides: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    layout: str = "NCHW",
    out_layout: str = "",
    ceil_mode: bool = False,
) -> Made:
    """The gradient of a max pool's data (the second input) from that of its result (the first one).

    Each window gives its gradient to its largest element, to the first of equal ones.
    """

def max_pool3d(
    data: Operand,
    pool_size: Sequence[int] | int = (1, 1, 1),
    strides: Sequence[int] | int = (1, 1, 1),
    dilation: Sequence[int] | int = (1, 1, 1),
    padding: Sequence[int] | int = (0, 0, 0),
    layout: str = "NCDHW",
    out_layout: str = "",
    ceil_mode: bool = False,
) -> Made:
    """The largest of a window over depth, height and width."""

def mirror_pad(data: Operand, pad_width: Sequence[Sequence[int] | int], mode: str = "SYMMETRIC") -> Made:
    """The data with its mirror image around it."""

def nll_loss(
    predictions: Operand, targets: Operand, weights: Operand, reduction: str = "mean", ignore_index: int = -100
) -> Made:
    """The negative of the prediction (N, C, ...) for the target class (N, ...), times the weight (C,) of that class."""

def pad(
    data: Expr, pad_width: Sequence[Sequence[int]] | Expr, pad_value: float | Expr = 0, pad_mode: str = "constant"
) -> Call:
    """The data with values put around it: ``pad_width`` has two numbers for each axis."""

def prelu(data: Operand, alpha: Operand, axis: int = 1) -> Made:
    """The element, times the slope of its channel where it is negative."""

def relu(data: Operand) -> Made:
    """The element, or 0 where it is negative."""

def softmax(data: Operand, axis: int = -1) -> Made:
    """Exponentials of the data, scaled to sum to one along an axis."""

def space_to_batch_nd(
    data: Operand, block_shape: Sequence[int] | int, paddings: Sequence[Sequence[int] | int], pad_value: float = 0
) -> Made:
    """The data with something around it, and with each place of a block made a part of the batch."""

def space_to_depth(data: Operand, block_size: int, layout: str = "NCHW") -> Made:
    """Blocks of pixels put into the channels."""

def sparse_add(dense_mat: Expr, sparse_mat: Sequence[Expr]) -> Call:
    """The sum of a dense matrix and a sparse one, which is its data, indices and row starts."""

def sparse_conv2d(
    dense_data: Operand,
    sparse_data: Operand,
    sparse_indices: Operand,
    sparse_indptr: Operand,
    layout: str = "NHWC",
    kernel_size: Sequence[int] | int = (1, 1),
) -> Made:
    """The convolution with a sparse weight (outputs, height * width * inputs), zeros around the data."""

def sparse_dense(dense_mat: Expr, sparse_mat: Sequence[Expr], sparse_lhs: bool = False) -> Call:
    """The product of a dense matrix and a sparse one, which is its data, indices and row starts."""

def sparse_transpose(x: Sequence[Expr]) -> TupleWrapper:
    """The transpose of a sparse matrix, which is its data, indices and row starts."""

def upsampling(
    data: Expr,
    scale_h: float | Expr = 1,
    scale_w: float | Expr = 1,
    layout: str = "NCHW",
    method: str = "nearest_neighbor",
    align_corners: bool = False,
) -> Call:
    """Images made larger by a factor for each axis."""

def upsampling3d(
    data: Expr,
    scale_d: float | Expr = 1,
    scale_h: float | Expr = 1,
    scale_w: float | Expr = 1,
    layout: str = "NCDHW",
    method: str = "nearest_neighbor",
    coordinate_transformation_mode: str = "half_pixel",
) -> Call:
    """Volumes made larger by a factor for each axis."""
