"""Transposed convolutions."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from tests.samples.layouts import DATA, ends, permuted
from tests.samples.making import f32, f64, i8, sample
from torchrelay import op

KERNEL = {1: "IOW", 2: "IOHW", 3: "IODHW"}
SPREAD = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}


def spread(data, weight, **attributes):
    """A row of a transposed convolution, judged by torch in float64 and the plain layouts."""
    rank = data.ndim - 2
    source, kernel = attributes.get("data_layout", DATA[rank]), attributes.get("kernel_layout", KERNEL[rank])
    names = {"strides": "stride", "dilation": "dilation", "groups": "groups"}
    named = {torch_name: attributes[name] for name, torch_name in names.items() if name in attributes}
    more = attributes.get("output_padding", (0,) * rank)

    def judge(x, w):
        result = SPREAD[rank](
            permuted(x, source, DATA[rank]).double(), permuted(w, kernel, KERNEL[rank]).double(), **named
        )
        grown = F.pad(result, ends((0,) * rank + tuple(more), rank))
        result = F.pad(grown, [-side for side in ends(attributes.get("padding", (0,)), rank)])
        dtype = getattr(torch, attributes["out_dtype"]) if "out_dtype" in attributes else x.dtype
        return permuted(result.to(dtype), DATA[rank], attributes.get("out_layout") or source)

    return sample(data, weight, torch=judge, rtol=2e-5, atol=2e-5, **attributes)


ROWS = {
    op.nn.conv1d_transpose: [
        spread(f32(2, 3, 9), f32(3, 4, 3)),
        spread(f32(2, 3, 9), f32(3, 4, 3), strides=(2,), padding=(1,), channels=4, kernel_size=(3,)),
        spread(f32(2, 3, 9), f32(3, 4, 4), strides=(3,), padding=(2, 1), output_padding=(2,)),
        spread(f32(2, 4, 9), f32(4, 3, 3), strides=(2,), groups=2, output_padding=(1,)),
        spread(f32(2, 4, 9), f32(4, 1, 3), groups=4),
        spread(f32(2, 3, 9), f32(3, 4, 3), strides=(2,), dilation=(3,), padding=(1, 1)),
        spread(f32(2, 9, 3), f32(3, 3, 4), data_layout="NWC", kernel_layout="WIO", out_layout="NCW"),
        spread(i8(2, 3, 9), i8(3, 4, 3), out_dtype="int32"),
        spread(f32(0, 3, 9), f32(3, 4, 3)),
    ],
    op.nn.conv2d_transpose: [
        spread(f32(2, 3, 5, 6), f32(3, 4, 3, 3)),
        spread(f32(2, 3, 5, 6), f32(3, 4, 3, 2), strides=(2, 3), padding=(1, 0), channels=4, kernel_size=(3, 2)),
        spread(f32(2, 3, 5, 6), f32(3, 4, 4, 4), strides=(2, 2), padding=(1, 1, 2, 0), output_padding=(1, 1)),
        spread(f32(2, 4, 5, 6), f32(4, 3, 3, 3), strides=(2, 2), groups=2, padding=(1, 1), output_padding=(1, 0)),
        spread(f32(2, 4, 5, 6), f32(4, 1, 3, 3), strides=(2, 1), groups=4, channels=4),
        spread(f32(2, 3, 5, 6), f32(3, 4, 3, 3), strides=(3, 2), dilation=(2, 3), output_padding=(2, 1)),
        spread(f32(2, 3, 5, 6), f32(3, 4, 1, 1), strides=(2, 2)),
        spread(f32(2, 5, 6, 3), f32(3, 3, 3, 4), data_layout="NHWC", kernel_layout="HWIO"),
        spread(f32(2, 3, 5, 6), f32(4, 3, 3, 3), kernel_layout="OIHW"),
        spread(f64(2, 3, 5, 6), f64(3, 4, 3, 3), padding=(1,)),
        spread(i8(2, 3, 5, 6), i8(3, 4, 3, 3), out_dtype="int32"),
    ],
    op.nn.conv3d_transpose: [
        spread(f32(2, 3, 3, 4, 5), f32(3, 4, 3, 2, 3)),
        spread(f32(2, 3, 3, 4, 5), f32(3, 4, 3, 3, 3), strides=(2, 1, 2), padding=(1, 0, 1), output_padding=(1, 0, 1)),
        spread(f32(2, 4, 3, 4, 5), f32(4, 3, 3, 3, 3), groups=2, channels=6, kernel_size=(3, 3, 3)),
        spread(f32(2, 3, 3, 4, 5), f32(3, 4, 2, 2, 2), dilation=(1, 2, 3), padding=(0, 1, 1, 1, 0, 1)),
        spread(f32(2, 3, 3, 4, 5), f32(3, 4, 2, 2, 2), strides=(2, 2, 2), channels=4),
    ],
}
