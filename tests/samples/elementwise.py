"""Functions of each element by itself."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.samples.making import array, bools, f16, f32, f64, i8, i32, i64, sample, u8
from torchrelay import op

PLANE = f32(2, 3, low=-0.9, high=0.9)
POSITIVE = f32(2, 3, low=0.1, high=9)
ODD = array([-math.inf, -2.5, -1.5, -0.5, -0.0, 0.0, 0.49999997, 0.5, 1.5, 2.5, math.inf, math.nan])
AWAY_FROM_ZERO = [-math.inf, -3, -2, -1, -0.0, 0, 0, 1, 2, 3, math.inf, math.nan]


def each(function, *inputs):
    """One row for each input, judged by a function of torch."""
    return [sample(data, torch=function) for data in inputs]


ROWS = {
    op.acos: each(torch.acos, PLANE, f64(3, low=-1, high=1)),
    op.acosh: each(torch.acosh, f32(2, 3, low=1.1, high=4)),
    op.asin: each(torch.asin, PLANE, f64(3, low=-1, high=1)),
    op.asinh: each(torch.asinh, f32(2, 3)),
    op.atan: each(torch.atan, f32(2, 3), ODD),
    op.atanh: each(torch.atanh, PLANE),
    op.cos: each(torch.cos, f32(2, 3), f16(4)),
    op.cosh: each(torch.cosh, f32(2, 3)),
    op.erf: [
        *each(torch.erf, f32(2, 3), f64(5), ODD, f32()),
        sample(array([-9, 0, 9], "int32"), numpy=lambda x: x // 9),
    ],
    op.exp: [
        *each(torch.exp, f32(2, 3), f64(5), f16(3), ODD, f32(), f32(0, 3)),
        sample(array([-1, 0, 1, 2], "int32"), numpy=lambda x: array([0, 1, 2, 7], "int32")),
    ],
    op.fast_erf: each(torch.erf, f32(2, 3)),
    op.fast_exp: each(torch.exp, f32(2, 3)),
    op.fast_tanh: each(torch.tanh, f32(2, 3)),
    op.log: each(torch.log, POSITIVE, ODD),
    op.log10: each(torch.log10, POSITIVE, ODD),
    op.log2: each(torch.log2, POSITIVE, ODD),
    op.rsqrt: each(torch.rsqrt, POSITIVE, ODD),
    op.sigmoid: each(torch.sigmoid, f32(2, 3), f64(4), ODD, f32(3, low=-200, high=200)),
    op.sin: each(torch.sin, f32(2, 3)),
    op.sinh: each(torch.sinh, f32(2, 3)),
    op.sqrt: each(torch.sqrt, POSITIVE, ODD),
    op.tan: each(torch.tan, f32(2, 3, low=-1, high=1)),
    op.tanh: each(torch.tanh, f32(2, 3), ODD),
    op.ceil: each(torch.ceil, f32(2, 3), ODD, i32(4)),
    op.floor: each(torch.floor, f32(2, 3), ODD, i32(4)),
    op.round: [
        sample(ODD, numpy=lambda x: array(AWAY_FROM_ZERO)),
        sample(array([-1e9, 1e9, 8388609, 3.4999998]), numpy=lambda x: array([-1e9, 1e9, 8388609, 3])),
        *each(torch.round, f64(2, 3), i32(4)),
    ],
    op.trunc: each(torch.trunc, f32(2, 3), ODD, i32(4)),
    op.abs: [*each(torch.abs, f32(2, 3), ODD, i32(4), u8(3)), sample(bools(4), numpy=lambda x: x)],
    op.bitwise_not: each(torch.bitwise_not, i32(2, 3), u8(4), bools(4)),
    op.copy: each(torch.clone, f32(2, 3), bools(4)),
    op.logical_not: [*each(torch.logical_not, bools(2, 3)), sample(i32(5, low=-1, high=2), numpy=lambda x: 1 - x * x)],
    op.negative: [*each(torch.neg, f32(2, 3), i32(4), u8(3)), sample(bools(4), numpy=lambda x: x)],
    op.sign: [*each(torch.sign, f32(2, 3), i32(9), u8(3)), sample(bools(4), numpy=lambda x: x)],
    op.isfinite: each(torch.isfinite, ODD, i32(3), f16(2)),
    op.isinf: each(torch.isinf, ODD, i32(3)),
    op.isnan: each(torch.isnan, ODD, i32(3)),
    op.clip: [
        sample(f32(2, 3), a_min=-0.5, a_max=1.0, torch=lambda x: x.clamp(-0.5, 1)),
        sample(ODD, a_min=-1.0, a_max=1.0, torch=lambda x: x.clamp(-1, 1)),
        sample(i32(9), a_min=-1.7, a_max=2.5, torch=lambda x: x.clamp(-1, 2)),
        sample(u8(9), a_min=-1.7, a_max=300.0, torch=lambda x: x),
        sample(i8(9), a_min=-200.0, a_max=5.0, torch=lambda x: x.clamp(-128, 5)),
    ],
    op.cast: [
        sample(f32(2, 3, low=-9, high=9), dtype="int32", torch=lambda x: x.int()),
        sample(i32(4), dtype="float16", torch=lambda x: x.half()),
        sample(i32(9, low=0, high=2), dtype="bool", torch=lambda x: x.bool()),
        sample(ODD, dtype="bool", torch=lambda x: x.bool()),
        sample(bools(5), dtype="float64", torch=lambda x: x.double()),
        sample(array([255, 256, -1, 300], "int32"), dtype="uint8", numpy=lambda x: array([255, 0, 255, 44], "uint8")),
        sample(f32(5), dtype="bfloat16"),
    ],
    op.cast_like: [sample(f32(2, 3), i64(4), torch=lambda x, y: x.long())],
    op.reinterpret: [
        sample(f32(2, 3), dtype="int32", numpy=lambda x: np.frombuffer(x.tobytes(), "int32").reshape(2, 3)),
        sample(f32(2, 3).T, dtype="int32", numpy=lambda x: np.frombuffer(x.tobytes(), "int32").reshape(3, 2)),
        sample(f64(3), dtype="int64", numpy=lambda x: np.frombuffer(x.tobytes(), "int64")),
    ],
}
