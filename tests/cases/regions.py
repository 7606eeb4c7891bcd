"""torchvision's operators: boxes, what images show in them, convolutions whose taps are moved."""

from __future__ import annotations

import numpy as np
import torch
import torchvision.ops
from tests.cases.making import case
from tests.samples.making import f32


def boxes(count, seed=0, size=4.0):
    """Boxes whose second corner lies beyond the first."""
    low = f32(count, 2, low=0, high=6, seed=seed)
    return np.concatenate([low, low + f32(count, 2, low=0.05, high=size, seed=seed + 1)], -1)


def regions(count, images, seed=0, size=4.0, low=0.0):
    """Boxes, and before each the image that it is in."""
    image = np.arange(count).reshape(-1, 1) % images
    return np.concatenate([image, boxes(count, seed, size) + np.float32(low)], -1).astype("float32")


def suppressed(threshold, count=12):
    return case(lambda b, s: torchvision.ops.nms(b, s, threshold), boxes(count), f32(count, seed=5))


def aligned(rois, *options, images=(2, 3, 7, 9), tolerance=2e-5):
    return case(lambda x, r: torch.ops.torchvision.roi_align(x, r, *options), f32(*images), rois, tolerance=tolerance)


def deformed(data, weight, offset, mask=None, bias=None, **options):
    given = [data, offset, weight, *([] if mask is None else [mask])]

    def program(x, o, w, m=None):
        return torchvision.ops.deform_conv2d(x, o, w, bias, mask=m, **options)

    takes = program if mask is not None else lambda x, o, w: program(x, o, w)
    return case(takes, *given, tolerance=2e-5)


HALF = np.array([[0, 0, 4, 4], [0, 0, 4, 2], [0, 2, 4, 4], [5, 5, 6, 6]], "float32")
"""The first and the second overlap by exactly a half."""
EDGES = np.array([[0, -3, -2, 4, 5], [1, 6, 5, 12, 9], [0, 2, 2, 2.25, 2.5], [1, 3, 3, 3, 3]], "float32")
"""Regions over the borders of the image, a small one and an empty one."""

ROWS = {
    "torchvision::nms.default": [
        suppressed(0.3),
        suppressed(0.0),
        suppressed(0.7),
        suppressed(1.0),
        case(lambda b: torchvision.ops.nms(b, torch.tensor([0.9, 0.8, 0.7, 0.7]), 0.5), HALF),
        case(lambda b, s: torchvision.ops.nms(b.double(), s.double(), 0.3), boxes(9), f32(9)),
        # As many boxes as the data has: their number is known only when the program runs.
        case(
            lambda b, s: torchvision.ops.nms(b[s > 0], s[s > 0], 0.3),
            boxes(12),
            f32(12, seed=3),
            routes=("trace",),
        ),
    ],
    "torchvision::roi_align.default": [
        aligned(regions(5, 2), 1.0, 3, 2, 2, False),
        aligned(regions(5, 2), 0.5, 2, 3, -1, False),
        aligned(regions(5, 2), 0.5, 2, 3, 0, False),
        aligned(EDGES, 1.0, 2, 2, 2, False),
        aligned(regions(5, 2), 1.0, 3, 2, 2, True),
        aligned(regions(4, 2, seed=7, size=0.5), 0.25, 2, 2, 3, True),
        aligned(EDGES, 1.0, 2, 3, 1, True),
    ],
    "torchvision::deform_conv2d.default": [
        deformed(f32(2, 4, 6, 7), f32(6, 4, 3, 3), f32(2, 18, 4, 5, low=-4, high=4)),
        deformed(f32(2, 4, 6, 7), f32(6, 2, 3, 3), f32(2, 36, 6, 7, low=-3, high=3), bias=torch.arange(6.0), padding=1),
        deformed(f32(1, 2, 8, 9), f32(3, 2, 2, 3), f32(1, 12, 5, 5, low=-2), stride=2, dilation=(2, 1), padding=(2, 1)),
        deformed(f32(1, 2, 8, 8), f32(3, 2, 3, 3), f32(1, 18, 3, 3), stride=2),
        deformed(
            f32(2, 4, 6, 7),
            f32(6, 2, 3, 3),
            f32(2, 36, 6, 7, low=-3, high=3),
            f32(2, 18, 6, 7, seed=9),
            bias=torch.arange(6.0),
            padding=1,
        ),
        deformed(f32(1, 2, 6, 7), f32(3, 2, 3, 3), f32(1, 18, 2, 3), f32(1, 9, 2, 3), stride=2),
    ],
}
