"""Functions of each element of one tensor."""

from __future__ import annotations

import torch
from tests.cases.making import case
from tests.samples.making import array, bools, f16, f32, f64, i8, i32, i64, u8

ATEN = torch.ops.aten
INF, NAN = float("inf"), float("nan")
SPECIAL = array([0.0, -0.0, 1.5, -1.5, INF, -INF, NAN])
HALVES = array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.49999997, 8388609.0, -7.7])


def _rows(function, *inputs):
    return [case(lambda x: function(x), value) for value in inputs]


ANGLES, SHARES, BIG = f32(2, 5), f32(2, 5, low=-0.95, high=0.95), f32(2, 5, low=1.05, high=9)
POSITIVE = f32(2, 5, low=0.05, high=9)

ROWS = {
    "neg.default": _rows(torch.neg, f32(2, 3), i8(2, 3), u8(2, 3), f32()),
    "negative.default": _rows(torch.negative, f32(2, 3)),
    "acos.default": _rows(torch.acos, SHARES, bools(3)),
    "arccos.default": _rows(torch.arccos, SHARES),
    "acosh.default": _rows(torch.acosh, BIG),
    "arccosh.default": _rows(torch.arccosh, BIG),
    "asin.default": _rows(torch.asin, SHARES),
    "arcsin.default": _rows(torch.arcsin, SHARES),
    "asinh.default": _rows(torch.asinh, ANGLES, array([0.0, 1e-6, -1e-6, 100.0, -100.0])),
    "arcsinh.default": _rows(torch.arcsinh, ANGLES),
    "atan.default": _rows(torch.atan, ANGLES, i32(3)),
    "arctan.default": _rows(torch.arctan, ANGLES),
    "atanh.default": _rows(torch.atanh, SHARES),
    "arctanh.default": _rows(torch.arctanh, SHARES),
    "cos.default": _rows(torch.cos, ANGLES, i64(2, 3), f64(3), f16(3)),
    "cosh.default": _rows(torch.cosh, ANGLES),
    "sin.default": _rows(torch.sin, ANGLES, bools(3)),
    "sinh.default": _rows(torch.sinh, ANGLES),
    "tan.default": _rows(torch.tan, SHARES),
    "tanh.default": _rows(torch.tanh, ANGLES, SPECIAL, i32(3)),
    "sinc.default": _rows(torch.sinc, ANGLES, array([0.0, 1.0, -2.0])),
    "special_sinc.default": _rows(torch.special.sinc, ANGLES),
    "erf.default": _rows(torch.erf, ANGLES, SPECIAL),
    "special_erf.default": _rows(torch.special.erf, ANGLES),
    "exp.default": _rows(torch.exp, ANGLES, SPECIAL, u8(3, high=9)),
    "exp2.default": _rows(torch.exp2, ANGLES, SPECIAL, i32(4)),
    "special_exp2.default": _rows(torch.special.exp2, ANGLES),
    "expm1.default": _rows(torch.expm1, ANGLES, array([1e-8, -1e-8, 0.0, 30.0, -30.0, 80.0]), SPECIAL),
    "special_expm1.default": _rows(torch.special.expm1, ANGLES),
    "log.default": _rows(torch.log, POSITIVE, SPECIAL, i32(3, low=1)),
    "log10.default": _rows(torch.log10, POSITIVE),
    "log2.default": _rows(torch.log2, POSITIVE, SPECIAL),
    "log1p.default": _rows(torch.log1p, POSITIVE, array([1e-8, -1e-8, 0.0, -0.9, 3e7]), SPECIAL),
    "special_log1p.default": _rows(torch.special.log1p, POSITIVE),
    "logit.default": [
        case(lambda x: torch.logit(x), f32(9, low=0.01, high=0.99)),
        case(lambda x: torch.logit(x, 0.1), f32(9, low=-0.2, high=1.2)),
        case(lambda x: torch.logit(x, 0.6), f32(9, low=-0.2, high=1.2)),
    ],
    "special_logit.default": [case(lambda x: torch.special.logit(x, 0.1), f32(9, low=0, high=1))],
    "rsqrt.default": _rows(torch.rsqrt, POSITIVE, i32(3, low=1)),
    "sqrt.default": _rows(torch.sqrt, POSITIVE, SPECIAL, i64(3, low=0)),
    "sigmoid.default": _rows(torch.sigmoid, ANGLES, array([100.0, -100.0, INF, -INF]), i32(3), bools(3)),
    "special_expit.default": _rows(torch.special.expit, ANGLES),
    "square.default": _rows(torch.square, ANGLES, bools(3), i32(3)),
    "reciprocal.default": _rows(torch.reciprocal, POSITIVE, SPECIAL, i32(3, low=1)),
    "ceil.default": _rows(torch.ceil, f32(2, 5), i32(3), SPECIAL),
    "floor.default": _rows(torch.floor, f32(2, 5), i32(3), SPECIAL),
    "trunc.default": _rows(torch.trunc, f32(2, 5), i32(3)),
    "fix.default": _rows(torch.fix, f32(2, 5)),
    "round.default": _rows(torch.round, HALVES, i32(3), SPECIAL, HALVES.astype("float64"), f16(9, low=-9, high=9)),
    "round.decimals": [
        case(lambda x: torch.round(x, decimals=2), f32(2, 9)),
        case(lambda x: torch.round(x, decimals=-1), f32(2, 9, low=-99, high=99)),
        case(lambda x: torch.round(x, decimals=0), HALVES),
    ],
    "frac.default": _rows(torch.frac, f32(2, 5)),
    "abs.default": _rows(torch.abs, f32(2, 5), i8(2, 3), u8(3), SPECIAL),
    "absolute.default": _rows(torch.absolute, f32(2, 5)),
    "sign.default": _rows(torch.sign, SPECIAL[:-1], i32(5), bools(3)),
    "sgn.default": _rows(torch.sgn, f32(5)),
    "signbit.default": _rows(torch.signbit, SPECIAL[:-1], i32(5), u8(3), SPECIAL[:-1].astype("float16")),
    "deg2rad.default": _rows(torch.deg2rad, f32(2, 5), i32(3)),
    "rad2deg.default": _rows(torch.rad2deg, f32(2, 5), i32(3)),
    "isnan.default": _rows(torch.isnan, SPECIAL, i32(3)),
    "isinf.default": _rows(torch.isinf, SPECIAL, i32(3)),
    "isfinite.default": _rows(torch.isfinite, SPECIAL, i32(3)),
    "isposinf.default": _rows(torch.isposinf, SPECIAL, i32(3)),
    "isneginf.default": _rows(torch.isneginf, SPECIAL, i32(3)),
    "nan_to_num.default": [
        case(lambda x: torch.nan_to_num(x), SPECIAL),
        case(lambda x: torch.nan_to_num(x, 2.0, 3.0, -4.0), SPECIAL.astype("float64")),
        case(lambda x: torch.nan_to_num(x), i32(3)),
        case(lambda x: torch.nan_to_num(x, posinf=1.0), SPECIAL.astype("float16")),
    ],
}
