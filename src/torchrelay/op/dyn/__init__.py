"""The operators under ``dyn.``: those whose shapes are values, known only when the program runs."""

from torchrelay.op.dyn import image, nn
from torchrelay.op.dyn.create import full, one_hot, ones, sparse_to_dense, zeros
from torchrelay.op.dyn.pick import strided_slice, topk
from torchrelay.op.dyn.shape import broadcast_to, expand_dims, reshape, squeeze, tile

__all__ = [
    "broadcast_to",
    "expand_dims",
    "full",
    "image",
    "nn",
    "one_hot",
    "ones",
    "reshape",
    "sparse_to_dense",
    "squeeze",
    "strided_slice",
    "tile",
    "topk",
    "zeros",
]
