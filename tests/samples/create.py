"""Tensors made from a shape or a range."""

from __future__ import annotations

import numpy as np
import torch

from tests.samples.making import array, bools, f32, i64, sample
from torchrelay import op
from torchrelay.ir import TensorType, Var, const


def ranges(start, stop, step, dtype):
    """A row of a range whose ends are constants."""
    ends = [array(end, dtype) for end in (start, stop, step)]
    return sample(
        *ends,
        **dict(zip(("start", "stop", "step"), map(const, ends), strict=True)),
        dtype=dtype,
        numpy=lambda *_: np.arange(start, stop, step, dtype),
    )


def range_of_unknown_ends():
    """A row of a range whose ends are known only when it runs."""
    start, stop, step = (Var(name, TensorType.of((), "int64")) for name in ("start", "stop", "step"))
    return sample(
        array(3, "int64"),
        array(12, "int64"),
        array(2, "int64"),
        start=start,
        stop=stop,
        step=step,
        dtype="int64",
        numpy=lambda *_: array([3, 5, 7, 9, 11], "int64"),
    )


ROWS = {
    op.zeros: [
        sample(shape=(2, 3), dtype="float32", numpy=lambda: np.zeros((2, 3), "float32")),
        sample(shape=(), dtype="bool", numpy=lambda: np.zeros((), "bool")),
        sample(shape=(0, 2), dtype="int8", numpy=lambda: np.zeros((0, 2), "int8")),
    ],
    op.ones: [
        sample(shape=(2, 3), dtype="int64", numpy=lambda: np.ones((2, 3), "int64")),
        sample(shape=(), dtype="float64", numpy=lambda: np.ones((), "float64")),
    ],
    op.full: [
        sample(array(1.5), shape=(2, 3), numpy=lambda x: array([[1.5] * 3] * 2)),
        sample(array(2.75), shape=(2,), dtype="int32", numpy=lambda x: array([2, 2], "int32")),
        sample(array(True, "bool"), shape=(), dtype="float32", numpy=lambda x: array(1)),
    ],
    op.full_like: [
        sample(f32(2, 3), array(1.5), numpy=lambda x, value: array([[1.5] * 3] * 2)),
        sample(i64(2), array(2.75), numpy=lambda x, value: array([2, 2], "int64")),
    ],
    op.zeros_like: [sample(data, torch=torch.zeros_like) for data in (f32(2, 3), i64(2))],
    op.ones_like: [sample(data, torch=torch.ones_like) for data in (f32(2, 3), bools(2), f32())],
    op.arange: [
        ranges(0, 5, 1, "int32"),
        ranges(5, -2, -2, "int64"),
        ranges(1.5, 5.0, 0.75, "float32"),
        ranges(0, 1, 0.1, "float64"),
        range_of_unknown_ends(),
    ],
}
