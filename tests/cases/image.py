"""Images in other sizes, and taken at other places."""

from __future__ import annotations

import itertools

import torch
import torch.nn.functional as F
from tests.cases.making import case, core
from tests.samples.making import f32

ATEN = torch.ops.aten
MODES, PADDINGS = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")
GRID = f32(1, 3, 6, 2)


def _to(mode, *shape, **options):
    return case(lambda x: F.interpolate(x, mode=mode, **options), f32(*shape), tolerance=2e-5)


def _core(mode, *shape, **options):
    return core(lambda x: F.interpolate(x, mode=mode, **options), f32(*shape), tolerance=2e-5)


def _at(mode, padding, corners, rank=2):
    images, grid = (f32(1, 2, 4, 5), GRID) if rank == 2 else (f32(1, 2, 3, 4, 5), f32(1, 2, 3, 2, 3))
    options = {"mode": mode, "padding_mode": padding, "align_corners": corners}
    return case(lambda x, g: F.grid_sample(x, g, **options), images, grid, tolerance=2e-5)


ROWS = {
    "upsample_nearest1d.vec": [_to("nearest", 1, 2, 5, size=8), _to("nearest", 1, 2, 5, scale_factor=2.0)],
    "upsample_nearest2d.vec": [
        _to("nearest", 1, 2, 5, 6, size=(8, 4)),
        _to("nearest", 1, 2, 5, 6, scale_factor=2.0),
        _to("nearest", 1, 2, 5, 6, scale_factor=(1.5, 2.3)),
        _to("nearest", 1, 2, 5, 6, scale_factor=1.7, recompute_scale_factor=True),
    ],
    "upsample_nearest3d.vec": [
        _to("nearest", 1, 2, 3, 4, 5, scale_factor=2.0),
        _to("nearest", 1, 2, 3, 4, 5, size=(2, 6, 7)),
    ],
    "_upsample_nearest_exact1d.vec": [_to("nearest-exact", 1, 2, 5, size=8)],
    "_upsample_nearest_exact1d.default": [_to("nearest-exact", 1, 2, 5, size=8)],
    "_upsample_nearest_exact2d.vec": [
        _to("nearest-exact", 1, 2, 5, 6, size=(8, 4)),
        _to("nearest-exact", 1, 2, 5, 6, scale_factor=1.7),
    ],
    "_upsample_nearest_exact3d.vec": [_to("nearest-exact", 1, 2, 3, 4, 5, size=(2, 6, 7))],
    "upsample_linear1d.vec": [
        _to("linear", 1, 2, 5, size=8),
        _to("linear", 1, 2, 5, scale_factor=1.7),
        _to("linear", 1, 2, 5, size=9, align_corners=True),
    ],
    "upsample_bilinear2d.vec": [
        _to("bilinear", 1, 2, 5, 6, size=(8, 4)),
        _to("bilinear", 1, 2, 5, 6, scale_factor=2.0),
        _to("bilinear", 1, 2, 5, 6, scale_factor=(1.5, 2.3)),
        _to("bilinear", 1, 2, 5, 6, scale_factor=1.7, align_corners=True),
        _to("bilinear", 1, 2, 5, 6, size=(1, 1), align_corners=True),
        _to("bilinear", 1, 2, 5, 6, scale_factor=1.7, recompute_scale_factor=True),
    ],
    "upsample_trilinear3d.vec": [
        _to("trilinear", 1, 2, 3, 4, 5, scale_factor=2.0),
        _to("trilinear", 1, 2, 3, 4, 5, size=(2, 6, 7), align_corners=True),
    ],
    "upsample_bicubic2d.vec": [
        _to("bicubic", 1, 2, 5, 6, size=(8, 4)),
        _to("bicubic", 1, 2, 5, 6, scale_factor=2.0),
        _to("bicubic", 1, 2, 5, 6, scale_factor=1.7),
        _to("bicubic", 1, 2, 5, 6, size=(8, 4), align_corners=True),
    ],
    "upsample_nearest1d.default": [case(lambda x: ATEN.upsample_nearest1d.default(x, (8,)), f32(1, 2, 5))],
    "upsample_nearest2d.default": [case(lambda x: ATEN.upsample_nearest2d.default(x, (8, 4)), f32(1, 2, 5, 6))],
    "upsample_nearest3d.default": [case(lambda x: ATEN.upsample_nearest3d.default(x, (2, 6, 7)), f32(1, 2, 3, 4, 5))],
    "upsample_linear1d.default": [case(lambda x: ATEN.upsample_linear1d.default(x, (8,), False), f32(1, 2, 5))],
    "upsample_bilinear2d.default": [case(lambda x: ATEN.upsample_bilinear2d.default(x, (8, 4), True), f32(1, 2, 5, 6))],
    "upsample_trilinear3d.default": [
        case(lambda x: ATEN.upsample_trilinear3d.default(x, (2, 6, 7), False), f32(1, 2, 3, 4, 5))
    ],
    "upsample_bicubic2d.default": [
        case(lambda x: ATEN.upsample_bicubic2d.default(x, (8, 4), True), f32(1, 2, 5, 6), tolerance=2e-5)
    ],
    "grid_sampler.default": [_at(*mode) for mode in itertools.product(MODES, PADDINGS, (False, True))]
    + [_at(*mode, rank=3) for mode in itertools.product(MODES[:2], PADDINGS, (False, True))],
    "grid_sampler_2d.default": [
        case(lambda x, g: ATEN.grid_sampler_2d.default(x, g, 0, 0, False), f32(1, 2, 4, 5), GRID)
    ],
    "grid_sampler_3d.default": [
        case(lambda x, g: ATEN.grid_sampler_3d.default(x, g, 1, 1, True), f32(1, 2, 3, 4, 5), f32(1, 2, 2, 2, 3))
    ],
}
