"""Converters of orthogonal polynomials, whose degree is a tensor or a number."""

from __future__ import annotations

from collections.abc import Callable

from torchrelay import op
from torchrelay.frontend.aten.loops import Values, repeated
from torchrelay.frontend.aten.special.series import not_a_number
from torchrelay.frontend.promote import INT64, Promote, as_dtype, rounded_once
from torchrelay.frontend.registry import aten
from torchrelay.ir import Constant, Expr, const

__all__: list[str] = []

Next = Callable[[Expr, Expr, Expr, Expr], Expr]
"""The polynomial of degree k + 1 from k, x, and the polynomials of degree k and k - 1."""
First = Callable[[Expr], Expr]
"""The polynomial of degree 1."""
Closed = Callable[[Expr, Expr], Expr]
"""The polynomial of degree n at x within -1 and 1, from n and the angle whose cosine is x."""

_MOST_WRITTEN_OUT = 16


def _number(value: float, like: Expr) -> Expr:
    return const(value, like.dtype)


def _double(x: Expr) -> Expr:
    return op.add(x, x)


def _chebyshev(_: Expr, x: Expr, last: Expr, before: Expr) -> Expr:
    return op.subtract(op.multiply(_double(x), last), before)


def _legendre(k: Expr, x: Expr, last: Expr, before: Expr) -> Expr:
    one = _number(1, x)
    odd = op.add(_double(k), one)
    total = op.subtract(op.multiply(op.multiply(odd, x), last), op.multiply(k, before))
    return op.divide(total, op.add(k, one))


def _laguerre(k: Expr, x: Expr, last: Expr, before: Expr) -> Expr:
    one = _number(1, x)
    factor = op.add(_double(k), op.subtract(one, x))
    return op.divide(op.subtract(op.multiply(factor, last), op.multiply(k, before)), op.add(k, one))


def _hermite_h(k: Expr, x: Expr, last: Expr, before: Expr) -> Expr:
    return op.subtract(op.multiply(_double(x), last), op.multiply(_double(k), before))


def _hermite_he(k: Expr, x: Expr, last: Expr, before: Expr) -> Expr:
    return op.subtract(op.multiply(x, last), op.multiply(k, before))


def _from_recurrence(x: Expr, degree: Expr, left_out: Expr | None, first: Expr, following: Next) -> Expr:
    """The polynomial by degrees from 1 up; it stays where it is once it is NaN. What is ``left_out`` is not computed."""

    def active(k: Expr, last: Expr, degrees: Expr, skip: Expr | None) -> Expr:
        takes = op.logical_and(op.less(k, degrees), op.logical_not(op.isnan(last)))
        return takes if skip is None else op.logical_and(takes, op.logical_not(skip))

    def goes_on(state: Values, given: Values) -> Expr:
        return op.any(active(state[0], state[1], given[1], given[2] if len(given) > 2 else None))

    def step(state: Values, given: Values) -> Values:
        k, last, before = state
        takes = active(k, last, given[1], given[2] if len(given) > 2 else None)
        new = following(as_dtype(k, x.dtype), given[0], last, before)
        return op.add(k, const(1, INT64)), op.where(takes, new, last), op.where(takes, last, before)

    using = (x, degree) if left_out is None else (x, degree, left_out)
    state: Values = (const(1, INT64), first, op.ones_like(first))
    if isinstance(degree, Constant) and degree.data.ndim == 0 and degree.data <= _MOST_WRITTEN_OUT:
        for _ in range(1, int(degree.data)):
            state = step(state, using)
        return state[1]
    return repeated(state, using, goes_on, step)[1]


def _polynomial(x: Expr, n: Expr, first: First, following: Next, closed: Closed | None, beyond: int) -> Expr:
    """The polynomial: 0 of a negative degree; by its closed form for degrees ``beyond`` a number, where it has one."""
    degree = _whole(n)
    argument, start = op.add(x, op.zeros_like(n)), op.add(first(x), op.zeros_like(n))
    inside = None
    if closed is not None:
        high = op.greater(degree, const(beyond, INT64))
        inside = op.logical_and(high, op.less(op.abs(argument), _number(1, x)))
    found = _from_recurrence(argument, degree, inside, start, following)
    if closed is not None and inside is not None:
        found = op.where(inside, closed(as_dtype(degree, x.dtype), op.acos(argument)), found)
    found = op.where(op.equal(degree, const(0, INT64)), op.ones_like(found), found)
    return op.where(op.less(degree, const(0, INT64)), op.zeros_like(found), found)


def _whole(n: Expr) -> Expr:
    """The degree without its fraction; -1 where it is no number."""
    if isinstance(n, Constant) and n.data.ndim == 0:
        return const(int(n.data), INT64)
    finite = op.isfinite(n)
    return op.cast(op.where(finite, n, op.full_like(n, _number(-1, n))), dtype=INT64)


def _shift(x: Expr) -> Expr:
    return op.subtract(_double(x), _number(1, x))


def _closed_t(n: Expr, angle: Expr) -> Expr:
    return op.cos(op.multiply(n, angle))


def _closed_u(n: Expr, angle: Expr) -> Expr:
    return op.divide(op.sin(op.multiply(op.add(n, _number(1, n)), angle)), op.sin(angle))


def _closed_v(n: Expr, angle: Expr) -> Expr:
    half = _number(0.5, n)
    return op.divide(op.cos(op.multiply(op.add(n, half), angle)), op.cos(op.multiply(half, angle)))


def _closed_w(n: Expr, angle: Expr) -> Expr:
    half = _number(0.5, n)
    return op.divide(op.sin(op.multiply(op.add(n, half), angle)), op.sin(op.multiply(half, angle)))


_HIGHEST = {"float32": 128, "float64": 512}
"""The highest degree of Hermite polynomials that torch computes in a dtype."""


def _declare(
    name: str,
    what: str,
    first: First,
    following: Next,
    closed: Closed | None = None,
    beyond: int = 0,
    *,
    shifted: bool = False,
    limited: bool = False,
) -> None:
    @rounded_once
    def converter(x: Expr, n: Expr) -> Expr:
        found = _polynomial(_shift(x) if shifted else x, n, first, following, closed, beyond)
        if not limited:
            return found
        beyond_all = op.greater(_whole(n), const(_HIGHEST[str(n.dtype)], INT64))
        return op.where(beyond_all, not_a_number(found), found)

    converter.__doc__ = f"The {what} of degree n at x."
    overloads = [f"special_{name}.{overload}" for overload in ("default", "x_scalar", "n_scalar")]
    aten(*overloads, promote=Promote.INT_TO_FLOAT)(converter)


_CHEBYSHEV: dict[str, tuple[str, First, Closed, int, int]] = {
    "t": ("first", lambda x: x, _closed_t, 6, 6),
    "u": ("second", _double, _closed_u, 8, 6),
    "v": ("third", lambda x: op.subtract(_double(x), _number(1, x)), _closed_v, 8, 6),
    "w": ("fourth", lambda x: op.add(_double(x), _number(1, x)), _closed_w, 8, 4),
}
"""The kinds: the polynomial of degree 1, the closed form, and beyond which degree torch uses it, without and with a shift."""

for _letter, (_kind, _first, _form, _plain, _shifted) in _CHEBYSHEV.items():
    _what = f"Chebyshev polynomial of the {_kind} kind"
    _declare(f"chebyshev_polynomial_{_letter}", _what, _first, _chebyshev, _form, _plain)
    _declare(
        f"shifted_chebyshev_polynomial_{_letter}",
        f"{_what}, shifted to 0 and 1,",
        _first,
        _chebyshev,
        _form,
        _shifted,
        shifted=True,
    )

_declare("legendre_polynomial_p", "Legendre polynomial", lambda x: x, _legendre)
_declare("laguerre_polynomial_l", "Laguerre polynomial", lambda x: op.subtract(_number(1, x), x), _laguerre)


_declare("hermite_polynomial_h", "physicists' Hermite polynomial", _double, _hermite_h, limited=True)
_declare("hermite_polynomial_he", "probabilists' Hermite polynomial", lambda x: x, _hermite_he, limited=True)
