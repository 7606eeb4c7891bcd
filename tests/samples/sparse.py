"""Sparse tensors."""

from __future__ import annotations

import numpy as np
import torch

from tests.samples.making import array, f32, sample
from torchrelay import op

PLACES = array([[0, 1], [0, 3], [2, 0], [3, 1]], "int64")
VALUES = array([5, 6, 7, 8], "int64")


def dense(places, values, size):
    """The dense tensor that torch makes."""
    return torch.sparse_coo_tensor(places.T, values, size, check_invariants=True).to_dense()


ROWS = {
    op.sparse_fill_empty_rows: [
        sample(
            PLACES,
            VALUES,
            array([5, 4], "int64"),
            array([-9], "int64"),
            numpy=lambda *_: (
                array([[0, 1], [0, 3], [1, 0], [2, 0], [3, 1], [4, 0]], "int64"),
                array([5, 6, -9, 7, 8, -9], "int64"),
                array([0, 1, 0, 0, 1], "int64"),
            ),
        ),
        sample(
            np.zeros((0, 2), "int32"),
            np.zeros(0, "int32"),
            array([2, 3], "int32"),
            array(4, "int32"),
            numpy=lambda *_: (array([[0, 0], [1, 0]], "int64"), array([4, 4], "int64"), array([1, 1], "int64")),
        ),
    ],
    op.sparse_reshape: [
        sample(
            PLACES,
            array([6, 4], "int64"),
            array([2, -1, 4], "int64"),
            numpy=lambda i, old, new: (
                np.argwhere(np.isin(np.arange(24), i @ [4, 1]).reshape(2, 3, 4)),
                array([2, 3, 4], "int64"),
            ),
        ),
        sample(
            PLACES.astype("int32"),
            array([4, 4], "int32"),
            array([16], "int32"),
            numpy=lambda i, old, new: ((i @ array([[4], [1]], "int32")), array([16], "int32")),
        ),
    ],
    op.sparse_to_dense: [
        sample(PLACES, f32(4), array(0), output_shape=(5, 4), torch=lambda i, v, d: dense(i, v, (5, 4))),
        sample(
            array([0, 3], "int32"), array(7), array(-1), output_shape=(5,), numpy=lambda *_: array([7, -1, -1, 7, -1])
        ),
        sample(array(2, "int32"), array(7), array(-1), output_shape=(3,), numpy=lambda *_: array([-1, -1, 7])),
    ],
}
