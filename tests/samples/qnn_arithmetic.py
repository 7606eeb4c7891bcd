"""Sums, products, concatenation, pools and functions of quantized tensors."""

from __future__ import annotations

import math

import numpy as np

from tests.samples.making import i8, i32, ints, sample, u8
from tests.samples.qnn_making import away, clipped, each, in_fixed_point, moved, scale, spread, up, zero
from torchrelay import op

PLAIN = scale(0.1), zero(3), scale(0.3), zero(4), scale(0.2), zero(5)
SAME = scale(0.1), zero(3), scale(0.1), zero(3), scale(0.1), zero(3)
COLUMNS = scale(0.1, 0.2, 0.7, 0.5), zero(1, -2, 3, 0)
PER_CHANNEL = *COLUMNS, *COLUMNS, scale(0.3), zero(2)


def summed(sign, lhs, rhs, *parameters, lhs_axis=-1, rhs_axis=-1):
    """A row of a sum or difference."""

    def judge(a, b, sa, za, sb, zb, t, o):
        first = moved(a, spread(sa, a.shape, lhs_axis), spread(za, a.shape, lhs_axis), t, o)
        second = moved(b, spread(sb, b.shape, rhs_axis), spread(zb, b.shape, rhs_axis), t, o)
        return clipped(first + sign * (second - o), a.dtype)

    return sample(lhs, rhs, *parameters, lhs_axis=lhs_axis, rhs_axis=rhs_axis, numpy=judge)


def multiplied(lhs, rhs, *parameters, axis=-1):
    """A row of a product."""

    def judge(a, b, sa, za, sb, zb, t, o):
        left = a.astype("int64") - spread(za, a.shape, axis)
        right = b.astype("int64") - spread(zb, b.shape, axis)
        factor = spread(sa, a.shape, axis) * spread(sb, b.shape, axis)
        return clipped(moved(left * right, factor, 0, t, o), a.dtype)

    return sample(lhs, rhs, *parameters, lhs_axis=axis, rhs_axis=axis, numpy=judge)


def sums(sign):
    """Rows of a sum or difference."""
    return [
        summed(sign, i8(3, 4), i8(3, 4, seed=1), *PLAIN),
        summed(sign, u8(3, 4), u8(3, 4, seed=1), *PLAIN),
        summed(sign, i8(3, 4), i8(3, 1, seed=1), *PLAIN),
        summed(sign, i8(3, 4), i8(4, seed=1), *SAME),
        summed(sign, i32(3, 4), i32(3, 4, seed=1), *PLAIN),
        summed(sign, ints("int16", 3, 4, low=-9999, high=9999), ints("int16", 4, low=-99, high=99), *PLAIN),
        summed(sign, i8(3, 4), i8(3, 4, seed=1), *PER_CHANNEL),
        summed(sign, u8(4, 3), u8(1, 3, seed=1), *COLUMNS, *PLAIN[2:], lhs_axis=0),
    ]


def joined(*data, scales, zeros, out, axis=0):
    """A row of a concatenation."""

    def judge(tensors, of, at, t, o):
        parts = zip(tensors, of, at, strict=True)
        return np.concatenate([clipped(moved(*part, t, o), data[0].dtype) for part in parts], axis)

    return sample(data, tuple(map(scale, scales)), tuple(map(zero, zeros)), *out, axis=axis, numpy=judge)


def function(real, data, *parameters):
    """A row of a function of each element, judged by doubles; what has no real value is the largest number."""

    def judge(x, s, z, t, o):
        step, out = float(s), float(t)
        # The real values are float32, as the operator has them.
        return clipped(
            each(lambda q: away(real(float(np.float32(q - int(z)) * np.float32(step))) / out) + int(o), x), x.dtype
        )

    return sample(data, *parameters, numpy=judge)


def functions(real, positive=False):
    """Rows of a function, with data of both signs or without."""
    low, first = (5, -120) if positive else (0, -128)
    return [
        function(real, u8(3, 4, low=low), scale(0.0371), zero(0 if positive else 77), scale(0.0413), zero(9)),
        function(real, i8(3, 40, low=first), scale(0.0213), zero(-128 if positive else 5), scale(0.0117), zero(-9)),
    ]


def hardswish(x):
    """The function."""
    return x * min(max(x + 3, 0), 6) / 6


def leaky(data, *parameters, alpha):
    """A row of a leaky relu."""

    def judge(x, s, z, t, o):
        value = moved(x, s, z, t, o)
        slope, rest = in_fixed_point(alpha), in_fixed_point(1 - alpha)
        return clipped(
            each(lambda q, v: v if q >= z else up(v * slope) + up(int(o) * rest), x.astype("int64"), value), x.dtype
        )

    return sample(data, *parameters, alpha=alpha, numpy=judge)


def softmax(data, *parameters, axis=-1):
    """A row of a softmax, judged by the integer program in whole numbers of any size."""

    def row(values, one, t, o):
        below = [v - max(values) for v in values]
        doublings = [v + (v >> 1) - (v >> 4) for v in below]
        halvings = [min(max(-v // one, 0), 20) for v in doublings]
        powers = [(((v + n * one) >> 1) + one) << (max(halvings) - n) for v, n in zip(doublings, halvings, strict=True)]
        shares = [(2**30 // sum(powers)) * power >> 23 for power in powers]
        return [up(share * in_fixed_point(2.0**-7 / float(t))) + int(o) for share in shares]

    def judge(x, s, z, t, o):
        one = round(1 / float(s))
        made = np.apply_along_axis(
            lambda line: row([int(v) - int(z) for v in line], one, t, o), axis, x.astype("int64")
        )
        return clipped(made, x.dtype)

    return sample(data, *parameters, axis=axis, numpy=judge)


def pooled(data, *parameters, size, strides=(1, 1), padding=(0, 0), count=False, layout="NCHW"):
    """A row of a mean over windows, rounded toward zero."""

    def judge(x, s, z, t, o):
        plain = x if layout == "NCHW" else x.transpose(0, 3, 1, 2)
        value = moved(plain, s, z, t, o)
        edges = ((0, 0), (0, 0), (padding[0],) * 2, (padding[1],) * 2)
        wide, there = np.pad(value, edges), np.pad(np.ones_like(value), edges)
        views = [np.lib.stride_tricks.sliding_window_view(a, size, (2, 3)) for a in (wide, there)]
        total, number = (v[:, :, :: strides[0], :: strides[1]].sum((-1, -2)) for v in views)
        if count:
            number = np.full_like(number, math.prod(size))
        made = clipped(np.sign(total) * (np.abs(total) // number), x.dtype)
        return made if layout == "NCHW" else made.transpose(0, 2, 3, 1)

    return sample(
        data,
        *parameters,
        pool_size=size,
        strides=strides,
        padding=padding,
        count_include_pad=count,
        layout=layout,
        numpy=judge,
    )


TO_OTHER = scale(0.5), zero(1), scale(0.25), zero(3)
ROWS = {
    op.qnn.add: sums(1),
    op.qnn.subtract: sums(-1),
    op.qnn.mul: [
        multiplied(i8(3, 4), i8(3, 4, seed=1), *PLAIN),
        multiplied(u8(3, 4), u8(3, 4, seed=1), *PLAIN),
        multiplied(i8(3, 4), i8(4, seed=1), *SAME),
        multiplied(i32(3, 4), i32(3, 4, seed=1), *PLAIN),
        multiplied(i8(3, 4), i8(3, 4, seed=1), *PER_CHANNEL),
        multiplied(i8(3, 4), i8(3, 4, seed=1), *COLUMNS, *PLAIN[2:]),
        multiplied(i8(4, 3), i8(4, 1, seed=1), *PER_CHANNEL, axis=0),
    ],
    op.qnn.concatenate: [
        joined(i8(2, 3), i8(2, 4), scales=(0.5, 0.3), zeros=(1, 2), out=(scale(0.4), zero(3)), axis=1),
        joined(u8(2, 3), u8(1, 3), scales=(0.5, 0.3), zeros=(1, 2), out=(scale(0.5), zero(1))),
        joined(i32(2), i32(3), i32(1), scales=(0.5, 0.3, 2), zeros=(1, 2, 0), out=(scale(0.1), zero(0)), axis=-1),
    ],
    op.qnn.avg_pool2d: [
        pooled(i8(1, 2, 4, 4), *TO_OTHER, size=(2, 2)),
        pooled(u8(1, 2, 5, 4), *TO_OTHER, size=(3, 2), strides=(2, 1), padding=(1, 0)),
        pooled(i8(1, 4, 4, 2), *TO_OTHER, size=(2, 2), padding=(1, 1), count=True, layout="NHWC"),
        pooled(i8(1, 2, 4, 4), scale(0.5), zero(1), scale(0.5), zero(1), size=(2, 2), padding=(1, 1)),
    ],
    op.qnn.abs: functions(abs),
    op.qnn.erf: functions(math.erf),
    op.qnn.exp: functions(math.exp),
    op.qnn.hardswish: functions(hardswish),
    op.qnn.log: functions(math.log, positive=True),
    op.qnn.rsqrt: [
        *functions(lambda x: x**-0.5, positive=True),
        function(lambda x: x**-0.5 if x > 0 else 1e9, i8(3, 40), scale(0.0213), zero(5), scale(0.117), zero(-9)),
    ],
    op.qnn.sigmoid: functions(lambda x: 1 / (1 + math.exp(-x))),
    op.qnn.sqrt: [
        *functions(math.sqrt, positive=True),
        function(lambda x: math.sqrt(x) if x >= 0 else 1e9, u8(3, 40), scale(0.0213), zero(99), scale(0.0117), zero(0)),
    ],
    op.qnn.tanh: functions(math.tanh),
    op.qnn.leaky_relu: [
        leaky(i8(3, 40), scale(0.5), zero(1), scale(0.5), zero(3), alpha=0.3),
        leaky(u8(3, 40), scale(0.5), zero(100), scale(0.7), zero(30), alpha=0.01),
        leaky(i8(3, 4), scale(0.1), zero(0), scale(0.1), zero(0), alpha=0.25),
    ],
    op.qnn.softmax: [
        softmax(i8(3, 4), scale(0.3), zero(1), scale(1 / 256), zero(-128)),
        softmax(i8(3, 10), scale(0.0371), zero(-5), scale(1 / 256), zero(-128), axis=1),
        softmax(i8(7, 3), scale(0.6), zero(0), scale(0.01), zero(0), axis=0),
        softmax(i8(2, 7, 3), scale(1.0), zero(0), scale(0.01), zero(0), axis=1),
    ],
}
