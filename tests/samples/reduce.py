"""Reductions over axes, and running sums and products along one."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.samples.making import array, bools, f16, f32, f64, i8, i32, sample
from torchrelay import op

DATA = f32(2, 3, 4)
TIES = array([[1, 3, 3], [2, 2, 1]])


def reductions(numpy, *others):
    """Rows of every way to choose axes, judged by a NumPy function, and of these further inputs as a whole."""
    return [
        sample(DATA, numpy=lambda x: numpy(x, None, keepdims=False)),
        sample(DATA, axis=(1,), numpy=lambda x: numpy(x, 1, keepdims=False)),
        sample(DATA, axis=(-1, 0), keepdims=True, numpy=lambda x: numpy(x, (2, 0), keepdims=True)),
        sample(DATA, axis=(1,), exclude=True, numpy=lambda x: numpy(x, (0, 2), keepdims=False)),
        sample(DATA, axis=(0, 1, 2), exclude=True, numpy=lambda x: numpy(x, (), keepdims=False)),
        sample(DATA, axis=(), numpy=lambda x: numpy(x, None, keepdims=False)),
        sample(DATA, exclude=True, keepdims=True, numpy=lambda x: numpy(x, None, keepdims=True)),
        sample(f32(), numpy=lambda x: x),
        *[sample(other, axis=(0,), numpy=lambda x: numpy(x, 0, keepdims=False).astype(x.dtype)) for other in others],
    ]


def mean_of_integers(x, axis, keepdims):
    """The mean rounded toward zero."""
    return np.trunc(np.mean(x.astype("float64"), axis, keepdims=keepdims)).astype(x.dtype)


def truth(numpy):
    """Rows of a reduction of truth values."""
    return [
        sample(bools(2, 3, 4), axis=(1,), numpy=lambda x: numpy(x, 1)),
        sample(bools(2, 3, 4), keepdims=True, numpy=lambda x: numpy(x, keepdims=True)),
        sample(i32(3, 4, low=0, high=2), axis=(0,), numpy=lambda x: numpy(x, 0).astype("int32")),
    ]


def search(numpy, last):
    """Rows of a search for an extreme element; ``last`` holds the last of equal ones in each row of TIES."""
    return [
        sample(DATA, axis=(1,), numpy=lambda x: numpy(x, 1).astype("int32")),
        sample(DATA, axis=(-2,), keepdims=True, numpy=lambda x: numpy(x, 1, keepdims=True).astype("int32")),
        sample(DATA, numpy=lambda x: np.int32(numpy(x))),
        sample(DATA, axis=(0, 2), numpy=lambda x: numpy(np.swapaxes(x, 0, 1).reshape(3, 8), 1).astype("int32")),
        sample(
            DATA, axis=(1,), exclude=True, numpy=lambda x: numpy(np.swapaxes(x, 0, 1).reshape(3, 8), 1).astype("int32")
        ),
        sample(TIES, axis=(1,), numpy=lambda x: numpy(x, 1).astype("int32")),
        sample(TIES, axis=(1,), select_last_index=True, numpy=lambda x: array(last, "int32")),
        sample(i8(3, 5), axis=(1,), numpy=lambda x: numpy(x, 1).astype("int32")),
    ]


def scans(by_torch, numpy):
    """Rows of a scan, judged by functions of torch and of NumPy."""
    return [
        sample(DATA, axis=1, torch=lambda x: by_torch(x, 1)),
        sample(DATA, axis=-1, torch=lambda x: by_torch(x, 2)),
        sample(DATA, numpy=lambda x: numpy(x)),
        sample(i32(3, 4), axis=0, dtype="int64", torch=lambda x: by_torch(x, 0)),
        sample(i8(9), axis=0, numpy=lambda x: numpy(x, dtype="int8")),
        sample(bools(3, 4), axis=1, dtype="int32", numpy=lambda x: numpy(x, 1, dtype="int32")),
    ]


ROWS = {
    op.sum: [*reductions(np.sum, f64(3, 4), i32(3, 4), i8(9, 4), f32(0, 3)), sample(f16(9), torch=lambda x: x.sum())],
    op.prod: reductions(np.prod, f64(3, 4), i32(3, 4), f32(0, 3)),
    op.mean: [
        *reductions(np.mean, f64(3, 4)),
        sample(i32(3, 4), axis=(0,), numpy=lambda x: mean_of_integers(x, 0, False)),
        sample(i32(3, 4), axis=(1,), keepdims=True, numpy=lambda x: mean_of_integers(x, 1, True)),
        sample(f16(9), torch=lambda x: x.mean()),
    ],
    op.max: reductions(np.max, f64(3, 4), i32(3, 4), array([[1, math.nan], [2, 3]]), bools(3, 4)),
    op.min: reductions(np.min, f64(3, 4), i32(3, 4), array([[1, math.nan], [2, 3]]), bools(3, 4)),
    op.all: truth(np.all),
    op.any: truth(np.any),
    op.argmax: search(np.argmax, [2, 1]),
    op.argmin: search(np.argmin, [0, 2]),
    op.variance: [
        sample(DATA, DATA.mean(1, keepdims=True), axis=(1,), numpy=lambda x, m: x.var(1)),
        sample(
            DATA,
            DATA.mean((0, 2), keepdims=True),
            axis=(1,),
            exclude=True,
            keepdims=True,
            unbiased=True,
            numpy=lambda x, m: x.var((0, 2), ddof=1, keepdims=True),
        ),
        sample(DATA, DATA.mean(keepdims=True), numpy=lambda x, m: x.var()),
        sample(f32(2, 1), f32(2, 1), axis=(1,), unbiased=True, numpy=lambda x, m: array([math.nan, math.nan])),
    ],
    op.cumsum: [
        *scans(torch.cumsum, np.cumsum),
        sample(i32(2, 4), axis=1, exclusive=True, numpy=lambda x: np.cumsum(x, 1, dtype="int32") - x),
    ],
    op.cumprod: [
        *scans(torch.cumprod, np.cumprod),
        sample(array([2, 3, 4]), axis=0, exclusive=True, numpy=lambda x: array([1, 2, 6])),
    ],
}
