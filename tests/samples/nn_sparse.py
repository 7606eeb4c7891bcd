"""Products and sums with sparse matrices."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from scipy import sparse

from tests.samples.making import f32, i32, sample
from torchrelay import op


def scattered(*shape, share=0.4, seed=0):
    """A float32 matrix most of whose elements are 0."""
    values = f32(*shape, seed=seed)
    return np.where(f32(*shape, low=0, high=1, seed=seed + 1) < share, values, np.float32(0))


def elements(matrix):
    """The parts of a matrix in compressed rows."""
    found = sparse.csr_matrix(matrix)
    return found.data, found.indices.astype("int32"), found.indptr.astype("int32")


def blocks(matrix, size):
    """The parts of a matrix in compressed rows of blocks."""
    found = sparse.bsr_matrix(matrix, blocksize=size)
    return found.data, found.indices.astype("int32"), found.indptr.astype("int32")


def dense(data, matrix, parts, sparse_lhs=False):
    """A row of a product of a dense and a sparse matrix."""
    judge = lambda x, *_: matrix @ x.T if sparse_lhs else x @ matrix.T
    return sample(data, *parts, sparse_lhs=sparse_lhs, numpy=judge, rtol=1e-5, atol=1e-5)


def convolution(data, matrix, layout="NHWC", kernel_size=(1, 1)):
    """A row of a convolution whose weight (outputs, taps and inputs) is sparse."""

    def judge(x, *_):
        plain = x.permute(0, 3, 1, 2) if layout == "NHWC" else x
        weight = torch.from_numpy(matrix).reshape(len(matrix), *kernel_size, plain.shape[1]).permute(0, 3, 1, 2)
        result = F.conv2d(plain, weight, padding=kernel_size[0] // 2)
        return result.permute(0, 2, 3, 1) if layout == "NHWC" else result

    parts = blocks(matrix, (2, 2))
    return sample(data, *parts, layout=layout, kernel_size=kernel_size, torch=judge, rtol=1e-5, atol=1e-5)


def transposed(*parts):
    """The parts of the transpose, by SciPy."""
    matrix = sparse.csr_matrix(parts, shape=(len(parts[2]) - 1,) * 2).T.tocsr()
    return matrix.data, matrix.indices.astype("int32"), matrix.indptr.astype("int32")


TALL, WIDE, SQUARE = scattered(6, 4), scattered(4, 8, seed=3), scattered(5, 5, seed=5)
TWICE = f32(3), np.array([1, 1, 0], "int32"), np.array([0, 2, 3], "int32")

ROWS = {
    op.nn.sparse_dense: [
        dense(f32(3, 4), TALL, elements(TALL)),
        dense(f32(3, 8), WIDE, blocks(WIDE, (2, 4))),
        dense(f32(3, 4), TALL, elements(TALL), sparse_lhs=True),
        dense(f32(3, 8), WIDE, blocks(WIDE, (2, 4)), sparse_lhs=True),
        dense(f32(2, 2), np.array([[0, TWICE[0][:2].sum()], [TWICE[0][2], 0]], "float32"), TWICE),
    ],
    op.nn.sparse_transpose: [
        sample(*elements(SQUARE), numpy=transposed),
        sample(*elements(np.zeros((3, 3), "float32")), numpy=transposed),
    ],
    op.nn.sparse_add: [
        sample(f32(6, 4), *elements(TALL), numpy=lambda x, *_: x + TALL),
        sample(i32(6, 4), *elements(TALL.astype("int32")), numpy=lambda x, *_: x + TALL.astype("int32")),
    ],
    op.nn.sparse_conv2d: [
        convolution(f32(1, 3, 5, 4), TALL),
        convolution(f32(2, 4, 3, 5), TALL, layout="NCHW"),
        convolution(f32(1, 4, 5, 2), scattered(4, 18), kernel_size=(3, 3)),
    ],
}
