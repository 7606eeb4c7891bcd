"""Linear algebra: triangles, systems of equations, determinants, reflections."""

from __future__ import annotations

import numpy as np
import torch
from tests.cases.making import case
from tests.samples.making import array, f32, f64

ATEN = torch.ops.aten
SQUARE, SQUARES, WIDE, TALL = f32(4, 4), f64(2, 3, 5, 5), f64(2, 3, 5), f64(5, 3)
SINGULAR = array([[1.0, 2.0], [2.0, 4.0]])
EMPTY, NONE = np.zeros((2, 0, 0), "float32"), np.zeros((0, 3, 3), "float32")
POSITIVE = np.matmul(SQUARES, np.swapaxes(SQUARES, -1, -2)) + np.eye(5)
LINALG = torch.linalg
LOW = np.tril(f64(2, 3, 3)) + 3 * np.eye(3)
TOLERANCE = 1e-5
"""Of float32: the exchanges are torch's, the order of the sums is not."""


def _rows(function, *inputs):
    return [
        case(lambda x: function(x), value, tolerance=TOLERANCE if value.dtype == "float32" else None)
        for value in inputs
    ]


def _triangles(x):
    return LINALG.lu_factor(x)


ROWS = {
    "linalg_lu_factor_ex.default": _rows(LINALG.lu_factor_ex, SQUARE, SQUARES, WIDE, TALL, SINGULAR, EMPTY),
    "linalg_lu_factor.default": [
        *_rows(LINALG.lu_factor, SQUARE, WIDE, TALL),
    ],
    "_lu_with_info.default": _rows(torch.lu, SQUARE, SQUARES),
    "linalg_lu.default": _rows(LINALG.lu, SQUARE, SQUARES, WIDE, TALL, NONE),
    "lu_unpack.default": [
        case(lambda x: torch.lu_unpack(*_triangles(x)), SQUARES),
        case(lambda x: torch.lu_unpack(*_triangles(x)), TALL),
        case(lambda x: torch.lu_unpack(*_triangles(x), unpack_pivots=False)[1:], WIDE),
        case(lambda x: torch.lu_unpack(*_triangles(x), unpack_data=False)[0], WIDE),
    ],
    "lu_solve.default": [case(lambda x, b: torch.lu_solve(b, *_triangles(x)), SQUARES, f64(5, 2))],
    "linalg_lu_solve.default": [
        case(lambda x, b: LINALG.lu_solve(*_triangles(x), b), SQUARES, f64(3, 5, 2)),
        case(lambda x, b: LINALG.lu_solve(*_triangles(x), b, adjoint=True), SQUARES, f64(3, 5, 2)),
        case(lambda x, b: LINALG.lu_solve(*_triangles(x), b, left=False), SQUARES, f64(3, 2, 5)),
    ],
    "linalg_solve.default": [
        case(lambda x, b: LINALG.solve(x, b), SQUARES, f64(3, 5, 2)),
        case(lambda x, b: LINALG.solve(x, b), f64(5, 5), f64(5)),
        case(lambda x, b: LINALG.solve(x, b), SQUARES, f64(2, 3, 5)),
        case(lambda x, b: LINALG.solve(x, b, left=False), SQUARES, f64(2, 5)),
    ],
    "linalg_solve_ex.default": [case(lambda x, b: LINALG.solve_ex(x, b), SQUARES, f64(5, 2))],
    "linalg_inv.default": _rows(LINALG.inv, SQUARE, SQUARES, EMPTY, NONE),
    "inverse.default": _rows(lambda x: ATEN.inverse(x), SQUARES),
    "linalg_inv_ex.default": _rows(LINALG.inv_ex, SQUARE, SQUARES),
    "linalg_tensorinv.default": [case(lambda x: LINALG.tensorinv(x, 1), f64(6, 2, 3))],
    "linalg_tensorsolve.default": [
        case(lambda x, b: LINALG.tensorsolve(x, b), f64(2, 3, 6), f64(2, 3)),
        case(lambda x, b: LINALG.tensorsolve(x, b, (0,)), f64(6, 2, 3), f64(2, 3)),
    ],
    "linalg_det.default": _rows(LINALG.det, SQUARE, SQUARES, SINGULAR, EMPTY),
    "det.default": _rows(lambda x: ATEN.det(x), SQUARES),
    "linalg_slogdet.default": _rows(LINALG.slogdet, SQUARE, SQUARES, SINGULAR, EMPTY),
    "slogdet.default": _rows(lambda x: ATEN.slogdet(x), SQUARES),
    "logdet.default": _rows(torch.logdet, SQUARE, SQUARES, SINGULAR),
    "linalg_matrix_power.default": [case(lambda x: LINALG.matrix_power(x, -2), SQUARES)],
    "linalg_solve_triangular.default": [
        case(lambda x, b: LINALG.solve_triangular(x, b, upper=False), LOW, f64(3, 4)),
        case(lambda x, b: LINALG.solve_triangular(x, b, upper=True), LOW.swapaxes(1, 2).copy(), f64(2, 3, 4)),
        case(lambda x, b: LINALG.solve_triangular(x, b, upper=False, left=False), LOW, f64(4, 3)),
        case(lambda x, b: LINALG.solve_triangular(x, b, upper=False, unitriangular=True), LOW, f64(3, 4)),
    ],
    "triangular_solve.default": [
        case(lambda x, b: torch.triangular_solve(b, x, upper=False), LOW, f64(3, 4)),
        case(lambda x, b: torch.triangular_solve(b, x, upper=False, transpose=True), LOW, f64(2, 3, 4)),
    ],
    "linalg_cholesky.default": _rows(LINALG.cholesky, POSITIVE)
    + _rows(lambda x: LINALG.cholesky(x, upper=True), POSITIVE),
    "linalg_cholesky_ex.default": [
        *_rows(LINALG.cholesky_ex, POSITIVE),
        case(lambda x: LINALG.cholesky_ex(x).info, np.array([[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]])),
    ],
    "cholesky_solve.default": [
        case(lambda x, b: torch.cholesky_solve(b, x), LOW, f64(3, 4)),
        case(lambda x, b: torch.cholesky_solve(b, x, upper=True), LOW.swapaxes(1, 2).copy(), f64(2, 3, 4)),
    ],
    "cholesky_inverse.default": _rows(torch.cholesky_inverse, LOW)
    + _rows(lambda x: torch.cholesky_inverse(x, upper=True), LOW.swapaxes(1, 2).copy()),
    "linalg_qr.default": _rows(LINALG.qr, SQUARE, SQUARES, WIDE, TALL, EMPTY)
    + _rows(lambda x: LINALG.qr(x, "complete"), TALL, WIDE)
    + _rows(lambda x: LINALG.qr(x, "r")[1], TALL),
    "geqrf.default": _rows(torch.geqrf, SQUARE, SQUARES, WIDE, TALL, np.diag([1.0, -2.0, 3.0])),
    "linalg_householder_product.default": [
        case(lambda x, t: LINALG.householder_product(x, t), f64(2, 5, 3), f64(2, 3))
    ],
    "orgqr.default": [case(lambda x, t: ATEN.orgqr(x, t), f64(5, 3), f64(2))],
    "ormqr.default": [
        case(lambda x, t, y: torch.ormqr(x, t, y), f64(5, 3), f64(3), f64(5, 2)),
        case(lambda x, t, y: torch.ormqr(x, t, y, transpose=True), f64(2, 5, 3), f64(2, 3), f64(2, 5, 2)),
        case(lambda x, t, y: torch.ormqr(x, t, y, left=False), f64(5, 3), f64(3), f64(2, 5)),
    ],
}
