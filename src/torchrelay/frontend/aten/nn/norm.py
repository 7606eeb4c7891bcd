"""Converters of norms of layers."""

from __future__ import annotations

from collections.abc import Sequence

import ml_dtypes

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.norms import norm
from torchrelay.frontend.aten.reduce import moments
from torchrelay.frontend.aten.shape.extents import filled, sized
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import (
    DEFAULT_FLOAT,
    Number,
    as_dtype,
    as_tensor,
)
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import Dim, Expr, const, shapes

__all__: list[str] = []


def _vector(value: Expr | None, size: Dim, fill: Number, like: Expr) -> Expr:
    """The vector, or one value so many times where it is absent."""
    if value is not None:
        return value
    return filled(const(fill, like.dtype), sized((size,), like))


def _refuse_written(norm: str, momentum: float) -> None:
    """Raises UnsupportedProgram where the norm writes to its running statistics; with no momentum they stay what they are."""
    if momentum != 0:
        raise UnsupportedProgram(f"{norm} in training writes its statistics", hint="call model.eval() first")


@aten("batch_norm.default", ignore=("cudnn_enabled",))
def batch_norm(
    input: Expr,
    weight: Expr | None,
    bias: Expr | None,
    running_mean: Expr | None,
    running_var: Expr | None,
    training: bool,
    momentum: float,
    eps: float,
) -> Expr:
    """The data normalised by channel: by the running statistics, or by its own in training and where there are none."""
    if training and running_mean is not None:
        _refuse_written("batch_norm", momentum)
    if 0 in input.shape:
        return input
    channels = input.shape[1]
    if training or running_mean is None or running_var is None:
        axes = tuple(axis for axis in range(input.tensor.rank) if axis != 1)
        running_var, running_mean = moments(input, axes, 0, keepdim=False)
    normalised = op.nn.batch_norm(
        input,
        _vector(weight, channels, 1, input),
        _vector(bias, channels, 0, input),
        running_mean,
        running_var,
        epsilon=eps,
        center=bias is not None,
        scale=weight is not None,
    )
    return normalised[0]


@aten("_native_batch_norm_legit_no_training.default", ignore=("momentum",))
def batch_norm_core(
    input: Expr, weight: Expr | None, bias: Expr | None, running_mean: Expr, running_var: Expr, eps: float
) -> tuple[Expr, Expr, Expr]:
    """The data normalised by channel with the running statistics; what training would save is empty."""
    empty = op.zeros(shape=(0,), dtype=input.dtype)
    return batch_norm(input, weight, bias, running_mean, running_var, training=False, momentum=0, eps=eps), empty, empty


@aten("layer_norm.default", ignore=("cudnn_enable",))
def layer_norm(
    input: Expr, normalized_shape: Sizes, weight: Expr | None = None, bias: Expr | None = None, eps: float = 1e-5
) -> Expr:
    """The data normalised over its last axes."""
    count = len(normalized_shape)
    lead, tail = input.shape[: input.tensor.rank - count], input.shape[input.tensor.rank - count :]
    size = shapes.product(tail)
    data = input if count == 1 else reshaped(input, (*lead, size))
    flat = [value if value is None or count == 1 else reshaped(value, (size,)) for value in (weight, bias)]
    normalised = op.nn.layer_norm(
        data,
        _vector(flat[0], size, 1, input),
        _vector(flat[1], size, 0, input),
        axis=-1,
        epsilon=eps,
        center=bias is not None,
        scale=weight is not None,
    )
    return reshaped(normalised, input.shape)


@aten("group_norm.default", ignore=("cudnn_enabled",))
def group_norm(
    input: Expr, num_groups: int, weight: Expr | None = None, bias: Expr | None = None, eps: float = 1e-5
) -> Expr:
    """The data normalised over each group of channels."""
    channels = input.shape[1]
    return op.nn.group_norm(
        input,
        _vector(weight, channels, 1, input),
        _vector(bias, channels, 0, input),
        num_groups=num_groups,
        axis=1,
        epsilon=eps,
        center=bias is not None,
        scale=weight is not None,
    )


@aten("instance_norm.default", ignore=("cudnn_enabled",))
def instance_norm(
    input: Expr,
    weight: Expr | None,
    bias: Expr | None,
    running_mean: Expr | None,
    running_var: Expr | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
) -> Expr:
    """The data normalised over each channel of each example, or by the running statistics."""
    if not use_input_stats:
        return batch_norm(input, weight, bias, running_mean, running_var, training=False, momentum=0, eps=eps)
    if running_mean is not None:
        _refuse_written("instance_norm", momentum)
    channels = input.shape[1]
    return op.nn.instance_norm(
        input,
        _vector(weight, channels, 1, input),
        _vector(bias, channels, 0, input),
        axis=1,
        epsilon=eps,
        center=bias is not None,
        scale=weight is not None,
    )


def _with_moments(data: Expr, axes: Sequence[int], eps: float, *, keepdim: bool) -> tuple[Expr, Expr]:
    """The mean over axes, and one over the root of the variance."""
    variance, mean = moments(data, tuple(axes), 0, keepdim)
    return mean, op.rsqrt(op.add(variance, const(eps, data.dtype)))


@aten("native_layer_norm.default")
def native_layer_norm(
    input: Expr, normalized_shape: Sizes, weight: Expr | None, bias: Expr | None, eps: float
) -> tuple[Expr, Expr, Expr]:
    """The data normalised over its last axes, their mean, and one over the root of their variance."""
    rank = input.tensor.rank
    axes = range(rank - len(normalized_shape), rank)
    return layer_norm(input, normalized_shape, weight, bias, eps), *_with_moments(input, axes, eps, keepdim=True)


@aten("native_group_norm.default", ignore=("N", "C", "HxW"))
def native_group_norm(
    input: Expr, weight: Expr | None, bias: Expr | None, group: int, eps: float
) -> tuple[Expr, Expr, Expr]:
    """The data normalised over each group of channels, their mean, and one over the root of their variance."""
    grouped = reshaped(input, (input.shape[0], group, shapes.floor_div(shapes.product(input.shape[1:]), group)))
    return group_norm(input, group, weight, bias, eps), *_with_moments(grouped, (2,), eps, keepdim=False)


@aten("_native_batch_norm_legit.no_stats", ignore=("momentum",))
def batch_norm_of_own(
    input: Expr, weight: Expr | None, bias: Expr | None, training: bool, eps: float
) -> tuple[Expr, Expr, Expr]:
    """The data normalised by channel with its own statistics, their mean, and one over the root of their variance."""
    axes = [axis for axis in range(input.tensor.rank) if axis != 1]
    normalised = batch_norm(input, weight, bias, None, None, training=training, momentum=0, eps=eps)
    return normalised, *_with_moments(input, axes, eps, keepdim=False)


@aten("rms_norm.default")
def rms_norm(input: Expr, normalized_shape: Sizes, weight: Expr | None = None, eps: float | None = None) -> Expr:
    """The data divided by the root of the mean of its squares over its last axes; half floats by way of float32."""
    axes = tuple(range(-len(normalized_shape), 0))
    data = op.cast(input, dtype=DEFAULT_FLOAT) if input.dtype.bits < 32 else input
    tiny = float(ml_dtypes.finfo(data.dtype.numpy).eps) if eps is None else eps
    mean = op.mean(op.multiply(data, data), axis=axes, keepdims=True)
    scaled = op.multiply(data, op.rsqrt(op.add(mean, const(tiny, data.dtype))))
    scaled = scaled if weight is None else op.multiply(scaled, as_dtype(weight, data.dtype))
    return as_dtype(scaled, input.dtype)


def _length_but(data: Expr, dim: int, order: Number) -> Expr:
    """The norm of what stands at each place of an axis."""
    axis = shapes.normal_axis(dim, data.tensor.rank)
    return norm(data, order, tuple(other for other in range(data.tensor.rank) if other != axis), keepdim=True)


@aten("_weight_norm.default")
def weight_norm(v: Expr, g: Expr, dim: int = 0) -> Expr:
    """The direction of a weight along an axis times its length."""
    return op.multiply(v, op.divide(g, _length_but(v, dim, 2)))


@aten("renorm.default")
def renorm(self: Expr, p: Number, dim: int, maxnorm: Number) -> Expr:
    """The data, made shorter at each place of an axis where it is longer than allowed."""
    length = _length_but(self, dim, p)
    bound = as_tensor(maxnorm, self.dtype)
    factor = op.divide(bound, op.add(length, const(1e-7, self.dtype)))
    return op.multiply(self, op.where(op.greater(length, bound), factor, const(1, self.dtype)))
