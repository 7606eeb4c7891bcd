"""Pools whose windows are made to fit the size of the result, and pools over whole axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec

import numpy as np

from torchrelay.errors import WrongArgument
from torchrelay.ir import (
    Arg,
    Attrs,
    Dim,
    Fusion,
    Indices,
    Operator,
    String,
    TensorType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._layout import DATA, Layout
from torchrelay.op._numpy import Array

P = ParamSpec("P")

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "global_avg_pool2d",
    "global_max_pool2d",
]


@attrs("relay.attrs.AdaptivePool1DAttrs")
class AdaptivePool1DAttrs(Attrs):
    output_size: Indices | None = ()
    """The size of each spatial axis of the result; one value for all; that of the data when empty or None."""
    layout: str = "NCW"
    """The layout of the data."""
    out_layout: String = ""
    """Without meaning: the result has the layout of the data."""


@attrs("relay.attrs.AdaptivePool2DAttrs")
class AdaptivePool2DAttrs(Attrs):
    output_size: Indices | None = ()
    """The size of each spatial axis of the result; one value for all; that of the data when empty or None."""
    layout: str = "NCHW"
    """The layout of the data."""
    out_layout: String = ""
    """Without meaning: the result has the layout of the data."""


@attrs("relay.attrs.AdaptivePool3DAttrs")
class AdaptivePool3DAttrs(Attrs):
    output_size: Indices | None = ()
    """The size of each spatial axis of the result; one value for all; that of the data when empty or None."""
    layout: str = "NCDHW"
    """The layout of the data."""
    out_layout: String = ""
    """Without meaning: the result has the layout of the data."""


AdaptiveAttrs = AdaptivePool1DAttrs | AdaptivePool2DAttrs | AdaptivePool3DAttrs


def _target(attrs: AdaptiveAttrs, sizes: Sequence[Dim], rank: int) -> Sequence[Dim]:
    if not attrs.output_size:
        return sizes
    wanted = attrs.output_size * rank if len(attrs.output_size) == 1 else attrs.output_size
    if len(wanted) != rank:
        raise WrongArgument(f"output_size has {len(wanted)} values, but must have 1 or {rank}")
    return wanted


def _fitted(data: Array, axis: int, size: int, reduce: Callable[..., Array]) -> Array:
    """The axis reduced to ``size`` windows of as equal a width as can be."""
    have = data.shape[axis]
    if have == size:
        return data
    if have % size == 0:
        cut = data.reshape(*data.shape[:axis], size, have // size, *data.shape[axis + 1 :])
        return reduce(cut, axis + 1)
    bounds = [(i * have // size, -(-(i + 1) * have // size)) for i in range(size)]
    parts = [reduce(data[(slice(None),) * axis + (slice(start, end),)], axis) for start, end in bounds]
    return np.stack(parts, axis)


def _adaptive(
    name: str, rank: int, record: Callable[P, AdaptiveAttrs], reduce: Callable[..., Array], doc: str
) -> Operator[Concatenate[Arg, P]]:
    def relation(data: TensorType, attrs: AdaptiveAttrs) -> Type:
        layout = Layout.parse(attrs.layout)
        batch, channels, *sizes = layout.to(DATA[rank], data.shape)
        shape = (batch, channels, *_target(attrs, sizes, rank))
        return TensorType(layout.of(DATA[rank], shape), data.dtype)

    def reference(data: Array, attrs: AdaptiveAttrs) -> Array:
        layout = Layout.parse(attrs.layout)
        result = layout.array_to(DATA[rank], data)
        for axis, size in enumerate(shapes.static(_target(attrs, result.shape[2:], rank), "output_size")):
            result = _fitted(result, 2 + axis, size, reduce)
        return layout.array_of(DATA[rank], result)

    relation.__doc__ = doc
    made = operator(name, record, Fusion.OUT_ELEMWISE_FUSABLE, level=10)(relation)
    made.reference(reference)
    return made


_MEAN_DOC = "The mean of windows that split each spatial axis into a given number."
_MAX_DOC = "The largest element of windows that split each spatial axis into a given number."


def _mean_along(data: Array, axis: int) -> Array:
    return data.mean(axis, dtype=data.dtype)


adaptive_avg_pool1d = _adaptive("nn.adaptive_avg_pool1d", 1, AdaptivePool1DAttrs, _mean_along, _MEAN_DOC)
adaptive_avg_pool2d = _adaptive("nn.adaptive_avg_pool2d", 2, AdaptivePool2DAttrs, _mean_along, _MEAN_DOC)
adaptive_avg_pool3d = _adaptive("nn.adaptive_avg_pool3d", 3, AdaptivePool3DAttrs, _mean_along, _MEAN_DOC)
adaptive_max_pool1d = _adaptive("nn.adaptive_max_pool1d", 1, AdaptivePool1DAttrs, np.max, _MAX_DOC)
adaptive_max_pool2d = _adaptive("nn.adaptive_max_pool2d", 2, AdaptivePool2DAttrs, np.max, _MAX_DOC)
adaptive_max_pool3d = _adaptive("nn.adaptive_max_pool3d", 3, AdaptivePool3DAttrs, np.max, _MAX_DOC)


@attrs("relay.attrs.GlobalPool2DAttrs")
class GlobalPool2DAttrs(Attrs):
    layout: String = "NCHW"
    """The layout of the data."""
    out_layout: String = ""
    """Without meaning: the result has the layout of the data."""


def _whole(name: str, reduce: Callable[..., Array], doc: str):
    def relation(data: TensorType, attrs: GlobalPool2DAttrs) -> Type:
        layout = Layout.parse(attrs.layout)
        batch, channels, *_ = layout.to("NCHW", data.shape)
        return TensorType(layout.of("NCHW", (batch, channels, 1, 1)), data.dtype)

    def reference(data: Array, attrs: GlobalPool2DAttrs) -> Array:
        layout = Layout.parse(attrs.layout)
        result = reduce(layout.array_to("NCHW", data), (2, 3), keepdims=True).astype(data.dtype, copy=False)
        return layout.array_of("NCHW", result)

    relation.__doc__ = doc
    made = operator(name, GlobalPool2DAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=2)(relation)
    made.reference(reference)
    return made


global_avg_pool2d = _whole("nn.global_avg_pool2d", np.mean, "The mean over height and width.")
global_max_pool2d = _whole("nn.global_max_pool2d", np.max, "The largest element over height and width.")
