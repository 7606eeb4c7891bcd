"""Tensors made from a shape or a range."""

from __future__ import annotations

import math

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import (
    ANY,
    VOID,
    Attrs,
    Constant,
    Dim,
    DType,
    Expr,
    Fusion,
    Integers,
    TensorType,
    Type,
    attrs,
    operator,
)
from torchrelay.op._numpy import Array
from torchrelay.op._relations import given_dtype

__all__ = ["arange", "full", "full_like", "ones", "ones_like", "zeros", "zeros_like"]


@attrs("relay.attrs.InitOpAttrs")
class InitOpAttrs(Attrs):
    shape: Integers | None
    """The shape of the result."""
    dtype: DType = VOID
    """The dtype of the result."""


def _made(attrs: InitOpAttrs, dtype: DType) -> TensorType:
    if attrs.shape is None:
        raise TypeMismatch("the shape must be given")
    return TensorType(attrs.shape, dtype)


@operator("zeros", InitOpAttrs, Fusion.ELEMWISE, level=3)
def zeros(attrs: InitOpAttrs) -> Type:
    """A tensor of zeros."""
    return _made(attrs, given_dtype(attrs.dtype))


@zeros.reference
def zeros_numpy(attrs: InitOpAttrs) -> Array:
    return np.zeros(attrs.shape or (), attrs.dtype.numpy)


@operator("ones", InitOpAttrs, Fusion.ELEMWISE, level=3)
def ones(attrs: InitOpAttrs) -> Type:
    """A tensor of ones."""
    return _made(attrs, given_dtype(attrs.dtype))


@ones.reference
def ones_numpy(attrs: InitOpAttrs) -> Array:
    return np.ones(attrs.shape or (), attrs.dtype.numpy)


@operator("full", InitOpAttrs, Fusion.ELEMWISE, level=3)
def full(fill_value: TensorType, attrs: InitOpAttrs) -> Type:
    """A tensor with one value everywhere; ``dtype`` is that of the value unless given."""
    if fill_value.shape:
        raise TypeMismatch(f"fill_value must have rank 0, not {fill_value.rank}")
    return _made(attrs, attrs.dtype or fill_value.dtype)


@full.reference
def full_numpy(fill_value: Array, attrs: InitOpAttrs) -> Array:
    dtype = attrs.dtype.numpy if attrs.dtype else fill_value.dtype
    return np.full(attrs.shape or (), fill_value.astype(dtype), dtype)


@operator("full_like", None, Fusion.ELEMWISE, level=3)
def full_like(data: TensorType, fill_value: TensorType) -> Type:
    """A tensor of the type of ``data`` with one value everywhere."""
    if fill_value.shape:
        raise TypeMismatch(f"fill_value must have rank 0, not {fill_value.rank}")
    return data


@full_like.reference
def full_like_numpy(data: Array, fill_value: Array) -> Array:
    return np.full(data.shape, fill_value.astype(data.dtype), data.dtype)


@operator("zeros_like", None, Fusion.ELEMWISE, level=4)
def zeros_like(data: TensorType) -> Type:
    """Zeros of the type of ``data``."""
    return data


zeros_like.keeps_type()


@zeros_like.reference
def zeros_like_numpy(data: Array) -> Array:
    return np.zeros(data.shape, data.dtype)


@operator("ones_like", None, Fusion.ELEMWISE, level=4)
def ones_like(data: TensorType) -> Type:
    """Ones of the type of ``data``."""
    return data


ones_like.keeps_type()


@ones_like.reference
def ones_like_numpy(data: Array) -> Array:
    return np.ones(data.shape, data.dtype)


@attrs("relay.attrs.ArangeAttrs")
class ArangeAttrs(Attrs):
    start: Expr
    """The first value; the same expression as the first input."""
    stop: Expr
    """Where the range ends, itself not included."""
    step: Expr
    """The distance of neighbours."""
    dtype: DType
    """The dtype of the result."""


def _count(attrs: ArangeAttrs) -> Dim:
    bounds = (attrs.start, attrs.stop, attrs.step)
    values: list[int | float] = [
        bound.data.item() for bound in bounds if isinstance(bound, Constant) and bound.data.ndim == 0
    ]
    if len(values) < 3:
        return ANY
    start, stop, step = values
    if step == 0:
        raise TypeMismatch("the step of a range must not be 0")
    count = math.ceil((stop - start) / step)
    if count < 1:
        raise TypeMismatch(f"the range from {start} to {stop} by {step} has no elements")
    return count


@operator("arange", ArangeAttrs, Fusion.OPAQUE, level=3, data_dependent=(True,))
def arange(start: TensorType, end: TensorType, step: TensorType, attrs: ArangeAttrs) -> Type:
    """start, start + step, ... up to ``end``, which is not included."""
    for name, bound in (("start", start), ("end", end), ("step", step)):
        if bound.rank or bound.dtype != attrs.dtype:
            raise TypeMismatch(f"{name} must be of type {attrs.dtype}, not {bound}")
    return TensorType((_count(attrs),), attrs.dtype)


@arange.reference
def arange_numpy(start: Array, end: Array, step: Array, attrs: ArangeAttrs) -> Array:
    count = max(0, math.ceil((end.item() - start.item()) / step.item()))
    steps = np.arange(count, dtype=np.float64 if start.dtype.kind == "f" else np.int64)
    return (start.item() + steps * step.item()).astype(attrs.dtype.numpy)
