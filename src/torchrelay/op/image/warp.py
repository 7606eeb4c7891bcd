"""Images at places that a grid tells, and the grids of affine maps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Fusion, Indices, String, TensorType, Type, attrs, operator, shapes
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array
from torchrelay.op._resize import cubic_weights
from torchrelay.op._sampling import elements, interpolated

__all__ = ["affine_grid", "grid_sample"]


@attrs("relay.attrs.AffineGridAttrs")
class AffineGridAttrs(Attrs):
    target_shape: Indices
    """The height and width of the grid."""


@operator("image.affine_grid", AffineGridAttrs, Fusion.INJECTIVE, level=5)
def affine_grid(data: TensorType, attrs: AffineGridAttrs) -> Type:
    """The grid (N, 2, height, width) of places x and y that maps (N, 2, 3) take a grid from -1 to 1 to."""
    if data.rank != 3 or not all(map(shapes.dims_fit, data.shape[1:], (2, 3))):
        raise TypeMismatch(f"the maps must have the shape (N, 2, 3), not {data.shape}")
    if len(attrs.target_shape) != 2:
        raise WrongArgument(f"target_shape has {len(attrs.target_shape)} values, but must have 2")
    return TensorType((data.shape[0], 2, *attrs.target_shape), data.dtype)


@affine_grid.reference
def affine_grid_numpy(data: Array, attrs: AffineGridAttrs) -> Array:
    height, width = shapes.static(attrs.target_shape, "target_shape")
    sides = [np.linspace(-1, 1, size) if size > 1 else np.zeros(size) for size in (height, width)]
    down, right = np.meshgrid(*sides, indexing="ij")
    places = np.stack([right.ravel(), down.ravel(), np.ones(height * width)]).astype(data.dtype)
    return np.matmul(data, places).reshape(len(data), 2, height, width)


@attrs("relay.attrs.GridSampleAttrs")
class GridSampleAttrs(Attrs):
    method: String = "bilinear"
    """``bilinear`` (linear along each axis), ``nearest`` or, for two axes, ``bicubic``."""
    layout: String = "NCHW"
    """The layout of the data and of the result: ``NCHW`` or ``NCDHW``."""
    padding_mode: String = "zeros"
    """What is outside: ``zeros``, ``border`` (the nearest element) or ``reflection``."""
    align_corners: bool = True
    """Whether -1 and 1 are the centres of the outermost elements, not their outer edges."""


_METHODS = {2: ("bilinear", "nearest", "bicubic"), 3: ("bilinear", "nearest")}


def _check(attrs: GridSampleAttrs) -> int:
    """The number of spatial axes."""
    if attrs.layout not in ("NCHW", "NCDHW"):
        raise WrongArgument(f"layout is {attrs.layout!r}, but must be NCHW or NCDHW")
    rank = len(attrs.layout) - 2
    if attrs.method not in _METHODS[rank]:
        raise WrongArgument(f"method is {attrs.method!r}, but must be one of {', '.join(_METHODS[rank])}")
    if attrs.padding_mode not in ("zeros", "border", "reflection"):
        raise WrongArgument(f"padding_mode is {attrs.padding_mode!r}, but must be zeros, border or reflection")
    return rank


@operator("image.grid_sample", GridSampleAttrs, Fusion.INJECTIVE, level=5)
def grid_sample(data: TensorType, grid: TensorType, attrs: GridSampleAttrs) -> Type:
    """The images at places of a grid (N, axes, ...) that run from -1 to 1, its first axis being the data's last."""
    rank = _check(attrs)
    batch, channels, *_ = Layout.parse(attrs.layout).to(attrs.layout, data.shape)
    if grid.rank != 2 + rank or not shapes.dims_fit(grid.shape[1], rank):
        raise TypeMismatch(f"the grid must have rank {2 + rank} and {rank} for its second axis, not {grid.shape}")
    if not shapes.dims_fit(batch, grid.shape[0]):
        raise TypeMismatch(f"the data has a batch of {batch}, the grid one of {grid.shape[0]}")
    return TensorType((shapes.known(batch, grid.shape[0]), channels, *grid.shape[2:]), data.dtype)


def _settled(place: Array, size: int, attrs: GridSampleAttrs) -> Array:
    """The place within the data that a place outside stands for; as it is where zeros are outside."""
    if attrs.padding_mode == "zeros":
        return place
    if attrs.padding_mode == "reflection":
        low, span = (0.0, size - 1) if attrs.align_corners else (-0.5, size)
        turns, rest = np.divmod(np.abs(place - low), max(span, 1))
        place = np.where(turns % 2 == 0, rest + low, span - rest + low) if span else np.zeros_like(place)
    return np.clip(place, 0, size - 1)


def _cubic(data: Array, places: Sequence[Array], attrs: GridSampleAttrs) -> Array:
    below = [np.floor(place) for place in places]
    shares = [cubic_weights(place - low, -0.75) for place, low in zip(places, below, strict=True)]
    sizes = data.shape[2:]
    total = None
    for taps in product(range(4), repeat=len(places)):
        index = [_settled(low + tap - 1, size, attrs) for low, tap, size in zip(below, taps, sizes, strict=True)]
        share = np.prod(np.stack([share[tap] for share, tap in zip(shares, taps, strict=True)]), 0).astype(data.dtype)
        part = elements(data, [place.astype(np.int64) for place in index]) * share[:, None]
        total = part if total is None else total + part
    assert total is not None, "there is at least one tap"
    return total


@grid_sample.reference
def grid_sample_numpy(data: Array, grid: Array, attrs: GridSampleAttrs) -> Array:
    sizes = data.shape[2:]
    places = list[Array]()
    for axis, size in enumerate(sizes):
        at = grid[:, len(sizes) - 1 - axis].astype(data.dtype, copy=False)
        places.append((at + 1) / 2 * (size - 1) if attrs.align_corners else ((at + 1) * size - 1) / 2)
    if attrs.method == "bicubic":
        return _cubic(data, places, attrs)
    places = [_settled(place, size, attrs) for place, size in zip(places, sizes, strict=True)]
    if attrs.method == "nearest":
        return elements(data, [np.rint(place).astype(np.int64) for place in places])
    return interpolated(data, places)
