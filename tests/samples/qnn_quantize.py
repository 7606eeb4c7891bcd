"""Real and quantized values into each other."""

from __future__ import annotations

import numpy as np
import torch

from tests.samples.making import array, f32, i8, i32, ints, sample, u8
from tests.samples.qnn_making import away, clipped, moved, quantized, real, scale, spread, up, zero
from torchrelay import op

TIES = array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 130.0, -1000.0])
COLUMNS = scale(0.1, 0.25, 0.03, 0.5), zero(3, -5, 0, 10)
ROWS_OF = scale(0.1, 0.25, 0.03), zero(3, -5, 0)


def quantize(data, of, at, dtype="int8", axis=-1):
    """A row that PyTorch judges; it rounds halves to even, so the data has none."""
    return sample(
        data, of, at, out_dtype=dtype, axis=axis, torch=lambda x, s, z: quantized(x, s, z, axis % max(x.ndim, 1), dtype)
    )


def tied(of, at, dtype):
    """A row with halves, which go away from zero."""

    def judge(x, s, z):
        return clipped([away(v / float(s)) + int(z) for v in x.tolist()], dtype)

    return sample(TIES, of, at, out_dtype=dtype, numpy=judge)


def endless(dtype):
    """A row with numbers that have no end, or are none: NaN becomes the largest."""
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    data = array([np.nan, np.inf, -np.inf, 1e30])
    return sample(
        data, scale(0.5), zero(1), out_dtype=dtype, numpy=lambda x, s, z: array([most, most, least, most], dtype)
    )


def dequantize(data, of, at, axis=-1, dtype="float32"):
    """A row with one scale that PyTorch judges where it has the dtype; doubles judge the others."""
    if not of.ndim and str(data.dtype) in ("int8", "uint8", "int32") and dtype == "float32":
        return sample(data, of, at, out_dtype=dtype, axis=axis, torch=lambda x, s, z: real(x, s, z, axis % x.ndim))
    return sample(
        data,
        of,
        at,
        out_dtype=dtype,
        axis=axis,
        numpy=lambda x, s, z: np.clip(
            (x.astype("float64") - spread(z, x.shape, axis)) * spread(s, x.shape, axis), -65504, 65504
        ).astype(dtype),
    )


def requantize(data, *parameters, axis=-1, **attributes):
    """A row judged by exact fractions for fixed point, by doubles for floating point."""
    rounding = away if attributes.get("rounding") == "TONEAREST" else up
    dtype = attributes["out_dtype"]

    def judge(x, s, z, t, o):
        s, z = spread(s, x.shape, axis), spread(z, x.shape, axis)
        if attributes.get("compute_dtype", "int64") == "int64":
            return clipped(moved(x, s, z, t, o, rounding), dtype)
        values = (x.astype("float64") - z) * (s.astype("float64") / float(t)).astype(attributes["compute_dtype"])
        return clipped(np.vectorize(rounding)(values + float(o)), dtype)

    return sample(data, *parameters, axis=axis, numpy=judge, **attributes)


def as_torch(data, *parameters, axis=-1, dtype="int8"):
    """A row that PyTorch judges: real values, quantized again."""
    return sample(
        data,
        *parameters,
        axis=axis,
        out_dtype=dtype,
        torch=lambda x, s, z, t, o: quantized(real(x, s, z, axis % x.ndim), t, o, 0, dtype),
    )


WIDE = i32(3, 4, low=-40000, high=40000)
HALVES = array([-7, -5, -3, -1, 0, 1, 3, 5, 7], "int32")
SCALARS = scale(0.1), zero(3), scale(0.3), zero(-2)
NARROW = scale(0.0013), zero(0), scale(0.3), zero(-2)
TO_HALF = scale(0.5), zero(0), scale(1.0), zero(0)

ONE_SCALE, ONE_ZERO = array([0.1]), array([3], "int32")

ROWS = {
    op.qnn.quantize: [
        quantize(f32(3, 4), scale(0.1), zero(3)),
        quantize(f32(3, 4), scale(0.01), zero(200), "uint8"),
        quantize(f32(3, 4), *COLUMNS),
        quantize(f32(3, 4), scale(0.1, 0.25, 0.03), zero(3, 5, 0), "uint8", axis=0),
        quantize(f32(2, 3, 4), *ROWS_OF, axis=1),
        quantize(f32(3, 4, low=-1000, high=1000), scale(0.001), zero(7), "int32"),
        quantize(f32(), scale(0.1), zero(3)),
        tied(scale(1.0), zero(0), "int8"),
        tied(scale(0.5), zero(1), "uint8"),
        tied(scale(0.25), zero(-3), "int16"),
        tied(scale(0.125), zero(3), "uint16"),
        endless("int8"),
        endless("uint8"),
        endless("int16"),
    ],
    op.qnn.dequantize: [
        dequantize(i8(3, 4), scale(0.1), zero(3)),
        dequantize(u8(3, 4), scale(0.02), zero(128)),
        dequantize(i32(3, 4), scale(0.02), zero(-5)),
        dequantize(i8(3, 4), *COLUMNS),
        dequantize(u8(2, 3, 4), *ROWS_OF, axis=1),
        dequantize(i8(3, 4), array([0.5]), array([2], "int32")),
        dequantize(ints("int16", 3, 4, low=-30000, high=30000), scale(0.01), zero(0)),
        dequantize(ints("uint16", 3, 4, low=0, high=60000), scale(1.5), zero(7), dtype="float16"),
        dequantize(i32(3, 4, low=-(2**20), high=2**20), scale(0.5), zero(1), dtype="float16"),
    ],
    op.qnn.requantize: [
        requantize(WIDE, *NARROW, out_dtype="int8"),
        requantize(WIDE, *NARROW, out_dtype="int8", rounding="TONEAREST"),
        requantize(WIDE, *NARROW, out_dtype="uint8", rounding="UPWARD", compute_dtype="int64"),
        requantize(i32(3, 4, low=-300, high=300), *SCALARS, out_dtype="int8"),
        requantize(i32(3, 4, low=-300, high=300), *SCALARS, out_dtype="uint8", rounding="TONEAREST"),
        *[
            requantize(HALVES, *TO_HALF, out_dtype="int8", rounding=rounding, compute_dtype=compute)
            for rounding in ("UPWARD", "TONEAREST")
            for compute in ("int64", "float32", "float64")
        ],
        requantize(i8(3, 4), *SCALARS, out_dtype="int8", compute_dtype="float32"),
        requantize(WIDE, *NARROW, out_dtype="int32", compute_dtype="float64", rounding="TONEAREST"),
        requantize(WIDE, *COLUMNS, scale(0.7), zero(9), out_dtype="int16"),
        requantize(WIDE, *COLUMNS, scale(70.0), zero(9), out_dtype="int8", rounding="TONEAREST"),
        requantize(WIDE, *COLUMNS, scale(70.0), zero(9), out_dtype="int8", compute_dtype="float32"),
        requantize(u8(2, 3, 4), *ROWS_OF, scale(0.4), zero(9), axis=1, out_dtype="uint8"),
        requantize(ints("int64", 3, 4, low=-9999, high=9999), *NARROW, out_dtype="int32"),
        requantize(ints("int16", 3, 4, low=-9999, high=9999), *NARROW, out_dtype="int16"),
        requantize(i8(3, 4), scale(0.3), zero(5), scale(0.3), zero(5), out_dtype="int8"),
        requantize(i8(3, 4), scale(3.0), zero(5), scale(0.3), zero(1), out_dtype="int16"),
        as_torch(i8(3, 4, seed=1), scale(0.0371), zero(3), scale(0.0913), zero(-7)),
        as_torch(i8(3, 4, seed=2), *COLUMNS, scale(0.1913), zero(11), dtype="uint8"),
    ],
    op.qnn.simulated_quantize: [
        *[
            sample(
                f32(3, 4, low=-20, high=20),
                array(code, "int32"),
                ONE_SCALE,
                ONE_ZERO,
                torch=lambda x, d, s, z, name=name: quantized(x, s[0], z[0], 0, name).float(),
            )
            for code, name in ((1, "int8"), (2, "uint8"), (3, "int32"))
        ],
        sample(f32(3, 4), array(0, "int32"), ONE_SCALE, ONE_ZERO, numpy=lambda x, d, s, z: x),
        sample(
            f32(3, 4),
            array(1, "int32"),
            *ROWS_OF,
            axis=0,
            torch=lambda x, d, s, z: quantized(x, s, z, 0, "int8").float(),
        ),
        sample(
            TIES,
            array(1, "int32"),
            array([1.0]),
            array([0], "int32"),
            numpy=lambda x, d, s, z: clipped([away(v) for v in x.tolist()], "int8").astype("float32"),
        ),
    ],
    op.qnn.simulated_dequantize: [
        sample(
            i8(3, 4).astype("float32"),
            array(1, "int32"),
            *COLUMNS,
            out_dtype="float32",
            torch=lambda x, d, s, z: real(x.to(torch.int8), s, z, 1),
        ),
        sample(
            u8(3, 4).astype("float32"),
            array(2, "int32"),
            ONE_SCALE,
            ONE_ZERO,
            out_dtype="float32",
            torch=lambda x, d, s, z: real(x.to(torch.uint8), s[0], z[0], 1),
        ),
        sample(f32(3, 4), array(0, "int32"), ONE_SCALE, ONE_ZERO, out_dtype="float32", numpy=lambda x, d, s, z: x),
    ],
}
