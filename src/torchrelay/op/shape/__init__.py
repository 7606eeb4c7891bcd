"""Operators that change the shape of a tensor or the order of its elements, join tensors and cut them."""

from torchrelay.op.shape.broadcast import (
    broadcast_to,
    broadcast_to_like,
    collapse_sum_like,
    collapse_sum_to,
    meshgrid,
    repeat,
    tile,
)
from torchrelay.op.shape.cut import slice_like, sliding_window, strided_set, strided_slice
from torchrelay.op.shape.join import concatenate, split, stack
from torchrelay.op.shape.order import layout_transform, reverse, reverse_sequence, transpose
from torchrelay.op.shape.query import ndarray_size, shape_of
from torchrelay.op.shape.reshape import contrib_reverse_reshape, expand_dims, reshape, reshape_like, squeeze

__all__ = [
    "broadcast_to",
    "broadcast_to_like",
    "collapse_sum_like",
    "collapse_sum_to",
    "concatenate",
    "contrib_reverse_reshape",
    "expand_dims",
    "layout_transform",
    "meshgrid",
    "ndarray_size",
    "repeat",
    "reshape",
    "reshape_like",
    "reverse",
    "reverse_sequence",
    "shape_of",
    "slice_like",
    "sliding_window",
    "split",
    "squeeze",
    "stack",
    "strided_set",
    "strided_slice",
    "tile",
    "transpose",
]
