"""Elements kept within bounds."""

from __future__ import annotations

import torch
from tests.cases.making import case
from tests.samples.making import array, bools, f32, i32, i64, u8

ATEN = torch.ops.aten
NAN = float("nan")
LEFT, RIGHT = array([1.0, 2.0, NAN, 4.0, NAN]), array([1.0, NAN, 3.0, 3.0, NAN])


def _extreme(name, overload):
    function = getattr(torch, name)
    return {
        f"{name}.{overload}": [
            case(lambda x, y: function(x, y), LEFT, RIGHT),
            case(lambda x, y: function(x, y), i32(2, 3), i64(3)),
            case(lambda x, y: function(x, y), bools(4), bools(4, seed=1)),
        ]
    }


ROWS = {
    **_extreme("maximum", "default"),
    **_extreme("minimum", "default"),
    **_extreme("max", "other"),
    **_extreme("min", "other"),
    **_extreme("fmax", "default"),
    **_extreme("fmin", "default"),
    "clamp.default": [
        case(lambda x: torch.clamp(x, -0.5, 1.0), f32(2, 5)),
        case(lambda x: torch.clamp(x, min=0), LEFT),
        case(lambda x: torch.clamp(x, max=3), i64(2, 5)),
        case(lambda x: torch.clamp(x, 10, 200), u8(2, 5)),
        case(lambda x: torch.clamp(x, -0.5, 2.5), i32(2, 5)),
        case(lambda x: torch.clamp(x, 2, -2), f32(2, 5)),
    ],
    "clip.default": [case(lambda x: torch.clip(x, -0.5, 1.0), f32(2, 5))],
    "clamp.Tensor": [
        case(lambda x, y, z: torch.clamp(x, y, z), f32(2, 5), f32(5), f32(2, 1)),
        case(lambda x, y: torch.clamp(x, min=y), i32(2, 5), f32(5)),
        case(lambda x, y: torch.clamp(x, max=y), LEFT, RIGHT),
    ],
    "clip.Tensor": [case(lambda x, y, z: torch.clip(x, y, z), f32(2, 5), f32(5), f32(2, 1))],
    "clamp_min.default": [
        case(lambda x: torch.clamp_min(x, 0.5), f32(2, 5)),
        case(lambda x: torch.clamp_min(x, 0.5), i32(2, 5)),
    ],
    "clamp_min.Tensor": [case(lambda x, y: torch.clamp_min(x, y), f32(2, 5), f32(5))],
    "clamp_max.default": [case(lambda x: torch.clamp_max(x, 0.5), LEFT)],
    "clamp_max.Tensor": [case(lambda x, y: torch.clamp_max(x, y), f32(2, 5), f32(5))],
}
