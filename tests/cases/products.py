"""Sums of products beyond the product of matrices."""

from __future__ import annotations

import torch
from tests.cases.making import case
from tests.samples.making import f32, f64

ATEN = torch.ops.aten

ROWS = {
    "einsum.default": [
        case(lambda x, y: torch.einsum("ij,jk->ik", x, y), f32(2, 3), f32(3, 4)),
        case(lambda x, y: torch.einsum("bij,bkj->bik", x, y), f32(2, 3, 4), f32(2, 5, 4)),
        case(lambda x, y: torch.einsum("i,j", x, y), f32(2), f32(3)),
        case(lambda x: torch.einsum("...ij->...ji", x), f32(2, 3, 4)),
        case(lambda x: torch.einsum("ii->i", x), f32(3, 3)),
        case(lambda x, y, z: torch.einsum("ab,bc,cd->ad", x, y, z), f32(2, 3), f32(3, 4), f32(4, 2)),
        case(lambda x, y: torch.einsum("b h i d, b h j d -> b h i j", x, y), f32(1, 2, 3, 4), f32(1, 2, 3, 4)),
    ],
    "tensordot.default": [
        case(lambda x, y: torch.tensordot(x, y, ((0, 1), (1, 0))), f32(2, 1, 3), f32(4, 1, 5)),
        case(lambda x, y: torch.tensordot(x, y, ((1, 2), (0, 1))), f32(2, 3, 4), f32(3, 4, 5)),
    ],
    "outer.default": [case(lambda x, y: torch.outer(x, y), f32(2), f32(3))],
    "ger.default": [case(lambda x, y: torch.ger(x, y), f32(2), f32(3))],
    "inner.default": [case(lambda x, y: torch.inner(x, y), f32(2, 4), f32(3, 4))],
    "kron.default": [case(lambda x, y: torch.kron(x, y), f32(2, 3), f32(3, 2))],
    "cross.default": [case(lambda x, y: torch.cross(x, y, dim=1), f32(2, 3), f32(2, 3, seed=1))],
    "linalg_cross.default": [case(lambda x, y: torch.linalg.cross(x, y), f32(2, 3), f32(2, 3, seed=1))],
    "vdot.default": [case(lambda x, y: torch.vdot(x, y), f32(4), f32(4, seed=1))],
    "linalg_vecdot.default": [case(lambda x, y: torch.linalg.vecdot(x, y), f32(2, 4), f32(2, 4, seed=1))],
    "matrix_power.default": [
        case(lambda x: torch.matrix_power(x, 3), f64(3, 3)),
        case(lambda x: torch.matrix_power(x, 0), f32(2, 3, 3)),
    ],
    "linalg_matrix_power.default": [case(lambda x: ATEN.linalg_matrix_power.default(x, 5), f64(2, 2))],
    "block_diag.default": [case(lambda x, y: torch.block_diag(x, y), f32(2, 3), f32(1, 2))],
}
