"""Arithmetic, logic, bits and comparisons of two tensors, with broadcasting."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.samples.making import array, bools, f16, f32, f64, i8, i32, i64, sample, u8
from torchrelay import op

ODD = array([1.0, math.nan, math.inf, -math.inf, 0.0, -0.0, 2.5, -2.5])
NONZERO = array([[-3], [2], [-1], [4]], "int32")


def pairs(function, *inputs):
    """One row for each pair of inputs, judged by a function of torch."""
    return [sample(lhs, rhs, torch=function) for lhs, rhs in inputs]


FLOATS = [(f32(2, 3), f32(2, 3, seed=1)), (f32(2, 1, 3), f32(4, 1, seed=1)), (f32(), f64(3).astype("float32"))]
INTEGERS = [(i32(4, 9), NONZERO), (i64(5), i64(5, low=1)), (u8(6), u8(6, low=1, seed=1)), (i8(7), i8(7, low=1, seed=1))]
TRUTHS = [(bools(2, 3), bools(3, seed=1))]
NOTHING = [(f32(0, 3), f32(1, 3))]
SHIFTS = [(i32(4), i32(4, low=0, high=8)), (u8(4), u8(4, low=0, high=8))]


def quotients(rounding, inputs):
    """Rows judged by torch's division with that rounding."""
    return [sample(lhs, rhs, torch=lambda x, y: torch.div(x, y, rounding_mode=rounding)) for lhs, rhs in inputs]


def numbers(function):
    """A row of numbers as truth values, in the dtype of the inputs."""
    return sample(
        i32(9, low=-1, high=2), i32(9, low=-1, high=2, seed=1), numpy=lambda x, y: function(x, y) * np.int32(1)
    )


ROWS = {
    op.add: pairs(torch.add, *FLOATS, *INTEGERS, *TRUTHS, *NOTHING, (f16(3), f16(3, seed=1)), (ODD, ODD[::-1])),
    op.subtract: [*pairs(torch.sub, *FLOATS, *INTEGERS), sample(*TRUTHS[0], numpy=lambda x, y: x != y)],
    op.multiply: pairs(torch.mul, *FLOATS, *INTEGERS, *TRUTHS),
    op.divide: [*pairs(torch.div, *FLOATS, (ODD, ODD[::-1])), *quotients("trunc", INTEGERS)],
    op.floor_divide: quotients("floor", [*FLOATS, *INTEGERS]),
    op.trunc_divide: quotients("trunc", [*FLOATS, *INTEGERS]),
    op.mod: pairs(torch.fmod, *FLOATS, *INTEGERS),
    op.floor_mod: pairs(torch.remainder, *FLOATS, *INTEGERS),
    op.trunc_mod: pairs(torch.fmod, *FLOATS, *INTEGERS),
    op.power: [
        *pairs(torch.pow, (f32(2, 3, low=0), f32(3)), (f32(4), array([2.0])), (i32(9), i32(9, low=0, high=4))),
        sample(
            array([1, -1, -1, 2, -3], "int32"),
            array([-1, -2, -3, -1, -2], "int32"),
            numpy=lambda x, y: array([1, 1, -1, 0, 0], "int32"),
        ),
    ],
    op.maximum: pairs(torch.maximum, *FLOATS, *INTEGERS, (ODD, ODD[::-1]), *NOTHING),
    op.minimum: pairs(torch.minimum, *FLOATS, *INTEGERS, (ODD, ODD[::-1])),
    op.left_shift: pairs(torch.bitwise_left_shift, *SHIFTS),
    op.right_shift: pairs(torch.bitwise_right_shift, *SHIFTS),
    op.bitwise_and: pairs(torch.bitwise_and, *INTEGERS, *TRUTHS),
    op.bitwise_or: pairs(torch.bitwise_or, *INTEGERS, *TRUTHS),
    op.bitwise_xor: pairs(torch.bitwise_xor, *INTEGERS, *TRUTHS),
    op.logical_and: [*pairs(torch.logical_and, *TRUTHS), numbers(lambda x, y: (x * y) != 0)],
    op.logical_or: [*pairs(torch.logical_or, *TRUTHS), numbers(lambda x, y: (abs(x) + abs(y)) != 0)],
    op.logical_xor: [*pairs(torch.logical_xor, *TRUTHS), numbers(lambda x, y: (x != 0) != (y != 0))],
    op.equal: pairs(torch.eq, *FLOATS, *INTEGERS, *TRUTHS, (ODD, ODD)),
    op.not_equal: pairs(torch.ne, *FLOATS, *INTEGERS, *TRUTHS, (ODD, ODD)),
    op.less: pairs(torch.lt, *FLOATS, *INTEGERS, *TRUTHS, (ODD, ODD)),
    op.less_equal: pairs(torch.le, *FLOATS, *INTEGERS, *TRUTHS, (ODD, ODD)),
    op.greater: pairs(torch.gt, *FLOATS, *INTEGERS, *TRUTHS, (ODD, ODD)),
    op.greater_equal: pairs(torch.ge, *FLOATS, *INTEGERS, *TRUTHS, (ODD, ODD)),
    op.where: [
        sample(bools(2, 3), f32(2, 3), f32(2, 3, seed=1), torch=torch.where),
        sample(bools(3), f32(2, 1), f32(), torch=torch.where),
        sample(bools(4, 1), i64(3), i64(4, 3), torch=torch.where),
        sample(f32(3) * bools(3), f32(3), f32(3, seed=1), torch=lambda c, x, y: torch.where(c != 0, x, y)),
    ],
}
