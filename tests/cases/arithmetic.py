"""Arithmetic on two tensors or a tensor and a number."""

from __future__ import annotations

import torch
from tests.cases.making import case
from tests.samples.making import array, bools, f16, f32, f64, i8, i32, i64, u8

NAN = float("nan")

INF = float("inf")

ATEN = torch.ops.aten
POSITIVE = {"low": 0.1, "high": 3.0}
DIVISORS = array([[3, -2, 5], [-7, 4, 1]], "int32")
WHOLE = array([[7, -7, 0], [6, -1, 9]], "int32")
AWKWARD = array([[7.5, -7.5, 0.3, 6.0], [-0.0, float("inf"), float("nan"), 1.0]])
BY = array([[2.0, 2.0, 0.1, -3.0], [5.0, 3.0, 1.0, 0.0]])

ROWS = {
    "add.Tensor": [
        case(lambda x, y: x + y, f32(2, 3), f32(3)),
        case(lambda x, y: torch.add(x, y, alpha=3), i32(2, 3), i64(2, 1)),
        case(lambda x, y: x + y, bools(2, 3), bools(3, seed=1)),
        case(lambda x, y: torch.add(x, y, alpha=0.5), f32(2, 3), f64(3)),
        case(lambda x, y: x + y, f16(2, 3), f32(1)),
        case(lambda x, y: x + y, f32(2, 3), array(1.5, "float64")),
        case(lambda x, y: x + y, u8(2, 3), i8(2, 3)),
        case(lambda x: x + 2.5, i32(2, 3)),
        case(lambda x: x + True, u8(2, 3)),
        case(lambda x: x + 300, u8(2, 3)),
    ],
    "add.Scalar": [
        case(lambda x: ATEN.add.Scalar(x, 3, 2), f32(2, 3)),
        case(lambda x: ATEN.add.Scalar(x, 2.5), i32(3)),
    ],
    "sub.Tensor": [
        case(lambda x, y: x - y, f32(2, 3), f32(3)),
        case(lambda x, y: torch.sub(x, y, alpha=2), i64(2, 3), u8(2, 3)),
        case(lambda x: x - 1, i32(2, 3)),
    ],
    "sub.Scalar": [case(lambda x: ATEN.sub.Scalar(x, 3, 2), f32(2, 3))],
    "subtract.Tensor": [case(lambda x, y: torch.subtract(x, y, alpha=2), f32(2, 3), f32(3))],
    "rsub.Scalar": [
        case(lambda x: 2 - x, f32(2, 3)),
        case(lambda x: 2.5 - x, i32(2, 3)),
        case(lambda x: torch.rsub(x, 5, alpha=3), f32(3)),
    ],
    "rsub.Tensor": [case(lambda x, y: torch.rsub(x, y, alpha=2), f32(2, 3), f32(3))],
    "mul.Tensor": [
        case(lambda x, y: x * y, f32(2, 3), f32(2, 1)),
        case(lambda x, y: x * y, bools(2, 3), bools(3, seed=1)),
        case(lambda x, y: x * y, i32(2, 3), bools(2, 3)),
        case(lambda x: x * 0.5, f16(2, 3)),
    ],
    "mul.Scalar": [case(lambda x: ATEN.mul.Scalar(x, 2.5), i32(2, 3))],
    "multiply.Tensor": [case(lambda x, y: torch.multiply(x, y), f32(2, 3), f32(3))],
    "multiply.Scalar": [case(lambda x: ATEN.multiply.Scalar(x, 2), f32(2, 3))],
    "div.Tensor": [
        case(lambda x, y: x / y, f32(2, 3), f32(3, **POSITIVE)),
        case(lambda x, y: x / y, WHOLE, DIVISORS),
        case(lambda x: x / 3, i64(2, 3)),
        case(lambda x: x / 0, f32(2, 3)),
    ],
    "div.Scalar": [case(lambda x: ATEN.div.Scalar(x, 3), i32(2, 3))],
    "divide.Scalar": [case(lambda x: ATEN.divide.Scalar(x, 3), i32(2, 3))],
    "divide.Tensor": [case(lambda x, y: torch.divide(x, y), f32(2, 3), f32(3, **POSITIVE))],
    "true_divide.Tensor": [case(lambda x, y: torch.true_divide(x, y), WHOLE, DIVISORS)],
    "true_divide.Scalar": [case(lambda x: ATEN.true_divide.Scalar(x, 3), i32(2, 3))],
    "div.Tensor_mode": [
        case(lambda x, y: torch.div(x, y, rounding_mode="floor"), WHOLE, DIVISORS),
        case(lambda x, y: torch.div(x, y, rounding_mode="trunc"), WHOLE, DIVISORS),
        case(lambda x, y: torch.div(x, y, rounding_mode="floor"), AWKWARD, BY),
        case(lambda x, y: torch.div(x, y, rounding_mode="trunc"), AWKWARD, BY),
        case(lambda x, y: torch.div(x, y, rounding_mode=None), WHOLE, DIVISORS),
    ],
    "div.Scalar_mode": [
        case(lambda x: ATEN.div.Scalar_mode(x, 3, rounding_mode="floor"), WHOLE),
        case(lambda x: ATEN.div.Scalar_mode(x, -2.5, rounding_mode="trunc"), f32(2, 3)),
    ],
    "divide.Tensor_mode": [case(lambda x, y: torch.divide(x, y, rounding_mode="floor"), WHOLE, DIVISORS)],
    "divide.Scalar_mode": [case(lambda x: ATEN.divide.Scalar_mode(x, 3, rounding_mode="trunc"), WHOLE)],
    "floor_divide.default": [
        case(lambda x, y: x // y, WHOLE, DIVISORS),
        case(lambda x, y: x // y, AWKWARD, BY),
        case(lambda x: x // 3, WHOLE),
    ],
    "floor_divide.Scalar": [case(lambda x: ATEN.floor_divide.Scalar(x, -3), WHOLE)],
    "remainder.Tensor": [
        case(lambda x, y: x % y, WHOLE, DIVISORS),
        case(lambda x, y: x % y, AWKWARD, BY),
    ],
    "remainder.Scalar": [case(lambda x: x % -3, WHOLE), case(lambda x: x % 2.5, AWKWARD)],
    "remainder.Scalar_Tensor": [case(lambda x: torch.remainder(7, x), DIVISORS)],
    "fmod.Tensor": [
        case(lambda x, y: torch.fmod(x, y), WHOLE, DIVISORS),
        case(lambda x, y: torch.fmod(x, y), AWKWARD, BY),
    ],
    "fmod.Scalar": [case(lambda x: torch.fmod(x, 3), WHOLE)],
    "pow.Tensor_Tensor": [
        case(lambda x, y: x**y, f32(2, 3, **POSITIVE), f32(3)),
        case(lambda x, y: x**y, i32(2, 3), i32(3, low=0, high=4)),
    ],
    "pow.Tensor_Scalar": [
        case(lambda x: x**2, f32(2, 3)),
        case(lambda x: x**3, i32(2, 3)),
        case(lambda x: x**0.5, f32(2, 3, **POSITIVE)),
        case(lambda x: x**-1, f32(2, 3, **POSITIVE)),
        case(lambda x: x**0, f32(2, 3)),
        case(lambda x: x**1.5, i32(2, 3, low=0)),
    ],
    "pow.Scalar": [case(lambda x: 2**x, f32(2, 3)), case(lambda x: 2.5**x, i32(2, 3, low=0, high=5))],
    "float_power.Tensor_Scalar": [case(lambda x: torch.float_power(x, 2), i32(2, 3))],
    "float_power.Tensor_Tensor": [case(lambda x, y: torch.float_power(x, y), f32(2, 3, **POSITIVE), i32(3))],
    "float_power.Scalar": [case(lambda x: torch.float_power(2, x), f32(2, 3))],
    "addcmul.default": [
        case(lambda x, y, z: torch.addcmul(x, y, z, value=0.5), f32(2, 3), f32(3), f32(2, 1)),
        case(lambda x, y, z: torch.addcmul(x, y, z), i32(2, 3), i32(3), i32(2, 1)),
    ],
    "addcdiv.default": [
        case(lambda x, y, z: torch.addcdiv(x, y, z, value=2), f32(2, 3), f32(3), f32(2, 1, **POSITIVE))
    ],
    "lerp.Scalar": [
        case(lambda x, y: torch.lerp(x, y, 0.3), f32(2, 3), f32(3)),
        case(lambda x, y: torch.lerp(x, y, 0.7), f32(2, 3), f32(3)),
    ],
    "lerp.Tensor": [case(lambda x, y, z: torch.lerp(x, y, z), f32(2, 3), f32(3), f32(2, 3))],
    "atan2.default": [
        case(lambda x, y: torch.atan2(x, y), f32(4, 5), f32(5, seed=1)),
        case(
            lambda x, y: torch.atan2(x, y),
            array([0.0, -0.0, 0.0, -0.0, 1, -1, 1, -1, 1, -1, float("nan")]),
            array([1, 1, -1, -1, 0.0, 0.0, -0.0, -1, float("inf"), float("-inf"), 1]),
        ),
        case(lambda x, y: torch.atan2(x, y), i32(2, 3), i32(3)),
    ],
    "arctan2.default": [case(lambda x, y: torch.arctan2(x, y), f32(4, 5), f32(5, seed=1))],
    "hypot.default": [
        case(
            lambda x, y: torch.hypot(x, y),
            array([INF, NAN, 3e38, INF, 0.0, NAN]),
            array([NAN, -INF, 3e38, INF, 0.0, 1.0]),
        ),
        case(lambda x, y: torch.hypot(x, y), f32(2, 3), f32(3)),
    ],
    "logaddexp.default": [
        case(lambda x, y: torch.logaddexp(x, y), f32(2, 3), f32(3)),
        case(
            lambda x, y: torch.logaddexp(x, y),
            array([1000.0, -1000, float("inf"), float("-inf")]),
            array([1000.0, 3, 1, float("-inf")]),
        ),
    ],
    "logaddexp2.default": [case(lambda x, y: torch.logaddexp2(x, y), f32(2, 3), f32(3))],
    "copysign.Tensor": [case(lambda x, y: torch.copysign(x, y), f32(2, 4), array([1, -1, 0.0, -0.0]))],
    "copysign.Scalar": [
        case(lambda x: torch.copysign(x, -2), f32(2, 3)),
        case(lambda x: torch.copysign(x, 2.0), i32(2, 3)),
    ],
    "xlogy.Tensor": [
        case(lambda x, y: torch.xlogy(x, y), array([0, 0, 1, 2, float("nan")]), array([0, float("nan"), 2, 3, 1.0]))
    ],
    "xlogy.Scalar_Other": [case(lambda x: torch.xlogy(x, 2.5), f32(2, 3))],
    "xlogy.Scalar_Self": [case(lambda x: torch.xlogy(2, x), f32(2, 3, **POSITIVE))],
    "special_xlogy.default": [case(lambda x, y: ATEN.special_xlogy.default(x, y), f32(2, 3), f32(3, **POSITIVE))],
    "special_xlog1py.default": [
        case(lambda x, y: torch.special.xlog1py(x, y), array([0, 0, 1, 2, 3]), array([-1, float("nan"), 2, 1e-8, 1.0]))
    ],
    "heaviside.default": [
        case(lambda x, y: torch.heaviside(x, y), array([-1, 0, 2, float("nan")]), array([0.5, 0.25, 1, 2]))
    ],
}
