"""Products and sums with sparse matrices: rows compressed, single elements (CSR) or blocks (BSR)."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    Attrs,
    Dim,
    Fusion,
    Indices,
    TensorType,
    TupleType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._numpy import Array
from torchrelay.op._products import product
from torchrelay.op._windows import convolved, padded

__all__ = ["sparse_add", "sparse_conv2d", "sparse_dense", "sparse_transpose"]


def _check_sparse(data: TensorType, indices: TensorType, indptr: TensorType) -> None:
    if data.rank not in (1, 3) or indices.rank != 1 or indptr.rank != 1:
        ranks = f"{data.rank}, {indices.rank} and {indptr.rank}"
        raise TypeMismatch(f"a sparse matrix is data of rank 1 or 3, indices and indptr of rank 1, not ranks {ranks}")
    if not shapes.dims_fit(data.shape[0], indices.shape[0]):
        raise TypeMismatch(f"{data.shape[0]} elements have {indices.shape[0]} indices; the two must be equal")


def _rows(data: TensorType, indptr: TensorType) -> Dim:
    rows = shapes.subtract(indptr.shape[0], 1)
    return rows if data.rank == 1 else shapes.multiply(rows, data.shape[1])


def _row_numbers(indptr: Array) -> Array:
    return np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))


def dense_of(data: Array, indices: Array, indptr: Array, columns: int) -> Array:
    """The sparse matrix in full, with that many columns; elements given twice are added."""
    blocks = data.reshape(-1, 1, 1) if data.ndim == 1 else data
    _, height, width = blocks.shape
    result = np.zeros((len(indptr) - 1, columns // width, height, width), data.dtype)
    np.add.at(result, (_row_numbers(indptr), indices), blocks)
    return result.transpose(0, 2, 1, 3).reshape((len(indptr) - 1) * height, columns)


@attrs("relay.attrs.SparseDenseAttrs")
class SparseDenseAttrs(Attrs):
    sparse_lhs: bool = False
    """Whether the sparse matrix is the left one of the product."""


@operator("nn.sparse_dense", SparseDenseAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=1)
def sparse_dense(
    dense_data: TensorType,
    sparse_data: TensorType,
    sparse_indices: TensorType,
    sparse_indptr: TensorType,
    attrs: SparseDenseAttrs,
) -> Type:
    """A dense matrix (m, k) times the transpose of a sparse one (n, k): (m, n).

    With ``sparse_lhs`` the sparse one times the transpose of the dense one: (n, m).
    """
    _check_sparse(sparse_data, sparse_indices, sparse_indptr)
    if dense_data.rank != 2:
        raise TypeMismatch(f"the dense matrix must have rank 2, not {dense_data.rank}")
    sides = (dense_data.shape[0], _rows(sparse_data, sparse_indptr))
    return TensorType(sides[::-1] if attrs.sparse_lhs else sides, dense_data.dtype)


@sparse_dense.reference
def sparse_dense_numpy(
    dense_data: Array, sparse_data: Array, sparse_indices: Array, sparse_indptr: Array, attrs: SparseDenseAttrs
) -> Array:
    sparse = dense_of(sparse_data, sparse_indices, sparse_indptr, dense_data.shape[1])
    left, right = (sparse, dense_data) if attrs.sparse_lhs else (dense_data, sparse)
    return product(left, right.T, dense_data.dtype)


@attrs("relay.attrs.SparseTransposeAttrs")
class SparseTransposeAttrs(Attrs):
    pass


@operator("nn.sparse_transpose", SparseTransposeAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=1)
def sparse_transpose(
    sparse_data: TensorType, sparse_indices: TensorType, sparse_indptr: TensorType, attrs: SparseTransposeAttrs
) -> Type:
    """The transpose of a square sparse matrix: its data, indices and indptr."""
    if sparse_data.rank != 1:
        raise TypeMismatch(f"the data must have rank 1, not {sparse_data.rank}")
    _check_sparse(sparse_data, sparse_indices, sparse_indptr)
    return TupleType((sparse_data, sparse_indices, sparse_indptr))


@sparse_transpose.reference
def sparse_transpose_numpy(
    sparse_data: Array, sparse_indices: Array, sparse_indptr: Array, attrs: SparseTransposeAttrs
) -> tuple[Array, ...]:
    order = np.argsort(sparse_indices, kind="stable")
    counts = np.bincount(sparse_indices, minlength=len(sparse_indptr) - 1)
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(sparse_indptr.dtype)
    return sparse_data[order], _row_numbers(sparse_indptr)[order].astype(sparse_indices.dtype), indptr


@operator("nn.sparse_add", None, Fusion.OPAQUE, level=1)
def sparse_add(
    dense_data: TensorType, sparse_data: TensorType, sparse_indices: TensorType, sparse_indptr: TensorType
) -> Type:
    """A dense matrix plus a sparse one."""
    _check_sparse(sparse_data, sparse_indices, sparse_indptr)
    if dense_data.rank != 2 or sparse_data.rank != 1:
        raise TypeMismatch(f"a matrix and elements are needed, not ranks {dense_data.rank} and {sparse_data.rank}")
    if not shapes.dims_fit(dense_data.shape[0], _rows(sparse_data, sparse_indptr)):
        rows = _rows(sparse_data, sparse_indptr)
        raise TypeMismatch(f"the dense matrix has {dense_data.shape[0]} rows, the sparse one {rows}")
    return dense_data


@sparse_add.reference
def sparse_add_numpy(dense_data: Array, sparse_data: Array, sparse_indices: Array, sparse_indptr: Array) -> Array:
    return dense_data + dense_of(sparse_data, sparse_indices, sparse_indptr, dense_data.shape[1])


@attrs("relay.attrs.SparseConv2DAttrs")
class SparseConv2DAttrs(Attrs):
    layout: str = "NHWC"
    """The layout of the data: ``NHWC`` or ``NCHW``."""
    kernel_size: Indices = (1, 1)
    """The size of the kernel: 1 x 1 or 3 x 3."""


def _channel_axis(attrs: SparseConv2DAttrs) -> int:
    if attrs.layout not in ("NHWC", "NCHW"):
        raise WrongArgument(f"layout is {attrs.layout!r}, but must be NHWC or NCHW")
    return attrs.layout.index("C")


@operator("nn.sparse_conv2d", SparseConv2DAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=1)
def sparse_conv2d(
    dense_data: TensorType,
    sparse_data: TensorType,
    sparse_indices: TensorType,
    sparse_indptr: TensorType,
    attrs: SparseConv2DAttrs,
) -> Type:
    """The convolution with a sparse weight (outputs, height * width * inputs), zeros around the data."""
    _check_sparse(sparse_data, sparse_indices, sparse_indptr)
    if dense_data.rank != 4 or sparse_data.rank != 3:
        raise TypeMismatch(f"data of rank 4 and blocks are needed, not ranks {dense_data.rank} and {sparse_data.rank}")
    if attrs.kernel_size not in ((1, 1), (3, 3)):
        raise WrongArgument(f"kernel_size is {attrs.kernel_size}, but must be (1, 1) or (3, 3)")
    axis = _channel_axis(attrs)
    outputs = _rows(sparse_data, sparse_indptr)
    return TensorType((*dense_data.shape[:axis], outputs, *dense_data.shape[axis + 1 :]), dense_data.dtype)


@sparse_conv2d.reference
def sparse_conv2d_numpy(
    dense_data: Array, sparse_data: Array, sparse_indices: Array, sparse_indptr: Array, attrs: SparseConv2DAttrs
) -> Array:
    axis, kernel = _channel_axis(attrs), shapes.static(attrs.kernel_size, "kernel_size")
    source = np.moveaxis(dense_data, axis, 1)
    channels = source.shape[1]
    matrix = dense_of(sparse_data, sparse_indices, sparse_indptr, channels * kernel[0] * kernel[1])
    weight = matrix.reshape(len(matrix), *kernel, channels).transpose(0, 3, 1, 2)
    around = [taps // 2 for taps in kernel]
    return np.moveaxis(convolved(padded(source, around, around), weight, (1, 1), (1, 1), 1), 1, axis)
