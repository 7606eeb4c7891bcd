"""Elements put in order, and what is found by it."""

from __future__ import annotations

import torch
from tests.cases.making import case
from tests.samples.making import array, f32, i32

ATEN = torch.ops.aten
NAN = float("nan")
HOLES = array([[3.0, NAN, 1.0], [2.0, 1.0, 5.0]])
TIES = array([[3, 1, 3, 2, 1], [5, 5, 0, 0, 5]], "int64")
STEPS = array([1.0, 2.0, 2.0, 4.0, 7.0])

ROWS = {
    "topk.default": [
        case(lambda x: torch.topk(x, 3), f32(2, 5)),
        case(lambda x: torch.topk(x, 2, dim=0, largest=False), f32(4, 3)),
        case(lambda x: torch.topk(x, 5), f32(5)),
    ],
    "sort.default": [
        case(lambda x: torch.sort(x), f32(2, 5)),
        case(lambda x: torch.sort(x, 0, True), f32(4, 3)),
        case(lambda x: torch.sort(x), f32()),
    ],
    "sort.stable": [
        case(lambda x: torch.sort(x, stable=True), TIES),
        case(lambda x: torch.sort(x, stable=True, descending=True), TIES),
    ],
    "argsort.default": [
        case(lambda x: torch.argsort(x), f32(2, 5)),
        case(lambda x: torch.argsort(x, 0, True), f32(4, 3)),
    ],
    "argsort.stable": [case(lambda x: torch.argsort(x, stable=True), TIES)],
    "msort.default": [case(lambda x: torch.msort(x), f32(4, 3))],
    "kthvalue.default": [
        case(lambda x: torch.kthvalue(x, 2), f32(2, 5)),
        case(lambda x: torch.kthvalue(x, 3, 0, True), f32(4, 3)),
    ],
    "median.default": [
        case(lambda x: torch.median(x), f32(2, 3)),
        case(lambda x: torch.median(x), i32(5)),
        case(lambda x: torch.median(x), HOLES),
    ],
    "median.dim": [
        case(lambda x: torch.median(x, 1), f32(2, 5)),
        case(lambda x: torch.median(x, 0, True), f32(4, 3)),
        case(lambda x: torch.median(x, 1), HOLES),
    ],
    "quantile.scalar": [
        case(lambda x: torch.quantile(x, 0.3, dim=0), f32()),
        case(lambda x: torch.quantile(x, 0.3, dim=-1, keepdim=True), f32()),
        case(lambda x: torch.quantile(x, 0.3), f32(2, 5)),
        case(lambda x: torch.quantile(x, 0.5, dim=1, keepdim=True), f32(2, 4)),
        case(lambda x: torch.quantile(x, 0.4, interpolation="nearest"), f32(7)),
    ],
    "quantile.default": [case(lambda x, q: torch.quantile(x, q, dim=1), f32(2, 5), array([0.1, 0.5, 1.0]))],
    "searchsorted.Tensor": [
        case(lambda x, v: torch.searchsorted(x, v), STEPS, array([[0.0, 2.0, 3.0], [7.0, 8.0, 1.0]])),
        case(lambda x, v: torch.searchsorted(x, v, right=True, out_int32=True), STEPS, array([2.0, 7.0])),
        case(
            lambda x, v: torch.searchsorted(x, v),
            array([[1, 3, 5], [2, 4, 6]], "int64"),
            array([[3, 6], [3, 7]], "int64"),
        ),
    ],
    "searchsorted.Scalar": [case(lambda x: torch.searchsorted(x, 2), STEPS)],
    "bucketize.Tensor": [
        case(lambda v, x: torch.bucketize(v, x), array([[0.0, 2.0], [3.0, 9.0]]), STEPS),
        case(lambda v, x: torch.bucketize(v, x, right=True), array([2.0, 4.0]), STEPS),
    ],
    "bucketize.Scalar": [case(lambda x: ATEN.bucketize.Scalar(2, x), STEPS)],
}
