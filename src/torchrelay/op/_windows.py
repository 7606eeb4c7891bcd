"""Windows over spatial axes for convolutions and pools: padding, taps, and their NumPy loops."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from torchrelay.errors import WrongArgument
from torchrelay.ir import Any, Dim
from torchrelay.op._numpy import Array

__all__ = ["convolved", "padded", "per_axis", "sides", "spread", "taps", "tiled"]

Sides = tuple[tuple[int, ...], tuple[int, ...]]


def sides(padding: Sequence[Dim], rank: int) -> Sides:
    """The padding before and after each spatial axis: from one value, one for each axis, or both sides in full.

    Raises WrongArgument for another number of values.
    """
    values = tuple(_size(side) for side in padding)
    if len(values) == 1:
        values = values * rank
    if len(values) == rank:
        values = values * 2
    if len(values) != 2 * rank:
        raise WrongArgument(f"padding has {len(values)} values, but must have 1, {rank} or {2 * rank}")
    return values[:rank], values[rank:]


def _size(dim: Dim) -> int:
    if isinstance(dim, Any) or dim < 0:
        raise WrongArgument(f"a padding is {dim}, but must be a size, 0 or more")
    return dim


def per_axis(rank: int, *, least: int = 1, **attributes: Sequence[Dim]) -> Iterator[tuple[int, ...]]:
    """The values of each attribute, one for each spatial axis.

    Raises WrongArgument, naming the attribute, for another number of values and for one that is unknown or too small.
    """
    for name, values in attributes.items():
        if len(values) != rank:
            raise WrongArgument(f"{name} has {len(values)} values, but must have {rank}")
        sizes = tuple([value for value in values if not isinstance(value, Any) and value >= least])
        if len(sizes) != rank:
            raise WrongArgument(f"{name} is {tuple(values)}, but its values must be known and {least} or more")
        yield sizes


def padded(data: Array, before: Sequence[int], after: Sequence[int], value: float = 0) -> Array:
    """(N, C, *spatial) with ``value`` around the spatial axes; the very same array where nothing is added."""
    if not any(before) and not any(after):
        return data
    spatial = [b + size + a for b, size, a in zip(before, data.shape[2:], after, strict=True)]
    result = (
        np.full((*data.shape[:2], *spatial), value, data.dtype)
        if value
        else np.zeros((*data.shape[:2], *spatial), data.dtype)
    )
    inner = [slice(b, b + size) for b, size in zip(before, data.shape[2:], strict=True)]
    result[(slice(None), slice(None), *inner)] = data
    return result


def tiled(sizes: Sequence[int], kernel: Sequence[int], strides: Sequence[int], dilation: Sequence[int]) -> list[int]:
    """The number of places of a window along each axis."""
    steps = zip(sizes, kernel, strides, dilation, strict=True)
    return [(size - (k - 1) * d - 1) // s + 1 for size, k, s, d in steps]


def taps(
    data: Array, kernel: Sequence[int], strides: Sequence[int], dilation: Sequence[int], out: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], Array]]:
    """For each tap of the kernel its index and the view of (N, C, *spatial) that it sees, of spatial size ``out``."""
    for index in product(*map(range, kernel)):
        steps = zip(index, strides, dilation, out, strict=True)
        cuts = [slice(i * d, i * d + (size - 1) * s + 1, s) for i, s, d, size in steps]
        yield index, data[(..., *cuts)]


def convolved(data: Array, weight: Array, strides: Sequence[int], dilation: Sequence[int], groups: int) -> Array:
    """The convolution of padded data (N, C, *spatial) with weight (O, C / groups, *kernel), in the dtype of both."""
    kernel = weight.shape[2:]
    out = tiled(data.shape[2:], kernel, strides, dilation)
    if weight.shape[1] == 1 and weight.shape[0] == groups > 1:
        return _depthwise(data, weight, strides, dilation, out)
    batch, channels = data.shape[:2]
    length = math.prod(out)
    count = math.prod(kernel)
    depth = channels // groups * count
    if count == 1:
        columns = data[(..., *(slice(None, None, s) for s in strides))].reshape(batch, groups, depth, length)
    else:
        buffer = np.empty((batch, channels, count, *out), data.dtype)
        for place, (_, view) in enumerate(taps(data, kernel, strides, dilation, out)):
            buffer[:, :, place] = view
        columns = buffer.reshape(batch, groups, depth, length)
    rows = weight.reshape(groups, weight.shape[0] // groups, depth)
    return np.matmul(rows, columns).reshape(batch, weight.shape[0], *out)


def _depthwise(
    data: Array, weight: Array, strides: Sequence[int], dilation: Sequence[int], out: Sequence[int]
) -> Array:
    result = np.zeros((*data.shape[:2], *out), data.dtype)
    scratch = np.empty_like(result)
    shape = (weight.shape[0], *(1,) * len(out))
    for index, view in taps(data, weight.shape[2:], strides, dilation, out):
        np.multiply(view, weight[(slice(None), 0, *index)].reshape(shape), out=scratch)
        result += scratch
    return result


def spread(
    data: Array, weight: Array, strides: Sequence[int], dilation: Sequence[int], groups: int, full: Sequence[int]
) -> Array:
    """The transposed convolution of (N, I, *spatial) with weight (I, O / groups, *kernel): each element spreads the
    kernel over a result of spatial size ``full``, before any padding is taken off.
    """
    batch, channels = data.shape[:2]
    kernel = weight.shape[2:]
    outputs = weight.shape[1]
    rows = weight.reshape(groups, channels // groups, outputs * math.prod(kernel)).transpose(0, 2, 1)
    columns = np.matmul(rows, data.reshape(batch, groups, channels // groups, math.prod(data.shape[2:])))
    columns = columns.reshape(batch, groups, outputs, *kernel, *data.shape[2:])
    result = np.zeros((batch, groups, outputs, *full), data.dtype)
    for index, view in taps(result, kernel, strides, dilation, data.shape[2:]):
        view += columns[(slice(None), slice(None), slice(None), *index)]
    return result.reshape(batch, groups * outputs, *full)
