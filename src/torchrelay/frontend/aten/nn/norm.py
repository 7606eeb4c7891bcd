"""Converters of norms of layers."""

from __future__ import annotations

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.reduce import moments
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import (
    Number,
)
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import Dim, Expr, const, shapes

__all__: list[str] = []


def _vector(value: Expr | None, size: Dim, fill: Number, like: Expr) -> Expr:
    """The vector, or one value so many times where it is absent."""
    if value is not None:
        return value
    (count,) = shapes.static((size,), "a norm")
    return op.full(const(fill, like.dtype), shape=(count,), dtype=like.dtype)


@aten("batch_norm.default", ignore=("momentum", "cudnn_enabled"))
def batch_norm(
    input: Expr,
    weight: Expr | None,
    bias: Expr | None,
    running_mean: Expr | None,
    running_var: Expr | None,
    training: bool,
    eps: float,
) -> Expr:
    """The data normalised by channel: by the running statistics, or by its own where there are none."""
    channels = input.shape[1]
    if training and running_mean is not None:
        raise UnsupportedProgram("batch_norm in training writes its statistics", hint="call model.eval() first")
    if running_mean is None or running_var is None:
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
    return batch_norm(input, weight, bias, running_mean, running_var, training=False, eps=eps), empty, empty


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


@aten("instance_norm.default", ignore=("momentum", "cudnn_enabled"))
def instance_norm(
    input: Expr,
    weight: Expr | None,
    bias: Expr | None,
    running_mean: Expr | None,
    running_var: Expr | None,
    use_input_stats: bool,
    eps: float,
) -> Expr:
    """The data normalised over each channel of each example, or by the running statistics."""
    if not use_input_stats:
        return batch_norm(input, weight, bias, running_mean, running_var, training=False, eps=eps)
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
