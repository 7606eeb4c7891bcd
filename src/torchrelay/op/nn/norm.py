"""Normalizations."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Fusion, Integers, TensorType, TupleType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array, widened
from torchrelay.op._relations import check_same_dtype

__all__ = ["batch_norm", "group_norm", "instance_norm", "l2_normalize", "layer_norm", "lrn"]


@attrs("relay.attrs.BatchNormAttrs")
class BatchNormAttrs(Attrs):
    axis: int = 1
    """The axis of the channels."""
    epsilon: float = 1e-5
    """What is added to the variance."""
    center: bool = True
    """Whether beta is added."""
    scale: bool = True
    """Whether gamma is multiplied in."""


@attrs("relay.attrs.InstanceNormAttrs")
class InstanceNormAttrs(BatchNormAttrs):
    pass


@attrs("relay.attrs.LayerNormAttrs")
class LayerNormAttrs(Attrs):
    axis: int = -1
    """The axis to normalise over."""
    epsilon: float = 1e-5
    """What is added to the variance."""
    center: bool = True
    """Whether beta is added."""
    scale: bool = True
    """Whether gamma is multiplied in."""


@attrs("relay.attrs.GroupNormAttrs")
class GroupNormAttrs(Attrs):
    num_groups: int = 0
    """How many groups the channels form."""
    axis: int = 1
    """The axis of the channels."""
    epsilon: float = 1e-5
    """What is added to the variance."""
    center: bool = True
    """Whether beta is added."""
    scale: bool = True
    """Whether gamma is multiplied in."""


NormAttrs = BatchNormAttrs | LayerNormAttrs | GroupNormAttrs


def _check_vectors(data: TensorType, attrs: NormAttrs, **vectors: TensorType) -> None:
    size = data.shape[shapes.normal_axis(attrs.axis, data.rank)]
    _check_float(data)
    for name, vector in vectors.items():
        if vector.rank != 1 or not shapes.dims_fit(vector.shape[0], size):
            raise TypeMismatch(f"{name} must have the shape ({size},), not {vector.shape}")
        check_same_dtype(data=data, **{name: vector})


def _check_float(data: TensorType) -> None:
    if not data.dtype.is_float:
        raise TypeMismatch(f"the data must have a floating-point dtype, not {data.dtype}")


def _vectors_follow(types: Sequence[TensorType | None], attrs: NormAttrs) -> tuple[TensorType | None, ...]:
    data, *vectors = types
    if data is None:
        return tuple(types)
    vector = TensorType((data.shape[shapes.normal_axis(attrs.axis, data.rank)],), data.dtype)
    return data, *(given or vector for given in vectors)


def _along(vector: Array, axis: int, rank: int) -> Array:
    return vector.reshape(*vector.shape, *(1,) * (rank - 1 - axis % rank))


@operator("nn.batch_norm", BatchNormAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=1)
def batch_norm(
    data: TensorType,
    gamma: TensorType,
    beta: TensorType,
    moving_mean: TensorType,
    moving_var: TensorType,
    attrs: BatchNormAttrs,
) -> Type:
    """The data with each channel's moving mean and variance made 0 and 1, scaled and shifted; and these two again."""
    _check_vectors(data, attrs, gamma=gamma, beta=beta, moving_mean=moving_mean, moving_var=moving_var)
    return TupleType((data, moving_mean, moving_var))


@batch_norm.reference
def batch_norm_numpy(
    data: Array, gamma: Array, beta: Array, moving_mean: Array, moving_var: Array, attrs: BatchNormAttrs
) -> tuple[Array, ...]:
    variance = widened(moving_var)
    scale = 1 / np.sqrt(variance + variance.dtype.type(attrs.epsilon))
    if attrs.scale:
        scale = scale * widened(gamma)
    shift = -widened(moving_mean) * scale
    if attrs.center:
        shift = shift + widened(beta)
    result = widened(data) * _along(scale, attrs.axis, data.ndim)
    result += _along(shift, attrs.axis, data.ndim)
    return result.astype(data.dtype, copy=False), moving_mean, moving_var


batch_norm.completes(_vectors_follow)


def _normalised(data: Array, axes: tuple[int, ...], epsilon: float) -> Array:
    """The data with mean 0 and variance 1, narrow floats as float32."""
    wide = widened(data)
    centred = wide - wide.mean(axes, keepdims=True)
    variance = np.square(centred).mean(axes, keepdims=True)
    centred /= np.sqrt(variance + wide.dtype.type(epsilon))
    return centred


def _scaled(result: Array, gamma: Array, beta: Array, attrs: NormAttrs) -> Array:
    """The result scaled and shifted, in the dtype of the vectors."""
    if attrs.scale:
        result = result * _along(widened(gamma), attrs.axis, result.ndim)
    if attrs.center:
        result = result + _along(widened(beta), attrs.axis, result.ndim)
    return result.astype(gamma.dtype, copy=False)


@operator("nn.layer_norm", LayerNormAttrs, None, level=1)
def layer_norm(data: TensorType, gamma: TensorType, beta: TensorType, attrs: LayerNormAttrs) -> Type:
    """The data with mean 0 and variance 1 along one axis, scaled and shifted."""
    _check_vectors(data, attrs, gamma=gamma, beta=beta)
    return data


@layer_norm.reference
def layer_norm_numpy(data: Array, gamma: Array, beta: Array, attrs: LayerNormAttrs) -> Array:
    return _scaled(_normalised(data, (attrs.axis,), attrs.epsilon), gamma, beta, attrs)


layer_norm.completes(_vectors_follow)


@operator("nn.instance_norm", InstanceNormAttrs, None, level=1)
def instance_norm(data: TensorType, gamma: TensorType, beta: TensorType, attrs: InstanceNormAttrs) -> Type:
    """The data with mean 0 and variance 1 over all axes but batch and channels, scaled and shifted."""
    _check_vectors(data, attrs, gamma=gamma, beta=beta)
    return data


@instance_norm.reference
def instance_norm_numpy(data: Array, gamma: Array, beta: Array, attrs: InstanceNormAttrs) -> Array:
    axes = tuple(axis for axis in range(1, data.ndim) if axis != attrs.axis % data.ndim)
    return _scaled(_normalised(data, axes, attrs.epsilon), gamma, beta, attrs)


instance_norm.completes(_vectors_follow)


@operator("nn.group_norm", GroupNormAttrs, None, level=1)
def group_norm(data: TensorType, gamma: TensorType, beta: TensorType, attrs: GroupNormAttrs) -> Type:
    """The data with mean 0 and variance 1 over each group of channels and the axes after, scaled and shifted."""
    _check_vectors(data, attrs, gamma=gamma, beta=beta)
    channels = data.shape[shapes.normal_axis(attrs.axis, data.rank)]
    if attrs.num_groups < 1 or (isinstance(channels, int) and channels % attrs.num_groups):
        raise WrongArgument(f"{channels} channels do not form {attrs.num_groups} groups")
    return data


@group_norm.reference
def group_norm_numpy(data: Array, gamma: Array, beta: Array, attrs: GroupNormAttrs) -> Array:
    axis = attrs.axis % data.ndim
    width = math.prod(data.shape[axis:]) // attrs.num_groups
    groups = data.reshape(*data.shape[:axis], attrs.num_groups, width)
    return _scaled(_normalised(groups, (-1,), attrs.epsilon).reshape(data.shape), gamma, beta, attrs)


group_norm.completes(_vectors_follow)


@attrs("relay.attrs.L2NormalizeAttrs")
class L2NormalizeAttrs(Attrs):
    eps: float
    """The least sum of squares to divide by."""
    axis: Integers | None
    """The axes to normalise over; all of them for None and for an empty list."""


@operator("nn.l2_normalize", L2NormalizeAttrs, None, level=2)
def l2_normalize(data: TensorType, attrs: L2NormalizeAttrs) -> Type:
    """The data divided by the root of the sum of squares over axes."""
    shapes.normal_axes(attrs.axis, data.rank)
    _check_float(data)
    return data


@l2_normalize.reference
def l2_normalize_numpy(data: Array, attrs: L2NormalizeAttrs) -> Array:
    total = np.square(data).sum(attrs.axis or None, keepdims=True)
    return data / np.sqrt(np.maximum(total, data.dtype.type(attrs.eps)))


@attrs("relay.attrs.LRNAttrs")
class LRNAttrs(Attrs):
    size: int = 5
    """How many neighbouring channels count."""
    axis: int = 1
    """The axis of the channels."""
    bias: float = 2
    """What is added to the sum of squares."""
    alpha: float = 0.0001
    """The weight of the sum of squares, divided by ``size``."""
    beta: float = 0.75
    """The power of the divisor."""


@operator("nn.lrn", LRNAttrs, Fusion.OPAQUE, level=2)
def lrn(data: TensorType, attrs: LRNAttrs) -> Type:
    """The data divided by (bias + alpha / size * sum of squares of the neighbouring channels) ** beta."""
    shapes.normal_axis(attrs.axis, data.rank)
    _check_float(data)
    if attrs.size % 2 == 0:
        raise WrongArgument(f"size is {attrs.size}, but must be odd")
    return data


@lrn.reference
def lrn_numpy(data: Array, attrs: LRNAttrs) -> Array:
    moved = np.moveaxis(np.square(data), attrs.axis, 0)
    half = attrs.size // 2
    total = moved.copy()
    for distance in range(1, min(half, len(moved) - 1) + 1):
        total[distance:] += moved[:-distance]
        total[:-distance] += moved[distance:]
    scale = data.dtype.type(attrs.bias) + data.dtype.type(attrs.alpha / attrs.size) * np.moveaxis(total, 0, attrs.axis)
    return data / scale ** data.dtype.type(attrs.beta)
