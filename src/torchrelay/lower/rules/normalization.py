"""Normalizations in inference, dropout and dense layers said with arithmetic and reductions."""

from __future__ import annotations

from torchrelay import op
from torchrelay.ir import Call, Expr, Tuple, const, fields_of, shapes
from torchrelay.lower.rule import Kept, lowers

__all__: list[str] = []


def _along(vector: Expr, axis: int, rank: int) -> Expr:
    """A vector as a value that broadcasts along ``axis`` of a value of that rank."""
    after = rank - 1 - axis
    return op.expand_dims(vector, axis=1, num_newaxis=after) if after else vector


@lowers(op.nn.batch_norm)
def batch_norm_as_scale_and_shift(call: Call) -> Expr:
    """batch_norm(x) = x * s + (beta - mean * s) with s = gamma / sqrt(var + epsilon); mean and variance pass through."""
    attrs, (data, gamma, beta, mean, variance) = fields_of(call), call.args
    rank = data.tensor.rank
    axis = shapes.normal_axis(attrs.axis, rank)
    scale = op.rsqrt(op.add(variance, const(attrs.epsilon, variance.dtype)))
    if attrs.scale:
        scale = op.multiply(scale, gamma)
    shift = op.negative(op.multiply(mean, scale))
    if attrs.center:
        shift = op.add(shift, beta)
    scaled = op.multiply(data, _along(scale, axis, rank))
    return Tuple((op.add(scaled, _along(shift, axis, rank)), mean, variance))


@lowers(op.nn.layer_norm)
def layer_norm_as_moments(call: Call) -> Expr:
    """layer_norm(x) = (x - mean) / sqrt(variance + epsilon) * gamma + beta over one axis."""
    attrs, (data, gamma, beta) = fields_of(call), call.args
    rank = data.tensor.rank
    axis = shapes.normal_axis(attrs.axis, rank)
    centred = op.subtract(data, op.mean(data, axis=(axis,), keepdims=True))
    variance = op.mean(op.multiply(centred, centred), axis=(axis,), keepdims=True)
    result = op.multiply(centred, op.rsqrt(op.add(variance, const(attrs.epsilon, data.dtype))))
    if attrs.scale:
        result = op.multiply(result, _along(gamma, axis, rank))
    return op.add(result, _along(beta, axis, rank)) if attrs.center else result


@lowers(op.nn.dropout)
def dropout_is_the_identity(call: Call) -> Expr:
    """In inference dropout keeps every value; its mask, which nothing reads, is all ones."""
    (data,) = call.args
    return Tuple((data, op.ones_like(data)))


@lowers(op.nn.bias_add)
def bias_add_as_add(call: Call) -> Expr:
    """bias_add(x, b) = x + b, with b along ``axis``."""
    data, bias = call.args
    rank = data.tensor.rank
    return op.add(data, _along(bias, shapes.normal_axis(fields_of(call).axis, rank), rank))


@lowers(op.nn.batch_flatten)
def batch_flatten_as_reshape(call: Call) -> Expr:
    """All axes but the first in one."""
    return op.reshape(call.args[0], newshape=(0, -1))


@lowers(op.nn.dense)
def dense_as_conv2d(call: Call) -> Expr | Kept:
    """A dense layer over (n, k) is a convolution of kernel 1 x 1 over (n, k, 1, 1)."""
    data, weight = call.args
    if data.tensor.rank != 2:
        return Kept(f"the data has rank {data.tensor.rank}, the rule knows rank 2")
    result = op.nn.conv2d(
        op.expand_dims(data, axis=2, num_newaxis=2),
        op.expand_dims(weight, axis=2, num_newaxis=2),
        channels=weight.shape[0],
        kernel_size=(1, 1),
        padding=(0, 0, 0, 0),
        out_dtype=fields_of(call).out_dtype,
    )
    return op.squeeze(result, axis=(2, 3))
