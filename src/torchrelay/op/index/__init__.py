"""Operators that pick elements by index, write them by index, and find where they are."""

from torchrelay.op.index.find import argwhere, invert_permutation, one_hot, searchsorted, unique, unravel_index
from torchrelay.op.index.pick import adv_index, gather, gather_nd, take
from torchrelay.op.index.scatter import scatter_elements, scatter_nd

__all__ = [
    "adv_index",
    "argwhere",
    "gather",
    "gather_nd",
    "invert_permutation",
    "one_hot",
    "scatter_elements",
    "scatter_nd",
    "searchsorted",
    "take",
    "unique",
    "unravel_index",
]
