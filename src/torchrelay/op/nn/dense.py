"""Products of matrices."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import VOID, Attrs, DType, Fusion, Index, Shape, String, TensorType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array
from torchrelay.op._products import product
from torchrelay.op._relations import check_same_dtype

__all__ = ["batch_matmul", "bias_add", "contrib_dense_pack", "dense", "matmul"]


@attrs("relay.attrs.DenseAttrs")
class DenseAttrs(Attrs):
    units: Index | None
    """The number of results; that of the weight when left out."""
    out_dtype: DType = VOID
    """The dtype of the result and of the sum; that of the data when void."""


def _out(data: Array, attrs: DenseAttrs | MatmulAttrs | BatchMatmulAttrs) -> np.dtype:
    return attrs.out_dtype.numpy if attrs.out_dtype else data.dtype


@operator("nn.dense", DenseAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=1)
def dense(data: TensorType, weight: TensorType, attrs: DenseAttrs) -> Type:
    """Data (..., k) times the transpose of weight (units, k)."""
    if weight.rank != 2 or data.rank < 1:
        raise TypeMismatch(f"data (..., k) and weight (units, k) are needed, not ranks {data.rank} and {weight.rank}")
    if not shapes.dims_fit(data.shape[-1], weight.shape[1]):
        raise TypeMismatch(f"data ends in {data.shape[-1]}, weight in {weight.shape[1]}; the two must be equal")
    if attrs.units is not None and not shapes.dims_fit(attrs.units, weight.shape[0]):
        raise TypeMismatch(f"units is {attrs.units}, but the weight makes {weight.shape[0]}")
    units = weight.shape[0] if attrs.units is None else shapes.known(weight.shape[0], attrs.units)
    return TensorType((*data.shape[:-1], units), attrs.out_dtype or data.dtype)


@dense.reference
def dense_numpy(data: Array, weight: Array, attrs: DenseAttrs) -> Array:
    return product(data, weight.T, _out(data, attrs))


@dense.completes
def dense_weight(types: tuple[TensorType | None, ...], attrs: DenseAttrs) -> tuple[TensorType | None, ...]:
    data, weight = types
    if data is None or weight is not None or attrs.units is None:
        return types
    return data, TensorType((attrs.units, data.shape[-1]), data.dtype)


@attrs("relay.attrs.DensePackAttrs")
class DensePackAttrs(DenseAttrs):
    weight_layout: String = "NC"
    """The layout of the weight, with its rows in blocks: ``NC8n``."""


@operator("nn.contrib_dense_pack", DensePackAttrs, Fusion.OUT_ELEMWISE_FUSABLE, keyed=False)
def contrib_dense_pack(data: TensorType, weight: TensorType, attrs: DensePackAttrs) -> Type:
    """Data (m, k) times the transpose of a weight whose rows are cut into blocks: (units / block, k, block)."""
    if data.rank != 2 or weight.rank != 3:
        raise TypeMismatch(f"data (m, k) and weight (n, k, block) are needed, not ranks {data.rank} and {weight.rank}")
    plain = TensorType((shapes.multiply(weight.shape[0], weight.shape[2]), weight.shape[1]), weight.dtype)
    return dense.relation(data, plain, attrs)


@contrib_dense_pack.reference
def contrib_dense_pack_numpy(data: Array, weight: Array, attrs: DensePackAttrs) -> Array:
    blocks, depth, block = weight.shape
    return product(data, weight.transpose(1, 0, 2).reshape(depth, blocks * block), _out(data, attrs))


@attrs("relay.attrs.MatmulAttrs")
class MatmulAttrs(Attrs):
    units: Index | None
    """The number of columns of the result; that of the second tensor when left out."""
    out_dtype: DType = VOID
    """The dtype of the result and of the sum; that of the first tensor when void."""
    transpose_a: bool = False
    """Whether the first tensor is taken transposed."""
    transpose_b: bool = False
    """Whether the second tensor is taken transposed."""


@operator("nn.matmul", MatmulAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=1)
def matmul(tensor_a: TensorType, tensor_b: TensorType, attrs: MatmulAttrs) -> Type:
    """The product of a tensor (..., m, k) and a matrix (k, n)."""
    if tensor_b.rank != 2 or tensor_a.rank < 1:
        raise TypeMismatch(f"(..., k) and (k, n) are needed, not ranks {tensor_a.rank} and {tensor_b.rank}")
    left = _left(tensor_a, attrs)
    right = tensor_b.shape[::-1] if attrs.transpose_b else tensor_b.shape
    if not shapes.dims_fit(left[-1], right[0]):
        raise TypeMismatch(f"the first ends in {left[-1]}, the second begins with {right[0]}; the two must be equal")
    if attrs.units is not None and not shapes.dims_fit(attrs.units, right[1]):
        raise TypeMismatch(f"units is {attrs.units}, but the second tensor makes {right[1]}")
    units = right[1] if attrs.units is None else shapes.known(right[1], attrs.units)
    return TensorType((*left[:-1], units), attrs.out_dtype or tensor_a.dtype)


def _left(tensor_a: TensorType, attrs: MatmulAttrs) -> Shape:
    if not attrs.transpose_a:
        return tensor_a.shape
    if tensor_a.rank < 2:
        raise TypeMismatch("the first tensor has rank 1 and cannot be taken transposed")
    return (*tensor_a.shape[:-2], tensor_a.shape[-1], tensor_a.shape[-2])


@matmul.completes
def matmul_second(types: tuple[TensorType | None, ...], attrs: MatmulAttrs) -> tuple[TensorType | None, ...]:
    first, second = types
    if first is None or second is not None or attrs.units is None:
        return types
    shape = (_left(first, attrs)[-1], attrs.units)
    return first, TensorType(shape[::-1] if attrs.transpose_b else shape, first.dtype)


@matmul.reference
def matmul_numpy(tensor_a: Array, tensor_b: Array, attrs: MatmulAttrs) -> Array:
    left = np.swapaxes(tensor_a, -1, -2) if attrs.transpose_a else tensor_a
    return product(left, tensor_b.T if attrs.transpose_b else tensor_b, _out(tensor_a, attrs))


@attrs("relay.attrs.BatchMatmulAttrs")
class BatchMatmulAttrs(Attrs):
    out_dtype: DType = VOID
    """The dtype of the result and of the sum; that of the first tensor when void."""
    transpose_a: bool = False
    """Whether the matrices of the first tensor are taken transposed."""
    transpose_b: bool = False
    """Whether the matrices of the second tensor are taken transposed."""


@operator("nn.batch_matmul", BatchMatmulAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=10)
def batch_matmul(tensor_a: TensorType, tensor_b: TensorType, attrs: BatchMatmulAttrs) -> Type:
    """The products of the matrices of (batch, m, k) and (batch, k, n); a batch of 1 serves all."""
    if tensor_a.rank != 3 or tensor_b.rank != 3:
        raise TypeMismatch(f"(batch, m, k) and (batch, k, n) are needed, not ranks {tensor_a.rank}, {tensor_b.rank}")
    left = (tensor_a.shape[0], *tensor_a.shape[:0:-1]) if attrs.transpose_a else tensor_a.shape
    right = (tensor_b.shape[0], *tensor_b.shape[:0:-1]) if attrs.transpose_b else tensor_b.shape
    if not shapes.dims_fit(left[2], right[1]):
        raise TypeMismatch(f"the matrices are ({left[1]}, {left[2]}) and ({right[1]}, {right[2]})")
    (batch,) = shapes.broadcast((left[0],), (right[0],))
    return TensorType((batch, left[1], right[2]), attrs.out_dtype or tensor_a.dtype)


@batch_matmul.reference
def batch_matmul_numpy(tensor_a: Array, tensor_b: Array, attrs: BatchMatmulAttrs) -> Array:
    left = np.swapaxes(tensor_a, 1, 2) if attrs.transpose_a else tensor_a
    right = np.swapaxes(tensor_b, 1, 2) if attrs.transpose_b else tensor_b
    return product(left, right, _out(tensor_a, attrs))


@attrs("relay.attrs.BiasAddAttrs")
class BiasAddAttrs(Attrs):
    axis: int = 1
    """The axis along which the bias runs."""


@operator("nn.bias_add", BiasAddAttrs, Fusion.BROADCAST, level=1)
def bias_add(data: TensorType, bias: TensorType, attrs: BiasAddAttrs) -> Type:
    """The data plus a vector along an axis."""
    axis = shapes.normal_axis(attrs.axis, data.rank)
    if bias.rank != 1 or not shapes.dims_fit(bias.shape[0], data.shape[axis]):
        raise TypeMismatch(f"the bias must have the shape ({data.shape[axis]},), not {bias.shape}")
    check_same_dtype(data=data, bias=bias)
    return data


@bias_add.reference
def bias_add_numpy(data: Array, bias: Array, attrs: BiasAddAttrs) -> Array:
    return data + bias.reshape(*bias.shape, *(1,) * (data.ndim - 1 - attrs.axis % data.ndim))


@bias_add.completes
def bias_follows(types: tuple[TensorType | None, ...], attrs: BiasAddAttrs) -> tuple[TensorType | None, ...]:
    data, bias = types
    if data is None or bias is not None:
        return types
    return data, TensorType((data.shape[shapes.normal_axis(attrs.axis, data.rank)],), data.dtype)
