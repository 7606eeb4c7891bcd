"""Triangles and diagonals."""

from __future__ import annotations

import torch
from tests.cases.making import case
from tests.samples.making import bools, f32, i32, i64

ATEN = torch.ops.aten

ROWS = {
    "triu.default": [
        case(lambda x: torch.triu(x), f32(3, 4)),
        case(lambda x: torch.triu(x, -1), i32(2, 3, 3)),
        case(lambda x: torch.triu(x, 1), bools(3, 4)),
    ],
    "tril.default": [case(lambda x: torch.tril(x), f32(3, 4)), case(lambda x: torch.tril(x, 1), f32(2, 3, 3))],
    "triu_indices.default": [case(lambda x: torch.triu_indices(3, 4, 1) + x, i64())],
    "tril_indices.default": [case(lambda x: torch.tril_indices(3, 4, -1) + x, i64())],
    "trace.default": [case(lambda x: torch.trace(x), f32(3, 5)), case(lambda x: torch.trace(x), i32(4, 2))],
    "diagonal.default": [
        case(lambda x: torch.diagonal(x), f32(3, 4)),
        case(lambda x: torch.diagonal(x, 1, 0, 2), f32(3, 2, 4)),
        case(lambda x: torch.diagonal(x, -2), f32(3, 4)),
        case(lambda x: torch.diagonal(x, 5), f32(3, 4)),
    ],
    "linalg_diagonal.default": [case(lambda x: torch.linalg.diagonal(x), f32(2, 3, 4))],
    "diagonal_copy.default": [case(lambda x: torch.diagonal_copy(x, 1), f32(3, 4))],
    "diag.default": [
        case(lambda x: torch.diag(x), f32(3)),
        case(lambda x: torch.diag(x, 1), f32(3, 4)),
        case(lambda x: torch.diag(x, -1), f32(3)),
    ],
    "diag_embed.default": [
        case(lambda x: torch.diag_embed(x), f32(2, 3)),
        case(lambda x: torch.diag_embed(x, 1, 0, 2), i32(2, 3)),
        case(lambda x: torch.diag_embed(x, -2), f32(3)),
    ],
    "diagflat.default": [case(lambda x: torch.diagflat(x, 1), f32(2, 2))],
    "diagonal_scatter.default": [
        case(lambda x, s: torch.diagonal_scatter(x, s), f32(3, 4), f32(3, seed=1)),
        case(lambda x, s: torch.diagonal_scatter(x, s, 1, 0, 2), f32(3, 2, 4), f32(2, 3, seed=1)),
    ],
}
