"""Elements picked, spread and counted by index."""

from __future__ import annotations

import numpy as np
import torch
from tests.cases.making import case
from tests.samples.making import array, bools, f32, i32, i64

ATEN = torch.ops.aten
NEGATIVE = array([[0, -1, 2], [1, -3, 0]], "int64")


def _inside(size, *shape, seed=0):
    return i64(*shape, low=0, high=size, seed=seed)


ROWS = {
    "embedding.default": [
        case(torch.nn.Embedding(7, 4, padding_idx=1), _inside(7, 2, 3)),
        case(lambda w, i: torch.nn.functional.embedding(i, w), f32(7, 4), i32(5, low=0, high=7)),
    ],
    "index_select.default": [
        case(lambda x, i: x.index_select(1, i), f32(2, 5, 3), _inside(5, 4)),
        case(lambda x, i: x.index_select(-1, i), i32(2, 3), i32(2, low=0, high=3)),
        case(lambda x, i: x.index_select(0, i), f32(), _inside(1, 1)),
    ],
    "gather.default": [
        case(lambda x, i: x.gather(1, i), f32(2, 5), _inside(5, 2, 3)),
        case(lambda x, i: x.gather(0, i), f32(4, 5), _inside(4, 2, 3)),
        case(lambda x, i: x.gather(-1, i), f32(2, 3, 4), _inside(4, 2, 3, 1)),
        case(lambda x, i: x.gather(0, i), f32(4), np.zeros((0,), "int64")),
        case(lambda x, i: x.gather(0, i), f32(), np.zeros((), "int64")),
    ],
    "take_along_dim.default": [
        case(lambda x, i: torch.take_along_dim(x, i - 5, 1), f32(2, 5), _inside(5, 2, 3)),
        case(lambda x, i: torch.take_along_dim(x, i, 1), f32(2, 5), _inside(5, 2, 3)),
        case(lambda x, i: torch.take_along_dim(x, i), f32(2, 5), _inside(10, 4)),
        case(lambda x, i: torch.take_along_dim(x, i, 1), f32(2, 5), _inside(5, 1, 3)),
    ],
    "take.default": [case(lambda x, i: torch.take(x, i), f32(2, 3), NEGATIVE)],
    "index.Tensor": [
        case(lambda x, i: x[i], f32(3, 4), NEGATIVE),
        case(lambda x, i: x[:, i], f32(2, 3, 4), NEGATIVE),
        case(lambda x, i, j: x[i, j], f32(3, 4), _inside(3, 5), _inside(4, 5)),
        case(lambda x, i, j: x[i, :, j], f32(3, 2, 4), _inside(3, 5), _inside(4, 1)),
        case(lambda x, i, j: x[:, i, j], f32(2, 3, 4), _inside(3, 5), _inside(4, 2, 1)),
        case(lambda x, i: x[..., i], f32(2, 3), _inside(3, 4)),
        case(lambda x, i: x[None, i], f32(3, 2), i32(4, low=0, high=3)),
        case(lambda x, m: x[m], f32(3, 4), bools(3, 4)),
        case(lambda x, m: x[m], f32(3, 4), bools(3)),
        case(lambda x, m: x[:, m], f32(3, 4), bools(4)),
        case(lambda x, m, i: x[m, i], f32(3, 4), np.array([True, False, True]), _inside(4, 2), routes=("trace",)),
    ],
    "_unsafe_index.Tensor": [case(lambda x, i: ATEN._unsafe_index.Tensor(x, (None, i)), f32(3, 4), _inside(4, 2, 2))],
    "index_put.default": [
        case(lambda x, i, v: x.index_put((i,), v), f32(5, 3), array([0, 3, -2], "int64"), f32(3, 3)),
        case(lambda x, i, v: x.index_put((i,), v, accumulate=True), f32(5, 3), array([0, 3, 0], "int64"), f32(3, 3)),
        case(lambda x, i, v: x.index_put((i,), v), f32(5, 3), array([0, 3], "int64"), f32()),
        case(lambda x, i, j, v: x.index_put((i, j), v), f32(5, 3), _inside(5, 2), array([0, 2], "int64"), f32(2)),
        case(lambda x, i, v: ATEN.index_put.default(x, (None, i), v), f32(2, 5), array([0, 3], "int64"), f32(2, 2)),
        case(lambda x, m: x.index_put((m,), torch.tensor(2.0)), f32(3, 4), bools(3, 4)),
        case(lambda x, m: x.index_put((m,), torch.tensor(2.0)), f32(3, 4), bools(3)),
        case(lambda x, m, v: x.index_put((m,), v), f32(3, 4), array([True, False, True], "bool"), f32(2, 4)),
    ],
    "_unsafe_index_put.default": [
        case(lambda x, i, v: ATEN._unsafe_index_put.default(x, (i,), v), f32(5, 3), array([0, 3], "int64"), f32(2, 3))
    ],
    "scatter.src": [
        case(lambda x, i, s: x.scatter(1, i, s), f32(3, 5), array([[0, 2], [4, 1], [3, 0]], "int64"), f32(3, 4)),
        case(lambda x, i, s: x.scatter(0, i, s), f32(3, 5), array([[0, 2, 1]], "int64"), f32(1, 3)),
    ],
    "scatter.value": [case(lambda x, i: x.scatter(-1, i, 2.5), f32(3, 5), array([[0, 2], [4, 1]], "int64"))],
    "scatter.reduce": [
        case(
            lambda x, i, s: ATEN.scatter.reduce(x, 1, i, s, reduce="multiply"),
            f32(2, 3),
            array([[0, 0], [2, 1]], "int64"),
            f32(2, 2),
        ),
        case(
            lambda x, i, s: ATEN.scatter.reduce(x, 1, i, s, reduce="add"),
            f32(2, 3),
            array([[0, 0], [2, 1]], "int64"),
            f32(2, 2),
        ),
    ],
    "scatter.value_reduce": [
        case(
            lambda x, i: ATEN.scatter.value_reduce(x, 1, i, 2, reduce="multiply"),
            f32(2, 3),
            array([[0, 0], [2, 1]], "int64"),
        )
    ],
    "scatter_add.default": [
        case(lambda x, i, s: x.scatter_add(1, i, s), f32(2, 5), array([[0, 0, 2], [4, 1, 4]], "int64"), f32(2, 3))
    ],
    "scatter_reduce.two": [
        case(
            lambda x, i, s, way=way, own=own: x.scatter_reduce(1, i, s, way, include_self=own),
            f32(2, 5),
            array([[0, 0, 2], [4, 1, 4]], "int64"),
            f32(2, 3),
        )
        for way in ("sum", "prod", "amax", "amin", "mean")
        for own in (True, False)
    ]
    + [
        case(
            lambda x, i, s, way=way: x.scatter_reduce(1, i, s, way, include_self=False),
            bools(2, 5),
            array([[0, 0, 2], [4, 1, 4]], "int64"),
            bools(2, 3),
        )
        for way in ("amax", "amin")
    ],
    "index_add.default": [
        case(lambda x, i, s: x.index_add(0, i, s), f32(5, 3), array([0, 4, 0], "int64"), f32(3, 3)),
        case(lambda x, i, s: x.index_add(1, i, s, alpha=2), i32(2, 5), array([0, 4, 0], "int64"), i32(2, 3)),
    ],
    "index_copy.default": [case(lambda x, i, s: x.index_copy(0, i, s), f32(5, 3), array([0, 4], "int64"), f32(2, 3))],
    "index_fill.int_Scalar": [case(lambda x, i: x.index_fill(1, i, 2.5), f32(2, 5), array([0, -1], "int64"))],
    "index_fill.int_Tensor": [case(lambda x, i, v: x.index_fill(0, i, v), f32(5, 2), array([0, 3], "int64"), f32())],
    "one_hot.default": [case(lambda x: torch.nn.functional.one_hot(x, 5), _inside(5, 2, 3))],
    "as_strided.default": [
        case(lambda x: torch.as_strided(x, (2, 3), (1, 2)), f32(3, 4)),
        case(lambda x: x.as_strided((3, 2, 2), (4, 1, 1), 1), f32(3, 4)),
    ],
    "unfold.default": [
        case(lambda x: x.unfold(1, 3, 2), f32(2, 8)),
        case(lambda x: x.unfold(-2, 2, 1), f32(2, 4, 3)),
        case(lambda x: x.unfold(0, 1, 1), f32()),
    ],
}
