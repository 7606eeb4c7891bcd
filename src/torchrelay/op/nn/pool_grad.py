"""What the data of a pool gets from the gradient of its result."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import Fusion, TensorType, Type, operator, shapes
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array
from torchrelay.op.nn.pool import AvgPool2DAttrs, MaxPool2DAttrs, Windows, least

__all__ = ["avg_pool2d_grad", "max_pool2d_grad"]


def _check(data: TensorType, grad: TensorType, attrs: MaxPool2DAttrs) -> TensorType:
    """The type of the gradient of a pool's data: that of the data itself."""
    windows = Windows.of(attrs, 2)
    layout = Layout.parse(attrs.layout)
    batch, channels, *sizes = layout.to("NCHW", grad.shape)
    wanted = layout.of("NCHW", (batch, channels, *(windows.places(axis, size) for axis, size in enumerate(sizes))))
    if len(wanted) != data.rank or not all(map(shapes.dims_fit, wanted, data.shape)):
        raise TypeMismatch(f"the gradient of the result must have the shape {wanted}, not {data.shape}")
    return grad


def _inner(around: Array, windows: Windows, sizes: Sequence[int]) -> Array:
    """What lies within the padding."""
    return around[(..., *(slice(b, b + size) for b, size in zip(windows.before, sizes, strict=True)))]


@operator("nn.max_pool2d_grad", MaxPool2DAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=2)
def max_pool2d_grad(data: TensorType, grad: TensorType, attrs: MaxPool2DAttrs) -> Type:
    """The gradient of a max pool's data (the second input) from that of its result (the first one).

    Each window gives its gradient to its largest element, to the first of equal ones.
    """
    return _check(data, grad, attrs)


@max_pool2d_grad.reference
def max_pool2d_grad_numpy(data: Array, grad: Array, attrs: MaxPool2DAttrs) -> Array:
    layout, windows = Layout.parse(attrs.layout), Windows.of(attrs, 2)
    errors, source = layout.array_to("NCHW", data), layout.array_to("NCHW", grad)
    around = windows.padded(source, least(source.dtype))
    result, places = np.zeros_like(around), errors.shape[2:]
    largest, chosen = np.full(errors.shape, least(source.dtype), source.dtype), np.zeros(errors.shape, np.int64)
    for number, view in enumerate(windows.taps(around, places)):
        better = view > largest
        largest, chosen = np.where(better, view, largest), np.where(better, number, chosen)
    for number, view in enumerate(windows.taps(result, places)):
        view += np.where(chosen == number, errors, 0)
    return layout.array_of("NCHW", _inner(result, windows, source.shape[2:]))


@operator("nn.avg_pool2d_grad", AvgPool2DAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=2, keyed=False)
def avg_pool2d_grad(data: TensorType, grad: TensorType, attrs: AvgPool2DAttrs) -> Type:
    """The gradient of an average pool's data (the second input) from that of its result (the first one).

    Each window gives its gradient to its elements in equal parts.
    """
    return _check(data, grad, attrs)


@avg_pool2d_grad.reference
def avg_pool2d_grad_numpy(data: Array, grad: Array, attrs: AvgPool2DAttrs) -> Array:
    layout, windows = Layout.parse(attrs.layout), Windows.of(attrs, 2)
    errors, source = layout.array_to("NCHW", data), layout.array_to("NCHW", grad)
    counts = np.maximum(windows.counts(source.shape[2:], include_pad=attrs.count_include_pad), 1)
    result, share = np.zeros_like(windows.padded(source, 0)), errors / counts.astype(errors.dtype)
    for view in windows.taps(result, errors.shape[2:]):
        view += share
    return layout.array_of("NCHW", _inner(result, windows, source.shape[2:]))
