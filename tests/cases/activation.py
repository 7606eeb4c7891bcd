"""Activations: functions of each element, or along an axis, between layers."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from tests.cases.making import case, core
from tests.samples.making import array, f16, f32, f64, i32
from torch import nn

ATEN = torch.ops.aten
INF, NAN = float("inf"), float("nan")
WIDE = f32(3, 7, low=-9, high=9)
SPECIAL = array([0.0, -0.0, 30.0, -30.0, 100.0, -100.0, INF, -INF, NAN])


def _rows(function, *inputs):
    return [case(lambda x: function(x), value) for value in inputs]


ROWS = {
    "relu.default": _rows(F.relu, WIDE, i32(2, 3), SPECIAL),
    "relu6.default": _rows(ATEN.relu6.default, WIDE),
    "hardtanh.default": [
        case(nn.Hardtanh(), WIDE),
        case(nn.Hardtanh(-2.5, 3.0), WIDE),
        case(nn.ReLU6(), WIDE),
        case(nn.Hardtanh(), SPECIAL),
    ],
    "hardsigmoid.default": _rows(F.hardsigmoid, WIDE, f16(2, 3)),
    "hardswish.default": _rows(F.hardswish, WIDE),
    "silu.default": _rows(F.silu, WIDE, SPECIAL[:-3]),
    "mish.default": _rows(F.mish, WIDE, SPECIAL[:-3]),
    "softplus.default": [case(nn.Softplus(), WIDE), case(nn.Softplus(2.0, 3.0), WIDE), case(nn.Softplus(), SPECIAL)],
    "log_sigmoid.default": _rows(F.logsigmoid, WIDE, SPECIAL),
    "elu.default": [
        case(nn.ELU(), WIDE),
        case(nn.ELU(0.5), WIDE),
        case(lambda x: ATEN.elu.default(x, 1.5, 0.5, 2.0), WIDE),
    ],
    "selu.default": _rows(F.selu, WIDE),
    "celu.default": [case(nn.CELU(), WIDE), case(nn.CELU(0.5), WIDE)],
    "leaky_relu.default": [case(nn.LeakyReLU(), WIDE), case(nn.LeakyReLU(0.3), SPECIAL)],
    "rrelu.default": [case(lambda x: F.rrelu(x), WIDE)],
    "prelu.default": [
        case(nn.PReLU(), WIDE),
        case(nn.PReLU(7), WIDE),
        case(lambda x, w: F.prelu(x, w), f32(2, 3, 4), f32(3)),
    ],
    "threshold.default": [
        case(nn.Threshold(0.5, 20.0), WIDE),
        case(nn.Threshold(-1, 3), i32(2, 3)),
        case(nn.Threshold(0.5, 2.0), SPECIAL),
    ],
    "hardshrink.default": [case(nn.Hardshrink(), WIDE), case(nn.Hardshrink(2.0), SPECIAL)],
    "softshrink.default": [case(nn.Softshrink(), WIDE), case(nn.Softshrink(2.0), SPECIAL)],
    "gelu.default": [case(nn.GELU(), WIDE), case(nn.GELU("tanh"), WIDE), case(nn.GELU(), f64(2, 3))],
    "glu.default": [case(nn.GLU(), f32(2, 6)), case(nn.GLU(0), f32(4, 3))],
    "softmax.int": [
        case(nn.Softmax(1), f32(0, 5)),
        case(nn.Softmax(1), f32(3, 0)),
        case(nn.Softmax(1), f32(2, 5)),
        case(nn.Softmax(-2), f32(2, 3, 4)),
        case(lambda x: F.softmax(x, 0, dtype=torch.float64), f32(4)),
        case(lambda x: F.softmax(x, 1), array([[-INF, 1.0, 2.0], [500.0, -500.0, 0.0]])),
        case(lambda x: F.softmax(x, 0), f32()),
    ],
    "_softmax.default": [core(nn.Softmax(1), f32(2, 5))],
    "_safe_softmax.default": [case(lambda x: ATEN._safe_softmax.default(x, 1), array([[-INF, -INF], [0.0, 1.0]]))],
    "log_softmax.int": [
        case(nn.LogSoftmax(1), f32(2, 5)),
        case(nn.LogSoftmax(0), f32()),
        case(lambda x: F.log_softmax(x, 1), array([[500.0, -500.0, 0.0]])),
    ],
    "_log_softmax.default": [core(nn.LogSoftmax(1), f32(2, 5))],
    "dropout.default": [case(nn.Dropout(), f32(2, 3))],
    "feature_dropout.default": [case(nn.Dropout2d(), f32(2, 3, 4, 4))],
    "alpha_dropout.default": [case(nn.AlphaDropout(), f32(2, 3))],
    "feature_alpha_dropout.default": [case(nn.FeatureAlphaDropout(), f32(2, 3, 4))],
    "native_dropout.default": [case(lambda x: ATEN.native_dropout.default(x, 0.5, False), f32(2, 3))],
}
