"""Convolutions."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from tests.samples.layouts import DATA, ends, permuted
from tests.samples.making import f16, f32, f64, i8, sample, u8
from torchrelay import op

KERNEL = {1: "OIW", 2: "OIHW", 3: "OIDHW"}
CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}


def conv(data, weight, **attributes):
    """A row of a convolution, judged by torch in float64 and the plain layouts."""
    source, kernel = attributes.get("data_layout"), attributes.get("kernel_layout")
    rank = (data.ndim if source is None else sum(letter.isupper() for letter in source)) - 2
    source, kernel = source or DATA[rank], kernel or KERNEL[rank]
    target = attributes.get("out_layout") or source
    named = {name: attributes[name] for name in ("dilation", "groups") if name in attributes}

    def judge(x, w):
        wide = F.pad(permuted(x, source, DATA[rank]).double(), ends(attributes.get("padding", (0,)), rank))
        taps = permuted(w, kernel, KERNEL[rank]).double()
        result = CONV[rank](wide, taps, stride=attributes.get("strides", 1), **named)
        dtype = getattr(torch, attributes["out_dtype"]) if "out_dtype" in attributes else x.dtype
        return permuted(result.to(dtype), DATA[rank], target)

    return sample(data, weight, torch=judge, rtol=2e-5, atol=2e-5, **attributes)


ROWS = {
    op.nn.conv1d: [
        conv(f32(2, 3, 9), f32(4, 3, 3)),
        conv(f32(2, 3, 9), f32(4, 3, 3), strides=(2,), padding=(1,), channels=4, kernel_size=(3,)),
        conv(f32(2, 4, 9), f32(6, 2, 3), padding=(2, 1), dilation=(2,), groups=2),
        conv(f32(2, 4, 9), f32(8, 1, 3), padding=(1, 1), groups=4),
        conv(f32(2, 4, 9), f32(4, 1, 5), strides=(3,), padding=(2,), groups=4),
        conv(f32(2, 3, 9), f32(4, 3, 1), strides=(2,)),
        conv(f32(2, 9, 3), f32(3, 3, 4), padding=(1,), data_layout="NWC", kernel_layout="WIO"),
        conv(f32(2, 9, 3), f32(3, 3, 4), data_layout="NWC", kernel_layout="WIO", out_layout="NCW"),
        conv(i8(2, 3, 9), i8(4, 3, 3), out_dtype="int32"),
        conv(f64(2, 3, 9), f64(4, 3, 3)),
        conv(f32(0, 3, 9), f32(4, 3, 3)),
    ],
    op.nn.conv2d: [
        conv(f32(2, 3, 8, 9), f32(4, 3, 3, 3)),
        conv(f32(2, 3, 8, 9), f32(4, 3, 3, 2), strides=(2, 1), padding=(1, 2), channels=4, kernel_size=(3, 2)),
        conv(f32(2, 3, 8, 9), f32(4, 3, 3, 3), padding=(0, 1, 2, 3), strides=(3, 2)),
        conv(f32(2, 4, 8, 9), f32(6, 2, 3, 3), padding=(2, 2), dilation=(2, 3), groups=2),
        conv(f32(2, 4, 8, 9), f32(4, 1, 3, 3), padding=(1, 1), groups=4),
        conv(f32(2, 4, 8, 9), f32(8, 1, 3, 5), padding=(1, 2), strides=(2, 2), groups=4),
        conv(f32(1, 1, 8, 9), f32(4, 1, 3, 3)),
        conv(f32(2, 3, 8, 9), f32(4, 3, 1, 1)),
        conv(f32(2, 3, 8, 9), f32(4, 3, 1, 1), strides=(2, 2), padding=(1, 1)),
        conv(f32(2, 4, 8, 9), f32(6, 2, 1, 1), groups=2),
        conv(f32(2, 8, 9, 3), f32(3, 2, 3, 4), padding=(1,), data_layout="NHWC", kernel_layout="HWIO"),
        conv(f32(2, 8, 9, 4), f32(3, 2, 1, 8), groups=4, data_layout="NHWC", kernel_layout="HWIO"),
        conv(f32(8, 9, 3, 2), f32(3, 2, 3, 4), data_layout="HWCN", kernel_layout="HWIO"),
        conv(f32(2, 8, 9, 3), f32(4, 3, 2, 3), data_layout="NHWC", kernel_layout="OHWI", out_layout="NCHW"),
        conv(
            f32(2, 2, 8, 9, 4), f32(3, 2, 3, 3, 4, 2), data_layout="NCHW4c", kernel_layout="OIHW4i2o", out_layout="NHWC"
        ),
        conv(u8(2, 3, 8, 9), i8(4, 3, 3, 3), out_dtype="int32"),
        conv(i8(2, 4, 8, 9), i8(4, 1, 3, 3), out_dtype="int32", groups=4, padding=(1, 1)),
        conv(f16(2, 3, 8, 9), f16(4, 3, 3, 3), out_dtype="float32"),
        conv(f64(2, 3, 8, 9), f64(4, 3, 3, 3)),
        conv(f32(0, 3, 8, 9), f32(4, 3, 3, 3)),
    ],
    op.nn.conv3d: [
        conv(f32(2, 3, 5, 6, 7), f32(4, 3, 3, 2, 3)),
        conv(f32(2, 3, 5, 6, 7), f32(4, 3, 3, 3, 3), strides=(2, 1, 3), padding=(1, 0, 2), channels=4),
        conv(f32(2, 3, 5, 6, 7), f32(4, 3, 3, 3, 3), padding=(0, 1, 2, 2, 1, 0), kernel_size=(3, 3, 3)),
        conv(f32(2, 4, 5, 6, 7), f32(6, 2, 3, 3, 3), padding=(2, 2, 2), dilation=(1, 2, 3), groups=2),
        conv(f32(2, 4, 5, 6, 7), f32(4, 1, 3, 3, 3), padding=(1,), groups=4),
        conv(f32(2, 3, 5, 6, 7), f32(4, 3, 1, 1, 1)),
        conv(f32(2, 5, 6, 7, 3), f32(3, 2, 3, 3, 4), data_layout="NDHWC", kernel_layout="DHWIO"),
        conv(i8(2, 3, 5, 6, 7), i8(4, 3, 3, 2, 3), out_dtype="int32"),
    ],
}
