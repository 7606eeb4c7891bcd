"""Comparisons, logic and bits."""

from __future__ import annotations

import torch
from tests.cases.making import case, scripted
from tests.samples.making import array, bools, f32, i8, i32, i64, u8

ATEN = torch.ops.aten
NAN = float("nan")
LEFT, RIGHT = array([1.0, 2.0, NAN, 4.0, float("inf")]), array([1.0, 3.0, NAN, 3.0, 2.0])


def _comparison(name):
    function, overloads = getattr(torch, name), getattr(ATEN, name)
    tensors = [
        case(lambda x, y: function(x, y), LEFT, RIGHT),
        case(lambda x, y: function(x, y), i32(2, 3, low=0, high=3), i64(3, low=0, high=3, seed=1)),
        case(lambda x, y: function(x, y), bools(5), bools(5, seed=1)),
        case(lambda x, y: function(x, y), i32(3), f32(3)),
    ]
    numbers = [
        case(lambda x: overloads.Scalar(x, 2), LEFT),
        case(lambda x: overloads.Scalar(x, 1.5), i32(2, 5, low=0, high=4)),
    ]
    return {f"{name}.Tensor": tensors, f"{name}.Scalar": numbers}


def _logic(name):
    function = getattr(torch, name)
    rows = [
        case(lambda x, y: function(x, y), bools(2, 4), bools(4, seed=1)),
        case(lambda x, y: function(x, y), array([0.0, 1.0, NAN, 0.0]), i32(4, low=0, high=2)),
    ]
    return {f"{name}.default": rows}


def _bits(name, short):
    function, overloads = getattr(torch, name), getattr(ATEN, short)
    return {
        f"{name}.Tensor": [
            case(lambda x, y: function(x, y), i32(2, 3), i64(3)),
            case(lambda x, y: function(x, y), bools(2, 3), bools(3, seed=1)),
        ],
        f"{name}.Scalar": [case(lambda x: getattr(ATEN, name).Scalar(x, 6), u8(2, 3))],
        f"{name}.Scalar_Tensor": [case(lambda x: getattr(ATEN, name).Scalar_Tensor(6, x), i32(2, 3))],
        f"{short}.Tensor": [case(lambda x, y: overloads.Tensor(x, y), i32(2, 3), i32(3))],
        f"{short}.Scalar": [case(lambda x: overloads.Scalar(x, 6), i32(2, 3))],
    }


def _shift(name, short):
    function = getattr(torch, name)
    return {
        f"{name}.Tensor": [case(lambda x, y: function(x, y), i32(2, 3), i32(3, low=0, high=5))],
        f"{name}.Tensor_Scalar": [case(lambda x: function(x, 2), i8(2, 3, low=-20, high=20))],
        f"{short}.Tensor": [case(lambda x, y: getattr(ATEN, short).Tensor(x, y), i32(2, 3), i32(3, low=0, high=5))],
        f"{short}.Scalar": [case(lambda x: getattr(ATEN, short).Scalar(x, 3), i64(2, 3))],
    }


ROWS = {
    **_comparison("eq"),
    **_comparison("ne"),
    **_comparison("lt"),
    **_comparison("le"),
    **_comparison("gt"),
    **_comparison("ge"),
    **_logic("logical_and"),
    **_logic("logical_or"),
    **_logic("logical_xor"),
    **_bits("bitwise_and", "__and__"),
    **_bits("bitwise_or", "__or__"),
    **_bits("bitwise_xor", "__xor__"),
    **_shift("bitwise_left_shift", "__lshift__"),
    **_shift("bitwise_right_shift", "__rshift__"),
    "logical_not.default": [
        case(lambda x: torch.logical_not(x), LEFT),
        case(lambda x: ~x.bool(), i32(4, low=0, high=2)),
    ],
    "bitwise_not.default": [case(lambda x: torch.bitwise_not(x), i32(2, 3)), case(lambda x: ~x, bools(4))],
    "isclose.default": [
        case(lambda x, y: torch.isclose(x, y), LEFT, LEFT * (1 + 1e-6)),
        case(lambda x, y: torch.isclose(x, y, rtol=0.1, atol=0.5, equal_nan=True), LEFT, RIGHT),
        case(lambda x, y: torch.isclose(x, y), i32(5), i32(5, seed=1)),
    ],
    "isin.Tensor_Tensor": [
        case(lambda x, y: torch.isin(x, y), i32(2, 5), i32(3)),
        case(lambda x, y: torch.isin(x, y, invert=True), i32(2, 5), i32(3)),
    ],
    "equal.default": [scripted("def f(x, y):\n  return torch.equal(x, y)\n", f32(2, 3), f32(2, 3))],
}
