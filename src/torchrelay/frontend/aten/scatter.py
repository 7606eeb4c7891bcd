"""Converters of operators that put elements in along an axis at places that indices name."""

from __future__ import annotations

import math

import ml_dtypes

from torchrelay import op
from torchrelay.frontend.aten.shape.broadcast import broadcast
from torchrelay.frontend.aten.shape.cut import slice_axis
from torchrelay.frontend.aten.shape.extents import extent, extents, filled, sized
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import Number, Operand, as_dtype, as_tensor
from torchrelay.frontend.registry import aten
from torchrelay.ir import DType, Expr, const, shapes

__all__: list[str] = []

_WAYS = {"add": "add", "sum": "add", "multiply": "mul", "prod": "mul", "amax": "max", "amin": "min"}
"""How torch and Relay call what becomes of the element that is there."""


def _written(data: Expr, dim: int, index: Expr, src: Expr, way: str) -> Expr:
    if 0 in index.shape:
        return data
    if not data.tensor.rank:
        single = _written(op.expand_dims(data, axis=0), 0, reshaped(index, (1,)), reshaped(src, (1,)), way)
        return reshaped(single, ())
    updates = as_dtype(src, data.dtype)
    for axis, want in enumerate(index.shape):
        if not shapes.same(updates.shape[axis], want):
            updates = slice_axis(updates, axis, 0, extent(index, axis))
    return op.scatter_elements(data, index, updates, axis=dim, reduction=way)


def _filled_like(index: Expr, value: Operand, dtype: DType) -> Expr:
    return filled(as_tensor(value, dtype), extents(index))


@aten("scatter.src")
def scatter(self: Expr, dim: int, index: Expr, src: Expr) -> Expr:
    """The tensor with elements put in."""
    return _written(self, dim, index, src, "update")


@aten("scatter.value")
def scatter_value(self: Expr, dim: int, index: Expr, value: Number) -> Expr:
    """The tensor with one value put in."""
    return _written(self, dim, index, _filled_like(index, value, self.dtype), "update")


@aten("scatter.reduce")
def scatter_by(self: Expr, dim: int, index: Expr, src: Expr, *, reduce: str) -> Expr:
    """The tensor with elements added or multiplied in."""
    return _written(self, dim, index, src, _WAYS[reduce])


@aten("scatter.value_reduce")
def scatter_value_by(self: Expr, dim: int, index: Expr, value: Number, *, reduce: str) -> Expr:
    """The tensor with one value added or multiplied in."""
    return _written(self, dim, index, _filled_like(index, value, self.dtype), _WAYS[reduce])


@aten("scatter_add.default")
def scatter_add(self: Expr, dim: int, index: Expr, src: Expr) -> Expr:
    """The tensor with elements added in."""
    return _written(self, dim, index, src, "add")


@aten("scatter_reduce.two")
def scatter_reduce(self: Expr, dim: int, index: Expr, src: Expr, reduce: str, *, include_self: bool = True) -> Expr:
    """The tensor with elements combined in; without the element that was there where ``include_self`` is false."""
    if 0 in index.shape:
        return self
    if reduce == "mean":
        return _mean_in(self, dim, index, src, include_self=include_self)
    start = self if include_self else scatter_value(self, dim, index, _neutral(reduce, self.dtype))
    return _written(start, dim, index, src, _WAYS[reduce])


def _neutral(reduce: str, dtype: DType) -> Number:
    if reduce in ("sum", "prod"):
        return int(reduce == "prod")
    if dtype.is_float:
        return -math.inf if reduce == "amax" else math.inf
    if dtype.is_bool:
        return int(reduce == "amin")
    bounds = ml_dtypes.iinfo(dtype.numpy)
    return int(bounds.min if reduce == "amax" else bounds.max)


def _mean_in(data: Expr, dim: int, index: Expr, src: Expr, *, include_self: bool) -> Expr:
    one = const(1, data.dtype)
    total = scatter_reduce(data, dim, index, src, "sum", include_self=include_self)
    count = scatter_add(op.ones_like(data), dim, index, _filled_like(index, 1, data.dtype))
    if not include_self:
        count = op.maximum(op.subtract(count, one), one)
    return op.divide(total, count) if data.dtype.is_float else op.floor_divide(total, count)


def _along(index: Expr, source: Expr, dim: int) -> Expr:
    """The indices, one for each place along an axis, for every element of the source."""
    rank = source.tensor.rank
    if not rank:
        return reshaped(index, ())
    axis = shapes.normal_axis(dim, rank)
    line = (*(1,) * axis, shapes.product(index.shape), *(1,) * (rank - 1 - axis))
    return broadcast(reshaped(index, line), source.shape)


@aten("index_add.default")
def index_add(self: Expr, dim: int, index: Expr, source: Expr, *, alpha: Number = 1) -> Expr:
    """The tensor with slices, times alpha, added at places along an axis."""
    added = source if alpha == 1 else op.multiply(source, as_tensor(alpha, source.dtype))
    return _written(self, dim, _along(index, source, dim), added, "add")


@aten("index_copy.default")
def index_copy(self: Expr, dim: int, index: Expr, source: Expr) -> Expr:
    """The tensor with slices put in at places along an axis."""
    return _written(self, dim, _along(index, source, dim), source, "update")


@aten("index_fill.int_Scalar", "index_fill.int_Tensor")
def index_fill(self: Expr, dim: int, index: Expr, value: Operand) -> Expr:
    """The tensor with one value at places along an axis."""
    if not self.tensor.rank:
        return as_tensor(value, self.dtype)
    axis = shapes.normal_axis(dim, self.tensor.rank)
    shape = (*self.shape[:axis], shapes.product(index.shape), *self.shape[axis + 1 :])
    source = filled(as_tensor(value, self.dtype), sized(shape, self, index))
    return index_copy(self, dim, index, source)
