"""Operators on each element of one tensor."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import Attrs, DType, Fusion, TensorType, Type, attrs, operator
from torchrelay.op._numpy import Array, erf as _erf, round_half_away
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


def _sigmoid(data: Array) -> Array:
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-data))


abs = unary("abs", np.abs, "The absolute value.", level=3)
acos = unary("acos", np.arccos, "The angle whose cosine is the element.")
acosh = unary("acosh", np.arccosh, "The inverse hyperbolic cosine.")
asin = unary("asin", np.arcsin, "The angle whose sine is the element.")
asinh = unary("asinh", np.arcsinh, "The inverse hyperbolic sine.")
atan = unary("atan", np.arctan, "The angle whose tangent is the element.")
atanh = unary("atanh", np.arctanh, "The inverse hyperbolic tangent.")
bitwise_not = unary("bitwise_not", np.invert, "Every bit turned over.", level=4)
ceil = unary("ceil", np.ceil, "The smallest whole number not below the element.", level=3)
copy = unary("copy", lambda data: data, "The data itself.", level=3)
cos = unary("cos", np.cos, "The cosine of an angle in radians.")
cosh = unary("cosh", np.cosh, "The hyperbolic cosine.")
erf = unary("erf", _erf, "The error function.")
exp = unary("exp", np.exp, "The exponential.")
fast_erf = unary("fast_erf", _erf, "The error function, which an engine may approximate.")
fast_exp = unary("fast_exp", np.exp, "The exponential, which an engine may approximate.")
fast_tanh = unary("fast_tanh", np.tanh, "The hyperbolic tangent, which an engine may approximate.")
floor = unary("floor", np.floor, "The largest whole number not above the element.", level=3)
isfinite = unary("isfinite", np.isfinite, "Whether the element is neither infinite nor NaN.", result="bool", level=3)
isinf = unary("isinf", np.isinf, "Whether the element is infinite.", result="bool", level=3)
isnan = unary("isnan", np.isnan, "Whether the element is NaN.", result="bool", level=3)
log = unary("log", np.log, "The natural logarithm.")
log10 = unary("log10", np.log10, "The logarithm to base 10.")
log2 = unary("log2", np.log2, "The logarithm to base 2.")
logical_not = unary("logical_not", np.logical_not, "Whether the element is false.", level=4)
negative = unary("negative", np.negative, "The element with the other sign.", level=3)
round = unary("round", round_half_away, "The nearest whole number, halves away from zero.", level=3)
rsqrt = unary("rsqrt", lambda data: 1 / np.sqrt(data), "One over the square root.")
sigmoid = unary("sigmoid", _sigmoid, "1 / (1 + exp(-x)).")
sign = unary("sign", np.sign, "-1, 0 or 1 by the sign of the element.", level=3)
sin = unary("sin", np.sin, "The sine of an angle in radians.")
sinh = unary("sinh", np.sinh, "The hyperbolic sine.")
sqrt = unary("sqrt", np.sqrt, "The square root.")
tan = unary("tan", np.tan, "The tangent of an angle in radians.")
tanh = unary("tanh", np.tanh, "The hyperbolic tangent.")
trunc = unary("trunc", np.trunc, "The element without its fraction.", level=3)


@attrs("relay.attrs.ClipAttrs")
class ClipAttrs(Attrs):
    a_min: float
    """The lower bound."""
    a_max: float
    """The upper bound."""


@operator("clip", ClipAttrs, Fusion.ELEMWISE, level=3)
def clip(data: TensorType, attrs: ClipAttrs) -> Type:
    """Each element, or the bound it is beyond."""
    return data


@clip.reference
def clip_numpy(data: Array, attrs: ClipAttrs) -> Array:
    if data.dtype.kind in "iu":
        bounds = np.iinfo(data.dtype)
        low, high = (min(max(bound, bounds.min), bounds.max) for bound in (attrs.a_min, attrs.a_max))
        return np.minimum(np.maximum(data, data.dtype.type(low)), data.dtype.type(high))
    return np.minimum(np.maximum(data, data.dtype.type(attrs.a_min)), data.dtype.type(attrs.a_max))


@attrs("relay.attrs.CastAttrs")
class CastAttrs(Attrs):
    dtype: DType
    """The dtype of the result."""


@operator("cast", CastAttrs, Fusion.ELEMWISE, level=3)
def cast(data: TensorType, attrs: CastAttrs) -> Type:
    """The elements in another dtype; floats lose their fraction on the way to integers."""
    return TensorType(data.shape, attrs.dtype)


def _converted(data: Array, dtype: np.dtype) -> Array:
    if dtype.kind in "iu" and data.dtype.kind not in "iub":
        # Values outside the range of the integers have no meaning in C; NumPy need not say so on each run.
        with np.errstate(invalid="ignore"):
            return data.astype(dtype)
    return data.astype(dtype, copy=False)


@cast.reference
def cast_numpy(data: Array, attrs: CastAttrs) -> Array:
    return _converted(data, attrs.dtype.numpy)


@operator("cast_like", None, Fusion.ELEMWISE, level=3)
def cast_like(data: TensorType, dtype_like: TensorType) -> Type:
    """The elements in the dtype of another tensor."""
    return TensorType(data.shape, dtype_like.dtype)


@cast_like.reference
def cast_like_numpy(data: Array, dtype_like: Array) -> Array:
    return _converted(data, dtype_like.dtype)


@operator("reinterpret", CastAttrs, Fusion.ELEMWISE, level=3)
def reinterpret(data: TensorType, attrs: CastAttrs) -> Type:
    """The bits of each element read as another dtype of the same width."""
    if data.dtype.bits != attrs.dtype.bits:
        raise TypeMismatch(f"{data.dtype} and {attrs.dtype} differ in width")
    return TensorType(data.shape, attrs.dtype)


@reinterpret.reference
def reinterpret_numpy(data: Array, attrs: CastAttrs) -> Array:
    return data.view(attrs.dtype.numpy)
