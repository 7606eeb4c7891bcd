"""Functions of each element by itself."""

from __future__ import annotations

import math

import numpy as np
from tests.samples.making import array, bools, f16, f32, f64, i8, i32, i64, sample, u8

from torchrelay import op

PLANE = f32(2, 3, low=-0.9, high=0.9)
POSITIVE = f32(2, 3, low=0.1, high=9)
ODD = array([-math.inf, -2.5, -1.5, -0.5, -0.0, 0.0, 0.49999997, 0.5, 1.5, 2.5, math.inf, math.nan])
AWAY_FROM_ZERO = [-math.inf, -3, -2, -1, -0.0, 0, 0, 1, 2, 3, math.inf, math.nan]


def _torch(name):
    import torch

    return getattr(torch, name)


def by_name(name):
    """The torch function of that name."""
    return lambda *tensors: _torch(name)(*tensors)


def each(name, *inputs):
    """One row for each input, judged by the torch function of that name."""
    return [sample(data, torch=by_name(name)) for data in inputs]


ROWS = {
    op.acos: each("acos", PLANE, f64(3, low=-1, high=1)),
    op.acosh: each("acosh", f32(2, 3, low=1.1, high=4)),
    op.asin: each("asin", PLANE, f64(3, low=-1, high=1)),
    op.asinh: each("asinh", f32(2, 3)),
    op.atan: each("atan", f32(2, 3), ODD),
    op.atanh: each("atanh", PLANE),
    op.cos: each("cos", f32(2, 3), f16(4)),
    op.cosh: each("cosh", f32(2, 3)),
    op.erf: [*each("erf", f32(2, 3), f64(5), ODD, f32()), sample(array([-9, 0, 9], "int32"), numpy=lambda x: x // 9)],
    op.exp: [
        *each("exp", f32(2, 3), f64(5), f16(3), ODD, f32(), f32(0, 3)),
        sample(array([-1, 0, 1, 2], "int32"), numpy=lambda x: array([0, 1, 2, 7], "int32")),
    ],
    op.fast_erf: each("erf", f32(2, 3)),
    op.fast_exp: each("exp", f32(2, 3)),
    op.fast_tanh: each("tanh", f32(2, 3)),
    op.log: each("log", POSITIVE, ODD),
    op.log10: each("log10", POSITIVE, ODD),
    op.log2: each("log2", POSITIVE, ODD),
    op.rsqrt: each("rsqrt", POSITIVE, ODD),
    op.sigmoid: each("sigmoid", f32(2, 3), f64(4), ODD, f32(3, low=-200, high=200)),
    op.sin: each("sin", f32(2, 3)),
    op.sinh: each("sinh", f32(2, 3)),
    op.sqrt: each("sqrt", POSITIVE, ODD),
    op.tan: each("tan", f32(2, 3, low=-1, high=1)),
    op.tanh: each("tanh", f32(2, 3), ODD),
    op.ceil: each("ceil", f32(2, 3), ODD, i32(4)),
    op.floor: each("floor", f32(2, 3), ODD, i32(4)),
    op.round: [
        sample(ODD, numpy=lambda x: array(AWAY_FROM_ZERO)),
        sample(array([-1e9, 1e9, 8388609, 3.4999998]), numpy=lambda x: array([-1e9, 1e9, 8388609, 3])),
        *each("round", f64(2, 3), i32(4)),
    ],
    op.trunc: each("trunc", f32(2, 3), ODD, i32(4)),
    op.abs: [*each("abs", f32(2, 3), ODD, i32(4), u8(3)), sample(bools(4), numpy=lambda x: x)],
    op.bitwise_not: each("bitwise_not", i32(2, 3), u8(4), bools(4)),
    op.copy: each("clone", f32(2, 3), bools(4)),
    op.logical_not: [*each("logical_not", bools(2, 3)), sample(i32(5, low=-1, high=2), numpy=lambda x: 1 - x * x)],
    op.negative: [*each("neg", f32(2, 3), i32(4), u8(3)), sample(bools(4), numpy=lambda x: x)],
    op.sign: [*each("sign", f32(2, 3), i32(9), u8(3)), sample(bools(4), numpy=lambda x: x)],
    op.isfinite: each("isfinite", ODD, i32(3), f16(2)),
    op.isinf: each("isinf", ODD, i32(3)),
    op.isnan: each("isnan", ODD, i32(3)),
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
