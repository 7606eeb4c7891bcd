"""Elements chosen by a mask."""

from __future__ import annotations

import torch
from tests.cases.making import case
from tests.samples.making import array, bools, f16, f32, f64, i32, i64

ATEN = torch.ops.aten

ROWS = {
    "where.self": [
        case(lambda m, x, y: torch.where(m, x, y), bools(2, 3), f32(2, 3), f32(3)),
        case(lambda m, x, y: torch.where(m, x, y), bools(2, 1), i32(3), f64(2, 3)),
        case(lambda x, y: torch.where(x > 0, x, y), f16(2, 3), f16(3, seed=1)),
    ],
    "where.ScalarSelf": [case(lambda m, x: ATEN.where.ScalarSelf(m, 2.5, x), bools(2, 3), f32(3))],
    "where.ScalarOther": [
        case(lambda m, x: ATEN.where.ScalarOther(m, x, 0), bools(2, 3), f32(3)),
        case(lambda m, x: ATEN.where.ScalarOther(m, x, 1.5), bools(2, 3), i32(3)),
    ],
    "where.Scalar": [
        case(lambda m: ATEN.where.Scalar(m, 1, 2), bools(2, 3)),
        case(lambda m: ATEN.where.Scalar(m, 1.0, 2), bools(2, 3)),
    ],
    "where.default": [
        case(lambda x: torch.where(x), f32()),
        case(lambda m: torch.where(m), bools(3, 4)),
        case(lambda x: torch.where(x), f32(5)),
    ],
    "masked_fill.Scalar": [
        case(lambda x, m: x.masked_fill(m, -1e9), f32(2, 3), bools(3)),
        case(lambda x, m: x.masked_fill(m, 2), i64(2, 3), bools(2, 1)),
        case(lambda x, m: x.masked_fill(m, float("-inf")), f32(3), bools(2, 3)),
    ],
    "masked_fill.Tensor": [case(lambda x, m, v: x.masked_fill(m, v), f32(2, 3), bools(3), f64())],
    "masked_select.default": [
        case(lambda x, m: torch.masked_select(x, m), f32(3, 4), bools(3, 4)),
        case(lambda x, m: torch.masked_select(x, m), f32(3, 4), bools(4)),
    ],
    "masked_scatter.default": [
        case(lambda x, m, s: torch.masked_scatter(x, m, s), f32(3, 4), bools(3, 4), f32(12, seed=1)),
        case(lambda x, m, s: torch.masked_scatter(x, m, s), f32(3, 4), bools(4), f32(3, 4, seed=1)),
    ],
    "nonzero.default": [
        case(lambda x: x.nonzero(), f32()),
        case(lambda x: torch.nonzero(x), array(0.0)),
        case(lambda x: torch.nonzero(x), bools(3, 4)),
        case(lambda x: x.nonzero(), i32(5, low=0, high=2)),
    ],
    "nonzero_numpy.default": [case(lambda x: torch.nonzero(x, as_tuple=True), bools(3, 4))],
    "argwhere.default": [case(lambda x: torch.argwhere(x), bools(3, 4))],
    "count_nonzero.default": [
        case(lambda x: torch.count_nonzero(x), f32(2, 3)),
        case(lambda x: torch.count_nonzero(x), bools(2, 3)),
    ],
    "count_nonzero.dim_IntList": [case(lambda x: torch.count_nonzero(x, dim=(1,)), i32(2, 5, low=0, high=2))],
}
