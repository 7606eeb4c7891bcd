"""Special functions."""

from __future__ import annotations

import numpy as np
import torch
from tests.cases.making import case
from tests.samples.making import array, f16, i64

ATEN = torch.ops.aten
INF, NAN = float("inf"), float("nan")
LINE = np.linspace(-11.3, 12.1, 41)
ENDS = np.array([0.0, -0.0, INF, -INF, NAN, 1.0, -1.0, 2.0, -2.0, 1e-3, 30.0, 8.0, 5.0])
SHARES = np.concatenate([np.linspace(0.001, 0.999, 33), [0.0, 1.0, -0.1, 1.1, 1e-12, NAN]])


def _rows(function, values=None, *, ints=True, half=True):
    """Float32 and float64 over a line and at special values, half floats where torch has them, and integers."""
    line = np.concatenate([LINE, ENDS]) if values is None else values
    rows = [case(lambda x: function(x), line.astype(dtype)) for dtype in ("float32", "float64")]
    if half:
        rows.append(case(lambda x: function(x), f16(5, low=0.1, high=0.9)))
    return [*rows, case(lambda x: function(x), i64(7))] if ints else rows


def _degrees(name):
    function = getattr(torch.special, name)
    x = np.repeat(np.concatenate([np.linspace(-1.2, 1.3, 11), [1.0, -1.0, 0.0, NAN]]), 14)
    n = np.tile(np.array([-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11.7, 12]), 15)
    small, whole = np.array([[0.25], [-0.5], [1.5]], "float32"), np.array([0.0, 1.0, 3.0, 9.0], "float32")
    return {
        f"special_{name}.default": [
            case(lambda x, n: function(x, n), x.astype("float32"), n.astype("float32"), tolerance=1e-5),
            case(lambda x, n: function(x, n), x, n),
            case(lambda x, n: function(x, n), small, whole),
            case(lambda x, n: function(x, n), i64(7, low=-2, high=3), i64(7, low=-1, high=6)),
            case(lambda x, n: function(x, n), whole, array([NAN, INF, -INF, 2.0])),
        ],
        f"special_{name}.x_scalar": [case(lambda n: function(0.75, n), whole)],
        f"special_{name}.n_scalar": [
            case(lambda x: function(x, 5), small),
            case(lambda x: function(x, 0), small),
            case(lambda x: function(x, 20), small, tolerance=1e-5),
        ],
    }


INTEGERS = array([[0, 0, 12, -12, 18, 7], [0, 5, 18, 18, -27, 1]], "int64")
NEIGHBOURS = np.array([0.0, -0.0, 1.0, -1.0, INF, NAN, 3.5, 1e-45, 65504.0])
POSITIVE = np.array([0.1, 0.5, 1.0001, 1.5, 2.0, 2.5, 7.25, 12.9, 13.0, 40.0, 1e8])

ROWS = {
    "erfc.default": _rows(torch.erfc),
    "special_erfc.default": _rows(ATEN.special_erfc),
    "special_erfcx.default": _rows(torch.special.erfcx, half=False),
    "special_log_ndtr.default": _rows(torch.special.log_ndtr, half=False),
    "erfinv.default": _rows(torch.erfinv, np.concatenate([SHARES, -SHARES])),
    "special_erfinv.default": _rows(ATEN.special_erfinv, SHARES),
    "special_ndtri.default": _rows(torch.special.ndtri, SHARES, half=False),
    "special_bessel_j0.default": _rows(torch.special.bessel_j0, half=False),
    "special_bessel_j1.default": _rows(torch.special.bessel_j1, half=False),
    "special_bessel_y0.default": _rows(torch.special.bessel_y0, half=False),
    "special_bessel_y1.default": _rows(torch.special.bessel_y1, half=False),
    "i0.default": _rows(ATEN.i0),
    "special_i0.default": _rows(ATEN.special_i0),
    "special_i0e.default": _rows(torch.special.i0e),
    "special_i1.default": _rows(torch.special.i1),
    "special_i1e.default": _rows(torch.special.i1e),
    "special_modified_bessel_i0.default": _rows(torch.special.modified_bessel_i0, half=False),
    "special_modified_bessel_i1.default": _rows(torch.special.modified_bessel_i1, half=False),
    "special_modified_bessel_k0.default": _rows(torch.special.modified_bessel_k0, half=False),
    "special_modified_bessel_k1.default": _rows(torch.special.modified_bessel_k1, half=False),
    "special_scaled_modified_bessel_k0.default": _rows(torch.special.scaled_modified_bessel_k0, half=False),
    "special_scaled_modified_bessel_k1.default": _rows(torch.special.scaled_modified_bessel_k1, half=False),
    "special_airy_ai.default": _rows(torch.special.airy_ai, half=False),
    "special_spherical_bessel_j0.default": _rows(torch.special.spherical_bessel_j0, half=False),
    "lgamma.default": _rows(torch.lgamma),
    "special_gammaln.default": _rows(ATEN.special_gammaln, POSITIVE),
    "mvlgamma.default": _rows(lambda x: ATEN.mvlgamma(x, 3), POSITIVE + 3, ints=False)[:2],
    "special_multigammaln.default": _rows(lambda x: ATEN.special_multigammaln(x, 1), POSITIVE, ints=False),
    "digamma.default": _rows(torch.digamma),
    "special_digamma.default": _rows(ATEN.special_digamma),
    "special_psi.default": _rows(ATEN.special_psi, POSITIVE),
    "polygamma.default": [row for n in (0, 1, 2, 4) for row in _rows(lambda x, n=n: ATEN.polygamma(n, x), POSITIVE)]
    + [case(lambda x: torch.polygamma(3, x), array([-1.5, -7.25, 0.0, -2.0, INF]))],
    "special_polygamma.default": _rows(lambda x: ATEN.special_polygamma(2, x), POSITIVE),
    "special_zeta.default": [
        case(
            lambda x, q: torch.special.zeta(x, q),
            array([[1.5], [3.0], [0.5], [1.0], [40.0]]),
            POSITIVE.astype("float32"),
        ),
        case(
            lambda x, q: torch.special.zeta(x, q), np.array([2.0, 3.0, 2.0, 2.5]), np.array([-0.5, -11.25, -3.0, -0.5])
        ),
        case(lambda x, q: torch.special.zeta(x, q), i64(5, low=2, high=6), i64(5, low=1)),
    ],
    "special_zeta.other_scalar": [case(lambda x: torch.special.zeta(x, 2.5), array([1.5, 4.0]))],
    "special_zeta.self_scalar": [case(lambda q: torch.special.zeta(3, q), array([1.5, 4.0, -2.5]))],
    "gcd.default": [case(lambda x, y: torch.gcd(x, y), INTEGERS[0], INTEGERS[1])],
    "lcm.default": [case(lambda x, y: torch.lcm(x, y), INTEGERS[0], INTEGERS[1])],
    "frexp.Tensor": [
        case(lambda x: torch.frexp(x), NEIGHBOURS.astype(dtype)) for dtype in ("float32", "float64", "float16")
    ],
    "nextafter.default": [
        case(lambda x, y: torch.nextafter(x, y), NEIGHBOURS.astype(dtype), NEIGHBOURS[::-1].astype(dtype).copy())
        for dtype in ("float32", "float64")
    ]
    + [case(lambda x, y: torch.nextafter(x, y), array([[0.0], [-2.0], [3.0]]), array([0.0, -0.0, 1.0, -INF]))],
    "angle.default": _rows(torch.angle),
}
for _name in (
    *(f"{kind}chebyshev_polynomial_{letter}" for kind in ("", "shifted_") for letter in "tuvw"),
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
):
    ROWS.update(_degrees(_name))
