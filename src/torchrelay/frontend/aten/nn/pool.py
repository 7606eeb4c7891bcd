"""Converters of pools."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from torchrelay import op
from torchrelay.frontend.aten.nn.windows import batched, each, unbatched
from torchrelay.frontend.promote import FLOAT64, as_dtype
from torchrelay.frontend.registry import Result, Sizes, aten
from torchrelay.ir import Dim, Expr, const, shapes

__all__: list[str] = []

_MAX = {1: op.nn.max_pool1d, 2: op.nn.max_pool2d, 3: op.nn.max_pool3d}

_AVG = {1: op.nn.avg_pool1d, 2: op.nn.avg_pool2d, 3: op.nn.avg_pool3d}

_ADAPTIVE_AVG = {1: op.nn.adaptive_avg_pool1d, 2: op.nn.adaptive_avg_pool2d, 3: op.nn.adaptive_avg_pool3d}

_ADAPTIVE_MAX = {1: op.nn.adaptive_max_pool1d, 2: op.nn.adaptive_max_pool2d, 3: op.nn.adaptive_max_pool3d}


def _window_count(size: Dim, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool) -> Dim:
    """The number of windows in torch: with ``ceil_mode`` the last one must begin inside of the data or before it."""
    count = shapes.window(size, kernel, stride, dilation, 2 * padding, ceil_mode=ceil_mode)
    if ceil_mode and isinstance(count, int) and isinstance(size, int) and (count - 1) * stride >= size + padding:
        count -= 1
    return count


def _kept(result: Expr, counts: Sequence[Dim]) -> Expr:
    """The result without windows that torch does not take."""
    for i, count in enumerate(counts):
        if isinstance(count, int) and result.shape[2 + i] != count:
            result = op.strided_slice(result, begin=(0,), end=(count,), strides=(1,), axes=(2 + i,))
    return result


def max_pool(data: Expr, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, ceil_mode: bool) -> Expr:
    """The largest element of each window over the last axes."""
    rank = len(kernel)
    source, added = batched(data, rank)
    steps = each(stride, rank) if stride else tuple(kernel)
    around, spacing = each(padding, rank), each(dilation, rank)
    result = _MAX[rank](
        source,
        pool_size=tuple(kernel),
        strides=steps,
        dilation=spacing,
        padding=around * 2,
        ceil_mode=ceil_mode,
    )
    windows = zip(source.shape[2:], kernel, steps, around, spacing, strict=True)
    return unbatched(_kept(result, [_window_count(*window, ceil_mode) for window in windows]), added)


def windowed(rank: int, pool: Callable[[Expr, Sizes, Sizes, Sizes, Sizes, bool], Result]) -> Callable[..., Result]:
    """The converter, in torch's signature, of a pool over so many axes."""

    def converter(
        self: Expr,
        kernel_size: Sizes,
        stride: Sizes = (),
        padding: Sizes = (0,),
        dilation: Sizes = (1,),
        ceil_mode: bool = False,
    ) -> Result:
        """What the pool makes of each window over the last axes."""
        return pool(self, each(kernel_size, rank), stride, padding, dilation, ceil_mode)

    return converter


for _rank in (1, 2, 3):
    aten(f"max_pool{_rank}d.default")(windowed(_rank, max_pool))


def _avg_pool(
    data: Expr,
    kernel: Sizes,
    stride: Sizes,
    padding: Sizes,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor: int | None,
) -> Expr:
    rank = len(kernel)
    source, added = batched(data, rank)
    steps, around = each(stride, rank) if stride else tuple(kernel), each(padding, rank)
    whole = divisor is not None and not source.dtype.is_float
    result = _AVG[rank](
        as_dtype(source, FLOAT64) if whole else source,
        pool_size=tuple(kernel),
        strides=steps,
        padding=around * 2,
        ceil_mode=ceil_mode,
        count_include_pad=count_include_pad or divisor is not None,
    )
    windows = zip(source.shape[2:], kernel, steps, around, (1,) * rank, strict=True)
    counts = [_window_count(*window, ceil_mode) for window in windows]
    result = _kept(result, counts)
    if divisor is not None:
        taps = _taps(source, kernel, steps, around, counts)
        result = op.multiply(result, const(taps if whole else taps / divisor, result.dtype))
    if divisor is not None and whole:
        sums = as_dtype(op.round(result), source.dtype)
        result = op.trunc_divide(sums, const(divisor, source.dtype))
    return unbatched(result, added)


def _taps(source: Expr, kernel: Sizes, steps: Sizes, around: Sizes, counts: Sequence[Dim]) -> np.ndarray:
    """How many elements, padding included, each window sees: what Relay's mean is divided by."""
    sizes = shapes.static(source.shape[2:], "avg_pool with divisor_override")
    total = np.ones((1,) * len(sizes))
    for axis, size in enumerate(sizes):
        (count,) = shapes.static((counts[axis],), "avg_pool with divisor_override")
        starts = np.arange(count) * steps[axis] - around[axis]
        seen = np.minimum(starts + kernel[axis], size + around[axis]) - starts
        total = total * seen.reshape(-1, *(1,) * (len(sizes) - 1 - axis))
    return total


@aten("avg_pool1d.default")
def avg_pool1d(
    self: Expr,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Expr:
    """The mean of a window over one axis."""
    return _avg_pool(self, each(kernel_size, 1), stride, padding, ceil_mode, count_include_pad, None)


@aten("avg_pool2d.default")
def avg_pool2d(
    self: Expr,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Expr:
    """The mean of a window over two axes."""
    return _avg_pool(self, each(kernel_size, 2), stride, padding, ceil_mode, count_include_pad, divisor_override)


@aten("avg_pool3d.default")
def avg_pool3d(
    self: Expr,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Expr:
    """The mean of a window over three axes."""
    return _avg_pool(self, each(kernel_size, 3), stride, padding, ceil_mode, count_include_pad, divisor_override)


def adaptive(data: Expr, output_size: Sequence[int | None], rank: int, *, largest: bool = False) -> Expr:
    """The mean, or the largest element, of windows that split the last axes into given numbers."""
    source, added = batched(data, rank)
    wanted = each(output_size, rank)  # pyright: ignore[reportArgumentType] None stands for the size of the data
    sizes = [have if want is None else want for want, have in zip(wanted, source.shape[2:], strict=True)]
    pool = (_ADAPTIVE_MAX if largest else _ADAPTIVE_AVG)[rank]
    return unbatched(pool(source, output_size=tuple(sizes)), added)


@aten("adaptive_avg_pool1d.default")
def adaptive_avg_pool1d(self: Expr, output_size: Sizes) -> Expr:
    """The mean of windows that split an axis into a given number."""
    return adaptive(self, output_size, 1)


@aten("adaptive_avg_pool2d.default", "_adaptive_avg_pool2d.default")
def adaptive_avg_pool2d(self: Expr, output_size: Sizes) -> Expr:
    """The mean of windows that split two axes into given numbers."""
    return adaptive(self, output_size, 2)


@aten("adaptive_avg_pool3d.default", "_adaptive_avg_pool3d.default")
def adaptive_avg_pool3d(self: Expr, output_size: Sizes) -> Expr:
    """The mean of windows that split three axes into given numbers."""
    return adaptive(self, output_size, 3)
