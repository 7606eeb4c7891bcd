"""Operators on matrices and sequences as wholes."""

from __future__ import annotations

import numpy as np
import torch

from tests.samples.making import array, f16, f32, f64, i32, sample
from torchrelay import op

ZEROS = np.zeros((2, 3, 4), "float32")
COUNT = np.arange(1, 19, dtype="float32").reshape(2, 3, 3)


def with_diagonals(first, *options):
    """The matrices whose first one is given, with the other's diagonals 9 larger."""
    matrix = array(first)
    return np.stack([matrix, np.where(matrix == 0, matrix, matrix + 9)])


def einsums(equation, *tensors):
    """A row of one equation, judged by torch."""
    return sample(tensors, equation=equation, torch=lambda parts: torch.einsum(equation, *parts), rtol=1e-5, atol=1e-5)


RIGHT_LEFT = [[4, 1, 0, 0], [7, 5, 2, 0], [0, 8, 6, 3]]
LEFT_RIGHT = [[4, 1, 0, 0], [8, 5, 2, 0], [0, 9, 6, 3]]
ABOVE_RIGHT = [[7, 4, 2, 0], [0, 8, 5, 3], [0, 0, 9, 6]]
ABOVE_LEFT = [[7, 4, 1, 0], [0, 8, 5, 2], [0, 0, 9, 6]]
BELOW_LEFT = [[1, 0, 0, 0], [4, 2, 0, 0], [7, 5, 3, 0]]

ROWS = {
    op.trilu: [
        sample(f32(2, 3, 4), array(0, "int64"), torch=lambda x, k: x.triu()),
        sample(f32(3, 4), array(1, "int32"), torch=lambda x, k: x.triu(1)),
        sample(f32(4, 3), array(-1, "int32"), upper=False, torch=lambda x, k: x.tril(-1)),
    ],
    op.matrix_set_diag: [
        sample(f32(3, 4), f32(3, seed=1), torch=lambda x, d: x.diagonal_scatter(d)),
        sample(f32(2, 3, 4), f32(2, 3, seed=1), k1=1, k2=1, torch=lambda x, d: x.diagonal_scatter(d, 1, 1, 2)),
        sample(f32(2, 3, 4), f32(2, 2, seed=1), k1=-1, k2=-1, torch=lambda x, d: x.diagonal_scatter(d, -1, 1, 2)),
        sample(ZEROS, COUNT, k1=-1, k2=1, numpy=lambda x, d: with_diagonals(RIGHT_LEFT)),
        sample(
            ZEROS,
            COUNT,
            k1=-1,
            k2=1,
            super_diag_right_align=False,
            sub_diag_right_align=True,
            numpy=lambda x, d: with_diagonals(LEFT_RIGHT),
        ),
        sample(ZEROS, COUNT, k1=0, k2=2, numpy=lambda x, d: with_diagonals(ABOVE_RIGHT)),
        sample(ZEROS, COUNT, k1=0, k2=2, super_diag_right_align=False, numpy=lambda x, d: with_diagonals(ABOVE_LEFT)),
        sample(ZEROS, COUNT, k1=-2, k2=0, numpy=lambda x, d: with_diagonals(BELOW_LEFT)),
    ],
    op.sequence_mask: [
        sample(
            f32(3, 2),
            array([1, 5], "int32"),
            mask_value=-1.5,
            numpy=lambda x, n: np.where([[0, 0], [1, 0], [1, 0]], np.float32(-1.5), x),
        ),
        sample(
            f32(2, 3, 2),
            array([0, 2], "int64"),
            axis=1,
            torch=lambda x, n: x.masked_fill((torch.arange(3) >= n[:, None])[:, :, None], 0),
        ),
        sample(
            i32(2, 2),
            array([1.0, 2.0]),
            mask_value=7.0,
            axis=1,
            numpy=lambda x, n: np.where([[0, 1], [0, 0]], np.int32(7), x),
        ),
    ],
    op.einsum: [
        einsums("ij,jk->ik", f32(2, 3), f32(3, 4)),
        einsums("ij,jk", f32(2, 3), f32(3, 4)),
        einsums("ij, jk -> ", f32(2, 3), f32(3, 4)),
        einsums("...ij,jk->...ik", f32(5, 2, 3), f32(3, 4)),
        einsums("b...i,...i->b...", f32(2, 3, 4, 5), f32(4, 5)),
        einsums("ii->i", f32(3, 3)),
        einsums("ii", f64(3, 3)),
        einsums("ba", f32(2, 3)),
        einsums("...", f32(2, 3)),
        einsums("bhqd,bhkd->bhqk", f32(2, 3, 4, 5), f32(2, 3, 6, 5)),
        einsums("i,j,k->ijk", f32(2), f32(3), f32(4)),
        einsums("ij,kj->ik", f16(2, 3), f16(4, 3)),
        sample((f32(2, 3), f32(1, 4)), equation="ij,jk->ik", numpy=lambda parts: parts[0].sum(1)[:, None] * parts[1]),
    ],
}
