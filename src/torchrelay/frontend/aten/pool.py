"""Converters of pools, padding and interpolation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.promote import Number, as_tensor
from torchrelay.frontend.registry import aten
from torchrelay.ir import Dim, Expr, const, shapes

__all__: list[str] = []

_MAX = {1: op.nn.max_pool1d, 2: op.nn.max_pool2d, 3: op.nn.max_pool3d}
_AVG = {1: op.nn.avg_pool1d, 2: op.nn.avg_pool2d, 3: op.nn.avg_pool3d}
_ADAPTIVE_AVG = {1: op.nn.adaptive_avg_pool1d, 2: op.nn.adaptive_avg_pool2d, 3: op.nn.adaptive_avg_pool3d}
_ADAPTIVE_MAX = {1: op.nn.adaptive_max_pool1d, 2: op.nn.adaptive_max_pool2d, 3: op.nn.adaptive_max_pool3d}
Sizes = Sequence[int]


def _each(value: int | Sizes, rank: int) -> tuple[int, ...]:
    values = (value,) if isinstance(value, int) else tuple(value)
    return values * rank if len(values) == 1 else values


def _batched(data: Expr, rank: int) -> tuple[Expr, bool]:
    if data.tensor.rank == rank + 1:
        return op.expand_dims(data, axis=0), True
    return data, False


def _unbatched(data: Expr, added: bool) -> Expr:
    return op.squeeze(data, axis=(0,)) if added else data


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


def _max_pool(data: Expr, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, ceil_mode: bool) -> Expr:
    rank = len(kernel)
    source, added = _batched(data, rank)
    steps = _each(stride, rank) if stride else tuple(kernel)
    around, spacing = _each(padding, rank), _each(dilation, rank)
    result = _MAX[rank](
        source,
        pool_size=tuple(kernel),
        strides=steps,
        dilation=spacing,
        padding=around * 2,
        ceil_mode=ceil_mode,
    )
    windows = zip(source.shape[2:], kernel, steps, around, spacing, strict=True)
    return _unbatched(_kept(result, [_window_count(*window, ceil_mode) for window in windows]), added)


@aten("max_pool1d.default")
def max_pool1d(
    self: Expr,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    dilation: Sizes = (1,),
    ceil_mode: bool = False,
) -> Expr:
    """The largest element of a window over one axis."""
    return _max_pool(self, _each(kernel_size, 1), stride, padding, dilation, ceil_mode)


@aten("max_pool2d.default")
def max_pool2d(
    self: Expr,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    dilation: Sizes = (1,),
    ceil_mode: bool = False,
) -> Expr:
    """The largest element of a window over two axes."""
    return _max_pool(self, _each(kernel_size, 2), stride, padding, dilation, ceil_mode)


@aten("max_pool3d.default")
def max_pool3d(
    self: Expr,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    dilation: Sizes = (1,),
    ceil_mode: bool = False,
) -> Expr:
    """The largest element of a window over three axes."""
    return _max_pool(self, _each(kernel_size, 3), stride, padding, dilation, ceil_mode)


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
    source, added = _batched(data, rank)
    steps, around = _each(stride, rank) if stride else tuple(kernel), _each(padding, rank)
    result = _AVG[rank](
        source,
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
        taps = _taps(source, kernel, steps, around, counts) / divisor
        result = op.multiply(result, const(taps, result.dtype))
    return _unbatched(result, added)


def _taps(source: Expr, kernel: Sizes, steps: Sizes, around: Sizes, counts: Sequence[Dim]) -> np.ndarray:
    """How many elements, padding included, each window sees: what Relay's mean is divided by."""
    sizes = shapes.static(source.shape[2:], "avg_pool with divisor_override")
    total = np.ones((1,) * len(sizes))
    for axis, size in enumerate(sizes):
        starts = np.arange(counts[axis]) * steps[axis] - around[axis]
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
    return _avg_pool(self, _each(kernel_size, 1), stride, padding, ceil_mode, count_include_pad, None)


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
    return _avg_pool(self, _each(kernel_size, 2), stride, padding, ceil_mode, count_include_pad, divisor_override)


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
    return _avg_pool(self, _each(kernel_size, 3), stride, padding, ceil_mode, count_include_pad, divisor_override)


def _adaptive(data: Expr, output_size: Sequence[int | None], rank: int, *, largest: bool = False) -> Expr:
    source, added = _batched(data, rank)
    wanted = _each(output_size, rank)  # pyright: ignore[reportArgumentType] None stands for the size of the data
    sizes = [have if want is None else want for want, have in zip(wanted, source.shape[2:], strict=True)]
    pool = (_ADAPTIVE_MAX if largest else _ADAPTIVE_AVG)[rank]
    return _unbatched(pool(source, output_size=sizes), added)


@aten("adaptive_avg_pool1d.default")
def adaptive_avg_pool1d(self: Expr, output_size: Sizes) -> Expr:
    """The mean of windows that split an axis into a given number."""
    return _adaptive(self, output_size, 1)


@aten("adaptive_avg_pool2d.default", "_adaptive_avg_pool2d.default")
def adaptive_avg_pool2d(self: Expr, output_size: Sizes) -> Expr:
    """The mean of windows that split two axes into given numbers."""
    return _adaptive(self, output_size, 2)


@aten("adaptive_avg_pool3d.default", "_adaptive_avg_pool3d.default")
def adaptive_avg_pool3d(self: Expr, output_size: Sizes) -> Expr:
    """The mean of windows that split three axes into given numbers."""
    return _adaptive(self, output_size, 3)


def _widths(pad: Sizes, rank: int) -> tuple[tuple[int, int], ...]:
    """Torch's list, the last axis first, as a pair for each axis."""
    pairs = [(pad[i], pad[i + 1]) for i in range(0, len(pad), 2)]
    return tuple([(0, 0)] * (rank - len(pairs)) + pairs[::-1])


@aten("constant_pad_nd.default")
def constant_pad(self: Expr, pad: Sizes, value: Number = 0) -> Expr:
    """The data with a value around it."""
    if not any(pad):
        return self
    return op.nn.pad(self, as_tensor(value, self.dtype), pad_width=_widths(pad, self.tensor.rank))


@aten("reflection_pad1d.default", "reflection_pad2d.default", "reflection_pad3d.default")
def reflection_pad(self: Expr, padding: Sizes) -> Expr:
    """The data with its mirror image around it, the border not repeated."""
    return op.nn.mirror_pad(self, mode="REFLECT", pad_width=_widths(padding, self.tensor.rank))


@aten("replication_pad1d.default", "replication_pad2d.default", "replication_pad3d.default")
def replication_pad(self: Expr, padding: Sizes) -> Expr:
    """The data with its border repeated around it."""
    return op.nn.pad(self, const(0, self.dtype), pad_width=_widths(padding, self.tensor.rank), pad_mode="edge")


@aten("pad.default")
def pad(self: Expr, pad: Sizes, mode: str = "constant", value: Number | None = None) -> Expr:
    """The data with a value, its mirror image, its border or its other end around it."""
    if mode == "constant":
        return constant_pad(self, pad, 0 if value is None else value)
    if mode == "reflect":
        return reflection_pad(self, pad)
    return replication_pad(self, pad) if mode == "replicate" else _circular(self, pad)


def _circular(data: Expr, pad: Sizes) -> Expr:
    from torchrelay.frontend.aten.shape import slice_axis

    for axis, (before, after) in enumerate(_widths(pad, data.tensor.rank)):
        (size,) = shapes.static((data.shape[axis],), "a circular padding")
        if before < 0 or after < 0:
            data = slice_axis(data, axis, max(-before, 0), size - max(-after, 0))
            (size,) = shapes.static((data.shape[axis],), "a circular padding")
        parts = []
        if before > 0:
            parts.append(slice_axis(data, axis, size - before, size))
        parts.append(data)
        if after > 0:
            parts.append(slice_axis(data, axis, 0, after))
        data = op.concatenate(parts, axis=axis) if len(parts) > 1 else data
    return data


def _resized(
    data: Expr,
    size: Sizes | None,
    scales: Sequence[float | None] | None,
    method: str,
    *,
    align_corners: bool = False,
) -> Expr:
    """The data interpolated. Where torch counts with the given scale, not with that of the sizes, both must agree."""
    rank = data.tensor.rank - 2
    have = shapes.static(data.shape[2:], "an interpolation")
    if size is None:
        assert scales is not None, "the schema wants one of the two"
        size = [int(extent * float(scale or 1)) for extent, scale in zip(have, scales, strict=True)]
    if scales and not align_corners:
        for extent, want, scale in zip(have, size, scales, strict=True):
            if scale and abs(extent * scale - want) > 1e-6:
                raise UnsupportedProgram(f"an interpolation by {scale} of {extent} places, which is not a whole number")
    resize = {1: op.image.resize1d, 2: op.image.resize2d, 3: op.image.resize3d}[rank]
    roi = (0.0,) * (2 * rank)
    if method == "nearest_neighbor":
        return resize(
            data,
            size=size,
            roi=roi,
            layout=data_layout(rank),
            method=method,
            coordinate_transformation_mode="asymmetric",
            rounding_method="floor",
        )
    mode = "align_corners" if align_corners else "half_pixel"
    alpha = {"cubic_alpha": -0.75} if method == "cubic" else {}
    return resize(
        data, size=size, roi=roi, layout=data_layout(rank), method=method, coordinate_transformation_mode=mode, **alpha
    )


def data_layout(rank: int) -> str:
    """The layout of data with that many spatial axes."""
    return {1: "NCW", 2: "NCHW", 3: "NCDHW"}[rank]


@aten("upsample_nearest1d.vec", "upsample_nearest2d.vec", "upsample_nearest3d.vec")
def upsample_nearest(input: Expr, output_size: Sizes | None, scale_factors: Sequence[float] | None) -> Expr:
    """The data at other places: the nearest element below."""
    return _resized(input, output_size, scale_factors, "nearest_neighbor")


@aten("upsample_linear1d.vec", "upsample_bilinear2d.vec", "upsample_trilinear3d.vec")
def upsample_linear(
    input: Expr, output_size: Sizes | None, align_corners: bool, scale_factors: Sequence[float] | None
) -> Expr:
    """The data at other places: between the two nearest along each axis."""
    return _resized(input, output_size, scale_factors, "linear", align_corners=align_corners)


@aten("upsample_bicubic2d.vec")
def upsample_cubic(
    input: Expr, output_size: Sizes | None, align_corners: bool, scale_factors: Sequence[float] | None
) -> Expr:
    """The data at other places: between the four nearest along each axis."""
    return _resized(input, output_size, scale_factors, "cubic", align_corners=align_corners)


@aten("upsample_nearest1d.default")
def upsample_nearest1d(self: Expr, output_size: Sizes, scales: float | None = None) -> Expr:
    """The data at other places: the nearest element below."""
    return _resized(self, output_size, (scales,), "nearest_neighbor")


@aten("upsample_nearest2d.default")
def upsample_nearest2d(
    self: Expr, output_size: Sizes, scales_h: float | None = None, scales_w: float | None = None
) -> Expr:
    """The data at other places: the nearest element below."""
    return _resized(self, output_size, (scales_h, scales_w), "nearest_neighbor")


@aten("upsample_bilinear2d.default")
def upsample_bilinear2d(
    self: Expr,
    output_size: Sizes,
    align_corners: bool,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Expr:
    """The data at other places: between the two nearest along each axis."""
    return _resized(self, output_size, (scales_h, scales_w), "linear", align_corners=align_corners)
