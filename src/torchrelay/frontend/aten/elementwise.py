"""Converters of operators on each element of one tensor."""

from __future__ import annotations

import math

import ml_dtypes

from torchrelay import op
from torchrelay.frontend.promote import BOOL, INT64, Promote, as_dtype, rounded_once
from torchrelay.frontend.registry import aten, one_to_one
from torchrelay.ir import DType, Expr, const

__all__: list[str] = []

one_to_one("neg.default", op.negative)

one_to_one("negative.default", op.negative)

for _name, _operator in {
    "acos": op.acos,
    "arccos": op.acos,
    "arccosh": op.acosh,
    "arcsinh": op.asinh,
    "arctanh": op.atanh,
    "acosh": op.acosh,
    "asin": op.asin,
    "arcsin": op.asin,
    "asinh": op.asinh,
    "atan": op.atan,
    "arctan": op.atan,
    "atanh": op.atanh,
    "cos": op.cos,
    "cosh": op.cosh,
    "erf": op.erf,
    "exp": op.exp,
    "log": op.log,
    "log10": op.log10,
    "log2": op.log2,
    "rsqrt": op.rsqrt,
    "sigmoid": op.sigmoid,
    "sin": op.sin,
    "sinh": op.sinh,
    "sqrt": op.sqrt,
    "tan": op.tan,
    "tanh": op.tanh,
    "special_erf": op.erf,
    "special_expit": op.sigmoid,
}.items():
    one_to_one(f"{_name}.default", _operator, promote=Promote.INT_TO_FLOAT)


def _whole_already(self: Expr) -> bool:
    """Whether the elements are integers or truth values, which rounding leaves as they are."""
    return not self.dtype.is_float


@aten("ceil.default")
def ceil(self: Expr) -> Expr:
    """The smallest whole number not below each element."""
    return self if _whole_already(self) else op.ceil(self)


@aten("floor.default")
def floor(self: Expr) -> Expr:
    """The largest whole number not above each element."""
    return self if _whole_already(self) else op.floor(self)


@aten("trunc.default", "fix.default")
def trunc(self: Expr) -> Expr:
    """Each element without its fraction."""
    return self if _whole_already(self) else op.trunc(self)


@aten("round.default")
def round_half_even(self: Expr) -> Expr:
    """The nearest whole number, halves to the even one: Relay's round takes halves away from zero."""
    if _whole_already(self):
        return self
    half, two = const(0.5, self.dtype), const(2, self.dtype)
    away = op.round(self)
    even = op.multiply(op.round(op.divide(self, two)), two)
    return op.where(op.equal(op.abs(op.subtract(self, op.trunc(self))), half), even, away)


@aten("abs.default", "absolute.default")
def absolute(self: Expr) -> Expr:
    """The absolute value of each element."""
    return self if self.dtype.is_bool or self.dtype.code == "uint" else op.abs(self)


@aten("sign.default", "sgn.default")
def sign(self: Expr) -> Expr:
    """-1, 0 or 1 by the sign of each element; 0 for NaN, which Relay's sign keeps."""
    if self.dtype.is_bool:
        return self
    signs = op.sign(self)
    return op.where(op.isnan(self), op.zeros_like(self), signs) if self.dtype.is_float else signs


@aten("square.default")
def square(self: Expr) -> Expr:
    """Each element times itself; of truth values as int64."""
    data = as_dtype(self, INT64) if self.dtype.is_bool else self
    return op.multiply(data, data)


@aten("reciprocal.default", promote=Promote.INT_TO_FLOAT)
def reciprocal(self: Expr) -> Expr:
    """One over each element."""
    return op.divide(const(1, self.dtype), self)


@aten("expm1.default", "special_expm1.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def expm1(self: Expr) -> Expr:
    """exp(x) - 1; for small x by 2 tanh(x/2) / (1 - tanh(x/2)), which keeps the digits that the difference loses."""
    one, two = const(1, self.dtype), const(2, self.dtype)
    tangent = op.tanh(op.divide(self, two))
    small = op.divide(op.multiply(two, tangent), op.subtract(one, tangent))
    return op.where(op.less(op.abs(self), one), small, op.subtract(op.exp(self), one))


@aten("log1p.default", "special_log1p.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def log1p(self: Expr) -> Expr:
    """log(1 + x); for small x by 2 atanh(x / (2 + x)), which keeps the digits that the sum loses."""
    one, two = const(1, self.dtype), const(2, self.dtype)
    small = op.multiply(two, op.atanh(op.divide(self, op.add(self, two))))
    return op.where(op.less(op.abs(self), const(0.5, self.dtype)), small, op.log(op.add(self, one)))


@aten("exp2.default", "special_exp2.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def exp2(self: Expr) -> Expr:
    """2 to the power of each element."""
    return op.power(const(2, self.dtype), self)


@aten("frac.default")
def frac(self: Expr) -> Expr:
    """The fraction of each element."""
    return op.subtract(self, op.trunc(self))


@aten("isnan.default")
def isnan(self: Expr) -> Expr:
    """Whether each element is NaN."""
    return op.isnan(self) if self.dtype.is_float else op.cast(op.zeros_like(self), dtype=BOOL)


@aten("isinf.default")
def isinf(self: Expr) -> Expr:
    """Whether each element is infinite."""
    return op.isinf(self) if self.dtype.is_float else op.cast(op.zeros_like(self), dtype=BOOL)


@aten("isfinite.default")
def isfinite(self: Expr) -> Expr:
    """Whether each element is neither infinite nor NaN."""
    return op.isfinite(self) if self.dtype.is_float else op.cast(op.ones_like(self), dtype=BOOL)


def has_sign(value: Expr) -> Expr:
    """Whether the sign bit of each element is set: of negative numbers, and of -0."""
    if not value.dtype.is_float:
        return (
            op.less(value, const(0, value.dtype))
            if value.dtype.code == "int"
            else op.cast(op.zeros_like(value), dtype=BOOL)
        )
    bits = DType.parse(f"int{value.dtype.bits}")
    return op.less(op.reinterpret(value, dtype=bits), const(0, bits))


@aten("signbit.default")
def signbit(self: Expr) -> Expr:
    """Whether the sign bit of each element is set."""
    return has_sign(self)


@aten("round.decimals")
@rounded_once
def round_decimals(self: Expr, *, decimals: int) -> Expr:
    """The nearest number of so many decimals, halves to the even one; negative counts round to tens, hundreds, ..."""
    if _whole_already(self) or not decimals:
        return round_half_even(self)
    scale = const(10.0 ** abs(decimals), self.dtype)
    if decimals > 0:
        return op.divide(round_half_even(op.multiply(self, scale)), scale)
    return op.multiply(round_half_even(op.divide(self, scale)), scale)


@aten("deg2rad.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def deg2rad(self: Expr) -> Expr:
    """Degrees as radians."""
    return op.multiply(self, const(math.pi / 180, self.dtype))


@aten("rad2deg.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def rad2deg(self: Expr) -> Expr:
    """Radians as degrees."""
    return op.multiply(self, const(180 / math.pi, self.dtype))


@aten("sinc.default", "special_sinc.default", promote=Promote.INT_TO_FLOAT)
@rounded_once
def sinc(self: Expr) -> Expr:
    """sin(pi x) / (pi x), and 1 at 0."""
    angle = op.multiply(self, const(math.pi, self.dtype))
    zero, one = const(0, self.dtype), const(1, self.dtype)
    return op.where(op.equal(self, zero), one, op.divide(op.sin(angle), angle))


@aten("logit.default", "special_logit.default", promote=Promote.INT_TO_FLOAT)
def logit(self: Expr, eps: float | None = None) -> Expr:
    """log(x / (1 - x)), of x within eps and 1 - eps where eps is given; the lower bound counts where the two cross."""
    share = self
    if eps is not None:
        low, high = const(eps, self.dtype), const(1 - eps, self.dtype)
        share = op.where(op.less(self, low), low, op.minimum(self, high))
    return op.log(op.divide(share, op.subtract(const(1, self.dtype), share)))


@aten("isposinf.default")
def isposinf(self: Expr) -> Expr:
    """Whether each element is infinite and positive."""
    return op.equal(self, const(math.inf, self.dtype)) if self.dtype.is_float else isinf(self)


@aten("isneginf.default")
def isneginf(self: Expr) -> Expr:
    """Whether each element is infinite and negative."""
    return op.equal(self, const(-math.inf, self.dtype)) if self.dtype.is_float else isinf(self)


@aten("nan_to_num.default")
def nan_to_num(self: Expr, nan: float | None = None, posinf: float | None = None, neginf: float | None = None) -> Expr:
    """The tensor with other numbers where it is NaN or infinite: 0 and the largest ones unless they are given."""
    if _whole_already(self):
        return self
    bounds = ml_dtypes.finfo(self.dtype.numpy)
    high = const(float(bounds.max) if posinf is None else posinf, self.dtype)
    low = const(float(bounds.min) if neginf is None else neginf, self.dtype)
    finite = op.where(isposinf(self), high, op.where(isneginf(self), low, self))
    return op.where(op.isnan(self), const(nan or 0.0, self.dtype), finite)


@aten("angle.default", promote=Promote.INT_TO_FLOAT)
def angle(self: Expr) -> Expr:
    """The angle of a real number in the plane of complex ones: pi below 0, 0 above; of -0 too, as torch has it."""
    turned = op.where(op.less(self, const(0, self.dtype)), const(math.pi, self.dtype), op.zeros_like(self))
    return op.where(op.isnan(self), self, turned)
