"""Operators on each element of one tensor."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from torchrelay.errors import WrongArgument
from torchrelay.ir import Arg, Attrs, DType, Fusion, Operator, TensorType, Type, attrs, operator
from torchrelay.op._numpy import Array, erf as _erf, round_half_away, unchanged
from torchrelay.op._relations import unary

__all__ = [
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bitwise_not",
    "cast",
    "cast_like",
    "ceil",
    "clip",
    "copy",
    "cos",
    "cosh",
    "erf",
    "exp",
    "fast_erf",
    "fast_exp",
    "fast_tanh",
    "floor",
    "isfinite",
    "isinf",
    "isnan",
    "log",
    "log2",
    "log10",
    "logical_not",
    "negative",
    "reinterpret",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
]

Function = Callable[[Array], Array]


def _of_reals(function: Function) -> Function:
    """The function for every dtype: small floats go by float32, of integers the integral part of the result is kept."""

    def on_any(data: Array) -> Array:
        if data.dtype == np.float32 or data.dtype == np.float64:
            return function(data)
        return function(data.astype(np.float64 if data.dtype.kind in "iub" else np.float32)).astype(data.dtype)

    return on_any


def _of_steps(function: Function) -> Function:
    """The function for every dtype: integers are already what rounding makes of them."""
    return lambda data: data if data.dtype.kind in "iub" else function(data)


def _signed(function: Function) -> Function:
    """The function for every dtype: a truth value stays what it is."""
    return lambda data: data if data.dtype.kind == "b" else function(data)


def _question(function: Function, *, of_integers: bool) -> Function:
    """The question for every dtype: all integers have one answer."""
    return lambda data: np.full(data.shape, of_integers) if data.dtype.kind in "iub" else function(data)


def _real(name: str, function: Function, doc: str) -> Operator[[Arg]]:
    return unary(name, _of_reals(function), doc)


def _rounding(name: str, function: Function, doc: str) -> Operator[[Arg]]:
    return unary(name, _of_steps(function), doc, level=3)


def _logical_not(data: Array) -> Array:
    return np.logical_not(data).astype(data.dtype, copy=False)


def _rsqrt(data: Array) -> Array:
    return np.reciprocal(np.sqrt(data))


def _sigmoid(data: Array) -> Array:
    return np.reciprocal(1 + np.exp(-data))


acos = _real("acos", np.arccos, "The angle whose cosine is the element.")
acosh = _real("acosh", np.arccosh, "The inverse hyperbolic cosine.")
asin = _real("asin", np.arcsin, "The angle whose sine is the element.")
asinh = _real("asinh", np.arcsinh, "The inverse hyperbolic sine.")
atan = _real("atan", np.arctan, "The angle whose tangent is the element.")
atanh = _real("atanh", np.arctanh, "The inverse hyperbolic tangent.")
cos = _real("cos", np.cos, "The cosine of an angle in radians.")
cosh = _real("cosh", np.cosh, "The hyperbolic cosine.")
erf = _real("erf", _erf, "The error function.")
exp = _real("exp", np.exp, "The exponential.")
fast_erf = _real("fast_erf", _erf, "The error function, which an engine may approximate.")
fast_exp = _real("fast_exp", np.exp, "The exponential, which an engine may approximate.")
fast_tanh = _real("fast_tanh", np.tanh, "The hyperbolic tangent, which an engine may approximate.")
log = _real("log", np.log, "The natural logarithm.")
log10 = _real("log10", np.log10, "The logarithm to base 10.")
log2 = _real("log2", np.log2, "The logarithm to base 2.")
rsqrt = _real("rsqrt", _rsqrt, "One over the square root.")
sigmoid = _real("sigmoid", _sigmoid, "1 / (1 + exp(-x)).")
sin = _real("sin", np.sin, "The sine of an angle in radians.")
sinh = _real("sinh", np.sinh, "The hyperbolic sine.")
sqrt = _real("sqrt", np.sqrt, "The square root.")
tan = _real("tan", np.tan, "The tangent of an angle in radians.")
tanh = _real("tanh", np.tanh, "The hyperbolic tangent.")

ceil = _rounding("ceil", np.ceil, "The smallest whole number not below the element.")
floor = _rounding("floor", np.floor, "The largest whole number not above the element.")
round = _rounding("round", round_half_away, "The nearest whole number, halves away from zero.")
trunc = _rounding("trunc", np.trunc, "The element without its fraction.")

abs = unary("abs", np.abs, "The absolute value.", level=3)
bitwise_not = unary("bitwise_not", np.invert, "Every bit turned over.", level=4)
copy = unary("copy", unchanged, "The data itself.", level=3)
logical_not = unary("logical_not", _logical_not, "Whether the element is false, in the dtype of the data.", level=4)
negative = unary("negative", _signed(np.negative), "The element with the other sign.", level=3)
sign = unary("sign", _signed(np.sign), "-1, 0 or 1 by the sign of the element.", level=3)

isfinite = unary(
    "isfinite",
    _question(np.isfinite, of_integers=True),
    "Whether the element is not infinite or NaN.",
    result="bool",
    level=3,
)
isinf = unary(
    "isinf", _question(np.isinf, of_integers=False), "Whether the element is infinite.", result="bool", level=3
)
isnan = unary("isnan", _question(np.isnan, of_integers=False), "Whether the element is NaN.", result="bool", level=3)


@attrs("relay.attrs.ClipAttrs")
class ClipAttrs(Attrs):
    a_min: float
    """The lower bound."""
    a_max: float
    """The upper bound."""


@operator("clip", ClipAttrs, Fusion.ELEMWISE, level=3)
def clip(data: TensorType, attrs: ClipAttrs) -> Type:
    """Each element, or the bound it is beyond; NaN stays. Bounds of integers lose their fraction and fit the dtype."""
    return data


clip.keeps_type()


@clip.reference
def clip_numpy(data: Array, attrs: ClipAttrs) -> Array:
    low, high = attrs.a_min, attrs.a_max
    if data.dtype.kind in "iu":
        bounds = np.iinfo(data.dtype)
        low, high = (int(max(bounds.min, min(bounds.max, bound))) for bound in (low, high))
    return np.minimum(np.maximum(data, data.dtype.type(low)), data.dtype.type(high))


@attrs("relay.attrs.CastAttrs")
class CastAttrs(Attrs):
    dtype: DType
    """The dtype of the result."""


@operator("cast", CastAttrs, Fusion.ELEMWISE, level=3)
def cast(data: TensorType, attrs: CastAttrs) -> Type:
    """The elements in another dtype; floats lose their fraction on the way to integers."""
    return TensorType(data.shape, attrs.dtype)


@cast.reference
def cast_numpy(data: Array, attrs: CastAttrs) -> Array:
    return data.astype(attrs.dtype.numpy, copy=False)


@operator("cast_like", None, Fusion.ELEMWISE, level=3)
def cast_like(data: TensorType, dtype_like: TensorType) -> Type:
    """The elements in the dtype of another tensor."""
    return TensorType(data.shape, dtype_like.dtype)


@cast_like.reference
def cast_like_numpy(data: Array, dtype_like: Array) -> Array:
    return data.astype(dtype_like.dtype, copy=False)


@operator("reinterpret", CastAttrs, Fusion.ELEMWISE, level=3)
def reinterpret(data: TensorType, attrs: CastAttrs) -> Type:
    """The bits of each element read as another dtype of the same width."""
    return TensorType(data.shape, attrs.dtype)


@reinterpret.reference
def reinterpret_numpy(data: Array, attrs: CastAttrs) -> Array:
    wanted = attrs.dtype.numpy
    if wanted.itemsize != data.dtype.itemsize:
        raise WrongArgument(f"the bits of {data.dtype} cannot be read as {wanted}, which has another width")
    return np.ascontiguousarray(data).view(wanted).reshape(data.shape)
