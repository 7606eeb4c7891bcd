"""How Relay's functions are called where that differs from the operator's own declaration: order, names and defaults.

A row is the parameter list of the function of that name in tvm.relay. ``a:data`` is a parameter ``a`` that fills the input or
attribute ``data``. Every other operator's function takes its inputs, then its attributes, as they are declared.
"""

from __future__ import annotations

__all__ = ["NAMES", "PADDED", "RANKS", "SIGNATURES"]

_BLOCKED = (
    "data, kernel:weight, strides=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1, channels=None, kernel_size=None, "
    "data_layout='NCHW8c', kernel_layout='OIHW', out_layout='', out_dtype=''"
)
_GRAD = "out_grad:data, data:grad, pool_size=(1, 1), strides=(1, 1), padding=(0, 0), layout='NCHW', out_layout='', ceil_mode=False"
_QNN_UNARY = "x:data, scale, zero_point, output_scale, output_zero_point"
_QNN_CONV = "data, {weight}:weight, input_zero_point, kernel_zero_point:weight_zero_point, input_scale, kernel_scale:weight_scale"


def _pool(axes: str, layout: str, *rest: str) -> str:
    count = len(axes.split(","))
    ones, zeros = (f"({', '.join([digit] * count)}{',' if count == 1 else ''})" for digit in "10")
    last = ", ".join(["ceil_mode=False", *rest])
    return f"data, pool_size={ones}, strides={ones}, dilation={ones}, padding={zeros}, layout='{layout}', out_layout='', {last}"


def _transposed(ones: str, zeros: str, data: str, kernel: str) -> str:
    return (
        f"data, weight, strides={ones}, padding={zeros}, dilation={ones}, groups=1, channels=None, kernel_size=None, "
        f"data_layout='{data}', kernel_layout='{kernel}', out_layout='', output_padding={zeros}, out_dtype=''"
    )


SIGNATURES = {
    "argmax": "data, axis=None, keepdims=False, exclude=False, select_last_index=False",
    "argmin": "data, axis=None, keepdims=False, exclude=False, select_last_index=False",
    "argsort": "data, axis=-1, is_ascend=1, dtype='int32'",
    "clip": "a:data, a_min, a_max",
    "concatenate": "data, axis",
    "contrib_reverse_reshape": "data, newshape",
    "cumprod": "data, axis=None, dtype=None, exclusive=None",
    "cumsum": "data, axis=None, dtype=None, exclusive=None",
    "gather": "data, axis, indices",
    "image.affine_grid": "data, target_shape=None",
    "image.crop_and_resize": "data, boxes, box_indices, crop_size, layout, method='bilinear', extrapolation_value=0, out_dtype=None",
    "ndarray_size": "data, dtype='int32'",
    **{
        f"nn.adaptive_{kind}_pool{axes}d": f"data, output_size=None, layout='{layout}', out_layout=''"
        for kind in ("avg", "max")
        for axes, layout in ((1, "NCW"), (2, "NCHW"), (3, "NCDHW"))
    },
    "nn.avg_pool1d": _pool("w", "NCW", "count_include_pad=False"),
    "nn.avg_pool2d": _pool("h,w", "NCHW", "count_include_pad=False"),
    "nn.avg_pool2d_grad": f"{_GRAD}, count_include_pad=False",
    "nn.avg_pool3d": _pool("d,h,w", "NCDHW", "count_include_pad=False"),
    "nn.batch_matmul": "tensor_a, tensor_b, out_dtype='', transpose_a=False, transpose_b=True",
    "nn.batch_to_space_nd": "data, block_shape, crops",
    "nn.bitpack": "data, bits=1, pack_axis=1, bit_axis=2, pack_type='uint32', name='BitPack'",
    "nn.bitserial_conv2d": (
        "data, weight, strides=(1, 1), padding=(0, 0), channels=None, kernel_size=(3, 3), activation_bits=1, weight_bits=1, "
        "data_layout='NCHW', kernel_layout='OIHW', pack_dtype='uint32', out_dtype='int16', unipolar=True"
    ),
    "nn.bitserial_dense": (
        "data, weight, units=None, data_bits=1, weight_bits=1, pack_dtype='uint32', out_dtype='int16', unipolar=True"
    ),
    "nn.contrib_conv2d_NCHWc": _BLOCKED,
    "nn.contrib_conv2d_gemm_weight_transform": "weights, tile_N, tile_K, kernel_layout:",
    "nn.contrib_dense_pack": "data, weight, weight_layout='NC', units=None, out_dtype=''",
    "nn.contrib_depthwise_conv2d_NCHWc": _BLOCKED,
    "nn.conv1d": (
        "data, weight, strides=1, padding=0, dilation=1, groups=1, channels=None, kernel_size=None, data_layout='NCW', "
        "kernel_layout='OIW', out_layout='', out_dtype=''"
    ),
    "nn.conv1d_transpose": _transposed("(1,)", "(0,)", "NCW", "IOW"),
    "nn.conv2d_backward_weight": (
        "grad, data, strides=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1, channels=None, kernel_size=None, "
        "grad_layout:data_layout='NCHW', data_layout:kernel_layout='NCHW', kernel_layout:out_layout='OIHW', out_dtype=''"
    ),
    "nn.conv2d_transpose": _transposed("(1, 1)", "(0, 0)", "NCHW", "IOHW"),
    "nn.conv3d_transpose": _transposed("(1, 1, 1)", "(0, 0, 0)", "NCDHW", "IODHW"),
    "nn.correlation": "data1, data2, kernel_size, max_displacement, stride1, stride2, padding, is_multiply, layout",
    "nn.cross_entropy": "predictions:x, targets:y",
    "nn.cross_entropy_with_logits": "predictions:x, targets:y",
    "nn.dense": "data, weight, units=None, out_dtype=''",
    "nn.depth_to_space": "data, block_size, layout='NCHW', mode='DCR'",
    "nn.dilate": "data:x, strides, dilation_value=0.0",
    "nn.fifo_buffer": "data, buffer, axis",
    "nn.group_norm": "data, gamma, beta, num_groups, axis=1, epsilon=1e-05, center=True, scale=True",
    "nn.l2_normalize": "data, eps, axis=None",
    "nn.leaky_relu": "data, alpha=0.01",
    "nn.lrn": "data, size=5, axis=1, bias=2, alpha=1e-05, beta=0.75, norm_region:='ACROSS_CHANNELS'",
    "nn.matmul": "tensor_a, tensor_b, units=None, out_dtype='', transpose_a=False, transpose_b=False",
    "nn.max_pool1d": _pool("w", "NCW"),
    "nn.max_pool2d": _pool("h,w", "NCHW"),
    "nn.max_pool2d_grad": _GRAD,
    "nn.max_pool3d": _pool("d,h,w", "NCDHW"),
    "nn.mirror_pad": "data, pad_width, mode='SYMMETRIC'",
    "nn.nll_loss": "predictions, targets, weights, reduction='mean', ignore_index=-100",
    "nn.space_to_batch_nd": "data, block_shape, paddings, pad_value=0",
    "nn.space_to_depth": "data, block_size, layout='NCHW'",
    "one_hot": "indices, on_value, off_value, depth, axis, dtype",
    "qnn.abs": _QNN_UNARY,
    "qnn.concatenate": "data, input_scales, input_zero_points, output_scale, output_zero_point, axis",
    "qnn.contrib_dense_pack": (
        _QNN_CONV.format(weight="weight") + ", kernel_layout:weight_layout='NC', units=None, out_dtype='int32'"
    ),
    "qnn.conv2d": _QNN_CONV.format(weight="kernel")
    + (
        ", kernel_size, channels, strides=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1, data_layout='NCHW', "
        "kernel_layout='OIHW', out_layout='', out_dtype='int32'"
    ),
    "qnn.conv2d_transpose": _QNN_CONV.format(weight="weight")
    + (
        ", strides=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1, channels=None, kernel_size=None, data_layout='NCHW', "
        "kernel_layout='IOHW', out_layout='', output_padding=(0, 0), out_dtype='int32'"
    ),
    "qnn.dense": _QNN_CONV.format(weight="weight") + ", units, out_dtype='int32'",
    "qnn.dequantize": "data, input_scale, input_zero_point, axis=-1, out_dtype='float32'",
    "qnn.erf": _QNN_UNARY,
    "qnn.exp": _QNN_UNARY,
    "qnn.hardswish": _QNN_UNARY,
    "qnn.log": _QNN_UNARY,
    "qnn.quantize": "data, output_scale, output_zero_point, axis=-1, out_dtype='int8'",
    "qnn.requantize": (
        "data, input_scale, input_zero_point, output_scale, output_zero_point, axis=-1, rounding='None', compute_dtype='None', "
        "out_dtype='int8'"
    ),
    "qnn.rsqrt": _QNN_UNARY,
    "qnn.sigmoid": _QNN_UNARY,
    "qnn.sqrt": _QNN_UNARY,
    "qnn.tanh": _QNN_UNARY,
    "random.multinomial": "key, probs, num_samples",
    "random.threefry_generate": "key, shape:out_shape",
    "repeat": "data, repeats, axis",
    "reverse": "data, axis",
    "sequence_mask": "data, valid_length, mask_value=0, axis=0",
    "shape_of": "data, dtype='int32'",
    "slice_like": "data, shape_like, axes=None",
    "sort": "data, axis=-1, is_ascend=1",
    "stack": "data, axis",
    "take": "data, indices, axis=None, batch_dims=0, mode='clip'",
    "transpose": "data, axes=None",
    "unique": "data, is_sorted:sorted=True, return_counts=False",
    "unravel_index": "indices:data, shape",
    "vision.proposal": (
        "cls_prob, bbox_pred, im_info, scales, ratios, feature_stride, threshold, rpn_pre_nms_top_n, rpn_post_nms_top_n, "
        "rpn_min_size, iou_loss"
    ),
    "vision.yolo_reorg": "data, stride",
}

NAMES = {
    "contrib_reverse_reshape": "reverse_reshape",
    "nn.contrib_conv2d_NCHWc": "nn.contrib_conv2d_nchwc",
    "nn.contrib_depthwise_conv2d_NCHWc": "nn.contrib_depthwise_conv2d_nchwc",
    "nn.dropout": "nn.dropout_raw",
}
"""The functions that have another name than their operator."""

RANKS = {
    "nn.avg_pool1d": 1,
    "nn.avg_pool2d": 2,
    "nn.avg_pool3d": 3,
    "nn.bitserial_conv2d": 2,
    "nn.contrib_conv2d_NCHWc": 2,
    "nn.contrib_conv2d_gemm_without_weight_transform": 2,
    "nn.contrib_conv2d_winograd_without_weight_transform": 2,
    "nn.contrib_conv3d_winograd_without_weight_transform": 3,
    "nn.contrib_depthwise_conv2d_NCHWc": 2,
    "nn.correlation": 2,
    "nn.conv1d": 1,
    "nn.conv1d_transpose": 1,
    "nn.conv2d": 2,
    "nn.conv2d_backward_weight": 2,
    "nn.conv2d_transpose": 2,
    "nn.conv3d": 3,
    "nn.conv3d_transpose": 3,
    "nn.deformable_conv2d": 2,
    "nn.max_pool1d": 1,
    "nn.max_pool2d": 2,
    "nn.max_pool3d": 3,
    "nn.adaptive_avg_pool1d": 1,
    "nn.adaptive_max_pool1d": 1,
    "qnn.conv2d": 2,
    "qnn.conv2d_transpose": 2,
}
"""For operators that slide a window: over how many axes. One number stands for all of them."""

PADDED = frozenset(RANKS) - {
    "nn.conv1d_transpose",
    "nn.correlation",
    "nn.adaptive_avg_pool1d",
    "nn.adaptive_max_pool1d",
}
"""The operators whose padding is written out for both ends of every axis."""
