"""Converters of operators that pick and spread elements by index."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.shape.cut import slice_axis
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.promote import (
    INT64,
    Number,
    as_dtype,
    as_tensor,
)
from torchrelay.frontend.registry import aten
from torchrelay.ir import Any, Constant, DType, Expr, const, shapes

__all__: list[str] = []


def counted_from_front(index: Expr, size: object) -> Expr:
    """The indices with negative ones, which count from the end in torch, counted from the front."""
    if index.dtype.code == "uint":
        return index
    if isinstance(index, Constant) and isinstance(size, int):
        return Constant(np.where(index.data < 0, index.data + size, index.data).astype(index.data.dtype))
    if _never_negative(index):
        return index
    if isinstance(size, Any):
        raise UnsupportedProgram("indices that may be negative along an axis of unknown size")
    zero = const(0, index.dtype)
    return op.where(op.less(index, zero), op.add(index, as_tensor(size, index.dtype)), index)  # pyright: ignore[reportArgumentType] the size is known


_MOVES = ("expand_dims", "reshape", "transpose", "cast", "broadcast_to", "squeeze", "strided_slice", "tile", "repeat")


def _never_negative(index: Expr) -> bool:
    """Whether the indices are a range from 0 up, however rearranged."""
    from torchrelay.ir import Call, Operator

    part = index
    while isinstance(part, Call) and isinstance(part.op, Operator):
        if part.op.name == "arange":
            start, _, step = part.args
            known = [bound.data.item() for bound in (start, step) if isinstance(bound, Constant)]
            return len(known) == 2 and known[0] >= 0 and known[1] > 0
        if part.op.name not in _MOVES:
            return False
        part = part.args[0]
    return isinstance(part, Constant) and bool((part.data >= 0).all())


@aten("embedding.default", ignore=("padding_idx", "scale_grad_by_freq", "sparse"))
def embedding(weight: Expr, indices: Expr) -> Expr:
    """The rows of a table that indices name."""
    return op.take(weight, indices, axis=0)


@aten("index_select.default")
def index_select(self: Expr, dim: int, index: Expr) -> Expr:
    """The places along an axis that indices name."""
    if not self.tensor.rank:
        return self
    return op.take(self, index, axis=shapes.normal_axis(dim, self.tensor.rank))


@aten("gather.default", ignore=("sparse_grad",))
def gather(self: Expr, dim: int, index: Expr) -> Expr:
    """For each index the element at its own place, but with that index along an axis."""
    if not self.tensor.rank:
        return op.broadcast_to(self, shape=shapes.static(index.shape, "a gather"))
    along = shapes.normal_axis(dim, self.tensor.rank)
    if 0 in index.shape:
        return op.zeros(shape=shapes.static(index.shape, "a gather"), dtype=self.dtype)
    narrow = self
    for axis, (have, want) in enumerate(zip(self.shape, index.shape, strict=True)):
        if axis != along and not shapes.dims_fit(have, want):
            narrow = slice_axis(narrow, axis, 0, want)
    return op.gather(narrow, index, axis=along)


@aten("take.default")
def take(self: Expr, index: Expr) -> Expr:
    """The elements of the flattened tensor that indices name."""
    return op.take(self, counted_from_front(index, shapes.product(self.shape)))


@aten("index.Tensor", "_unsafe_index.Tensor")
def index(self: Expr, indices: Sequence[Expr | None]) -> Expr:
    """The elements at places whose coordinates tensors name, as NumPy's advanced indexing has it.

    Raises UnsupportedProgram for masks, whose result has a size that is known only when the program runs.
    """
    named = [axis for axis, given in enumerate(indices) if given is not None]
    tensors = [given for given in indices if given is not None]
    if any(tensor.dtype.is_bool or tensor.dtype == "uint8" for tensor in tensors):
        raise UnsupportedProgram("indexing by a mask gives a size that is known only when the program runs")
    rank = self.tensor.rank
    order = [*named, *(axis for axis in range(rank) if axis not in named)]
    places = [
        counted_from_front(as_dtype(tensor, INT64), self.shape[axis])
        for axis, tensor in zip(named, tensors, strict=True)
    ]
    picked = op.adv_index([permuted(self, order), *places])
    # Neighbouring axes give way to the axes of the indices at their place, others to axes at the front.
    lead = picked.tensor.rank - (rank - len(named))
    if named != list(range(named[0], named[-1] + 1)) or named[0] == 0:
        return picked
    first = named[0]
    axes = [*range(lead, lead + first), *range(lead), *range(lead + first, picked.tensor.rank)]
    return permuted(picked, axes)


@aten("scatter.src")
def scatter(self: Expr, dim: int, index: Expr, src: Expr) -> Expr:
    """The tensor with elements put in along an axis at places that indices name."""
    return op.scatter_elements(self, index, as_dtype(src, self.dtype), axis=dim, reduction="update")


@aten("scatter.value")
def scatter_value(self: Expr, dim: int, index: Expr, value: Number) -> Expr:
    """The tensor with one value put in along an axis at places that indices name."""
    updates = op.full(as_tensor(value, self.dtype), shape=shapes.static(index.shape, "a scatter"), dtype=self.dtype)
    return op.scatter_elements(self, index, updates, axis=dim, reduction="update")


@aten("scatter_add.default")
def scatter_add(self: Expr, dim: int, index: Expr, src: Expr) -> Expr:
    """The tensor with elements added along an axis at places that indices name."""
    return op.scatter_elements(self, index, src, axis=dim, reduction="add")


@aten("one_hot.default")
def one_hot(self: Expr, num_classes: int = -1) -> Expr:
    """1 at each index along a new last axis, 0 elsewhere."""
    if num_classes <= 0:
        raise UnsupportedProgram("one_hot without num_classes gives a size that is known only when the program runs")
    return op.one_hot(self, const(1, INT64), const(0, INT64), depth=num_classes, axis=-1, dtype=DType.parse("int64"))
