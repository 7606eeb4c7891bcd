"""tvm.relay's functions that are more than one call of one operator: shapes known or computed, constants for numbers, and
functions made of several operators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from torchrelay.errors import WrongArgument
from torchrelay.ir import Call, Constant, Expr, Tuple, VirtualDevice, const
from torchrelay.relay.functions import Made, TupleWrapper, as_expr, call

__all__ = ["ANNOTATION", "CORE", "IMAGE", "NN", "QNN", "RANDOM", "VISION"]


def _numbers(value: object) -> list[int] | None:
    """Numbers that are known: in a list, alone, or in a constant; None for an expression whose value is not."""
    if isinstance(value, Constant):
        return [int(part) for part in np.ravel(value.data)]
    if isinstance(value, Expr):
        return None
    if isinstance(value, Sequence):
        return [int(part) if isinstance(part, Constant) else part for part in cast("Sequence[int]", value)]
    return [cast("int", value)]


def _constant(value: object, dtype: str | None = None) -> Expr:
    """A number as a constant; an expression as it is."""
    return value if isinstance(value, Expr) else const(cast("float", value), dtype)


def _indices(value: object) -> Expr:
    """Numbers as a constant of int64; an expression as it is."""
    return value if isinstance(value, Expr) else Constant(np.array(_numbers(value), "int64"))


# Shapes


def arange(start: Expr, stop: Expr | None = None, step: Expr | None = None, dtype: str = "float32") -> Call:
    """The numbers from ``start`` on, before ``stop``, by ``step``; with one argument, from 0 before that."""
    first, end = (const(0, dtype), start) if stop is None else (start, stop)
    by = const(1, dtype) if step is None else step
    return call("arange", [first, end, by], start=first, stop=end, step=by, dtype=dtype)


def broadcast_to(data: Expr, shape: Sequence[int] | Expr) -> Call:
    """The data in another shape, its sizes of 1 repeated."""
    sizes = _numbers(shape)
    return call("dyn.broadcast_to", [data, shape]) if sizes is None else call("broadcast_to", [data], shape=sizes)


def collapse_sum_to(data: Expr, shape: Sequence[int] | Expr) -> Call:
    """The data summed to a shape that broadcasts to its own."""
    if isinstance(shape, Expr) and not isinstance(shape, Constant):
        return call("collapse_sum_to", [data, shape])
    sizes = _numbers(shape)
    return call("collapse_sum_to", [data, Constant(np.array(sizes, "int32"))], shape=sizes)


def expand_dims(data: Expr, axis: int | Expr, num_newaxis: int = 1) -> Call:
    """The data with axes of size 1 put in."""
    if isinstance(axis, Constant):
        axis = int(axis.data)
    if isinstance(axis, Expr):
        return call("dyn.expand_dims", [data, axis], num_newaxis=num_newaxis)
    return call("expand_dims", [data], axis=axis, num_newaxis=num_newaxis)


def full(fill_value: Expr, shape: Sequence[int] | Expr = (), dtype: str = "") -> Call:
    """A tensor of one value."""
    sizes = _numbers(shape)
    if sizes is None:
        return call("dyn.full", [fill_value, shape], dtype=dtype)
    return call("full", [fill_value], shape=sizes, dtype=dtype)


def one_hot(indices: Expr, on_value: Expr, off_value: Expr, depth: int | Expr, axis: int, dtype: str) -> Call:
    """``on_value`` where the new axis is at the index, ``off_value`` elsewhere."""
    size = _numbers(depth)
    if size is None:
        return call("dyn.one_hot", [indices, on_value, off_value, depth], depth=0, axis=axis, dtype=dtype)
    return call("one_hot", [indices, on_value, off_value], depth=size[0], axis=axis, dtype=dtype)


def ones(shape: Sequence[int] | Expr, dtype: str) -> Call:
    """A tensor of ones."""
    return _filled("ones", shape, dtype)


def zeros(shape: Sequence[int] | Expr, dtype: str) -> Call:
    """A tensor of zeros."""
    return _filled("zeros", shape, dtype)


def _filled(name: str, shape: object, dtype: str) -> Call:
    sizes = _numbers(shape)
    return call(f"dyn.{name}", [shape], dtype=dtype) if sizes is None else call(name, [], shape=sizes, dtype=dtype)


def reshape(data: Expr, newshape: int | Sequence[int] | Expr, allowzero: bool = False) -> Call:
    """The data in another shape; 0 keeps a size (with ``allowzero`` it is 0), -1 takes what is left."""
    sizes = _numbers(newshape)
    if sizes is None:
        return call("dyn.reshape", [data, newshape], allowzero=allowzero)
    return call("reshape", [data], newshape=sizes, allowzero=allowzero)


def squeeze(data: Expr, axis: int | Sequence[int] | Expr | None = None) -> Call:
    """The data without axes of size 1: all of them, or those given."""
    if axis is None:
        return call("squeeze", [data])
    axes = _numbers(axis)
    return call("dyn.squeeze", [data, axis]) if axes is None else call("squeeze", [data], axis=axes)


def strided_slice(
    data: Expr,
    begin: Sequence[int] | Expr,
    end: Sequence[int] | Expr,
    strides: Sequence[int] | Expr | None = None,
    axes: Sequence[int] | None = None,
    slice_mode: str = "end",
) -> Call:
    """A part of the data along its axes, or along ``axes``; bounds that are computed count from the end where negative."""
    steps = [1] if strides is None else strides
    known = [_numbers(value) for value in (begin, end, steps)]
    if all(value is not None for value in known):
        return call(
            "strided_slice", [data], begin=known[0], end=known[1], strides=known[2], axes=axes, slice_mode=slice_mode
        )
    if axes is not None:
        raise WrongArgument("strided_slice: axes cannot be given with computed bounds")
    first = _from_the_front(data, _indices(begin))
    return call("dyn.strided_slice", [data, first, _indices(end), _indices(steps)], slice_mode=slice_mode)


def _from_the_front(data: Expr, begin: Expr) -> Expr:
    """Bounds, the negative ones counted from the end, none beyond it."""
    sizes = call("shape_of", [data], dtype="int32")
    sizes = call("slice_like", [call("cast_like", [sizes, begin]), begin], axes=None)
    negative = call("less", [begin, call("cast_like", [const(0), begin])])
    counted = call("where", [negative, call("add", [begin, sizes]), begin])
    return call("where", [call("greater_equal", [counted, sizes]), sizes, counted])


def strided_set(
    data: Expr,
    v: Expr,
    begin: Sequence[int] | Expr,
    end: Sequence[int] | Expr,
    strides: Sequence[int] | Expr | None = None,
) -> Call:
    """The data with a part of it replaced by ``v``."""
    bounds = [value if isinstance(value, Expr) else const(list(value)) for value in (begin, end, strides or [1])]
    return call("strided_set", [data, v, *bounds])


def tile(data: Expr, reps: Sequence[int] | Expr) -> Call:
    """The data repeated along its axes."""
    counts = _numbers(reps)
    return call("dyn.tile", [data, reps]) if counts is None else call("tile", [data], reps=counts)


def topk(
    data: Expr,
    k: int | Expr = 1,
    axis: int = -1,
    ret_type: str = "both",
    is_ascend: bool = False,
    dtype: str = "int32",
) -> Made:
    """The ``k`` largest (or smallest) values along an axis, their indices, or both."""
    rest = {"axis": axis, "ret_type": ret_type, "is_ascend": is_ascend, "dtype": dtype}
    count = _numbers(k)
    made = call("dyn.topk", [data, k], **rest) if count is None else call("topk", [data], k=count[0], **rest)
    return TupleWrapper(made, 2) if ret_type == "both" else made


def split(data: Expr, indices_or_sections: int | Sequence[int], axis: int = 0) -> TupleWrapper:
    """The data cut along an axis: into so many equal parts, or before each index."""
    cuts = indices_or_sections
    count = cuts if isinstance(cuts, int) else len(cuts) + 1
    return TupleWrapper(call("split", [data], indices_or_sections=cuts, axis=axis), count)


def meshgrid(data: Expr | Sequence[Expr], indexing: str = "ij") -> TupleWrapper:
    """The coordinates of a grid over these axes, one tensor for each."""
    whole = as_expr(data, "data")
    count = len(whole.fields) if isinstance(whole, Tuple) else len(list(whole))
    return TupleWrapper(call("meshgrid", [whole], indexing=indexing), count)


def unique(data: Expr, is_sorted: bool = True, return_counts: bool = False) -> TupleWrapper:
    """The different values, with the indices of their first places, inverse indices, their number, and their counts."""
    made = call("unique", [data], sorted=is_sorted, return_counts=return_counts)
    return TupleWrapper(made, 5 if return_counts else 4)


# Values


def matrix_set_diag(data: Expr, diagonal: Expr, k: int | tuple[int, int] = 0, align: str = "RIGHT_LEFT") -> Call:
    """Matrices with the diagonals from ``k[0]`` to ``k[1]`` replaced."""
    first, last = (k, k) if isinstance(k, int) else k
    above, below = (side == "RIGHT" for side in align.split("_"))
    return call(
        "matrix_set_diag", [data, diagonal], k1=first, k2=last, super_diag_right_align=above, sub_diag_right_align=below
    )


def sparse_fill_empty_rows(sparse_indices: Expr, sparse_values: Expr, dense_shape: Expr, default_value: Expr) -> Tuple:
    """A sparse tensor with a value in each of its rows: indices, values, and which rows were empty."""
    made = call("sparse_fill_empty_rows", [sparse_indices, sparse_values, dense_shape, default_value])
    parts = (
        call("cast_like", [made[0], sparse_indices]),
        call("cast_like", [made[1], sparse_values]),
        call("cast", [made[2]], dtype="bool"),
    )
    return Tuple(parts)


def sparse_to_dense(
    sparse_indices: Expr, output_shape: Sequence[int] | Expr, sparse_values: Expr, default_value: Expr | float = 0
) -> Call:
    """A dense tensor with these values at these indices."""
    sizes = _numbers(output_shape)
    rest = [sparse_values, _constant(default_value)]
    if sizes is None:
        return call("dyn.sparse_to_dense", [sparse_indices, *rest, output_shape])
    return call("sparse_to_dense", [sparse_indices, *rest], output_shape=sizes)


def stft(
    data: Expr,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Expr | None = None,
    normalized: bool = False,
    onesided: bool = True,
) -> Call:
    """Fourier transforms of overlapping parts of the data."""
    hop = n_fft // 4 if hop_length is None else hop_length
    size = n_fft if win_length is None else win_length
    weights = call("ones", [], shape=[n_fft], dtype="int32") if window is None else window
    rest = {"n_fft": n_fft, "hop_length": hop, "win_length": size}
    return call("stft", [data, weights], **rest, normalized=normalized, onesided=onesided)


def trilu(data: Expr, k: int | Expr, upper: bool = True) -> Call:
    """The part of matrices above (or below) a diagonal."""
    return call("trilu", [data, _constant(k)], upper=upper)


# Statistics

Axes = int | Sequence[int] | None


def variance(
    data: Expr,
    axis: Axes = None,
    keepdims: bool = False,
    exclude: bool = False,
    unbiased: bool = False,
    with_mean: Expr | None = None,
) -> Call:
    """The variance over axes, about the mean or about ``with_mean``."""
    mean = call("mean", [data], axis=axis, keepdims=True, exclude=exclude) if with_mean is None else with_mean
    rest = {"axis": axis, "keepdims": keepdims, "exclude": exclude, "unbiased": unbiased}
    return call("variance", [data, mean], **rest)


def std(
    data: Expr,
    axis: Axes = None,
    keepdims: bool = False,
    exclude: bool = False,
    unbiased: bool = False,
) -> Call:
    """The standard deviation over axes."""
    return call("sqrt", [variance(data, axis, keepdims, exclude, unbiased)])


def mean_variance(
    data: Expr,
    axis: Axes = None,
    keepdims: bool = False,
    exclude: bool = False,
    unbiased: bool = False,
) -> TupleWrapper:
    """Mean and variance over axes."""
    mean = call("mean", [data], axis=axis, keepdims=True, exclude=exclude)
    var = variance(data, axis, keepdims, exclude, unbiased, with_mean=mean)
    shown = mean if keepdims else squeeze(mean, axis)
    return TupleWrapper(Tuple((shown, var)), 2)


def mean_std(
    data: Expr,
    axis: Axes = None,
    keepdims: bool = False,
    exclude: bool = False,
) -> TupleWrapper:
    """Mean and standard deviation over axes."""
    mean = call("mean", [data], axis=axis, keepdims=True, exclude=exclude)
    spread = call("sqrt", [variance(data, axis, keepdims, exclude, with_mean=mean)])
    return TupleWrapper(Tuple((mean if keepdims else squeeze(mean), spread)), 2)


def logsumexp(data: Expr, axis: Axes = None, keepdims: bool = False) -> Call:
    """The logarithm of the sum of exponentials over axes."""
    largest = call("max", [data], axis=axis, keepdims=True)
    total = call("sum", [call("exp", [call("subtract", [data, largest])])], axis=axis, keepdims=True)
    whole = call("add", [call("log", [total]), largest])
    return whole if keepdims else squeeze(whole, axis)


# Layers


def pad(
    data: Expr, pad_width: Sequence[Sequence[int]] | Expr, pad_value: float | Expr = 0, pad_mode: str = "constant"
) -> Call:
    """The data with values put around it: ``pad_width`` has two numbers for each axis."""
    value = _constant(pad_value)
    if isinstance(pad_width, Constant):
        pad_width = cast("Sequence[Sequence[int]]", pad_width.data.tolist())
    if isinstance(pad_width, Expr):
        return call("dyn.nn.pad", [data, pad_width, value], pad_mode=pad_mode)
    return call("nn.pad", [data, value], pad_width=pad_width, pad_mode=pad_mode)


def dropout(data: Expr, rate: float = 0.5) -> Call:
    """The data, with values dropped when a model is trained."""
    return cast("Call", call("nn.dropout", [data], rate=rate)[0])


def upsampling(
    data: Expr,
    scale_h: float | Expr = 1,
    scale_w: float | Expr = 1,
    layout: str = "NCHW",
    method: str = "nearest_neighbor",
    align_corners: bool = False,
) -> Call:
    """Images made larger by a factor for each axis."""
    scales = [float(s.data) if isinstance(s, Constant) else s for s in (scale_h, scale_w)]
    rest = {"layout": layout, "method": method, "align_corners": align_corners}
    if any(isinstance(scale, Expr) for scale in scales):
        return call("dyn.nn.upsampling", [data, *map(_constant, scales)], scale_h=0.0, scale_w=0.0, **rest)
    return call("nn.upsampling", [data], scale_h=scales[0], scale_w=scales[1], **rest)


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
    scales = [float(s.data) if isinstance(s, Constant) else s for s in (scale_d, scale_h, scale_w)]
    names = ("scale_d", "scale_h", "scale_w")
    rest = {"layout": layout, "method": method, "coordinate_transformation_mode": coordinate_transformation_mode}
    if any(isinstance(scale, Expr) for scale in scales):
        return call("dyn.nn.upsampling3d", [data, *map(_constant, scales)], **dict.fromkeys(names, 0.0), **rest)
    return call("nn.upsampling3d", [data], **dict(zip(names, scales, strict=True)), **rest)


def _global_pool(name: str, axes: int) -> Callable[..., Call]:
    layout_of = "NCW" if axes == 1 else "NCDHW"

    def pool(data: Expr, layout: str = layout_of, out_layout: str = "") -> Call:
        """One value for each channel."""
        return call(f"nn.{name}", [data], output_size=[1] * axes, layout=layout, out_layout=out_layout)

    pool.__name__ = pool.__qualname__ = f"global_{name.split('_')[1]}_pool{axes}d"
    return pool


def sparse_dense(dense_mat: Expr, sparse_mat: Sequence[Expr], sparse_lhs: bool = False) -> Call:
    """The product of a dense matrix and a sparse one, which is its data, indices and row starts."""
    return call("nn.sparse_dense", [dense_mat, *sparse_mat], sparse_lhs=sparse_lhs)


def sparse_add(dense_mat: Expr, sparse_mat: Sequence[Expr]) -> Call:
    """The sum of a dense matrix and a sparse one, which is its data, indices and row starts."""
    return call("nn.sparse_add", [dense_mat, *sparse_mat])


def sparse_transpose(x: Sequence[Expr]) -> TupleWrapper:
    """The transpose of a sparse matrix, which is its data, indices and row starts."""
    return TupleWrapper(call("nn.sparse_transpose", list(x)), 3)


# Images and detection


def _resize(axes: int, layout_of: str) -> Callable[..., Call]:
    def resize(
        data: Expr,
        size: Sequence[int],
        roi: Sequence[float] | None = None,
        layout: str = layout_of,
        method: str = "linear",
        coordinate_transformation_mode: str = "half_pixel",
        rounding_method: str = "",
        cubic_alpha: float = -0.5,
        cubic_exclude: int = 0,
        extrapolation_value: float = 0.0,
        out_dtype: str | None = None,
    ) -> Call:
        """Signals or volumes of another size."""
        return call(
            f"image.resize{axes}d",
            [data],
            size=[size] * axes if isinstance(size, int) else size,
            roi=[0.0] * (2 * axes) if roi is None else roi,
            layout=layout,
            method=method,
            coordinate_transformation_mode=coordinate_transformation_mode,
            rounding_method=rounding_method,
            cubic_alpha=cubic_alpha,
            cubic_exclude=cubic_exclude,
            extrapolation_value=extrapolation_value,
            out_dtype=out_dtype,
        )

    resize.__name__ = resize.__qualname__ = f"resize{axes}d"
    return resize


def resize2d(
    data: Expr,
    size: Sequence[int] | Expr,
    roi: Sequence[float] | None = None,
    layout: str = "NCHW",
    method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel",
    rounding_method: str = "",
    cubic_alpha: float = -0.5,
    cubic_exclude: int = 0,
    extrapolation_value: float = 0.0,
    out_dtype: str | None = None,
) -> Call:
    """Images of another size."""
    region = [0.0] * 4 if roi is None else roi
    rest = {
        "layout": layout,
        "method": method,
        "coordinate_transformation_mode": coordinate_transformation_mode,
        "rounding_method": rounding_method,
        "cubic_alpha": cubic_alpha,
        "cubic_exclude": cubic_exclude,
        "extrapolation_value": extrapolation_value,
        "out_dtype": out_dtype,
    }
    sizes = _numbers(size)
    if sizes is None:
        return call("dyn.image.resize2d", [data, size, const(list(region), "float32")], **rest)
    return call("image.resize2d", [data], size=sizes * 2 if isinstance(size, int) else sizes, roi=region, **rest)


def all_class_non_max_suppression(
    boxes: Expr,
    scores: Expr,
    max_output_boxes_per_class: int | Expr = -1,
    iou_threshold: float | Expr = -1.0,
    score_threshold: float | Expr = -1.0,
    output_format: str = "onnx",
) -> TupleWrapper:
    """For every class, the boxes that are left when those that overlap a better one are taken away."""
    bounds = [
        _constant(max_output_boxes_per_class, "int32"),
        *(_constant(v, "float32") for v in (iou_threshold, score_threshold)),
    ]
    made = call("vision.all_class_non_max_suppression", [boxes, scores, *bounds], output_format=output_format)
    return TupleWrapper(made, 2 if output_format == "onnx" else 3)


def get_valid_counts(
    data: Expr, score_threshold: float | Expr, id_index: int = 0, score_index: int = 1
) -> TupleWrapper:
    """How many boxes have a score above the bound, these boxes first, and where they came from."""
    bound = _constant(score_threshold, "float32")
    made = call(
        "vision.get_valid_counts", [data, bound], score_threshold=None, id_index=id_index, score_index=score_index
    )
    return TupleWrapper(made, 3)


def non_max_suppression(
    data: Expr,
    valid_count: Expr,
    indices: Expr,
    max_output_size: int | Expr = -1,
    iou_threshold: float | Expr = 0.5,
    force_suppress: bool = False,
    top_k: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = 0,
    return_indices: bool = True,
    invalid_to_bottom: bool = False,
) -> Made:
    """The boxes that are left when those that overlap a better one are taken away."""
    rest = {
        "force_suppress": force_suppress,
        "top_k": top_k,
        "coord_start": coord_start,
        "score_index": score_index,
        "id_index": id_index,
        "return_indices": return_indices,
        "invalid_to_bottom": invalid_to_bottom,
    }
    bounds = [_constant(max_output_size, "int32"), _constant(iou_threshold, "float32")]
    made = call("vision.non_max_suppression", [data, valid_count, indices, *bounds], **rest)
    return TupleWrapper(made, 2) if return_indices else made


# Random numbers


def threefry_key(seed: int) -> Constant:
    """The key of a generator of random numbers."""
    return Constant(np.array([seed, *[0] * 7, 1 << 63, 0], "uint64"))


def normal(
    key: Expr, shape: Sequence[int], dtype: str = "float32", mean: float | Expr = 0.0, scale: float | Expr = 1.0
) -> Call:
    """The next key, and normally distributed numbers."""
    return call(
        "random.normal", [key, _constant(mean, dtype), _constant(scale, dtype)], out_shape=shape, out_dtype=dtype
    )


def uniform(
    key: Expr, shape: Sequence[int], dtype: str = "float32", low: float | Expr = 0.0, high: float | Expr = 1.0
) -> Call:
    """The next key, and numbers distributed evenly."""
    return call(
        "random.uniform", [key, _constant(low, dtype), _constant(high, dtype)], out_shape=shape, out_dtype=dtype
    )


# Devices and memory

_DEVICES = {
    "llvm": 1,
    "cpu": 1,
    "c": 1,
    "cuda": 2,
    "gpu": 2,
    "nvptx": 2,
    "opencl": 4,
    "vulkan": 7,
    "metal": 8,
    "vpi": 9,
    "rocm": 10,
}


def _device(device: object) -> VirtualDevice:
    """A device, or the one of a target by its name."""
    if isinstance(device, VirtualDevice):
        return device
    name, _, index = str(device).partition("(")
    if name not in _DEVICES:
        raise WrongArgument(f"{device!r} is no device", hint=f"devices: {', '.join(sorted(_DEVICES))}")
    return VirtualDevice(_DEVICES[name], int(index.rstrip(")") or 0) if index else 0)


def device_copy(data: Expr, src_device: object, dst_device: object) -> Call:
    """The data on another device."""
    return call("device_copy", [data], src_virtual_device=_device(src_device), dst_virtual_device=_device(dst_device))


def on_device(
    body: Expr,
    device: object,
    constrain_result: bool = False,
    constrain_body: bool = True,
) -> Call:
    """The expression, computed on that device."""
    flags = {"constrain_result": constrain_result, "constrain_body": constrain_body}
    return call("on_device", [body], virtual_device=_device(device), **flags)


# Quantized


def _code(dtype: str | Expr) -> Expr:
    codes = {"disable": 0, "int8": 1, "uint8": 2, "int32": 3}
    if isinstance(dtype, Expr):
        return dtype
    if dtype not in codes:
        raise WrongArgument(f"dtype is {dtype!r}, but must be one of {', '.join(codes)}")
    return const(codes[dtype])


def _simulated(name: str, data: Expr, scale: Expr, zero_point: Expr, axis: int, dtype: str | Expr) -> Call:
    flat = [reshape(value, (-1,)) for value in (scale, zero_point)]
    rest = {"out_dtype": ""} if name == "simulated_dequantize" else {}
    return call(f"qnn.{name}", [data, _code(dtype), *flat], axis=axis, **rest)


def batch_matmul(
    x: Expr,
    y: Expr,
    x_zero_point: Expr,
    y_zero_point: Expr,
    x_scale: Expr,
    y_scale: Expr,
    out_dtype: str = "int32",
) -> Call:
    """Batches of matrices times the transposes of others, both quantized."""
    inputs = [x, y, x_zero_point, y_zero_point, x_scale, y_scale]
    return call("qnn.batch_matmul", inputs, out_dtype=out_dtype, transpose_a=False, transpose_b=True)


def simulated_quantize(
    data: Expr, output_scale: Expr, output_zero_point: Expr, axis: int = -1, out_dtype: str | Expr = "int8"
) -> Call:
    """The data rounded as quantization would, in float."""
    return _simulated("simulated_quantize", data, output_scale, output_zero_point, axis, out_dtype)


def simulated_dequantize(
    data: Expr, input_scale: Expr, input_zero_point: Expr, axis: int = -1, in_dtype: str | Expr = "int8"
) -> Call:
    """The inverse of ``simulated_quantize``, in float."""
    return _simulated("simulated_dequantize", data, input_scale, input_zero_point, axis, in_dtype)


def _named(*functions: Callable[..., Made]) -> dict[str, Callable[..., Made]]:
    return {function.__name__: function for function in functions}


CORE = _named(
    arange,
    broadcast_to,
    collapse_sum_to,
    device_copy,
    expand_dims,
    full,
    logsumexp,
    matrix_set_diag,
    mean_std,
    mean_variance,
    meshgrid,
    one_hot,
    ones,
    reshape,
    sparse_fill_empty_rows,
    sparse_to_dense,
    split,
    squeeze,
    std,
    stft,
    strided_set,
    strided_slice,
    tile,
    topk,
    trilu,
    unique,
    variance,
    zeros,
)
NN = _named(
    dropout,
    pad,
    sparse_add,
    sparse_dense,
    sparse_transpose,
    upsampling,
    upsampling3d,
    *(_global_pool(f"adaptive_{kind}_pool{axes}d", axes) for kind in ("avg", "max") for axes in (1, 3)),
)
IMAGE = _named(_resize(1, "NCW"), resize2d, _resize(3, "NCDHW"))
VISION = _named(all_class_non_max_suppression, get_valid_counts, non_max_suppression)
RANDOM = _named(normal, threefry_key, uniform)
ANNOTATION = _named(on_device)
QNN = _named(batch_matmul, simulated_dequantize, simulated_quantize)
