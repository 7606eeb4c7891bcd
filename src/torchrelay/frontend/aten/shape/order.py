"""Converters of the same elements in another order."""

from __future__ import annotations

from collections.abc import Sequence

from torchrelay import op
from torchrelay.frontend.aten.shape.cut import slice_axis, steps
from torchrelay.frontend.aten.shape.extents import extent, extents, with_extents
from torchrelay.frontend.aten.shape.reshape import ravel, reshaped
from torchrelay.frontend.promote import INT64, as_tensor
from torchrelay.frontend.registry import Sizes, aten
from torchrelay.ir import Expr, const, shapes

__all__: list[str] = []


def permuted(data: Expr, axes: Sequence[int]) -> Expr:
    """The axes in another order; the data itself where that is the order they have."""
    return data if tuple(axes) == tuple(range(len(axes))) else op.transpose(data, axes=tuple(axes))


@aten("permute.default")
def permute(self: Expr, dims: Sizes) -> Expr:
    """The axes in another order."""
    return permuted(self, shapes.normal_axes(dims, self.tensor.rank))


@aten("swapaxes.default")
def swapaxes(self: Expr, axis0: int, axis1: int) -> Expr:
    """Two axes exchanged."""
    return _exchanged(self, axis0, axis1)


@aten("transpose.int", "swapdims.default")
def transpose(self: Expr, dim0: int, dim1: int) -> Expr:
    """Two axes exchanged."""
    return _exchanged(self, dim0, dim1)


def _exchanged(data: Expr, dim0: int, dim1: int) -> Expr:
    rank = data.tensor.rank
    if not rank:
        return data
    first, second = shapes.normal_axis(dim0, rank), shapes.normal_axis(dim1, rank)
    axes = list(range(rank))
    axes[first], axes[second] = second, first
    return permuted(data, axes)


@aten("t.default", "numpy_T.default")
def t(self: Expr) -> Expr:
    """The axes the other way around."""
    return permuted(self, range(self.tensor.rank)[::-1])


@aten("mT.default")
def matrix_transpose(self: Expr) -> Expr:
    """The last two axes exchanged."""
    return _exchanged(self, -2, -1)


@aten("movedim.intlist", "moveaxis.intlist")
def movedim(self: Expr, source: Sizes, destination: Sizes) -> Expr:
    """Axes moved to other places, the others in their order."""
    rank = self.tensor.rank
    moved = dict(zip(shapes.normal_axes(destination, rank), shapes.normal_axes(source, rank), strict=True))
    rest = iter([axis for axis in range(rank) if axis not in moved.values()])
    return permuted(self, [moved[axis] if axis in moved else next(rest) for axis in range(rank)])


@aten("movedim.int", "moveaxis.int")
def movedim_one(self: Expr, source: int, destination: int) -> Expr:
    """One axis moved to another place."""
    return movedim(self, (source,), (destination,))


@aten("flip.default")
def flip(self: Expr, dims: Sizes) -> Expr:
    """The elements along axes the other way around."""
    result = self
    for axis in shapes.normal_axes(dims, self.tensor.rank):
        result = op.reverse(result, axis=axis)
    return result


@aten("roll.default")
def roll(self: Expr, shifts: Sizes, dims: Sizes = ()) -> Expr:
    """The elements moved along axes, those that fall off at the end put in at the front."""
    if not dims:
        return reshaped(roll(ravel(self), shifts, (0,)), extents(self))
    result = self
    for shift, axis in zip(shifts, shapes.normal_axes(dims, self.tensor.rank), strict=True):
        size = self.shape[axis]
        if not isinstance(size, int):
            result = _rolled(result, shift, axis)
            continue
        start = (size - shift) % size if size else 0
        if start:
            back, front = slice_axis(result, axis, start), slice_axis(result, axis, 0, start)
            result = op.concatenate((back, front), axis=axis)
    return result


def _rolled(data: Expr, shift: int, axis: int) -> Expr:
    """The elements moved along an axis of unknown size."""
    size = as_tensor(extent(data, axis), INT64)
    places = op.floor_mod(op.subtract(steps(const(0, INT64), size), const(shift, INT64)), size)
    return with_extents(op.take(data, places, axis=axis), extents(data))


@aten("adjoint.default", "mH.default")
def adjoint(self: Expr) -> Expr:
    """The last two axes exchanged: nothing real has a conjugate of its own."""
    return matrix_transpose(self)


@aten("fliplr.default")
def fliplr(self: Expr) -> Expr:
    """The second axis the other way around."""
    return flip(self, (1,))


@aten("flipud.default")
def flipud(self: Expr) -> Expr:
    """The first axis the other way around."""
    return flip(self, (0,))


@aten("rot90.default")
def rot90(self: Expr, k: int = 1, dims: Sizes = (0, 1)) -> Expr:
    """The plane of two axes turned by quarters, from the first axis toward the second."""
    first, second = dims
    match k % 4:
        case 1:
            return _exchanged(flip(self, (second,)), first, second)
        case 2:
            return flip(self, dims)
        case 3:
            return _exchanged(flip(self, (first,)), first, second)
        case _:
            return self
