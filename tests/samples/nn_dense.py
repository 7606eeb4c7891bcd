"""Products of matrices."""

from __future__ import annotations

import torch

from tests.samples.making import f16, f32, f64, i8, i32, sample, u8
from torchrelay import op


def dense(data, weight, units=None, **attributes):
    """A row of a dense layer."""
    dtype = getattr(torch, attributes.get("out_dtype", str(data.dtype)))
    judge = lambda x, w: (x.double() @ w.double().T).to(dtype)
    return sample(data, weight, torch=judge, rtol=1e-5, atol=1e-5, units=units, **attributes)


def packed(data, weight, units=None, **attributes):
    """A row of a dense layer whose weight has its rows in blocks."""
    dtype = getattr(torch, attributes.get("out_dtype", str(data.dtype)))
    judge = lambda x, w: (x.double() @ w.double().mT.flatten(0, 1).T).to(dtype)
    return sample(data, weight, torch=judge, rtol=1e-5, atol=1e-5, units=units, **attributes)


def product(left, right, **attributes):
    """A row of a product whose attributes say which tensors are taken transposed."""
    dtype = getattr(torch, attributes.get("out_dtype", str(left.dtype)))

    def judge(a, b):
        a = a.mT if attributes.get("transpose_a") else a
        b = b.mT if attributes.get("transpose_b") else b
        return (a.double() @ b.double()).to(dtype)

    return sample(left, right, torch=judge, rtol=1e-5, atol=1e-5, **attributes)


def matrix(left, right, units=None, **attributes):
    """A row of a product with one matrix."""
    return product(left, right, units=units, **attributes)


def biased(data, bias, axis=1):
    """A row of a bias."""
    shape = [-1 if place == axis % data.ndim else 1 for place in range(data.ndim)]
    return sample(data, bias, axis=axis, torch=lambda x, b: x + b.reshape(shape))


ROWS = {
    op.nn.dense: [
        dense(f32(3, 4), f32(5, 4)),
        dense(f32(3, 4), f32(5, 4), units=5),
        dense(f32(2, 3, 4), f32(5, 4)),
        dense(f32(4), f32(5, 4)),
        dense(f64(3, 4), f64(5, 4)),
        dense(f16(3, 4), f16(5, 4), out_dtype="float32"),
        dense(i8(3, 4), i8(5, 4), out_dtype="int32"),
        dense(u8(3, 400), i8(5, 400), out_dtype="int32"),
        dense(i32(3, 4), i32(5, 4)),
        dense(i32(3, 4, low=-(2**20), high=2**20), i32(5, 4)),
        dense(f32(0, 4), f32(5, 4)),
        dense(f32(3, 0), f32(5, 0)),
    ],
    op.nn.contrib_dense_pack: [
        packed(f32(3, 8), f32(2, 8, 4), weight_layout="NC4n"),
        packed(f32(3, 8), f32(2, 8, 4), units=8, weight_layout="NC4n"),
        packed(i8(3, 8), i8(1, 8, 16), weight_layout="NC16n", out_dtype="int32"),
    ],
    op.nn.matmul: [
        matrix(f32(3, 4), f32(4, 5)),
        matrix(f32(3, 4), f32(4, 5), units=5),
        matrix(f32(4, 3), f32(4, 5), transpose_a=True),
        matrix(f32(3, 4), f32(5, 4), transpose_b=True),
        matrix(f32(2, 4, 3), f32(5, 4), transpose_a=True, transpose_b=True),
        matrix(f32(4), f32(4, 5)),
        matrix(f64(3, 4), f64(4, 5)),
        matrix(i8(3, 4), i8(4, 5), out_dtype="int32"),
    ],
    op.nn.batch_matmul: [
        product(f32(2, 3, 4), f32(2, 4, 5)),
        product(f32(2, 3, 4), f32(2, 5, 4), transpose_b=True),
        product(f32(2, 4, 3), f32(2, 5, 4), transpose_a=True, transpose_b=True),
        product(f32(1, 3, 4), f32(2, 4, 5)),
        product(f32(2, 3, 4), f32(1, 4, 5)),
        product(i8(2, 3, 4), i8(2, 5, 4), transpose_b=True, out_dtype="int32"),
        product(f64(2, 3, 4), f64(2, 4, 5)),
        product(f32(0, 3, 4), f32(0, 4, 5)),
    ],
    op.nn.bias_add: [
        biased(f32(2, 3), f32(3)),
        biased(f32(2, 3, 4, 5), f32(3)),
        biased(f32(2, 3, 4), f32(4), axis=-1),
        biased(f32(2, 3, 4), f32(2), axis=0),
        biased(i32(2, 3), i32(3)),
    ],
}
