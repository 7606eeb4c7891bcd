"""Converters of attention."""

from __future__ import annotations

import functools
import math

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.nn.dense import batches, weighted
from torchrelay.frontend.aten.shape.cut import steps
from torchrelay.frontend.aten.shape.extents import extent
from torchrelay.frontend.aten.shape.reshape import reshaped
from torchrelay.frontend.promote import (
    BOOL,
    INT64,
    as_dtype,
    as_tensor,
)
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const, shapes

__all__: list[str] = []


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
    others = [part.shape[:-2] for part in (key, value, attn_mask) if part is not None]
    lead = functools.reduce(shapes.broadcast, others, query.shape[:-2])
    queries = batches(_scaled(query, scale), lead, key)
    scores = op.nn.batch_matmul(queries, batches(key, lead, query), transpose_b=True)
    weights = op.nn.softmax(scores, axis=-1)
    if is_causal or attn_mask is not None:
        weights = _masked_weights(reshaped(scores, (*lead, *scores.shape[1:]), query, key), attn_mask, is_causal)
        weights = reshaped(weights, scores.shape, scores)
    product = op.nn.batch_matmul(weights, batches(value, lead, query))
    return reshaped(product, (*lead, *product.shape[1:]), query, key)


def _scaled(query: Expr, scale: float | None) -> Expr:
    """The query times the scale; over the root of its width where there is none."""
    if scale is not None:
        return weighted(query, scale)
    width = extent(query, -1)
    if isinstance(width, int):
        return weighted(query, 1 / math.sqrt(width))
    return op.divide(query, op.sqrt(as_tensor(width, query.dtype)))


def _shared_heads(part: Expr, query: Expr) -> Expr:
    """The heads of keys or values repeated to serve groups of query heads."""
    heads, own = shapes.static((query.shape[-3], part.shape[-3]), "grouped attention")
    return op.repeat(part, repeats=heads // own, axis=part.tensor.rank - 3) if heads != own else part


def _causal(scores: Expr) -> Expr:
    """Whether a query may look at a key: at none behind it."""
    if shapes.is_static(scores.shape[-2:]):
        rows, columns = shapes.static(scores.shape[-2:], "causal attention")
        return op.trilu(op.ones(shape=(rows, columns), dtype=BOOL), const(0), upper=False)
    row, column = (steps(const(0, INT64), as_tensor(extent(scores, axis), INT64)) for axis in (-2, -1))
    return op.greater_equal(op.expand_dims(row, axis=1), column)


def _masked_weights(scores: Expr, mask: Expr | None, is_causal: bool) -> Expr:
    forbidden = const(-math.inf, scores.dtype)
    if is_causal:
        return op.nn.softmax(op.where(_causal(scores), scores, forbidden), axis=-1)
    assert mask is not None, "one of the two is given"
    masked = op.where(mask, scores, forbidden) if mask.dtype.is_bool else op.add(scores, as_dtype(mask, scores.dtype))
    possible = op.greater(op.max(masked, axis=(-1,), keepdims=True), forbidden)
    return op.where(possible, op.nn.softmax(masked, axis=-1), op.zeros_like(masked))
