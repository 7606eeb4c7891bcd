"""Convolutions and products of quantized tensors, judged by PyTorch on the real values they stand for."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from tests.samples.making import array, i8, sample, u8
from tests.samples.qnn_making import scale, zero
from torchrelay import op

PLAIN = zero(5), zero(3), scale(0.5), scale(0.25)
NHWC = {"data_layout": "NHWC", "kernel_layout": "HWOI"}


def whole(product, attributes):
    """A product of doubles, which hold it exactly, in the dtype of the result."""
    return product.to(getattr(torch, attributes["out_dtype"]))


def channels(values, rank, axis):
    """Zero points along an axis."""
    return values.double().reshape([-1 if place == axis else 1 for place in range(rank)])


def convolved(data, weight, *parameters, out_dtype="int32", **attributes):
    """A row of a convolution."""
    attributes["out_dtype"] = out_dtype
    layout = attributes.get("kernel_layout", "OIHW")

    def judge(x, w, zx, zw, sx, sw):
        real, kernel = x.double() - zx, w.double() - channels(zw, 4, layout.index("O"))
        if attributes.get("data_layout") == "NHWC":
            real = real.permute(0, 3, 1, 2)
        kernel = kernel.permute([layout.index(letter) for letter in "OIHW"])
        groups = attributes.get("groups", 1)
        kernel = kernel.reshape(-1, real.shape[1] // groups, *kernel.shape[2:])
        options = {name: attributes[name] for name in ("padding", "dilation") if name in attributes}
        made = F.conv2d(real, kernel, stride=attributes.get("strides", 1), groups=groups, **options)
        made = made.permute(0, 2, 3, 1) if attributes.get("data_layout") == "NHWC" else made
        return whole(made, attributes)

    return sample(data, weight, *parameters, torch=judge, **attributes)


def spread(data, weight, *parameters, **attributes):
    """A row of a transposed convolution."""
    attributes["out_dtype"] = "int32"
    layout = attributes.get("kernel_layout", "IOHW")

    def judge(x, w, zx, zw, sx, sw):
        real, kernel = x.double() - zx, w.double() - channels(zw, 4, layout.index("O"))
        if attributes.get("data_layout") == "NHWC":
            real, kernel = real.permute(0, 3, 1, 2), kernel.permute([layout.index(letter) for letter in "IOHW"])
        made = F.conv_transpose2d(
            real,
            kernel,
            stride=attributes.get("strides", 1),
            padding=attributes.get("padding", 0),
            output_padding=attributes.get("output_padding", 0),
            groups=attributes.get("groups", 1),
        )
        made = made.permute(0, 2, 3, 1) if attributes.get("data_layout") == "NHWC" else made
        return whole(made, attributes)

    return sample(data, weight, *parameters, torch=judge, **attributes)


def dense(data, weight, *parameters, units=None, out_dtype="int32"):
    """A row of a dense layer."""
    attributes = {"units": units, "out_dtype": out_dtype}

    def judge(x, w, zx, zw, sx, sw):
        return whole((x.to(torch.float64) - zx) @ (w.double() - channels(zw, 2, 0)).T, attributes)

    return sample(data, weight, *parameters, torch=judge, **attributes)


def packed(data, weight, *parameters, units, weight_layout="NC"):
    """A row of a dense layer whose weight is in blocks of rows and columns."""
    attributes = {"units": units, "out_dtype": "int32", "weight_layout": weight_layout}

    def judge(x, w, zx, zw, sx, sw):
        plain = w.double().transpose(1, 2).flatten(2, 3).flatten(0, 1)
        return whole((x.double() - zx) @ (plain - channels(zw, 2, 0)).T, attributes)

    return sample(data, weight, *parameters, torch=judge, **attributes)


def stacked(x, y, *parameters, transpose_a=False, transpose_b=True):
    """A row of products of stacks of matrices."""
    attributes = {"out_dtype": "int32", "transpose_a": transpose_a, "transpose_b": transpose_b}

    def judge(a, b, za, zb, sa, sb):
        left, right = a.double() - za, b.double() - zb
        return whole((left.mT if transpose_a else left) @ (right.mT if transpose_b else right), attributes)

    return sample(x, y, *parameters, torch=judge, **attributes)


ROWS = {
    op.qnn.conv2d: [
        convolved(u8(1, 3, 5, 5), i8(4, 3, 2, 2), *PLAIN, channels=4, kernel_size=(2, 2)),
        convolved(i8(2, 3, 5, 5), i8(4, 3, 3, 3), *PLAIN, padding=(1, 1), strides=(2, 1), channels=4, kernel_size=(3, 3)),
        convolved(u8(1, 3, 6, 6), u8(4, 3, 2, 2), *PLAIN, dilation=(2, 2), channels=4, kernel_size=(2, 2), out_dtype="int64"),
        convolved(i8(1, 3, 5, 5), i8(4, 3, 1, 1), *PLAIN, channels=4, kernel_size=(1, 1), out_dtype="int16"),
        convolved(
            i8(1, 3, 5, 5), i8(4, 3, 2, 2), zero(-5), zero(1, -2, 3, 0), scale(0.5), scale(0.1, 0.2, 0.3, 0.4),
            channels=4, kernel_size=(2, 2), padding=(1, 0),
        ),
        convolved(
            u8(1, 4, 5, 5), i8(4, 1, 3, 3), zero(5), zero(1, -2, 3, 0), scale(0.5), scale(0.1, 0.2, 0.3, 0.4),
            channels=4, kernel_size=(3, 3), groups=4, padding=(1, 1),
        ),
        convolved(
            u8(1, 5, 5, 4), i8(2, 2, 4, 2), zero(5), zero(1, -2, 3, 0), scale(0.5), scale(*[0.1] * 8),
            channels=8, kernel_size=(2, 2), groups=4, **NHWC,
        ),
        convolved(
            i8(1, 5, 5, 3), i8(2, 2, 3, 4), *PLAIN,
            channels=4, kernel_size=(2, 2), data_layout="NHWC", kernel_layout="HWIO",
        ),
    ],
    op.qnn.conv2d_transpose: [
        spread(u8(1, 3, 4, 4), i8(3, 4, 2, 2), *PLAIN, channels=4, kernel_size=(2, 2)),
        spread(i8(2, 3, 4, 4), i8(3, 4, 3, 3), *PLAIN, channels=4, kernel_size=(3, 3), strides=(2, 2), padding=(1, 1)),
        spread(
            i8(1, 3, 4, 4), u8(3, 4, 3, 3), zero(-5), zero(1, -2, 3, 0), scale(0.5), scale(0.1, 0.2, 0.3, 0.4),
            channels=4, kernel_size=(3, 3), strides=(2, 2), output_padding=(1, 1),
        ),
        spread(u8(1, 4, 4, 3), i8(2, 2, 4, 3), *PLAIN, channels=4, kernel_size=(2, 2), **NHWC),
        spread(
            u8(1, 1, 4, 4), i8(1, 4, 2, 2), array([5], "int32"), zero(3), array([0.5]), scale(0.25),
            channels=4, kernel_size=(2, 2),
        ),
    ],
    op.qnn.dense: [
        dense(u8(2, 5), i8(4, 5), *PLAIN, units=4),
        dense(i8(2, 3, 5), i8(4, 5), *PLAIN),
        dense(i8(2, 5), u8(4, 5), zero(-5), zero(1, -2, 3, 0), scale(0.5), scale(0.1, 0.2, 0.3, 0.4), units=4),
        dense(u8(2, 400), u8(4, 400), *PLAIN, units=4, out_dtype="int64"),
    ],
    op.qnn.contrib_dense_pack: [
        packed(u8(2, 16), i8(1, 4, 16, 4), *PLAIN, units=16, weight_layout="NC16n4c"),
        packed(
            u8(2, 8), i8(2, 2, 2, 4), zero(5), zero(1, -2, 3, 0), scale(0.5), scale(0.1, 0.2, 0.3, 0.4), units=4,
            weight_layout="NC2n4c",
        ),
        packed(i8(2, 8), i8(2, 2, 3, 4), *PLAIN, units=None),
    ],
    op.qnn.batch_matmul: [
        stacked(i8(2, 3, 5), i8(2, 4, 5), *PLAIN),
        stacked(u8(2, 3, 5), i8(1, 4, 5), *PLAIN),
        stacked(i8(2, 3, 5), i8(2, 5, 4), *PLAIN, transpose_b=False),
        stacked(i8(2, 5, 3), u8(2, 4, 5), *PLAIN, transpose_a=True),
    ],
}  # fmt: skip
