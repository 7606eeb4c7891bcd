"""Multiplication of integers by fixed-point factors."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from tests.samples.making import array, sample
from torchrelay import op

DATA = array([100, -100, 1, -1, 3, -3, 2**31 - 1, -(2**31), 5, -5, 7], "int32")


def scaled(value, multiplier, shift):
    """The exact product, rounded to nearest with halves up."""
    return floor(Fraction(int(value) * int(multiplier), 2**31) * Fraction(2) ** int(shift) + Fraction(1, 2))


def fixed_point(multiplier, shift, data=DATA):
    """A row with one factor."""
    return sample(
        data,
        multiplier=multiplier,
        shift=shift,
        numpy=lambda x: array([scaled(value, multiplier, shift) for value in x], "int32"),
    )


FACTORS = array([2**30, 1518500250, 1518500250], "int32")
LEFT, RIGHT = array([0, 1, 2], "int32"), array([1, 0, 3], "int32")
ROWS = {
    op.fixed_point_multiply: [
        fixed_point(2**30, 0),
        fixed_point(2**30, -1),
        fixed_point(1518500250, -3),
        fixed_point(2**31 - 1, 0),
        fixed_point(1518500250, 3, DATA[:6]),
        fixed_point(2**31 - 1, -32),
        fixed_point(1518500250, -40),
    ],
    op.fixed_point_multiply_per_axis: [
        sample(
            array([[100, -100, 7], [3, -3, 2**20]], "int32"),
            FACTORS,
            LEFT,
            RIGHT,
            is_lshift_required=True,
            is_rshift_required=True,
            axes=(1,),
            numpy=lambda x, m, left, right: array(
                [[scaled(*of) for of in zip(row, m, left - right, strict=True)] for row in x], "int32"
            ),
        ),
        sample(
            array([[100], [-100], [7]], "int32"),
            FACTORS,
            LEFT,
            RIGHT * 0,
            is_lshift_required=True,
            axes=(0,),
            numpy=lambda x, m, left, right: array(
                [[scaled(*of)] for of in zip(x[:, 0], m, left, strict=True)], "int32"
            ),
        ),
    ],
}
