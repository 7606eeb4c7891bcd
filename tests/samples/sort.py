"""Sorting along an axis."""

from __future__ import annotations

import numpy as np
import torch

from tests.samples.making import array, f16, f32, f64, i8, i32, i64, sample
from torchrelay import op

TIES = array([[3, 1, 2, 1, 3], [2, 2, 0, 1, 1]])


def sorts(part):
    """Rows of a sort along each axis, both ways, judged by torch's values (part 0) or indices (part 1)."""

    def row(data, axis=-1, up=True):
        def by_torch(x):
            values, order = torch.sort(x, dim=axis, descending=not up, stable=True)
            return (values, order.int())[part]

        return sample(data, axis=axis, is_ascend=up, dtype="int32", torch=by_torch)

    return [
        *[row(f32(2, 3, 4), axis, up) for axis in (0, 1, -1) for up in (True, False)],
        row(TIES),
        row(TIES, up=False),
        row(i8(9)),
        row(f32(0, 3)),
    ]


def largest(x, k, axis, down=True):
    """NumPy's stable order, cut to the first ``k``."""
    order = np.argsort(-x if down else x, axis, kind="stable").take(range(k), axis)
    return np.take_along_axis(x, order, axis), order.astype("int32")


ROWS = {
    op.sort: sorts(0),
    op.argsort: [
        *sorts(1),
        sample(f64(5), dtype="int64", numpy=np.argsort),
        sample(f16(5), dtype="float32", numpy=lambda x: np.argsort(x).astype("float32")),
    ],
    op.topk: [
        sample(f32(2, 5), k=3, dtype="int32", numpy=lambda x: largest(x, 3, 1)),
        sample(f32(2, 5), k=1, dtype="int32", axis=0, is_ascend=True, numpy=lambda x: largest(x, 1, 0, down=False)),
        sample(TIES, k=4, dtype="int32", numpy=lambda x: largest(x, 4, 1)),
        sample(i32(2, 3, 4), k=2, dtype="int32", axis=1, numpy=lambda x: largest(x, 2, 1)),
        sample(f32(2, 5), k=0, dtype="int32", numpy=lambda x: largest(x, 5, 1)),
        sample(f32(2, 5), k=3, dtype="int32", ret_type="values", numpy=lambda x: largest(x, 3, 1)[0]),
        sample(i64(2, 5), k=3, ret_type="indices", dtype="int64", numpy=lambda x: largest(x, 3, 1)[1].astype("int64")),
    ],
}
