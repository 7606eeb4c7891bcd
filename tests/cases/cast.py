"""Other dtypes, and copies."""

from __future__ import annotations

import torch
from tests.cases.making import case, core, scripted
from tests.samples.making import array, bools, f16, f32, f64, i32, u8

ATEN = torch.ops.aten

ROWS = {
    "to.dtype": [
        case(lambda x: x.to(torch.float64), f32(2, 3)),
        case(lambda x: x.to(torch.int32), f32(2, 3)),
        case(lambda x: x.to(torch.bool), array([0.0, 0.4, -2.0, float("nan")])),
        case(lambda x: x.to(torch.float32), bools(3)),
        case(lambda x: x.half(), f32(2, 3)),
        case(lambda x: x.to(torch.bfloat16).to(torch.float32), f32(2, 3)),
        case(lambda x: x.to(torch.uint8), array([0.0, 1.9, 255.0])),
        case(lambda x: x.to(torch.float32), f32(2)),
        case(lambda x: x.long() + 1, u8(3)),
    ],
    "to.dtype_layout": [case(lambda x: ATEN.to.dtype_layout(x, dtype=torch.float64), f32(2))],
    "to.device": [case(lambda x: ATEN.to.device(x, torch.device("cpu"), torch.float64), f32(2))],
    "to.other": [scripted("def f(x, y):\n  return x.to(y)\n", f32(2), i32(2))],
    "to.prim_Device": [scripted("def f(x):\n  return x.to(torch.device('cpu'))\n", f32(2))],
    "type_as.default": [case(lambda x, y: x.type_as(y), i32(2), f64(2))],
    "_to_copy.default": [core(lambda x: x.to(torch.float64) * 2, f32(2)), core(lambda x: x.to(torch.bool), f16(3))],
    "copy.default": [
        case(lambda x, y: ATEN.copy.default(x, y), f32(2, 3), i32(3)),
        case(lambda x, y: x.clone().copy_(y), f32(2, 3), f64(2, 1)),
    ],
    "clone.default": [case(lambda x: x.clone(), f32(2, 3))],
    "contiguous.default": [case(lambda x: x.t().contiguous(), f32(2, 3))],
    "alias.default": [case(lambda x: ATEN.alias.default(x), f32(2))],
    "detach.default": [case(lambda x: x.detach(), f32(2))],
    "lift_fresh.default": [case(lambda x: ATEN.lift_fresh.default(x) + 1, f32(2))],
    "lift_fresh_copy.default": [case(lambda x: ATEN.lift_fresh_copy.default(x) + 1, f32(2))],
    "positive.default": [case(lambda x: +x, f32(2))],
    "resolve_conj.default": [case(lambda x: x.resolve_conj() + 1, f32(2))],
    "resolve_neg.default": [case(lambda x: x.resolve_neg() + 1, f32(2))],
    "real.default": [case(lambda x: torch.real(x) + 1, f32(2))],
    "conj_physical.default": [case(lambda x: torch.conj_physical(x) + 1, f32(2))],
    "view.dtype": [
        case(lambda x: x.view(torch.int32), f32(3), routes=("export",)),
        case(lambda x: x.view(torch.float16), i32(3).astype("int16"), routes=("export",)),
    ],
}
