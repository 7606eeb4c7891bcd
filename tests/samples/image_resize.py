"""Images made larger or smaller."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import torch
import torch.nn.functional as F

from tests.samples.layouts import DATA, permuted
from tests.samples.making import f16, f32, f64, i32, sample, u8
from torchrelay import op

MODES = {1: "linear", 2: "bilinear", 3: "trilinear"}


def place(at, have, want, coordinates, roi):
    """Where a place of the result lies along an axis of the data."""
    match coordinates:
        case "align_corners":
            return at * (have - 1) / (want - 1) if want > 1 else 0.0
        case "asymmetric":
            return at * have / want
        case "pytorch_half_pixel":
            return (at + 0.5) * have / want - 0.5 if want > 1 else 0.0
        case "tf_half_pixel_for_nn":
            return (at + 0.5) * have / want
        case "tf_crop_and_resize":
            start, end = roi
            if want == 1:
                return 0.5 * (start + end) * (have - 1)
            return start * (have - 1) + at * (end - start) * (have - 1) / (want - 1)
    return (at + 0.5) * have / want - 0.5


def nearest(x, rounding):
    """The whole number to take for a place."""
    ways = {"floor": math.floor, "ceil": math.ceil, "round_prefer_floor": lambda x: math.ceil(x - 0.5)}
    return ways.get(rounding, lambda x: math.floor(x + 0.5))(x)


def cubic(distance, alpha):
    """The weight of an element at a distance (Keys' kernel)."""
    d = abs(distance)
    if d <= 1:
        return (alpha + 2) * d**3 - (alpha + 3) * d**2 + 1
    return alpha * d**3 - 5 * alpha * d**2 + 8 * alpha * d - 4 * alpha if d < 2 else 0.0


def weights(x, have, method, rounding="round", alpha=-0.5, exclude=False):
    """The elements of an axis that count for a place, each with its weight."""
    if method == "nearest_neighbor":
        return {min(max(nearest(x, rounding), 0), have - 1): 1.0}
    found: dict[int, float] = {}
    below = math.floor(x)
    reach = range(below, below + 2) if method == "linear" else range(below - 1, below + 3)
    for index in reach:
        weight = 1 - abs(x - index) if method == "linear" else cubic(x - index, alpha)
        if exclude and not 0 <= index < have:
            continue
        index = min(max(index, 0), have - 1)
        found[index] = found.get(index, 0.0) + weight
    total = sum(found.values())
    return {index: weight / total for index, weight in found.items()} if exclude else found


def resized(x, size, method, coordinates, roi=None, outside=0.0, **options):
    """The data in the plain layout at other places, one element after the other."""
    if options.get("rounding") == "":
        options["rounding"] = "round" if coordinates == "align_corners" else "floor"
    have, rank = x.shape[2:], len(size)
    bounds = [(roi[axis], roi[rank + axis]) if roi else (0, 1) for axis in range(rank)]
    result = np.zeros((*x.shape[:2], *size))
    for at in product(*map(range, size)):
        where = [place(at[axis], have[axis], size[axis], coordinates, bounds[axis]) for axis in range(rank)]
        if coordinates == "tf_crop_and_resize" and any(not 0 <= w <= h - 1 for w, h in zip(where, have, strict=True)):
            result[(..., *at)] = outside
            continue
        parts = [weights(w, h, method, **options).items() for w, h in zip(where, have, strict=True)]
        for taps in product(*parts):
            index, share = zip(*taps, strict=True)
            result[(..., *at)] += x[(..., *index)] * math.prod(share)
    return result


def naive(data, size, method="linear", coordinates="half_pixel", **attributes):
    """A row judged element by element."""
    names = {
        "cubic_alpha": "alpha",
        "cubic_exclude": "exclude",
        "rounding_method": "rounding",
        "extrapolation_value": "outside",
    }
    options = {names.get(name, name): value for name, value in attributes.items() if name in names or name == "roi"}
    layout = attributes.get("layout", DATA[len(size)])

    def judge(x):
        plain = permuted(torch.from_numpy(x), layout, DATA[len(size)]).double().numpy()
        result = resized(plain, size, method, coordinates, **options).astype(attributes.get("out_dtype", x.dtype))
        return permuted(torch.from_numpy(result), DATA[len(size)], layout).numpy()

    given = {"size": size, "method": method, "coordinate_transformation_mode": coordinates}
    return sample(data, numpy=judge, rtol=1e-4, atol=1e-5, **given, **attributes)


def by_torch(data, size, mode, coordinates, align_corners=None, **attributes):
    """A row judged by torch's interpolation."""
    judge = lambda x: F.interpolate(x, size, mode=mode, align_corners=align_corners)
    given = {"size": size, "coordinate_transformation_mode": coordinates}
    return sample(data, torch=judge, rtol=1e-4, atol=1e-5, **given, **attributes)


def linear(rank, data, sizes):
    """Rows of a linear interpolation as torch has it."""
    mode = MODES[rank]
    return [
        row
        for size in sizes
        for row in (
            by_torch(data, size, mode, "half_pixel", False),
            by_torch(data, size, mode, "align_corners", True),
            by_torch(data, size, "nearest", "asymmetric", method="nearest_neighbor", rounding_method="floor"),
        )
    ]


WAYS = ("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn")
ROUNDINGS = ("", "round", "round_prefer_floor", "round_prefer_ceil", "floor", "ceil")

ROWS = {
    op.image.resize1d: [
        *linear(1, f32(2, 3, 7), [(11,), (4,), (1,), (7,)]),
        *[naive(f32(1, 2, 7), (9,), method, way) for method in ("linear", "cubic") for way in WAYS],
        *[
            naive(f32(1, 2, 7), (9,), "nearest_neighbor", way, rounding_method=rounding)
            for way in WAYS
            for rounding in ROUNDINGS
        ],
        naive(f32(1, 7, 2), (9,), layout="NWC"),
        naive(f32(1, 2, 7), (3,), coordinates="tf_crop_and_resize", roi=(0.1, 1.2), extrapolation_value=5.0),
    ],
    op.image.resize2d: [
        *linear(2, f32(2, 3, 5, 6), [(10, 12), (3, 4), (7, 5), (1, 9)]),
        by_torch(f32(2, 3, 5, 6), (9, 8), "bicubic", "half_pixel", False, method="cubic", cubic_alpha=-0.75),
        by_torch(f32(2, 3, 5, 6), (9, 8), "bicubic", "align_corners", True, method="cubic", cubic_alpha=-0.75),
        by_torch(f64(2, 3, 5, 6), (3, 4), "bicubic", "half_pixel", False, method="cubic", cubic_alpha=-0.75),
        *[naive(f32(1, 2, 4, 5), (6, 3), method, way) for method in ("linear", "cubic") for way in WAYS],
        *[
            naive(f32(1, 2, 4, 5), (6, 3), "nearest_neighbor", way, rounding_method=rounding)
            for way in WAYS
            for rounding in ROUNDINGS
        ],
        naive(f32(1, 2, 4, 5), (6, 3), "cubic", cubic_exclude=1),
        naive(f32(1, 4, 5, 2), (6, 3), layout="NHWC"),
        naive(f32(1, 1, 4, 5, 2), (6, 3), layout="NCHW2c"),
        naive(f32(1, 2, 4, 5), (6, 3), out_dtype="float64"),
        naive(f16(1, 2, 4, 5), (6, 3)),
        naive(f32(1, 2, 4, 5), (4, 5), coordinates="tf_crop_and_resize", roi=(0.0, 0.2, 0.9, 0.7)),
        naive(
            f32(1, 2, 4, 5),
            (4, 5),
            coordinates="tf_crop_and_resize",
            roi=(-0.5, 0.2, 0.9, 1.3),
            extrapolation_value=-1.0,
        ),
        naive(u8(1, 2, 4, 5), (8, 10)),
        naive(i32(1, 2, 4, 5, low=-50, high=50), (8, 10)),
        naive(u8(1, 2, 4, 5), (7, 9), out_dtype="float32"),
        naive(u8(1, 2, 4, 5), (8, 10), "nearest_neighbor", "asymmetric", rounding_method="floor"),
        naive(i32(1, 2, 4, 5), (8, 10), "nearest_neighbor", "asymmetric", rounding_method="floor"),
    ],
    op.image.resize3d: [
        *linear(3, f32(1, 2, 3, 4, 5), [(6, 8, 10), (2, 5, 3)]),
        *[naive(f32(1, 1, 2, 3, 4), (3, 4, 3), method, way) for method in ("linear", "cubic") for way in WAYS],
        naive(f32(1, 2, 3, 4, 1), (3, 4, 3), layout="NDHWC"),
        naive(f32(1, 1, 2, 3, 4), (3, 2, 5), "nearest_neighbor"),
    ],
}
