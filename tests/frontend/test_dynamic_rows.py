"""Every converter's rows exported with every size left open: right at the sizes of the row and at larger ones, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch.export import Dim

from tests.cases.making import Case, all_cases
from tests.frontend.test_converters import check_equal, leaves
from torchrelay.errors import TypeMismatch, UnsupportedProgram
from torchrelay.frontend import imported
from torchrelay.runtime import run

ROWS = [
    pytest.param(overload, case, id=f"{overload.removeprefix('aten::')}-{number}")
    for overload, cases in all_cases().items()
    for number, case in enumerate(cases)
    if "export" in case.routes
]

KNOWN_SIZES = frozenset(
    [
        "aten::_lu_with_info.default",
        "aten::adaptive_avg_pool2d.default",
        "aten::adaptive_max_pool1d.default",
        "aten::adaptive_max_pool2d.default",
        "aten::adaptive_max_pool3d.default",
        "aten::avg_pool2d.default",
        "aten::block_diag.default",
        "aten::cholesky_inverse.default",
        "aten::cholesky_solve.default",
        "aten::chunk.default",
        "aten::combinations.default",
        "aten::cross_entropy_loss.default",
        "aten::cummax.default",
        "aten::cummin.default",
        "aten::det.default",
        "aten::diag.default",
        "aten::diag_embed.default",
        "aten::diagflat.default",
        "aten::diagonal.default",
        "aten::diagonal_copy.default",
        "aten::diff.default",
        "aten::dsplit.int",
        "aten::hsplit.array",
        "aten::hsplit.int",
        "aten::index_put.default",
        "aten::inverse.default",
        "aten::linalg_cholesky.default",
        "aten::linalg_cholesky_ex.default",
        "aten::linalg_det.default",
        "aten::linalg_diagonal.default",
        "aten::linalg_householder_product.default",
        "aten::linalg_inv.default",
        "aten::linalg_inv_ex.default",
        "aten::linalg_lu.default",
        "aten::linalg_lu_factor.default",
        "aten::linalg_lu_factor_ex.default",
        "aten::linalg_lu_solve.default",
        "aten::linalg_matrix_power.default",
        "aten::linalg_qr.default",
        "aten::linalg_slogdet.default",
        "aten::linalg_solve.default",
        "aten::linalg_solve_ex.default",
        "aten::linalg_solve_triangular.default",
        "aten::linalg_tensorinv.default",
        "aten::linalg_tensorsolve.default",
        "aten::logcumsumexp.default",
        "aten::logdet.default",
        "aten::lu_solve.default",
        "aten::lu_unpack.default",
        "aten::matmul.default",
        "aten::matrix_power.default",
        "aten::max_pool1d_with_indices.default",
        "aten::max_pool2d_with_indices.default",
        "aten::max_pool3d_with_indices.default",
        "aten::median.default",
        "aten::median.dim",
        "aten::orgqr.default",
        "aten::ormqr.default",
        "aten::quantile.default",
        "aten::quantile.scalar",
        "aten::repeat.default",
        "aten::repeat_interleave.self_Tensor",
        "aten::repeat_interleave.self_int",
        "aten::scaled_dot_product_attention.default",
        "aten::slogdet.default",
        "aten::split.Tensor",
        "aten::tensor_split.indices",
        "aten::tensor_split.sections",
        "aten::trace.default",
        "aten::triangular_solve.default",
        "aten::upsample_bicubic2d.vec",
        "aten::upsample_bilinear2d.vec",
        "aten::upsample_linear1d.default",
        "aten::upsample_linear1d.vec",
        "aten::upsample_trilinear3d.default",
        "aten::upsample_trilinear3d.vec",
        "aten::vsplit.int",
        "prim::ListUnpack.default",
        "torchvision::deform_conv2d.default",
        "torchvision::roi_align.default",
    ]
)
"""The overloads of which some rows need known sizes."""


SORTED = frozenset({"aten::bucketize.Tensor"})
"""The overloads that take numbers in order, which these are no more once they are there twice."""


def _open(value: Any) -> Any:
    """A dynamic shape in which every size but 0 and 1 is open."""
    if isinstance(value, torch.Tensor):
        return {axis: Dim.AUTO for axis, size in enumerate(value.shape) if size > 1}
    return type(value)(map(_open, value)) if isinstance(value, tuple | list) else None


def _larger(value: Any) -> Any:
    """The value with its first axis twice as long; floats differ from those before."""
    if isinstance(value, torch.Tensor):
        if not value.dim() or value.shape[0] < 2:
            return value
        return torch.cat([value, value + 0.37 if value.is_floating_point() else value])
    return type(value)(map(_larger, value)) if isinstance(value, tuple | list) else value


def _exported(case: Case) -> torch.export.ExportedProgram | None:
    """The program with open sizes; None where torch fixes them or refuses."""
    try:
        shapes = tuple(map(_open, case.inputs))
        program = torch.export.export(case.module(), case.inputs, dynamic_shapes=shapes)  # pyright: ignore[reportArgumentType] a function is one too
    except Exception:
        return None
    return program if program.range_constraints else None


def _eager(program: torch.export.ExportedProgram, inputs: tuple[Any, ...]) -> list[Any] | None:
    """What torch gives; None where the program does not take these sizes."""
    try:
        with torch.no_grad():
            return leaves(program.module()(*inputs))
    except Exception:
        return None


@pytest.mark.parametrize(("overload", "case"), ROWS)
def test_a_row_with_open_sizes(overload: str, case: Case) -> None:
    program = _exported(case)
    if program is None:
        pytest.skip("torch does not leave its sizes open")
    try:
        made = imported(program)
    except (UnsupportedProgram, TypeMismatch):
        assert overload in KNOWN_SIZES
        return
    for inputs in (case.inputs, tuple(map(_larger, case.inputs))):
        wanted = _eager(program, inputs)
        if wanted is None:
            assert inputs is not case.inputs
            continue
        if inputs is not case.inputs and overload in SORTED:
            continue
        for value, expected in zip(run(made.mod, made.params, inputs), wanted, strict=True):
            check_equal(np.asarray(value), expected, case)
