"""Inputs and attributes that operators refuse, and how they say so: the operator, the value given, what is allowed."""

from __future__ import annotations

from typing import Any as Anything

import numpy as np
import pytest

from torchrelay import op
from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import ANY, Operator, TensorType, TupleType, Var

X = TensorType.of((2, 3, 4))
PLACES = TensorType.of((5,), "int32")
KEY = TensorType.of((10,), "uint64")
UNKNOWN = TensorType.of((ANY, 3))
SCALE, ZERO = TensorType.of(()), TensorType.of((), "int32")
BYTES, WEIGHT = TensorType.of((1, 3, 4, 4), "uint8"), TensorType.of((5, 3, 2, 2), "int8")
SUM = {"out_dtype": "int32"}


def of(*shape: int, dtype: str = "float32") -> TensorType:
    """A type."""
    return TensorType.of(shape, dtype)


REFUSED = [
    (op.add, (X, of(2, 3, 4, dtype="int32")), {}, "add: the inputs must have one dtype, but lhs is float32, rhs is int32"),
    (op.add, (X, of(2, 2, 4)), {}, "do not broadcast"),
    (op.add, (X,), {}, "add: 1 inputs, but it takes 2 (lhs, rhs)"),
    (op.exp, (TupleType((X,)),), {}, "exp: data must be a tensor, not of type (Tensor[(2, 3, 4), float32],)"),
    (op.exp, (X,), {"axis": 1}, "exp has no attributes, but axis was given"),
    (op.clip, (X,), {"a_min": 0.0}, "clip: the attribute a_max must be given"),
    (op.clip, (X,), {"a_min": 0.0, "a_max": "1"}, "clip: a_max is '1', but must be a number"),
    (op.sum, (X,), {"axis": (3,)}, "sum: axis 3 is outside a value of rank 3"),
    (op.sum, (X,), {"axis": 1}, "sum: axis is 1, but must be a list"),
    (op.sum, (X,), {"axes": (1,)}, "sum: there is no attribute axes"),
    (op.reshape, (X,), {"newshape": (5, 5)}, "reshape: a value of shape (2, 3, 4) has not the elements for the shape (5, 5)"),
    (op.reshape, (X,), {"newshape": (-1, -1)}, "reshape: newshape leaves more than one size open"),
    (op.reshape, (X,), {"newshape": (-1, 5)}, "has not the elements"),
    (op.reshape, (X,), {"newshape": (0, 0, 0, 0)}, "reshape: newshape refers to dim 3 of a value of rank 3"),
    (op.reshape, (X,), {"newshape": (-5,)}, "reshape: newshape holds -5, which has no meaning"),
    (op.reshape, (X,), {"newshape": (-4, 2)}, "reshape: -4 in newshape needs two sizes after it"),
    (op.reshape, (X,), {"newshape": (-4, 2, 2, -2)}, "reshape: a dim of 2 has no parts of 2 and 2"),
    (op.reshape, (of(0, 3),), {"newshape": (-1, 0), "allowzero": True}, "leaves a size open beside a size of 0"),
    (op.transpose, (X,), {"axes": (0, 1)}, "transpose: axes is (0, 1), but must name each of 3 axes once"),
    (op.transpose, (X,), {"axes": (0, 1, 1)}, "transpose: the axes (0, 1, 1) name an axis twice"),
    (op.expand_dims, (X,), {"axis": 4}, "expand_dims: axis is 4, but must be from -4 to 3"),
    (op.squeeze, (X,), {"axis": (1,)}, "squeeze: axis 1 has size 3, only one of size 1 can be dropped"),
    (op.squeeze, (UNKNOWN,), {}, "squeeze: axis=None needs known sizes"),
    (op.broadcast_to, (X,), {"shape": (2, 3, 5)}, "broadcast_to: the shape (2, 3, 4) does not broadcast to (2, 3, 5)"),
    (op.broadcast_to, (X,), {"shape": (4,)}, "does not broadcast to (4,)"),
    (op.collapse_sum_like, (of(1, 3), of(4, 3)), {}, "collapse_sum_like: the shape (4, 3) does not broadcast to (1, 3)"),
    (op.repeat, (X,), {"repeats": 0, "axis": 0}, "repeat: repeats is 0, but must be 1 or more"),
    (op.tile, (X,), {"reps": (0,)}, "tile: reps is (0,), but its entries must be 1 or more"),
    (op.concatenate, (TupleType((X, of(2, 3, 5))),), {"axis": 0}, "concatenate: the tensors differ along axis 2: 4, 5"),
    (op.concatenate, (TupleType((X, of(2, 3))),), {"axis": 0}, "concatenate: the tensors must have one rank, but have 2, 3"),
    (op.concatenate, (TupleType(()),), {}, "concatenate: a tuple of one tensor or more is needed, not ()"),
    (op.concatenate, (X,), {}, "concatenate: data must be a tuple"),
    (op.stack, (TupleType((X, X)),), {"axis": 4}, "stack: axis 4 is outside a value of rank 4"),
    (op.split, (X,), {"indices_or_sections": 5}, "split: a dim of 2 has no 5 equal parts"),
    (op.split, (X,), {"indices_or_sections": (2, 1), "axis": 2}, "split: a dim of 4 has no parts between 2, 1"),
    (op.strided_slice, (X,), {"begin": (1,), "end": (0,), "strides": (1,), "axes": None}, "strided_slice: the slice from 1 to 0 by 1 of axis 0 ends before it begins"),
    (op.strided_slice, (X,), {"begin": (1,), "end": (2,), "strides": (0,), "axes": None}, "a stride of 0 has no meaning"),
    (op.strided_slice, (X,), {"begin": (1,), "end": (2,), "strides": (), "axes": (0,)}, "must have one entry for each of the axes (0,)"),
    (op.slice_like, (X, of(9, 3, 4)), {"axes": None}, "slice_like: axis 0 has 2 elements, fewer than the 9 to keep"),
    (op.layout_transform, (X,), {"src_layout": "NCHW", "dst_layout": "NHWC"}, "layout_transform: the data must have rank 4 in layout NCHW, not 3"),
    (op.layout_transform, (X,), {"src_layout": "NCW", "dst_layout": "NC"}, "layout_transform: layouts NCW and NC have different axes"),
    (op.take, (X, of(5)), {"axis": 1}, "take: indices must hold integers, not float32"),
    (op.take, (X, PLACES), {"axis": 3}, "take: axis 3 is outside a value of rank 3"),
    (op.take, (X, PLACES), {"mode": "nearest"}, "take: mode is 'nearest', but must be clip, wrap or fast"),
    (op.gather, (X, of(2, 2, 4, dtype="int64")), {"axis": 0}, "gather: indices have size 2 along axis 1, the data 3"),
    (op.gather, (X, of(2, 3, dtype="int64")), {"axis": 0}, "gather: indices must have the rank of the data, 3, not 2"),
    (op.gather_nd, (X, of(4, 5, dtype="int64")), {}, "gather_nd: 4 coordinates after 0 batch axes are too many for data of rank 3"),
    (op.gather_nd, (X, TensorType.of((ANY, 5), "int64")), {}, "gather_nd: the first axis of the indices needs known sizes"),
    (op.scatter_nd, (X, of(2, 5, dtype="int32"), of(5, 5)), {}, "scatter_nd: updates must have the shape (5, 4), not (5, 5)"),
    (op.scatter_elements, (X, of(1, 3, 4, dtype="int32"), of(1, 3, 4)), {"reduction": "sum"}, "scatter_elements: reduction is 'sum', but must be update, add, mul, min, max or mean"),
    (op.one_hot, (PLACES, of(), of()), {"depth": 0}, "one_hot: depth is 0, but must be 1 or more"),
    (op.unique, (X,), {}, "unique: the data must be a vector, not of rank 3"),
    (op.searchsorted, (of(2, 2, 5), X), {}, "searchsorted: the rows of (2, 2, 5) are not those of (2, 3, 4)"),
    (op.sequence_mask, (X, of(2, dtype="int32")), {}, "sequence_mask: valid_length must have the shape (3,), not (2,)"),
    (op.einsum, (TupleType((of(2, 3), of(4, 4))),), {"equation": "ij,jk->ik"}, "einsum: the shapes (3,) and (4,) do not broadcast"),
    (op.einsum, (TupleType((of(2, 3),)),), {"equation": "ij,jk->ik"}, "is about 2 tensors, but 1 are given"),
    (op.einsum, (TupleType((of(2, 3),)),), {"equation": "ijk->i"}, "'ijk' of 'ijk->i' does not name the axes of a value of rank 2"),
    (op.topk, (X,), {"k": 2}, "topk: the attribute dtype must be given"),
    (op.shape_of, (X,), {}, "shape_of: the attribute dtype must be given"),
    (op.zeros, (), {"shape": (2,)}, "zeros: the attribute dtype must be given"),
    (op.full, (of(1),), {"shape": (2,)}, "full: fill_value must have rank 0, not 1"),
    (op.random.uniform, (KEY, of(), of()), {"out_shape": (2,), "out_dtype": "float16"}, "random.uniform: out_dtype is float16, but must be float32 or float64"),
    (op.random.threefry_split, (of(9, dtype="uint64"),), {}, "random.threefry_split: the key must be of type Tensor[(10), uint64], not Tensor[(9), uint64]"),
    (op.dyn.reshape, (X, of(ANY, dtype="int64")), {"newshape": ()}, "dyn.reshape: newshape needs known sizes"),
    (op.dyn.reshape, (X, of(3)), {"newshape": ()}, "dyn.reshape: newshape must hold integers, not float32"),
    (op.dyn.tile, (X, of(dtype="int64")), {"reps": ()}, "dyn.tile: reps must be a vector, not of rank 0"),
    (op.dyn.squeeze, (X, of(4, dtype="int64")), {}, "dyn.squeeze: axes names 4 axes, but the data has 3"),
    (op.dyn.expand_dims, (X, of(1, dtype="int64")), {}, "dyn.expand_dims: axis must be a scalar, not of rank 1"),
    (op.dyn.topk, (X, of(2, dtype="int64")), {"k": None, "dtype": "int32"}, "dyn.topk: k must be one number, not of shape (2,)"),
    (op.dyn.nn.pad, (X, of(2, 2, dtype="int64"), of()), {"pad_width": ()}, "dyn.nn.pad: pad_width must have the shape (3, 2), not (2, 2)"),
    (op.dyn.strided_slice, (X, of(2, dtype="int64"), of(3, dtype="int64"), of(1, dtype="int64")), {"begin": None, "end": None, "strides": None, "axes": None}, "dyn.strided_slice: begin, end and strides have 2, 3 and 1 values"),
    (op.dyn.strided_slice, (X, *[of(1, dtype="int64")] * 3), {"begin": None, "end": None, "strides": None, "axes": (1,)}, "dyn.strided_slice: axes is (1,), but must be None"),
    (op.vision.roi_align, (of(1, 2, 8, 8), of(3, 4)), {"pooled_size": (2, 2), "spatial_scale": 1.0}, "vision.roi_align: a region must have 5 values, its image first, not 4"),
    (op.vision.roi_pool, (of(1, 2, 8, 8), of(3, 5)), {"pooled_size": (2,), "spatial_scale": 1.0}, "vision.roi_pool: pooled_size has 1 values, but must have 2"),
    (op.vision.get_valid_counts, (of(5, 6), of()), {"score_threshold": None}, "vision.get_valid_counts: data must have rank 3, not 2"),
    (op.vision.get_valid_counts, (of(1, 5, 6), of()), {"score_threshold": None, "score_index": 6}, "vision.get_valid_counts: score_index is 6, but a box has 6 values"),
    (op.vision.all_class_non_max_suppression, (of(1, 5, 4), of(1, 2, 6), of(dtype="int32"), of(), of()), {}, "vision.all_class_non_max_suppression: scores of shape (1, 2, 6) do not fit boxes of shape (1, 5, 4)"),
    (op.vision.multibox_prior, (of(1, 2, 4, 4),), {"steps": (1.0,)}, "vision.multibox_prior: steps has 1 values, but must have 2"),
    (op.vision.yolo_reorg, (of(1, 2, 4, 4),), {"stride": 2}, "vision.yolo_reorg: channels of 2 are not cut into parts of 4"),
    (op.vision.proposal, (of(1, 2, 3, 3), of(1, 8, 3, 3), of(1, 3)), {"scales": (1.0,), "ratios": (1.0,)}, "vision.proposal: bbox_pred must have 4 channels for 1 anchors, not 8"),
    (op.stft, (of(2, 9), of(3)), {"n_fft": 4, "hop_length": 2, "win_length": 3}, "stft: a window of 3 is not as long as n_fft, 4"),
    (op.fixed_point_multiply, (BYTES,), {"multiplier": 2**30, "shift": 0}, "fixed_point_multiply: data must hold int32, not uint8"),
    (op.fixed_point_multiply_per_axis, (of(2, 3, dtype="int32"), *[of(2, dtype="int32")] * 3), {"axes": (1,)}, "fixed_point_multiply_per_axis: fp_multiplier must have one number for each place along axes 1, 3, not (2,)"),
    (op.qnn.quantize, (of(2, 3, dtype="float16"), SCALE, ZERO), {"out_dtype": "int8"}, "qnn.quantize: data must hold float32, not float16"),
    (op.qnn.quantize, (X, SCALE, ZERO), {"out_dtype": "int64"}, "qnn.quantize: out_dtype is int64, but must be int8, uint8, int16, uint16 or int32"),
    (op.qnn.quantize, (X, of(3), ZERO), {"out_dtype": "int8"}, "qnn.quantize: output_scale must be one number or of shape (4,), not of shape (3,)"),
    (op.qnn.quantize, (X, SCALE, SCALE), {"out_dtype": "int8"}, "qnn.quantize: output_zero_point must hold int32, not float32"),
    (op.qnn.quantize, (X, SCALE, ZERO), {"out_dtype": "int8", "axis": 3}, "qnn.quantize: axis 3 is outside a value of rank 3"),
    (op.qnn.dequantize, (BYTES, SCALE, ZERO), {"out_dtype": "float64"}, "qnn.dequantize: out_dtype is float64, but must be float16 or float32"),
    (op.qnn.requantize, (BYTES, SCALE, ZERO, of(4), ZERO), {"out_dtype": "int8"}, "qnn.requantize: output_scale must be one number, not of shape (4,)"),
    (op.qnn.requantize, (BYTES, SCALE, ZERO, SCALE, ZERO), {}, "qnn.requantize: out_dtype is not given, but must be int8, uint8, int16 or int32"),
    (op.qnn.requantize, (BYTES, SCALE, ZERO, SCALE, ZERO), {"out_dtype": "int8", "rounding": "DOWN"}, "qnn.requantize: rounding is 'DOWN', but must be UPWARD, TONEAREST or None"),
    (op.qnn.requantize, (BYTES, SCALE, ZERO, SCALE, ZERO), {"out_dtype": "int8", "compute_dtype": "int32"}, "qnn.requantize: compute_dtype is 'int32', but must be int64, float32, float64 or None"),
    (op.qnn.add, (BYTES, WEIGHT, SCALE, ZERO, SCALE, ZERO, SCALE, ZERO), {}, "qnn.add: the inputs must have one dtype, but lhs is uint8, rhs is int8"),
    (op.qnn.mul, (BYTES, BYTES, of(3), ZERO, SCALE, ZERO, SCALE, ZERO), {}, "qnn.mul: lhs_scale must be one number or of shape (4,), not of shape (3,)"),
    (op.qnn.concatenate, (TupleType((BYTES, BYTES)), TupleType((SCALE,)), TupleType((ZERO, ZERO)), SCALE, ZERO), {}, "qnn.concatenate: input_scales has 1 numbers, but the data 2 tensors"),
    (op.qnn.concatenate, (TupleType((BYTES, BYTES)), TupleType((SCALE, of(2))), TupleType((ZERO, ZERO)), SCALE, ZERO), {}, "qnn.concatenate: input_scales[1] must be one number, not of shape (2,)"),
    (op.qnn.conv2d, (BYTES, WEIGHT, ZERO, ZERO, SCALE, SCALE), {}, "qnn.conv2d: out_dtype is not given, but must be int16, int32 or int64"),
    (op.qnn.conv2d, (BYTES, WEIGHT, ZERO, ZERO, SCALE, of(3)), SUM, "qnn.conv2d: weight_scale must be one number or of shape (5,), not of shape (3,)"),
    (op.qnn.conv2d, (BYTES, WEIGHT, SCALE, ZERO, ZERO, SCALE), SUM, "qnn.conv2d: input_scale must hold float32, not int32"),
    (op.qnn.conv2d, (BYTES, X, ZERO, ZERO, SCALE, SCALE), SUM, "qnn.conv2d: weight must hold int8, uint8 or int16, not float32"),
    (op.qnn.dense, (of(2, 3, dtype="int8"), of(4, 3, dtype="int8"), ZERO, of(3, dtype="int32"), SCALE, SCALE), {"units": 4, **SUM}, "qnn.dense: weight_zero_point must be one number or of shape (4,), not of shape (3,)"),
    (op.qnn.contrib_dense_pack, (of(2, 8, dtype="uint8"), of(1, 2, 4, 4, dtype="int8"), ZERO, ZERO, SCALE, SCALE), {"units": 4, "weight_layout": "NC8n4c", **SUM}, "qnn.contrib_dense_pack: weight_layout has blocks of 8 along N, but the weight of 4"),
    (op.qnn.contrib_dense_pack, (of(2, 8, dtype="uint8"), of(1, 2, 4, 4, dtype="int8"), ZERO, ZERO, SCALE, SCALE), {"units": 4, "weight_layout": "CN", **SUM}, "qnn.contrib_dense_pack: weight_layout is 'CN', but must be NC with blocks, such as NC16n4c"),
    (op.qnn.batch_matmul, (of(1, 2, 3, dtype="int8"), of(1, 4, 3, dtype="int8"), ZERO, ZERO, SCALE, SCALE), {"out_dtype": "int64", "transpose_b": True}, "qnn.batch_matmul: out_dtype is int64, but must be int32"),
    (op.qnn.softmax, (BYTES, SCALE, ZERO, SCALE, ZERO), {}, "qnn.softmax: data must hold int8, not uint8"),
    (op.qnn.tanh, (X, SCALE, ZERO, SCALE, ZERO), {}, "qnn.tanh: data must hold int8 or uint8, not float32"),
    (op.qnn.simulated_quantize, (X, of(2, dtype="int32"), SCALE, ZERO), {}, "qnn.simulated_quantize: out_dtype must be one number, not of shape (2,)"),
    (op.qnn.simulated_dequantize, (X, SCALE, SCALE, ZERO), {"out_dtype": "float32"}, "qnn.simulated_dequantize: in_dtype must hold integers, not float32"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("operator", "types", "attributes", "message"), REFUSED, ids=[f"{row[0].name}-{n}" for n, row in enumerate(REFUSED)]
)
def test_refused(
    operator: Operator[...], types: tuple[Anything, ...], attributes: dict[str, Anything], message: str
) -> None:
    with pytest.raises((TypeMismatch, WrongArgument)) as caught:
        operator(*[Var(f"x{number}", type_) for number, type_ in enumerate(types)], **attributes)
    assert message in caught.value.message
    assert caught.value.message.startswith(operator.name)


@pytest.mark.parametrize(
    ("operator", "values", "message"),
    [
        (op.qnn.softmax, ([3], 1.5, 0, 0.1, 0), "qnn.softmax: scale is 1.5, but must be 1 or less"),
        (op.qnn.simulated_quantize, ([3.0], 4, 1.0, 0), "out_dtype is 4, but must be 0 (none), 1 (int8), 2 (uint8) or 3 (int32)"),
    ],
)  # fmt: skip
def test_refused_for_its_values(operator: Operator[...], values: tuple[Anything, ...], message: str) -> None:
    dtypes = {"scale": "float32", "zero_point": "int32", "out_dtype": "int32"}
    kinds = [next((dtypes[end] for end in dtypes if i.name.endswith(end)), None) for i in operator.inputs]
    kinds[0] = "int8" if operator is op.qnn.softmax else "float32"
    arrays = [np.array(value, kind) for value, kind in zip(values, kinds, strict=True)]
    with pytest.raises(WrongArgument) as caught:
        operator.meaning(*arrays, operator.attributes({}))
    assert message in caught.value.message
