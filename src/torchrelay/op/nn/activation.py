"""Activations, softmax and dropout."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import Attrs, Fusion, TensorType, TupleType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array, widened
from torchrelay.op._relations import check_same_dtype, unary

__all__ = ["dropout", "fast_softmax", "leaky_relu", "log_softmax", "prelu", "relu", "softmax"]


def _relu(data: Array) -> Array:
    return np.maximum(data, data.dtype.type(0))


relu = unary("nn.relu", _relu, "The element, or 0 where it is negative.")


@attrs("relay.attrs.LeakyReluAttrs")
class LeakyReluAttrs(Attrs):
    alpha: float = 0.25
    """The slope below 0."""


@operator("nn.leaky_relu", LeakyReluAttrs, Fusion.ELEMWISE, level=3)
def leaky_relu(data: TensorType, attrs: LeakyReluAttrs) -> Type:
    """The element, times ``alpha`` where it is negative."""
    return data


leaky_relu.keeps_type()


@leaky_relu.reference
def leaky_relu_numpy(data: Array, attrs: LeakyReluAttrs) -> Array:
    wide = widened(data)
    return np.where(data > 0, data, (wide * wide.dtype.type(attrs.alpha)).astype(data.dtype, copy=False))


@attrs("relay.attrs.PReluAttrs")
class PReluAttrs(Attrs):
    axis: int = 1
    """The axis along which each channel has its own slope."""


@operator("nn.prelu", PReluAttrs, Fusion.BROADCAST, level=3)
def prelu(data: TensorType, alpha: TensorType, attrs: PReluAttrs) -> Type:
    """The element, times the slope of its channel where it is negative."""
    axis = shapes.normal_axis(attrs.axis, data.rank)
    if alpha.rank != 1 or not shapes.dims_fit(alpha.shape[0], data.shape[axis]):
        raise TypeMismatch(f"alpha must have the shape ({data.shape[axis]},), not {alpha.shape}")
    check_same_dtype(data=data, alpha=alpha)
    return data


@prelu.reference
def prelu_numpy(data: Array, alpha: Array, attrs: PReluAttrs) -> Array:
    slope = alpha.reshape(*alpha.shape, *(1,) * (data.ndim - 1 - attrs.axis % data.ndim))
    return np.where(data > 0, data, data * slope)


@prelu.completes
def prelu_alpha(types: tuple[TensorType | None, ...], attrs: PReluAttrs) -> tuple[TensorType | None, ...]:
    data, alpha = types
    if data is None or alpha is not None:
        return types
    return data, TensorType((data.shape[shapes.normal_axis(attrs.axis, data.rank)],), data.dtype)


@attrs("relay.attrs.SoftmaxAttrs")
class SoftmaxAttrs(Attrs):
    axis: int = -1
    """The axis whose values sum to one."""


def _softmax_type(data: TensorType, attrs: SoftmaxAttrs) -> TensorType:
    shapes.normal_axis(attrs.axis, data.rank)
    if not data.dtype.is_float:
        raise TypeMismatch(f"the data must have a floating-point dtype, not {data.dtype}")
    return data


def _shifted(data: Array, axis: int) -> Array:
    """The data in float32 or wider, less the largest along the axis."""
    wide = widened(data)
    return wide - wide.max(axis, keepdims=True) if wide.size else wide.copy()


def _softmax(data: Array, attrs: SoftmaxAttrs) -> Array:
    parts = np.exp(_shifted(data, attrs.axis))
    parts /= parts.sum(attrs.axis, keepdims=True)
    return parts.astype(data.dtype, copy=False)


@operator("nn.softmax", SoftmaxAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=1)
def softmax(data: TensorType, attrs: SoftmaxAttrs) -> Type:
    """Exponentials of the data, scaled to sum to one along an axis."""
    return _softmax_type(data, attrs)


softmax.reference(_softmax)


@operator("nn.fast_softmax", SoftmaxAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=1)
def fast_softmax(data: TensorType, attrs: SoftmaxAttrs) -> Type:
    """The softmax, which an engine may approximate."""
    return _softmax_type(data, attrs)


fast_softmax.reference(_softmax)


@operator("nn.log_softmax", SoftmaxAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=1)
def log_softmax(data: TensorType, attrs: SoftmaxAttrs) -> Type:
    """The logarithm of the softmax along an axis."""
    return _softmax_type(data, attrs)


@log_softmax.reference
def log_softmax_numpy(data: Array, attrs: SoftmaxAttrs) -> Array:
    shifted = _shifted(data, attrs.axis)
    shifted -= np.log(np.exp(shifted).sum(attrs.axis, keepdims=True))
    return shifted.astype(data.dtype, copy=False)


@attrs("relay.attrs.DropoutAttrs")
class DropoutAttrs(Attrs):
    rate: float = 0.5
    """The share of elements that training would drop."""


@operator("nn.dropout", DropoutAttrs, Fusion.OPAQUE, stateful=True, level=1)
def dropout(data: TensorType, attrs: DropoutAttrs) -> Type:
    """The data and a mask of ones: Relay runs models in inference, where nothing is dropped."""
    return TupleType((data, data))


@dropout.reference
def dropout_numpy(data: Array, attrs: DropoutAttrs) -> tuple[Array, Array]:
    return data, np.ones_like(data)
