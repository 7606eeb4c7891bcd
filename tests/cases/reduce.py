"""Reductions over axes."""

from __future__ import annotations

import numpy as np
import torch
from tests.cases.making import case
from tests.samples.making import array, bools, f16, f32, f64, i8, i32, i64, u8

ATEN = torch.ops.aten
NAN, INF = float("nan"), float("inf")
HOLES = array([[1.0, NAN, 3.0, -2.0], [NAN, NAN, 0.5, 7.0], [NAN, NAN, NAN, NAN]])
TIES = array([[3, 1, 3, 2], [5, 5, 0, 0]], "int64")
EMPTY = np.zeros((0, 3), "float32")


def _extreme_along(name):
    function = getattr(torch, name)
    return [
        case(lambda x: function(x, 1), TIES),
        case(lambda x: function(x, 0, True), f32(3, 4)),
        case(lambda x: function(x, -1), f32(2, 3, 4)),
        case(lambda x: function(x, 0), f32()),
        case(lambda x: function(x, 1), HOLES),
    ]


def _arg(name):
    function = getattr(torch, name)
    return [
        case(lambda x: function(x), TIES),
        case(lambda x: function(x, 1), f32(3, 4)),
        case(lambda x: function(x, -2, keepdim=True), i32(2, 3, 4)),
        case(lambda x: function(x, keepdim=True), f32(2, 3)),
        case(lambda x: function(x, 0), f32()),
        case(lambda x: function(x, 1), HOLES),
    ]


def _truths(name):
    function, overloads = getattr(torch, name), getattr(ATEN, name)
    return {
        f"{name}.default": [case(lambda x: function(x), value) for value in (bools(2, 3), f32(2, 3), u8(4, high=2))],
        f"{name}.dim": [
            case(lambda x: function(x, 1), bools(2, 3)),
            case(lambda x: function(x, -1, keepdim=True), i32(2, 3, low=0, high=2)),
            case(lambda x: function(x, 0), EMPTY),
        ],
        f"{name}.dims": [
            case(lambda x: overloads.dims(x, (0, 2)), bools(2, 3, 4)),
            case(lambda x: overloads.dims(x, None, True), bools(2, 3)),
        ],
    }


def _spread(name):
    function, overloads = getattr(torch, name), getattr(ATEN, name)
    return {
        f"{name}.default": [
            case(lambda x: overloads.default(x), f32(3, 4)),
            case(lambda x: overloads.default(x, False), f64(3, 4)),
        ],
        f"{name}.dim": [
            case(lambda x: overloads.dim(x, (0, 2)), f32(2, 3, 4)),
            case(lambda x: overloads.dim(x, (1,), False, True), f32(2, 3, 4)),
        ],
        f"{name}.correction": [
            case(lambda x: function(x, dim=1), f32(2, 5)),
            case(lambda x: function(x, dim=(0, -1), correction=0, keepdim=True), f32(2, 3, 4)),
            case(lambda x: function(x, correction=2), f16(2, 5), tolerance=4e-3),
            case(lambda x: function(x, dim=1), f32(3, 1)),
        ],
    }


ROWS = {
    "sum.default": [
        case(lambda x: x.sum(), f32(2, 3, 4)),
        case(lambda x: x.sum(), i8(2, 3)),
        case(lambda x: x.sum(dtype=torch.float64), bools(4)),
        case(lambda x: x.sum(), EMPTY),
        case(lambda x: x.sum(), f32()),
    ],
    "sum.dim_IntList": [
        case(lambda x: x.sum(1), f32(2, 3, 4)),
        case(lambda x: x.sum((0, -1), keepdim=True), i32(2, 3, 4)),
        case(lambda x: x.sum((), keepdim=True), f32(2, 3)),
        case(lambda x: x.sum(0, dtype=torch.float64), f32(2, 3)),
        case(lambda x: x.sum(0), EMPTY),
        case(lambda x: x.sum(0), f32()),
    ],
    "mean.default": [
        case(lambda x: x.mean(), f32(2, 3, 4)),
        case(lambda x: x.mean(dtype=torch.float32), i32(2, 3)),
        case(lambda x: x.mean(), EMPTY),
    ],
    "mean.dim": [
        case(lambda x: x.mean((1, 2)), f32(2, 3, 4)),
        case(lambda x: x.mean(-1, keepdim=True), f16(2, 3)),
        case(lambda x: x.mean(0, dtype=torch.float64), f32(2, 3)),
    ],
    "prod.default": [
        case(lambda x: x.prod(), f32(2, 3)),
        case(lambda x: x.prod(), i32(2, 3)),
        case(lambda x: x.prod(), EMPTY),
    ],
    "prod.dim_int": [
        case(lambda x: x.prod(1), f32(2, 3)),
        case(lambda x: x.prod(-1, True, dtype=torch.float64), u8(2, 3, high=9)),
    ],
    "amax.default": [
        case(lambda x: torch.amax(x), f32(2, 3)),
        case(lambda x: torch.amax(x, (0, 2), True), i32(2, 3, 4)),
        case(lambda x: torch.amax(x, 1), HOLES),
    ],
    "amin.default": [case(lambda x: torch.amin(x, 1), f32(2, 3)), case(lambda x: torch.amin(x, (0, 1)), bools(2, 3))],
    "aminmax.default": [
        case(lambda x: torch.aminmax(x), f32(2, 3)),
        case(lambda x: torch.aminmax(x, dim=1, keepdim=True), i32(2, 3)),
    ],
    "max.default": [
        case(lambda x: torch.max(x), f32(2, 3)),
        case(lambda x: x.max(), i32(2, 3)),
        case(lambda x: x.max(), HOLES),
        case(lambda x: x.max(), f32()),
    ],
    "min.default": [case(lambda x: torch.min(x), f32(2, 3)), case(lambda x: x.min(), bools(2, 3))],
    "max.dim": _extreme_along("max"),
    "min.dim": _extreme_along("min"),
    "argmax.default": _arg("argmax"),
    "argmin.default": _arg("argmin"),
    **_truths("all"),
    **_truths("any"),
    **_spread("var"),
    **_spread("std"),
    **_spread("var_mean"),
    **_spread("std_mean"),
    "logsumexp.default": [
        case(lambda x: torch.logsumexp(x, 1), f32(2, 3, high=90)),
        case(lambda x: torch.logsumexp(x, (0, 1), True), f32(2, 3)),
        case(lambda x: torch.logsumexp(x, 0), array([[-INF, INF], [-INF, 1.0]])),
        case(lambda x: torch.logsumexp(x, 0), i32(3)),
    ],
    "logcumsumexp.default": [
        case(lambda x: torch.logcumsumexp(x, 1), f32(2, 5)),
        case(lambda x: torch.logcumsumexp(x, 0), f64(5, low=-30, high=30)),
    ],
    "norm.Scalar": [case(lambda x: ATEN.norm.Scalar(x, 2), f32(2, 3))],
    "norm.ScalarOpt_dim": [
        case(lambda x, p=p: ATEN.norm.ScalarOpt_dim(x, p, (1,)), f32(2, 5)) for p in (0, 1, 2, 3, 2.5, INF, -INF, None)
    ],
    "norm.ScalarOpt_dim_dtype": [
        case(lambda x: ATEN.norm.ScalarOpt_dim_dtype(x, 2, (1,), True, dtype=torch.float64), f32(2, 5))
    ],
    "norm.ScalarOpt_dtype": [case(lambda x: ATEN.norm.ScalarOpt_dtype(x, 3, dtype=torch.float64), f32(2, 5))],
    "linalg_vector_norm.default": [
        case(lambda x: torch.linalg.vector_norm(x, 3, dim=(0, 2)), f32(2, 3, 4)),
        case(lambda x: torch.linalg.vector_norm(x), f32(2, 3)),
        case(lambda x: torch.linalg.vector_norm(x, INF, dim=-1, keepdim=True), f32(2, 3)),
    ],
    "linalg_matrix_norm.str_ord": [case(lambda x: torch.linalg.matrix_norm(x, "fro"), f32(2, 3, 4))],
    "linalg_norm.ord_str": [case(lambda x: torch.linalg.norm(x, "fro"), f32(3, 4))],
    "linalg_norm.default": [
        case(lambda x: torch.linalg.norm(x), f32(2, 3)),
        case(lambda x: torch.linalg.norm(x, 1, dim=1), f32(2, 3)),
        case(lambda x: torch.linalg.norm(x, 1), f32(2, 3)),
    ],
    "linalg_matrix_norm.default": [
        case(lambda x: torch.linalg.matrix_norm(x, 1), f32(2, 3, 4)),
        case(lambda x: torch.linalg.matrix_norm(x, -INF, keepdim=True), f32(2, 3, 4)),
    ],
    "frobenius_norm.dim": [
        case(lambda x: ATEN.frobenius_norm.dim(x, (0, 1)), f32(2, 3, 4)),
        case(lambda x: ATEN.frobenius_norm.dim(x, (1,), True), f32(2, 3)),
    ],
    "cumsum.default": [
        case(lambda x: torch.cumsum(x, 1), f32(2, 5)),
        case(lambda x: torch.cumsum(x, -2), i32(2, 3, 4)),
        case(lambda x: torch.cumsum(x, 0, dtype=torch.float32), bools(5)),
        case(lambda x: torch.cumsum(x, 0), f32()),
    ],
    "cumprod.default": [
        case(lambda x: torch.cumprod(x, 1), f32(2, 5)),
        case(lambda x: torch.cumprod(x, 0), i8(5, low=-3, high=3)),
    ],
    "cummax.default": [
        case(lambda x: torch.cummax(x, 1), f32(2, 6)),
        case(lambda x: torch.cummax(x, 0), array([3, 1, 3, 5, 5, 2], "int32")),
    ],
    "cummin.default": [
        case(lambda x: torch.cummin(x, 1), f32(2, 6)),
        case(lambda x: torch.cummin(x, 0), array([3, 1, 1, 5, 0, 2], "int64")),
    ],
    "nansum.default": [
        case(lambda x: torch.nansum(x), HOLES),
        case(lambda x: torch.nansum(x, 1, True), HOLES),
        case(lambda x: torch.nansum(x), i32(3)),
    ],
    "nanmean.default": [case(lambda x: torch.nanmean(x), HOLES), case(lambda x: torch.nanmean(x, 1), HOLES)],
    "diff.default": [
        case(lambda x: torch.diff(x), f32(2, 5)),
        case(lambda x: torch.diff(x, 2, 0), i64(4, 3)),
        case(lambda x, y: torch.diff(x, prepend=y), f32(2, 5), f32(2, 1)),
    ],
}
