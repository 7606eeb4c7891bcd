"""Integers of a few bits."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.samples.layouts import ends, permuted
from tests.samples.making import i8, i32, ints, sample
from torchrelay import op


def i16(*shape, high):
    """int16 from 0 up to, not including, ``high``."""
    return ints("int16", *shape, low=0, high=high)


def meant(weight, weight_bits, unipolar):
    """What the bits of a weight stand for."""
    return 2 * weight.double() - (2**weight_bits - 1) if unipolar else weight.double()


def convolution(data, weight, bits, weight_bits, unipolar=True, out_dtype="int16", **attributes):
    """A row of a convolution."""
    source, kernel = attributes.get("data_layout", "NCHW"), attributes.get("kernel_layout", "OIHW")

    def judge(x, w):
        kept = permuted(x, source, "NCHW").double() % 2**bits
        taps = meant(permuted(w, kernel, "OIHW"), weight_bits, unipolar)
        around = ends(attributes.get("padding", (0, 0)), 2)
        result = F.conv2d(F.pad(kept, around), taps, stride=attributes.get("strides", 1))
        return permuted(result.to(getattr(torch, out_dtype)), "NCHW", source)

    sizes = {"activation_bits": bits, "weight_bits": weight_bits, "unipolar": unipolar}
    dtypes = {"pack_dtype": "uint32", "out_dtype": out_dtype}
    return sample(data, weight, torch=judge, **sizes, **dtypes, **attributes)


def dense(data, weight, bits, weight_bits, unipolar=True, units=None):
    """A row of a dense layer."""
    judge = lambda x, w: ((x.double() % 2**bits) @ meant(w, weight_bits, unipolar).T).to(torch.int16)
    sizes = {"data_bits": bits, "weight_bits": weight_bits, "unipolar": unipolar, "units": units}
    return sample(data, weight, torch=judge, pack_dtype="uint32", out_dtype="int16", **sizes)


def packed(data, bits, axis, bit_axis, words):
    """A row of packing, through binary numbers as texts."""

    def judge(x):
        width = np.dtype(words).itemsize * 8
        moved = np.moveaxis(x, axis, -1)
        grouped = moved.reshape(-1, width)
        shape = (*moved.shape[:-1], moved.shape[-1] // width)
        planes = [[int("".join(str(v >> bit & 1) for v in word), 2) for word in grouped] for bit in range(bits)]
        shaped = [np.moveaxis(np.array(plane, words).reshape(shape), -1, axis) for plane in planes]
        return shaped[0] if bit_axis < 0 else np.stack(shaped, bit_axis)

    return sample(data, numpy=judge, bits=bits, pack_axis=axis, bit_axis=bit_axis, pack_type=words)


ROWS = {
    op.nn.bitpack: [
        packed(i32(2, 16, low=0, high=4), 2, 1, 0, "uint8"),
        packed(i32(2, 16, low=0, high=4), 2, 1, 1, "uint8"),
        packed(i32(2, 16, low=0, high=4), 2, 1, 2, "uint8"),
        packed(i32(32, 3, low=0, high=8), 3, 0, 1, "uint32"),
        packed(i8(2, 32, low=0, high=2), 1, 1, -1, "uint16"),
    ],
    op.nn.bitserial_conv2d: [
        convolution(i16(1, 32, 5, 6, high=4), i16(4, 32, 3, 3, high=2), 2, 1),
        convolution(
            i16(1, 32, 5, 6, high=4), i16(4, 32, 3, 3, high=4), 2, 2, padding=(1, 1), channels=4, kernel_size=(3, 3)
        ),
        convolution(i16(1, 32, 5, 6, high=4), i16(4, 32, 3, 3, high=2), 2, 1, unipolar=False, strides=(2, 1)),
        convolution(
            i16(1, 5, 6, 32, high=4),
            i16(3, 3, 32, 4, high=2),
            1,
            1,
            padding=(1, 0, 2, 1),
            data_layout="NHWC",
            kernel_layout="HWIO",
            out_dtype="int32",
        ),
    ],
    op.nn.bitserial_dense: [
        dense(i16(2, 32, high=4), i16(3, 32, high=2), 2, 1, units=3),
        dense(i16(2, 32, high=4), i16(3, 32, high=4), 2, 2, units=3),
        dense(i16(2, 32, high=4), i16(3, 32, high=2), 1, 1, unipolar=False),
    ],
}
