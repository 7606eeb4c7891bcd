"""Independent meanings of quantized operators: exact fractions, and PyTorch's own quantization."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import torch

from tests.samples.making import array

HALF = Fraction(1, 2)


def scale(*values):
    """A scale, or one for each channel."""
    return array(values if len(values) > 1 else values[0])


def zero(*values):
    """A zero point, or one for each channel."""
    return array(values if len(values) > 1 else values[0], "int32")


def spread(parameter, shape, axis):
    """The parameter for each element of that shape."""
    if parameter.ndim:
        parameter = np.expand_dims(parameter, [place for place in range(len(shape)) if place != axis % len(shape)])
    return np.broadcast_to(parameter, shape)


def in_fixed_point(factor):
    """The factor as the fraction with 31 significant bits that is nearest."""
    significand, exponent = math.frexp(factor)
    return Fraction(math.floor(Fraction(significand) * 2**31 + HALF), 2**31) * Fraction(2) ** exponent


def up(value):
    """The nearest whole number, halves up."""
    return math.floor(value + HALF)


def away(value):
    """The nearest whole number, halves away from zero."""
    return up(value) if value >= 0 else -up(-value)


def each(function, *arrays):
    """The integers that a function gives for each place of arrays."""
    arrays = np.broadcast_arrays(*arrays)
    places = zip(*(a.ravel().tolist() for a in arrays), strict=True)
    return array([function(*place) for place in places], "int64").reshape(arrays[0].shape)


def moved(data, scale_in, zero_in, scale_out, zero_out, rounding=up):
    """Quantized values under other parameters, not saturated, in exact fractions."""
    return each(
        lambda q, s, z, t, o: rounding((q - z) * in_fixed_point(s / t)) + o,
        data,
        scale_in,
        zero_in,
        scale_out,
        zero_out,
    )


def clipped(values, dtype):
    """The values within the dtype."""
    limits = np.iinfo(dtype)
    return np.clip(values, limits.min, limits.max).astype(dtype)


QUANTIZED = {"int8": torch.qint8, "uint8": torch.quint8, "int32": torch.qint32}


def quantized(data, scales, zeros, axis, dtype):
    """PyTorch's quantization of real values, as integers."""
    if scales.ndim:
        made = torch.quantize_per_channel(data, scales.double(), zeros.long(), axis, QUANTIZED[dtype])
    else:
        made = torch.quantize_per_tensor(data, float(scales), int(zeros), QUANTIZED[dtype])
    return made.int_repr()


def real(data, scales, zeros, axis):
    """The real values that PyTorch says quantized ones stand for."""
    if not scales.ndim:
        return torch._make_per_tensor_quantized_tensor(data, float(scales), int(zeros)).dequantize()
    return torch._make_per_channel_quantized_tensor(data, scales.double(), zeros.long(), axis).dequantize()
