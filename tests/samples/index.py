"""Operators that pick elements by index, write them by index, and find where they are."""

from __future__ import annotations

import numpy as np
import torch

from tests.samples.making import array, bools, f32, i32, i64, sample, u8
from torchrelay import op

DATA = f32(2, 3, 4)
LINE = f32(4)
FAR = array([-5, -1, 0, 2, 3, 7], "int32")
AGAIN = array([0, 0, 1, 3, 3, 3], "int64")
UPDATES = array([1, 2, 3, 40, 5, 6])


def rows_taken(x, places, axis):
    """Each batch row's own parts, in a loop."""
    return np.stack([np.take(part, where, axis - 1) for part, where in zip(x, places, strict=True)])


def scattered(way):
    """torch's scatter of updates along the first axis."""
    return lambda x, places, updates: x.scatter_reduce(0, places.long(), updates, way, include_self=True)


def halves(x, places, updates):
    """Half the sum of element and update, one after the other."""
    result = x.copy()
    for place, update in zip(places, updates, strict=True):
        result[place] = (result[place] + update) / 2
    return result


def nd(way):
    """torch's scatter of updates to single elements."""
    return lambda x, places, updates: x.scatter_reduce(0, places[0].long(), updates, way, include_self=True)


def unique_parts(x, is_sorted, counted):
    """What torch finds, filled up to the size of the data."""
    values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
    first = torch.stack([(x == value).nonzero()[0, 0] for value in values])
    if not is_sorted:
        order = first.argsort()
        values, counts, first = values[order], counts[order], first[order]
        inverse = torch.stack([(values == value).nonzero()[0, 0] for value in x])
    size = len(x)
    fill = lambda part, value: torch.cat([part, torch.full((size - len(part),), value)])
    parts = fill(values, 0).to(x.dtype), fill(first, size).int(), inverse.int(), torch.tensor([len(values)]).int()
    return (*parts, fill(counts, 0).int()) if counted else parts


def uniques(data):
    """A row for each choice of order and counts."""
    return [
        sample(data, sorted=s, return_counts=c, torch=lambda x, s=s, c=c: unique_parts(x, s, c))
        for s in (True, False)
        for c in (True, False)
    ]


ROWS = {
    op.take: [
        sample(DATA, array([5, 0, 23], "int32"), torch=lambda x, i: x.take(i.long())),
        sample(DATA, array([[2, 0], [1, 1]], "int64"), axis=1, numpy=lambda x, i: x[:, i]),
        sample(DATA, array(2, "int64"), axis=-1, numpy=lambda x, i: x[:, :, 2]),
        sample(LINE, FAR, axis=0, numpy=lambda x, i: x[[0, 0, 0, 2, 3, 3]]),
        sample(LINE, FAR, axis=0, mode="wrap", numpy=lambda x, i: x[[3, 3, 0, 2, 3, 3]]),
        sample(DATA, FAR, mode="wrap", numpy=lambda x, i: x.ravel()[i]),
        sample(LINE, array([3, 1], "int32"), axis=0, mode="fast", torch=lambda x, i: x[i.long()]),
        sample(LINE, array([3, 1], "uint8"), axis=0, numpy=lambda x, i: x[i]),
        sample(DATA, i32(2, 5, low=0, high=3), axis=1, batch_dims=1, numpy=lambda x, i: rows_taken(x, i, 1)),
        sample(DATA, i32(2, 5, low=0, high=4), axis=2, batch_dims=1, numpy=lambda x, i: rows_taken(x, i, 2)),
        sample(DATA, i64(2, 3, 2, low=0, high=4), axis=2, batch_dims=2, torch=lambda x, i: x.gather(2, i)),
    ],
    op.gather: [
        sample(DATA, i64(5, 3, 4, low=0, high=2), axis=0, torch=lambda x, i: x.gather(0, i)),
        sample(DATA, i32(2, 3, 1, low=0, high=4), axis=-1, torch=lambda x, i: x.gather(2, i.long())),
    ],
    op.gather_nd: [
        sample(DATA, array([[0, 1, 1], [2, 0, 1]], "int32"), known_dims=True, numpy=lambda x, i: x[i[0], i[1]]),
        sample(DATA, i64(3, 5, low=0, high=2), known_dims=True, torch=lambda x, i: x[i[0], i[1], i[2]]),
        sample(DATA, array([1, 2], "int64"), known_dims=True, numpy=lambda x, i: x[1, 2]),
        sample(
            DATA,
            i64(1, 2, 5, low=0, high=3),
            batch_dims=1,
            known_dims=True,
            numpy=lambda x, i: np.stack([part[places] for part, places in zip(x, i[0], strict=True)]),
        ),
    ],
    op.adv_index: [
        sample((DATA, array([1, 0, 1], "int64")), torch=lambda parts: parts[0][parts[1]]),
        sample(
            (DATA, array([1, 0, 1], "int64"), array([[2], [0]], "int64")),
            torch=lambda parts: parts[0][parts[1], parts[2]],
        ),
        sample((LINE, array(2, "int32")), numpy=lambda parts: parts[0][2]),
    ],
    op.scatter_elements: [
        sample(
            DATA,
            i64(2, 3, 2, low=0, high=1) + np.arange(2),
            f32(2, 3, 2),
            axis=2,
            torch=lambda x, i, u: x.scatter(2, i, u),
        ),
        sample(LINE, array([-1, 0], "int32"), f32(2, seed=3), numpy=lambda x, i, u: array([u[1], x[1], x[2], u[0]])),
        *[
            sample(LINE, AGAIN, UPDATES, reduction=way, torch=scattered(name))
            for way, name in (("add", "sum"), ("mul", "prod"), ("min", "amin"), ("max", "amax"))
        ],
        sample(LINE, AGAIN, UPDATES, reduction="mean", numpy=halves),
        sample(i32(4), array([2], "int32"), array([7], "int32"), reduction="add", torch=scattered("sum")),
    ],
    op.scatter_nd: [
        sample(
            DATA,
            array([[0, 1], [2, 0]], "int64"),
            f32(2, 4),
            known_dims=True,
            torch=lambda x, i, u: x.index_put((i[0], i[1]), u),
        ),
        *[
            sample(LINE, AGAIN[None], UPDATES, mode=way, known_dims=True, torch=nd(name))
            for way, name in (("add", "sum"), ("mul", "prod"), ("min", "amin"), ("max", "amax"))
        ],
    ],
    op.argwhere: [
        sample(bools(2, 3, 4), torch=lambda x: x.argwhere().int()),
        sample(f32(2, 3) * (f32(2, 3) > 0), torch=lambda x: x.argwhere().int()),
        sample(array(1), numpy=lambda x: np.zeros((1, 0), "int32")),
    ],
    op.unravel_index: [
        sample(
            array([0, 5, 11], "int64"),
            array([3, 4], "int64"),
            torch=lambda i, s: torch.stack(torch.unravel_index(i, (3, 4))),
        ),
        sample(
            array([[12, -1]], "int32"), array([3, 4], "int32"), numpy=lambda i, s: array([[[0, 2]], [[0, 3]]], "int32")
        ),
        sample(array(7, "int32"), array([2, 2, 2], "int64"), numpy=lambda i, s: array([1, 1, 1], "int32")),
    ],
    op.invert_permutation: [sample(array([2, 0, 1, 5, 4, 3], "int32"), torch=lambda x: x.argsort().int())],
    op.one_hot: [
        sample(
            array([1, 0, 2], "int64"),
            array(1),
            array(0),
            depth=3,
            dtype="float32",
            torch=lambda i, *_: torch.nn.functional.one_hot(i, 3).float(),
        ),
        sample(
            array([[1, 7]], "int32"),
            array(5, "int32"),
            array(-1, "int32"),
            depth=2,
            axis=1,
            dtype="int64",
            numpy=lambda i, *_: array([[[-1, -1], [5, -1]]], "int64"),
        ),
        sample(
            array(1, "int32"), array(2), array(1), depth=2, axis=0, dtype="float32", numpy=lambda i, *_: array([1, 2])
        ),
    ],
    op.searchsorted: [
        sample(array([1, 2, 2, 4]), f32(2, 3, high=5), torch=lambda s, v: torch.searchsorted(s, v, out_int32=True)),
        sample(
            array([1, 2, 2, 4]),
            array([2, 0, 9]),
            right=True,
            dtype="int64",
            torch=lambda s, v: torch.searchsorted(s, v, right=True),
        ),
        sample(
            np.sort(i32(2, 3, 5)), i32(2, 3, 4, seed=1), torch=lambda s, v: torch.searchsorted(s, v, out_int32=True)
        ),
    ],
    op.unique: [
        *uniques(array([3, 1, 3, 1, 2], "int32")),
        *uniques(array([0.5, 0.25, 0.5])),
        sample(u8(0), numpy=lambda x: (x, *(array([], "int32"),) * 2, array([0], "int32"))),
    ],
}
