"""Converters of reductions over axes."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Iterable, Sequence

from torchrelay import op
from torchrelay.frontend.aten.compare import truth
from torchrelay.frontend.aten.shape.extents import extent
from torchrelay.frontend.promote import DEFAULT_FLOAT, INT64, Computed, Number, as_dtype, as_tensor
from torchrelay.frontend.registry import aten
from torchrelay.ir import DType, Expr, Operator, const, shapes

__all__: list[str] = []

Axes = int | Sequence[int] | None


def axes_of(dim: Axes, rank: int) -> tuple[int, ...] | None:
    """The axes as Relay wants them; None for all, which is what an absent or an empty list means."""
    if dim is None or dim == () or rank == 0:
        return None
    return shapes.normal_axes((dim,) if isinstance(dim, int) else dim, rank)


def summed(value: Expr, dtype: DType | None) -> Expr:
    """The value in the dtype to sum in: integers and truth values as int64 unless told."""
    return as_dtype(value, dtype if dtype is not None else value.dtype if value.dtype.is_float else INT64)


@aten("sum.default", "sum.dim_IntList")
def sum(self: Expr, dim: Axes = None, keepdim: bool = False, *, dtype: DType | None = None) -> Expr:
    """The sum over axes."""
    data = summed(self, dtype)
    return op.sum(data, axis=axes_of(dim, data.tensor.rank), keepdims=keepdim)


@aten("mean.default", "mean.dim")
def mean(self: Expr, dim: Axes = None, keepdim: bool = False, *, dtype: DType | None = None) -> Expr:
    """The mean over axes."""
    data = as_dtype(self, dtype)
    return op.mean(data, axis=axes_of(dim, data.tensor.rank), keepdims=keepdim)


@aten("prod.default", "prod.dim_int")
def prod(self: Expr, dim: int | None = None, keepdim: bool = False, *, dtype: DType | None = None) -> Expr:
    """The product over axes."""
    data = summed(self, dtype)
    return op.prod(data, axis=axes_of(dim, data.tensor.rank), keepdims=keepdim)


@aten("amax.default")
def amax(self: Expr, dim: Axes = (), keepdim: bool = False) -> Expr:
    """The largest element over axes."""
    return op.max(self, axis=axes_of(dim, self.tensor.rank), keepdims=keepdim)


@aten("amin.default")
def amin(self: Expr, dim: Axes = (), keepdim: bool = False) -> Expr:
    """The smallest element over axes."""
    return op.min(self, axis=axes_of(dim, self.tensor.rank), keepdims=keepdim)


@aten("aminmax.default")
def aminmax(self: Expr, *, dim: int | None = None, keepdim: bool = False) -> tuple[Expr, Expr]:
    """The smallest and the largest element along an axis, or of all."""
    return amin(self, dim, keepdim), amax(self, dim, keepdim)


@aten("max.default")
def max(self: Expr) -> Expr:
    """The largest element."""
    return op.max(self)


@aten("min.default")
def min(self: Expr) -> Expr:
    """The smallest element."""
    return op.min(self)


def _extreme(data: Expr, dim: int, keepdim: bool, value: Operator[...], place: Operator[...]) -> tuple[Expr, Expr]:
    if not data.tensor.rank:
        return data, const(0, INT64)
    found = value(data, axis=(dim,), keepdims=keepdim)
    return found, op.cast(place(data, axis=(dim,), keepdims=keepdim), dtype=INT64)


@aten("max.dim")
def max_dim(self: Expr, dim: int, keepdim: bool = False) -> tuple[Expr, Expr]:
    """The largest element along an axis, and where it is."""
    return _extreme(self, dim, keepdim, op.max, op.argmax)


@aten("min.dim")
def min_dim(self: Expr, dim: int, keepdim: bool = False) -> tuple[Expr, Expr]:
    """The smallest element along an axis, and where it is."""
    return _extreme(self, dim, keepdim, op.min, op.argmin)


def _place(self: Expr, dim: int | None, keepdim: bool, operator: Operator[...]) -> Expr:
    if not self.tensor.rank:
        return const(0, INT64)
    axis = None if dim is None else (dim,)
    return op.cast(operator(self, axis=axis, keepdims=keepdim), dtype=INT64)


@aten("argmax.default")
def argmax(self: Expr, dim: int | None = None, keepdim: bool = False) -> Expr:
    """Where the largest element is."""
    return _place(self, dim, keepdim, op.argmax)


@aten("argmin.default")
def argmin(self: Expr, dim: int | None = None, keepdim: bool = False) -> Expr:
    """Where the smallest element is."""
    return _place(self, dim, keepdim, op.argmin)


@aten("all.default", "all.dim", "all.dims")
def all(self: Expr, dim: Axes = None, keepdim: bool = False) -> Expr:
    """Whether no element over axes is 0."""
    return _as_bytes(op.all(truth(self), axis=axes_of(dim, self.tensor.rank), keepdims=keepdim), self)


@aten("any.default", "any.dim", "any.dims")
def any(self: Expr, dim: Axes = None, keepdim: bool = False) -> Expr:
    """Whether an element over axes is not 0."""
    return _as_bytes(op.any(truth(self), axis=axes_of(dim, self.tensor.rank), keepdims=keepdim), self)


def _as_bytes(result: Expr, data: Expr) -> Expr:
    """The truth values; as uint8 for data of uint8, which torch keeps."""
    return op.cast(result, dtype=DType.parse("uint8")) if data.dtype == "uint8" else result


def _divisor(data: Expr, axes: Iterable[int], less: Number) -> Expr:
    """The number of elements over axes less a correction, 0 at least, in the dtype of the data."""
    sizes = [extent(data, axis) for axis in axes]
    known = shapes.product([size for size in sizes if isinstance(size, int)])
    assert isinstance(known, int), "every one of them is a number"
    computed = [as_tensor(size, INT64) for size in sizes if isinstance(size, Computed)]
    if not computed:
        return const(builtins.max(known - less, 0), data.dtype)
    number = functools.reduce(op.multiply, computed, const(known, INT64))
    return op.maximum(op.subtract(as_dtype(number, data.dtype), const(less, data.dtype)), const(0, data.dtype))


def moments(self: Expr, dim: Axes, correction: Number | None, keepdim: bool) -> tuple[Expr, Expr]:
    """Variance and mean over axes; the sum of squares is divided by the count less ``correction`` (1 when absent)."""
    axes = axes_of(dim, self.tensor.rank)
    mean = op.mean(self, axis=axes, keepdims=True)
    centred = op.subtract(self, mean)
    total = op.sum(op.multiply(centred, centred), axis=axes, keepdims=keepdim)
    less = 1 if correction is None else correction
    variance = op.divide(total, _divisor(self, range(self.tensor.rank) if axes is None else axes, less))
    return variance, mean if keepdim else op.mean(self, axis=axes)


@aten("var.correction")
def var(self: Expr, dim: Axes = None, *, correction: Number | None = None, keepdim: bool = False) -> Expr:
    """The variance over axes."""
    return moments(self, dim, correction, keepdim)[0]


@aten("var.default")
def var_all(self: Expr, unbiased: bool = True) -> Expr:
    """The variance of all elements."""
    return moments(self, None, int(unbiased), keepdim=False)[0]


@aten("var.dim")
def var_dim(self: Expr, dim: Axes, unbiased: bool = True, keepdim: bool = False) -> Expr:
    """The variance over axes."""
    return moments(self, dim, int(unbiased), keepdim)[0]


@aten("std.correction")
def std(self: Expr, dim: Axes = None, *, correction: Number | None = None, keepdim: bool = False) -> Expr:
    """The standard deviation over axes."""
    return op.sqrt(moments(self, dim, correction, keepdim)[0])


@aten("std.default")
def std_all(self: Expr, unbiased: bool = True) -> Expr:
    """The standard deviation of all elements."""
    return op.sqrt(moments(self, None, int(unbiased), keepdim=False)[0])


@aten("std.dim")
def std_dim(self: Expr, dim: Axes, unbiased: bool = True, keepdim: bool = False) -> Expr:
    """The standard deviation over axes."""
    return op.sqrt(moments(self, dim, int(unbiased), keepdim)[0])


@aten("var_mean.correction")
def var_mean(
    self: Expr, dim: Axes = None, *, correction: Number | None = None, keepdim: bool = False
) -> tuple[Expr, Expr]:
    """Variance and mean over axes."""
    return moments(self, dim, correction, keepdim)


@aten("var_mean.default")
def var_mean_all(self: Expr, unbiased: bool = True) -> tuple[Expr, Expr]:
    """Variance and mean of all elements."""
    return moments(self, None, int(unbiased), keepdim=False)


@aten("var_mean.dim")
def var_mean_dim(self: Expr, dim: Axes, unbiased: bool = True, keepdim: bool = False) -> tuple[Expr, Expr]:
    """Variance and mean over axes."""
    return moments(self, dim, int(unbiased), keepdim)


@aten("std_mean.correction")
def std_mean(
    self: Expr, dim: Axes = None, *, correction: Number | None = None, keepdim: bool = False
) -> tuple[Expr, Expr]:
    """Standard deviation and mean over axes."""
    variance, mean = moments(self, dim, correction, keepdim)
    return op.sqrt(variance), mean


@aten("std_mean.default")
def std_mean_all(self: Expr, unbiased: bool = True) -> tuple[Expr, Expr]:
    """Standard deviation and mean of all elements."""
    return std_mean(self, correction=int(unbiased))


@aten("std_mean.dim")
def std_mean_dim(self: Expr, dim: Axes, unbiased: bool = True, keepdim: bool = False) -> tuple[Expr, Expr]:
    """Standard deviation and mean over axes."""
    return std_mean(self, dim, correction=int(unbiased), keepdim=keepdim)


@aten("logsumexp.default")
def logsumexp(self: Expr, dim: Axes, keepdim: bool = False) -> Expr:
    """log(sum(exp(x))) over axes, by the distance from the largest, which cannot overflow."""
    data = self if self.dtype.is_float else op.cast(self, dtype=DEFAULT_FLOAT)
    axes = axes_of(dim, data.tensor.rank)
    largest = op.max(data, axis=axes, keepdims=True)
    shift = op.where(op.isfinite(largest), largest, op.zeros_like(largest))
    total = op.log(op.sum(op.exp(op.subtract(data, shift)), axis=axes, keepdims=True))
    result = op.add(total, shift)
    if keepdim or not data.tensor.rank:
        return result
    return op.squeeze(result, axis=axes if axes is not None else tuple(range(data.tensor.rank)))


@aten("nansum.default")
def nansum(self: Expr, dim: Axes = None, keepdim: bool = False, *, dtype: DType | None = None) -> Expr:
    """The sum over axes of what is no NaN."""
    return sum(without_nan(self), dim, keepdim, dtype=dtype)


def without_nan(self: Expr) -> Expr:
    """The elements, 0 for NaN."""
    return op.where(op.isnan(self), const(0, self.dtype), self) if self.dtype.is_float else self


@aten("nanmean.default")
def nanmean(self: Expr, dim: Axes = None, keepdim: bool = False, *, dtype: DType | None = None) -> Expr:
    """The mean over axes of what is no NaN."""
    data = as_dtype(self, dtype)
    axes = axes_of(dim, data.tensor.rank)
    count = op.sum(op.cast(op.logical_not(op.isnan(data)), dtype=data.dtype), axis=axes, keepdims=keepdim)
    return op.divide(op.sum(without_nan(data), axis=axes, keepdims=keepdim), count)
