"""Converters of layers: convolutions, products, norms, attention."""

from __future__ import annotations

import math
from collections.abc import Sequence

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.reduce import moments
from torchrelay.frontend.aten.shape import broadcast, permuted, reshaped
from torchrelay.frontend.promote import Number, as_dtype, as_tensor
from torchrelay.frontend.registry import aten
from torchrelay.ir import Dim, Expr, Shape, const, shapes

__all__: list[str] = []

_CONV = {1: op.nn.conv1d, 2: op.nn.conv2d, 3: op.nn.conv3d}
_TRANSPOSED = {1: op.nn.conv1d_transpose, 2: op.nn.conv2d_transpose, 3: op.nn.conv3d_transpose}
_BACKEND = ("benchmark", "deterministic", "cudnn_enabled", "allow_tf32")
Sizes = Sequence[int]


def _each(value: int | Sizes, rank: int) -> tuple[int, ...]:
    """One value for each axis."""
    values = (value,) if isinstance(value, int) else tuple(value)
    return values * rank if len(values) == 1 else values


def _with_bias(result: Expr, bias: Expr | None, axis: int = 1) -> Expr:
    return result if bias is None else op.nn.bias_add(result, bias, axis=axis)


def _batched(data: Expr, rank: int) -> tuple[Expr, bool]:
    """The data with an axis for the batch, and whether it was added."""
    if data.tensor.rank == rank + 2:
        return data, False
    if data.tensor.rank == rank + 1:
        return op.expand_dims(data, axis=0), True
    raise UnsupportedProgram(f"a convolution over {rank} axes of a value of rank {data.tensor.rank}")


def _unbatched(data: Expr, added: bool) -> Expr:
    return op.squeeze(data, axis=(0,)) if added else data


def _convolved(
    data: Expr, weight: Expr, bias: Expr | None, stride: Sizes, sides: Sizes, dilation: Sizes, groups: int
) -> Expr:
    rank = weight.tensor.rank - 2
    source, added = _batched(data, rank)
    result = _CONV[rank](
        source,
        weight,
        strides=_each(stride, rank),
        padding=sides,
        dilation=_each(dilation, rank),
        groups=groups,
        channels=weight.shape[0],
        kernel_size=weight.shape[2:],
    )
    return _unbatched(_with_bias(result, bias), added)


def _both_sides(padding: int | Sizes, rank: int) -> tuple[int, ...]:
    return _each(padding, rank) * 2


@aten("conv1d.default", "conv2d.default", "conv3d.default")
def convolution(
    input: Expr,
    weight: Expr,
    bias: Expr | None = None,
    stride: Sizes = (1,),
    padding: Sizes = (0,),
    dilation: Sizes = (1,),
    groups: int = 1,
) -> Expr:
    """A convolution over one, two or three axes."""
    return _convolved(input, weight, bias, stride, _both_sides(padding, weight.tensor.rank - 2), dilation, groups)


@aten("conv1d.padding", "conv2d.padding", "conv3d.padding")
def convolution_padded_by_name(
    input: Expr,
    weight: Expr,
    bias: Expr | None = None,
    stride: Sizes = (1,),
    padding: str = "valid",
    dilation: Sizes = (1,),
    groups: int = 1,
) -> Expr:
    """A convolution whose padding is ``valid`` (none) or ``same`` (as much as keeps the size, more of it at the end)."""
    rank = weight.tensor.rank - 2
    if padding == "valid":
        return _convolved(input, weight, bias, stride, (0,) * (2 * rank), dilation, groups)
    kernel = shapes.static(weight.shape[2:], "a convolution")
    total = [step * (size - 1) for step, size in zip(_each(dilation, rank), kernel, strict=True)]
    before = [around // 2 for around in total]
    after = [around - low for around, low in zip(total, before, strict=True)]
    return _convolved(input, weight, bias, stride, (*before, *after), dilation, groups)


def _transposed_convolution(
    data: Expr,
    weight: Expr,
    bias: Expr | None,
    stride: Sizes,
    padding: Sizes,
    output_padding: Sizes,
    groups: int,
    dilation: Sizes,
) -> Expr:
    rank = weight.tensor.rank - 2
    source, added = _batched(data, rank)
    result = _TRANSPOSED[rank](
        source,
        weight,
        channels=shapes.multiply(weight.shape[1], groups),
        kernel_size=weight.shape[2:],
        strides=_each(stride, rank),
        output_padding=_each(output_padding, rank),
        padding=_both_sides(padding, rank),
        dilation=_each(dilation, rank),
        groups=groups,
    )
    return _unbatched(_with_bias(result, bias), added)


@aten("conv_transpose1d.default", "conv_transpose2d.input", "conv_transpose3d.input")
def transposed_convolution(
    input: Expr,
    weight: Expr,
    bias: Expr | None = None,
    stride: Sizes = (1,),
    padding: Sizes = (0,),
    output_padding: Sizes = (0,),
    groups: int = 1,
    dilation: Sizes = (1,),
) -> Expr:
    """A transposed convolution over one, two or three axes."""
    return _transposed_convolution(input, weight, bias, stride, padding, output_padding, groups, dilation)


@aten("_convolution.default", "_convolution.deprecated", ignore=_BACKEND)
def any_convolution(
    input: Expr,
    weight: Expr,
    bias: Expr | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
) -> Expr:
    """A convolution, transposed or not."""
    if transposed:
        return _transposed_convolution(input, weight, bias, stride, padding, output_padding, groups, dilation)
    return _convolved(input, weight, bias, stride, _both_sides(padding, weight.tensor.rank - 2), dilation, groups)


@aten("convolution.default")
def convolution_core(
    input: Expr,
    weight: Expr,
    bias: Expr | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
) -> Expr:
    """A convolution, transposed or not."""
    return any_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)


def _rows(data: Expr) -> Expr:
    """The data as a matrix whose rows run along its last axis."""
    return data if data.tensor.rank == 2 else reshaped(data, (-1, data.shape[-1]))


@aten("linear.default")
def linear(input: Expr, weight: Expr, bias: Expr | None = None) -> Expr:
    """Input times the transpose of the weight, plus the bias."""
    matrix = weight if weight.tensor.rank == 2 else op.expand_dims(weight, axis=0)
    result = op.nn.dense(_rows(input), matrix, units=matrix.shape[0])
    if bias is not None:
        result = op.nn.bias_add(result, bias, axis=-1) if bias.tensor.rank == 1 else op.add(result, bias)
    tail: Shape = (matrix.shape[0],) if weight.tensor.rank == 2 else ()
    return reshaped(result, (*input.shape[:-1], *tail))


@aten("matmul.default", "mm.default", "bmm.default", "mv.default", "dot.default", "linalg_matmul.default")
def matmul(
    self: Expr,
    mat2: Expr | None = None,
    other: Expr | None = None,
    vec: Expr | None = None,
    tensor: Expr | None = None,
) -> Expr:
    """The product of matrices, of a matrix and a vector, or of two vectors, with the leading axes broadcast."""
    right = next(value for value in (mat2, other, vec, tensor) if value is not None)
    return multiplied(self, right)


def multiplied(left: Expr, right: Expr) -> Expr:
    """The matrix product as torch.matmul has it for any ranks."""
    if left.tensor.rank == 1:
        return op.squeeze(multiplied(op.expand_dims(left, axis=0), right), axis=(max(right.tensor.rank - 2, 0),))
    if right.tensor.rank == 1:
        product = multiplied(left, op.expand_dims(right, axis=1))
        return op.squeeze(product, axis=(product.tensor.rank - 1,))
    if right.tensor.rank == 2:
        product = op.nn.matmul(_rows(left), right, units=right.shape[1])
        return reshaped(product, (*left.shape[:-1], right.shape[1]))
    lead = shapes.broadcast(left.shape[:-2], right.shape[:-2])
    product = op.nn.batch_matmul(_batches(left, lead), _batches(right, lead))
    return reshaped(product, (*lead, *product.shape[1:]))


def _batches(data: Expr, lead: Sequence[Dim]) -> Expr:
    """The matrices of a tensor with its leading axes broadcast and folded into one."""
    if shapes.product(data.shape[:-2]) == 1:
        return reshaped(data, (1, *data.shape[-2:]))
    return reshaped(broadcast(data, (*lead, *data.shape[-2:])), (-1, *data.shape[-2:]))


def _weighted(value: Expr, factor: Number) -> Expr:
    return value if factor == 1 else op.multiply(value, as_tensor(factor, value.dtype))


@aten("addmm.default")
def addmm(self: Expr, mat1: Expr, mat2: Expr, *, beta: Number = 1, alpha: Number = 1) -> Expr:
    """Beta * self + alpha * (mat1 times mat2)."""
    product = _weighted(multiplied(mat1, mat2), alpha)
    return op.add(product, _weighted(self, beta)) if beta else product


@aten("baddbmm.default")
def baddbmm(self: Expr, batch1: Expr, batch2: Expr, *, beta: Number = 1, alpha: Number = 1) -> Expr:
    """Beta * self + alpha * (batch1 times batch2)."""
    return addmm(self, batch1, batch2, beta=beta, alpha=alpha)


@aten("addmv.default")
def addmv(self: Expr, mat: Expr, vec: Expr, *, beta: Number = 1, alpha: Number = 1) -> Expr:
    """Beta * self + alpha * (mat times vec)."""
    return addmm(self, mat, vec, beta=beta, alpha=alpha)


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


@aten("softmax.int", "_softmax.default", ignore=("half_to_float",))
def softmax(self: Expr, dim: int, dtype: object = None) -> Expr:
    """Exponentials scaled to sum to one along an axis."""
    return op.nn.softmax(_floating(self, dtype), axis=dim) if self.tensor.rank else op.ones_like(_floating(self, dtype))


@aten("log_softmax.int", "_log_softmax.default", ignore=("half_to_float",))
def log_softmax(self: Expr, dim: int, dtype: object = None) -> Expr:
    """The logarithm of the softmax along an axis."""
    data = _floating(self, dtype)
    return op.nn.log_softmax(data, axis=dim) if self.tensor.rank else op.zeros_like(data)


def _floating(data: Expr, dtype: object) -> Expr:
    from torchrelay.ir import DType

    if isinstance(dtype, DType):
        return as_dtype(data, dtype)
    return data if data.dtype.is_float else op.cast(data, dtype="float32")


@aten("scaled_dot_product_attention.default")
def attention(
    query: Expr,
    key: Expr,
    value: Expr,
    attn_mask: Expr | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Expr:
    """softmax(query times key transposed * scale + mask) times value.

    A row that the mask forbids everything gives zeros. Raises UnsupportedProgram for dropout.
    """
    if dropout_p:
        raise UnsupportedProgram("attention with dropout gives other values each time", hint="call model.eval() first")
    if enable_gqa:
        key, value = (_shared_heads(part, query) for part in (key, value))
    lead = shapes.broadcast(query.shape[:-2], key.shape[:-2])
    factor = scale if scale is not None else 1 / math.sqrt(shapes.static(query.shape[-1:], "attention")[0])
    queries = _batches(_weighted(query, factor), lead)
    scores = op.nn.batch_matmul(queries, _batches(key, lead), transpose_b=True)
    weights = op.nn.softmax(scores, axis=-1)
    if is_causal or attn_mask is not None:
        weights = _masked_weights(reshaped(scores, (*lead, *scores.shape[1:])), attn_mask, is_causal)
        weights = reshaped(weights, scores.shape)
    product = op.nn.batch_matmul(weights, _batches(value, lead))
    return reshaped(product, (*lead, *product.shape[1:]))


def _shared_heads(part: Expr, query: Expr) -> Expr:
    """The heads of keys or values repeated to serve groups of query heads."""
    heads, own = shapes.static((query.shape[-3], part.shape[-3]), "grouped attention")
    return op.repeat(part, repeats=heads // own, axis=part.tensor.rank - 3) if heads != own else part


def _masked_weights(scores: Expr, mask: Expr | None, is_causal: bool) -> Expr:
    forbidden = const(-math.inf, scores.dtype)
    if is_causal:
        rows, columns = shapes.static(scores.shape[-2:], "causal attention")
        allowed = op.trilu(op.ones(shape=(rows, columns), dtype="bool"), const(0), upper=False)
        return op.nn.softmax(op.where(allowed, scores, forbidden), axis=-1)
    assert mask is not None, "one of the two is given"
    masked = op.where(mask, scores, forbidden) if mask.dtype.is_bool else op.add(scores, as_dtype(mask, scores.dtype))
    possible = op.greater(op.max(masked, axis=(-1,), keepdims=True), forbidden)
    return op.where(possible, op.nn.softmax(masked, axis=-1), op.zeros_like(masked))


@aten("channel_shuffle.default")
def channel_shuffle(self: Expr, groups: int) -> Expr:
    """The channels dealt out: one of each group in turn."""
    batch, channels, *rest = self.shape
    cut = reshaped(self, (batch, groups, shapes.floor_div(channels, groups), *rest))
    return reshaped(permuted(cut, (0, 2, 1, *range(3, 3 + len(rest)))), self.shape)


@aten("cosine_similarity.default")
def cosine_similarity(x1: Expr, x2: Expr, dim: int = 1, eps: float = 1e-8) -> Expr:
    """The cosine of the angle between two vectors along an axis."""

    def length(value: Expr) -> Expr:
        root = op.sqrt(op.sum(op.multiply(value, value), axis=(dim,), keepdims=True))
        return op.maximum(root, const(eps, value.dtype))

    return op.sum(op.multiply(op.divide(x1, length(x1)), op.divide(x2, length(x2))), axis=(dim,))
