"""Images warped, cropped, dilated."""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.samples.image_resize import place
from tests.samples.layouts import ends, permuted
from tests.samples.making import array, f32, f64, i32, sample, u8
from torchrelay import op

CLOSE = {"rtol": 1e-5, "atol": 1e-5}


def grid(theta, height, width):
    """A row of the grid of affine maps."""
    judge = lambda x: F.affine_grid(x, [len(x), 1, height, width], align_corners=True).permute(0, 3, 1, 2)
    return sample(theta, target_shape=(height, width), torch=judge, **CLOSE)


def sampled(data, places, **attributes):
    """A row of images at places."""
    options = {"padding_mode": attributes.get("padding_mode", "zeros")}
    options |= {"mode": attributes.get("method", "bilinear"), "align_corners": attributes.get("align_corners", True)}
    judge = lambda x, g: F.grid_sample(x, g.movedim(1, -1), **options)
    return sample(data, places, torch=judge, rtol=1e-4, atol=1e-4, **attributes)


def samples(data, places, methods, **attributes):
    """Rows of each method, each way to be outside, and both meanings of the corners."""
    return [
        sampled(data, places, method=method, padding_mode=mode, align_corners=align, **attributes)
        for method in methods
        for mode in ("zeros", "border", "reflection")
        for align in (True, False)
    ]


def cropped(data, boxes, indices, crop_size, method="bilinear", **attributes):
    """A row of parts of images, element by element."""
    layout = attributes.get("layout", "NCHW")

    def at(image, y, x):
        height, width = image.shape[1:]
        if not (0 <= y <= height - 1 and 0 <= x <= width - 1):
            return np.full(len(image), attributes.get("extrapolation_value", 0.0))
        if method == "nearest_neighbor":
            return image[:, math.floor(y + 0.5), math.floor(x + 0.5)]
        top, left = math.floor(y), math.floor(x)
        parts = [
            image[:, min(row, height - 1), min(column, width - 1)] * (1 - abs(y - row)) * (1 - abs(x - column))
            for row in (top, top + 1)
            for column in (left, left + 1)
        ]
        return sum(parts)

    def judge(x, boxes, indices):
        images = permuted(x, layout, "NCHW").double().numpy()
        height, width = images.shape[2:]
        result = np.zeros((len(boxes), images.shape[1], *crop_size))
        for n, (box, index) in enumerate(zip(boxes.tolist(), indices.tolist(), strict=True)):
            for i, j in np.ndindex(*crop_size):
                y = place(i, height, crop_size[0], "tf_crop_and_resize", box[::2])
                x_place = place(j, width, crop_size[1], "tf_crop_and_resize", box[1::2])
                result[n, :, i, j] = at(images[index], y, x_place)
        dtype = getattr(torch, attributes["out_dtype"]) if "out_dtype" in attributes else x.dtype
        return permuted(torch.from_numpy(result).to(dtype), "NCHW", layout)

    return sample(data, boxes, indices, crop_size=crop_size, method=method, torch=judge, **CLOSE, **attributes)


def dilated(data, weight, padding=(0, 0), strides=(1, 1), dilations=(1, 1), **layouts):
    """A row of a dilation, by unfolded windows."""
    source, kernel = layouts.get("data_layout", "NCHW"), layouts.get("kernel_layout", "IHW")

    def judge(x, w):
        x, w = permuted(x, source, "NCHW"), permuted(w, kernel, "IHW")
        wide = F.pad(x.double(), ends(padding, 2))
        seen = F.unfold(wide, tuple(w.shape[1:]), dilation=dilations, stride=strides)
        result = (seen.unflatten(1, (w.shape[0], -1)) + w.double().flatten(1)[..., None]).amax(2)
        sizes = [(wide.shape[2 + a] - (w.shape[1 + a] - 1) * dilations[a] - 1) // strides[a] + 1 for a in (0, 1)]
        return permuted(result.unflatten(2, sizes).to(x.dtype), "NCHW", source)

    options = {"padding": padding, "strides": strides, "dilations": dilations}
    return sample(data, weight, torch=judge, **options, **layouts)


BOXES = array([[0, 0, 1, 1], [0.1, 0.2, 0.9, 0.6], [-0.5, 0, 1.5, 1], [0.8, 0.9, 0.2, 0.1]])
INDICES = array([0, 1, 1, 0], "int32")
HALVES = array([[0.125, 0, 0.625, 0.875], [0.375, 0.5, 1, 0.125]])

ROWS = {
    op.image.affine_grid: [
        grid(f32(2, 2, 3), 4, 5),
        grid(f64(1, 2, 3), 2, 2),
        sample(
            f64(1, 2, 3),
            target_shape=(1, 3),
            numpy=lambda x: np.stack([x @ [right, 0, 1] for right in (-1, 0, 1)], -1)[:, :, None],
        ),
    ],
    op.image.grid_sample: [
        *samples(f32(2, 3, 4, 5), f32(2, 2, 6, 7, low=-1.7, high=1.7), ("bilinear", "nearest", "bicubic")),
        *samples(f32(1, 2, 3, 4, 5), f32(1, 3, 2, 3, 4, low=-1.7, high=1.7), ("bilinear", "nearest"), layout="NCDHW"),
        sampled(f32(1, 2, 1, 5), f32(1, 2, 3, 3, low=-3, high=3), padding_mode="reflection"),
        sampled(f32(1, 1, 1, 4), array([[[[-1, -0.5, 0, 0.5, 1]], [[0] * 5]]]), method="nearest", align_corners=False),
        sampled(f64(1, 2, 4, 5), f64(1, 2, 3, 3)),
    ],
    op.image.crop_and_resize: [
        cropped(f32(2, 3, 5, 6), BOXES, INDICES, (3, 4)),
        cropped(f32(2, 3, 5, 6), BOXES[:3], INDICES[:3], (3, 4), "nearest_neighbor", extrapolation_value=-1.0),
        cropped(f32(2, 5, 6, 3), BOXES, INDICES, (4, 2), layout="NHWC"),
        cropped(f32(2, 3, 5, 6), BOXES, INDICES, (1, 1)),
        cropped(f32(2, 3, 5, 5), HALVES, INDICES[:2], (2, 2), "nearest_neighbor"),
        cropped(u8(2, 3, 5, 6), BOXES[:2], INDICES[:2], (5, 6), out_dtype="float32"),
    ],
    op.image.dilation2d: [
        dilated(f32(1, 3, 6, 7), f32(3, 3, 2)),
        dilated(f32(2, 3, 6, 7), f32(3, 3, 2), padding=(1, 1), strides=(2, 1), dilations=(2, 3)),
        dilated(-f32(1, 2, 4, 5, low=1), f32(2, 2, 2), padding=(1, 0, 0, 1)),
        dilated(f32(1, 6, 7, 3), f32(3, 2, 3), data_layout="NHWC", kernel_layout="HWI"),
        dilated(i32(1, 2, 4, 5), i32(2, 2, 2)),
    ],
}
