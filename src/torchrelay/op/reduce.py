"""Reductions over axes, and running sums and products along one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from torchrelay.ir import (
    VOID,
    Attrs,
    Boolean,
    DType,
    Fusion,
    Integer,
    Integers,
    Operator,
    Shape,
    TensorType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._numpy import Array, in_shape, trunc_divide, widened
from torchrelay.op._relations import check_same_dtype

__all__ = ["all", "any", "argmax", "argmin", "cumprod", "cumsum", "max", "mean", "min", "prod", "sum", "variance"]


@attrs("relay.attrs.ReduceAttrs")
class ReduceAttrs(Attrs):
    axis: Integers | None = None
    """The axes to reduce; all for None and for an empty list."""
    keepdims: bool = False
    """Whether a reduced axis stays with size 1."""
    exclude: bool = False
    """Whether ``axis`` names the axes that stay."""


@attrs("relay.attrs.ArgReduceAttrs")
class ArgReduceAttrs(Attrs):
    axis: Integers | None = None
    """The axes to search; all for None and for an empty list."""
    keepdims: bool = False
    """Whether a searched axis stays with size 1."""
    select_last_index: bool = False
    """Whether the last of several equal elements is taken, not the first."""
    exclude: bool = False
    """Whether ``axis`` names the axes that stay."""


@attrs("relay.attrs.VarianceAttrs")
class VarianceAttrs(ReduceAttrs):
    unbiased: bool = False
    """Whether the sum of squares is divided by one less than the count."""


def _axes(attrs: ReduceAttrs | ArgReduceAttrs, rank: int) -> tuple[int, ...]:
    if not attrs.axis:
        return tuple(range(rank))
    axes = shapes.normal_axes(attrs.axis, rank)
    return tuple([axis for axis in range(rank) if axis not in axes]) if attrs.exclude else axes


def _reduced(shape: Shape, axes: tuple[int, ...], *, keepdims: bool) -> Shape:
    if keepdims:
        return tuple([1 if axis in axes else dim for axis, dim in enumerate(shape)])
    return tuple([dim for axis, dim in enumerate(shape) if axis not in axes])


class Reduction(Protocol):
    """How data is reduced along axes."""

    def __call__(self, data: Array, axes: tuple[int, ...], *, keepdims: bool) -> Array:
        """The reduced data, with the axes at size 1 if ``keepdims``."""
        ...


def _reduction(name: str, doc: str, reduce: Reduction) -> Operator[...]:
    def relation(data: TensorType, attrs: ReduceAttrs) -> Type:
        return TensorType(_reduced(data.shape, _axes(attrs, data.rank), keepdims=attrs.keepdims), data.dtype)

    relation.__doc__ = doc
    made = operator(name, ReduceAttrs, Fusion.COMM_REDUCE, level=4)(relation)

    @made.reference
    def reference(data: Array, attrs: ReduceAttrs) -> Array:
        return reduce(data, _axes(attrs, data.ndim), keepdims=attrs.keepdims)

    return made


def _in_dtype(reduce: Callable[..., Array]) -> Reduction:
    """The reduction with its result, and what it adds up to on the way, in the dtype of the data."""

    def reduced(data: Array, axes: tuple[int, ...], *, keepdims: bool) -> Array:
        return reduce(data, axes, dtype=data.dtype, keepdims=keepdims)

    return reduced


def _sum(data: Array, axes: tuple[int, ...], *, keepdims: bool) -> Array:
    """The sum, which wraps around in integers; narrow floats are added up in float32."""
    wide = widened(data)
    return np.asarray(np.sum(wide, axes, dtype=wide.dtype, keepdims=keepdims)).astype(data.dtype, copy=False)


def _in_place(reduce: Callable[..., Array]) -> Reduction:
    """The reduction, whose result is in the dtype of the data by itself."""

    def reduced(data: Array, axes: tuple[int, ...], *, keepdims: bool) -> Array:
        return reduce(data, axes, keepdims=keepdims)

    return reduced


def _truth(reduce: Callable[..., Array]) -> Reduction:
    """The truth value, in the dtype of the data."""

    def reduced(data: Array, axes: tuple[int, ...], *, keepdims: bool) -> Array:
        return np.asarray(reduce(data, axes, keepdims=keepdims)).astype(data.dtype, copy=False)

    return reduced


def _mean(data: Array, axes: tuple[int, ...], *, keepdims: bool) -> Array:
    if data.dtype.kind not in "iu":
        return np.asarray(np.mean(widened(data), axes, keepdims=keepdims)).astype(data.dtype, copy=False)
    total = np.sum(data, axes, dtype=data.dtype, keepdims=keepdims)
    count = math.prod(data.shape[axis] for axis in axes)
    return trunc_divide(np.asarray(total), np.asarray(count, data.dtype))


sum = _reduction("sum", "The sum over axes.", _sum)
prod = _reduction("prod", "The product over axes.", _in_dtype(np.prod))
mean = _reduction("mean", "The mean over axes; that of integers is rounded toward zero.", _mean)
max = _reduction("max", "The largest element over axes.", _in_place(np.max))
min = _reduction("min", "The smallest element over axes.", _in_place(np.min))
all = _reduction("all", "Whether all elements over axes are true, in the dtype of the data.", _truth(np.all))
any = _reduction("any", "Whether one element over axes is true, in the dtype of the data.", _truth(np.any))


@operator("variance", VarianceAttrs, Fusion.COMM_REDUCE, level=4)
def variance(data: TensorType, mean: TensorType, attrs: VarianceAttrs) -> Type:
    """The mean square distance from ``mean``, which broadcasts to the data, over axes."""
    check_same_dtype(data=data, mean=mean)
    return TensorType(_reduced(data.shape, _axes(attrs, data.rank), keepdims=attrs.keepdims), data.dtype)


@variance.reference
def variance_numpy(data: Array, mean: Array, attrs: VarianceAttrs) -> Array:
    axes = _axes(attrs, data.ndim)
    count = math.prod(data.shape[axis] for axis in axes) - attrs.unbiased
    total = np.sum(np.square(data - mean), axes, dtype=data.dtype, keepdims=attrs.keepdims)
    return np.true_divide(total, data.dtype.type(count)).astype(data.dtype, copy=False)


def _search(name: str, doc: str, find: Callable[..., Array]) -> Operator[...]:
    def relation(data: TensorType, attrs: ArgReduceAttrs) -> Type:
        shape = _reduced(data.shape, _axes(attrs, data.rank), keepdims=attrs.keepdims)
        return TensorType(shape, DType.parse("int32"))

    def reference(data: Array, attrs: ArgReduceAttrs) -> Array:
        axes = _axes(attrs, data.ndim)
        if len(axes) == 1 and not attrs.select_last_index:
            return find(data, axes[0], keepdims=attrs.keepdims).astype(np.int32)
        kept = [axis for axis in range(data.ndim) if axis not in axes]
        flat = data.transpose(*kept, *axes).reshape(*[data.shape[axis] for axis in kept], -1)
        found = flat.shape[-1] - 1 - find(flat[..., ::-1], -1) if attrs.select_last_index else find(flat, -1)
        shape = _reduced(data.shape, axes, keepdims=attrs.keepdims)
        return in_shape(np.asarray(found).astype(np.int32), shape)

    relation.__doc__ = doc
    made = operator(name, ArgReduceAttrs, Fusion.COMM_REDUCE, level=4)(relation)
    made.reference(reference)
    return made


argmax = _search("argmax", "Where the largest element over axes is, as an index into these axes flattened.", np.argmax)
argmin = _search("argmin", "Where the smallest element over axes is, as an index into these axes flattened.", np.argmin)


@attrs("relay.attrs.ScanopAttrs")
class ScanopAttrs(Attrs):
    axis: Integer | None = None
    """The axis to run along; None for the flattened data."""
    dtype: DType = VOID
    """The dtype of the result; that of the data unless given."""
    exclusive: Boolean = False
    """Whether an element's own value is left out."""


def _scan(name: str, doc: str, scan: Callable[..., Array], identity: int) -> Operator[...]:
    def relation(data: TensorType, attrs: ScanopAttrs) -> Type:
        dtype = attrs.dtype or data.dtype
        if attrs.axis is None:
            return TensorType((shapes.product(data.shape),), dtype)
        shapes.normal_axis(attrs.axis, data.rank)
        return TensorType(data.shape, dtype)

    def reference(data: Array, attrs: ScanopAttrs) -> Array:
        dtype = attrs.dtype.numpy if attrs.dtype else data.dtype
        axis = 0 if attrs.axis is None else attrs.axis
        source = data.reshape(-1) if attrs.axis is None else data
        summed = np.float32 if dtype.kind not in "iub" and dtype.itemsize < 4 else dtype
        result = scan(source, axis=axis, dtype=summed).astype(dtype, copy=False)
        if not attrs.exclusive:
            return result
        moved = np.moveaxis(result, axis, 0)
        first = np.full_like(moved[:1], identity)
        return np.moveaxis(np.concatenate([first, moved[:-1]]), 0, axis)

    relation.__doc__ = doc
    made = operator(name, ScanopAttrs, Fusion.OPAQUE, level=3, keyed=False)(relation)
    made.reference(reference)
    return made


cumsum = _scan("cumsum", "The sum of all elements up to each one.", np.cumsum, 0)
cumprod = _scan("cumprod", "The product of all elements up to each one.", np.cumprod, 1)
