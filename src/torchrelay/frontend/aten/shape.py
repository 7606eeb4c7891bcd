"""Converters of operators that rearrange: view, transpose, slice, join, split, expand."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.promote import Promote, as_dtype, promoted
from torchrelay.frontend.registry import Result, aten, torch_op
from torchrelay.ir import Any, Dim, Expr, Shape, TupleType, const, shapes

__all__: list[str] = []

Sizes = Sequence[int]


def known(sizes: Sequence[object], what: str) -> tuple[int, ...]:
    """The sizes as numbers. Raises UnsupportedProgram where one is computed by the program."""
    if not all(isinstance(size, int) for size in sizes):
        raise UnsupportedProgram(f"{what} has sizes that are computed while the program runs")
    return tuple(sizes)  # pyright: ignore[reportReturnType] every one is a number


def reshaped(data: Expr, sizes: Sequence[Dim]) -> Expr:
    """The data in a shape of which at most one dim is unknown (-1 or Any)."""
    shape = tuple([-1 if isinstance(size, Any) else size for size in sizes])
    if shape == data.shape:
        return data
    if shape.count(-1) > 1:
        raise UnsupportedProgram(f"a shape {tuple(sizes)} with more than one unknown size")
    if shape.count(-1) == 1 and shapes.is_static(data.shape):
        shape = _filled(data.shape, shape)
    return op.reshape(data, newshape=shape, allowzero=0 in shape)


def _filled(have: Shape, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """The shape with -1 replaced by what remains; as it is where a size of 0 leaves that open."""
    rest, total = 1, shapes.product(have)
    for size in wanted:
        rest *= size if size != -1 else 1
    if not rest or not isinstance(total, int):
        return wanted
    return tuple([total // rest if size == -1 else size for size in wanted])


@aten("view.default", "_unsafe_view.default")
def view(self: Expr, size: Sizes) -> Expr:
    """The elements in another shape."""
    return reshaped(self, known(size, "a view"))


@aten("reshape.default")
def reshape(self: Expr, shape: Sizes) -> Expr:
    """The elements in another shape."""
    return reshaped(self, known(shape, "a reshape"))


@aten("view_as.default", "reshape_as.default")
def view_as(self: Expr, other: Expr) -> Expr:
    """The elements in the shape of another tensor."""
    return reshaped(self, other.shape) if shapes.is_static(other.shape) else op.reshape_like(self, other)


@aten("flatten.using_ints")
def flatten(self: Expr, start_dim: int = 0, end_dim: int = -1) -> Expr:
    """Neighbouring axes as one."""
    rank = self.tensor.rank
    if not rank:
        return reshaped(self, (1,))
    start, end = shapes.normal_axis(start_dim, rank), shapes.normal_axis(end_dim, rank)
    if start == end:
        return self
    folded = shapes.product(self.shape[start : end + 1])
    return reshaped(self, (*self.shape[:start], folded, *self.shape[end + 1 :]))


@aten("ravel.default")
def ravel(self: Expr) -> Expr:
    """All axes as one."""
    return reshaped(self, (shapes.product(self.shape),))


@aten("unflatten.int")
def unflatten(self: Expr, dim: int, sizes: Sizes) -> Expr:
    """One axis as several."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    parts = known(sizes, "an unflatten")
    if -1 in parts and isinstance(self.shape[axis], int):
        parts = _filled((self.shape[axis],), parts)
    return reshaped(self, (*self.shape[:axis], *parts, *self.shape[axis + 1 :]))


@aten("unsqueeze.default")
def unsqueeze(self: Expr, dim: int) -> Expr:
    """A new axis of size 1."""
    return op.expand_dims(self, axis=dim)


@aten("squeeze.default", "squeeze.dim", "squeeze.dims")
def squeeze(self: Expr, dim: int | Sizes | None = None) -> Expr:
    """Without axes of size 1; an axis of another size that is named stays."""
    rank = self.tensor.rank
    named = range(rank) if dim is None else (dim,) if isinstance(dim, int) else dim
    axes = tuple(axis for axis in shapes.normal_axes(tuple(named), rank) if self.shape[axis] == 1) if rank else ()
    return op.squeeze(self, axis=axes) if axes else self


def permuted(data: Expr, axes: Sequence[int]) -> Expr:
    """The axes in another order; the data itself where that is the order they have."""
    return data if tuple(axes) == tuple(range(len(axes))) else op.transpose(data, axes=tuple(axes))


@aten("permute.default")
def permute(self: Expr, dims: Sizes) -> Expr:
    """The axes in another order."""
    return permuted(self, shapes.normal_axes(dims, self.tensor.rank))


@aten("transpose.int", "swapaxes.default", "swapdims.default")
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


@aten("expand.default", ignore=("implicit",))
def expand(self: Expr, size: Sizes) -> Expr:
    """The data repeated along axes of size 1 and new ones; -1 keeps a size."""
    wanted = known(size, "an expand")
    added = len(wanted) - self.tensor.rank
    shape = [self.shape[axis - added] if want == -1 else want for axis, want in enumerate(wanted)]
    return broadcast(self, shape)


def broadcast(data: Expr, shape: Sequence[Dim]) -> Expr:
    """The data repeated up to a shape; itself where it has it."""
    if tuple(shape) == data.shape:
        return data
    return op.broadcast_to(data, shape=shapes.static(shape, "an expand"))


@aten("expand_as.default")
def expand_as(self: Expr, other: Expr) -> Expr:
    """The data repeated up to the shape of another tensor."""
    return broadcast(self, other.shape) if shapes.is_static(other.shape) else op.broadcast_to_like(self, other)


@aten("broadcast_to.default")
def broadcast_to(self: Expr, size: Sizes) -> Expr:
    """The data repeated up to a shape."""
    return expand(self, size)


@aten("repeat.default")
def repeat(self: Expr, repeats: Sizes) -> Expr:
    """The whole data several times along each axis."""
    return tiled(self, known(repeats, "a repeat"))


@aten("tile.default")
def tile(self: Expr, dims: Sizes) -> Expr:
    """The whole data several times along each axis."""
    return tiled(self, known(dims, "a tile"))


def tiled(data: Expr, counts: Sequence[int]) -> Expr:
    """The whole data so often along each axis, the last one last; none of it where a count is 0."""
    if not counts:
        return data
    if 0 not in counts:
        return op.tile(data, reps=counts)
    rank = max(data.tensor.rank, len(counts))
    dims = (1,) * (rank - data.tensor.rank) + shapes.static(data.shape, "a tile")
    times = (1,) * (rank - len(counts)) + tuple(counts)
    return op.zeros(shape=[dim * count for dim, count in zip(dims, times, strict=True)], dtype=data.dtype)


@aten("repeat_interleave.self_int", ignore=("output_size",))
def repeat_interleave(self: Expr, repeats: int, dim: int | None = None) -> Expr:
    """Each element several times, one after the other."""
    data, axis = (
        (op.reshape(self, newshape=(-1,)), 0) if dim is None else (self, shapes.normal_axis(dim, self.tensor.rank))
    )
    if repeats:
        return op.repeat(data, repeats=repeats, axis=axis)
    sizes = shapes.static(data.shape, "a repeat")
    return op.zeros(shape=(*sizes[:axis], 0, *sizes[axis + 1 :]), dtype=data.dtype)


@aten("slice.Tensor")
def slice_axis(self: Expr, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Expr:
    """A slice along one axis."""
    first, last = _bounds(start, end, "a slice")
    axis = shapes.normal_axis(dim, self.tensor.rank)
    size = self.shape[axis]
    if isinstance(size, int):
        first, last, _ = slice(first, last, step).indices(size)
        if (first, last, step) == (0, size, 1):
            return self
        last = max(first, last)
    elif first == 0 and (last is None or last >= 2**31 - 1) and step == 1:
        return self
    limit = 2**31 - 1 if last is None else min(last, 2**31 - 1)
    return op.strided_slice(self, begin=(first,), end=(limit,), strides=(step,), axes=(axis,))


def _bounds(start: object, end: object, what: str) -> tuple[int, int | None]:
    if not isinstance(start, int | None) or not isinstance(end, int | None):
        raise UnsupportedProgram(f"{what} has bounds that are computed while the program runs")
    return start or 0, end


@aten("narrow.default")
def narrow(self: Expr, dim: int, start: int, length: int) -> Expr:
    """``length`` places along one axis from ``start`` on."""
    first, count = known((start, length), "a narrow")
    if first < 0:
        size = self.shape[dim]
        first += size if isinstance(size, int) else 0
    return slice_axis(self, dim, first, first + count)


@aten("select.int")
def select(self: Expr, dim: int, index: int) -> Expr:
    """One place along an axis, which is dropped."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    if isinstance(index, Expr):
        return op.take(self, index, axis=axis, mode="wrap")
    size = self.shape[axis]
    place = index + size if index < 0 and isinstance(size, int) else index
    if isinstance(size, int) and not 0 <= place < size:
        raise UnsupportedProgram(f"index {index} is outside of axis {axis} of size {size}")
    return op.take(self, const(place), axis=axis, mode="wrap" if place < 0 else "clip")


@aten("cat.default", "concat.default", "concatenate.default")
def cat(tensors: Sequence[Expr], dim: int = 0) -> Expr:
    """Tensors joined along an axis; empty vectors among them count for nothing."""
    filled = [tensor for tensor in tensors if tensor.shape != (0,)] or list(tensors)[:1]
    parts = promoted(list(tensors), Promote.SAME)
    kept = [part for part, tensor in zip(parts, tensors, strict=True) if tensor in filled]
    return op.concatenate(kept, axis=dim) if len(kept) > 1 else kept[0]


@aten("stack.default")
def stack(tensors: Sequence[Expr], dim: int = 0) -> Expr:
    """Tensors of one shape joined along a new axis."""
    return op.stack(promoted(list(tensors), Promote.SAME), axis=dim)


def parts_of(data: Expr, sizes: Sequence[int], axis: int) -> tuple[Expr, ...]:
    """The data cut along an axis into parts of these sizes."""
    if len(sizes) == 1:
        return (data,)
    ends = [0, *itertools.accumulate(sizes)]
    if 0 in sizes:
        return tuple([slice_axis(data, axis, start, end) for start, end in itertools.pairwise(ends)])
    cuts = len(sizes) if len(set(sizes)) == 1 else tuple(ends[1:-1])
    return tuple(op.split(data, indices_or_sections=cuts, axis=axis))


def _size_along(data: Expr, axis: int, what: str) -> int:
    size = data.shape[axis]
    if not isinstance(size, int):
        raise UnsupportedProgram(f"{what} along an axis of unknown size")
    return size


@aten("split.Tensor")
def split(self: Expr, split_size: int, dim: int = 0) -> tuple[Expr, ...]:
    """The data cut along an axis into parts of one size, the last as large as remains."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    size = _size_along(self, axis, "a split")
    if not split_size or split_size >= size:
        return (self,)
    count, rest = divmod(size, split_size)
    return parts_of(self, [split_size] * count + ([rest] if rest else []), axis)


@aten("split_with_sizes.default", "split.sizes")
def split_with_sizes(self: Expr, split_sizes: Sizes, dim: int = 0) -> tuple[Expr, ...]:
    """The data cut along an axis into parts of given sizes."""
    return parts_of(self, known(split_sizes, "a split"), shapes.normal_axis(dim, self.tensor.rank))


@aten("chunk.default")
def chunk(self: Expr, chunks: int, dim: int = 0) -> tuple[Expr, ...]:
    """The data cut along an axis into so many parts, or fewer where they would be empty."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    return split(self, max(1, -(-_size_along(self, axis, "a chunk") // chunks)), axis)


@aten("unbind.int")
def unbind(self: Expr, dim: int = 0) -> tuple[Expr, ...]:
    """Every place along an axis, which is dropped."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    return tuple([select(self, axis, place) for place in range(_size_along(self, axis, "an unbind"))])


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
        return reshaped(roll(ravel(self), shifts, (0,)), self.shape)
    result = self
    for shift, axis in zip(shifts, shapes.normal_axes(dims, self.tensor.rank), strict=True):
        size = _size_along(self, axis, "a roll")
        start = (size - shift) % size if size else 0
        if start:
            back, front = slice_axis(result, axis, start), slice_axis(result, axis, 0, start)
            result = op.concatenate((back, front), axis=axis)
    return result


@aten("pixel_shuffle.default")
def pixel_shuffle(self: Expr, upscale_factor: int) -> Expr:
    """Blocks of pixels taken out of the channels, the last three axes being (C, H, W)."""
    lead, (channels, height, width) = self.shape[:-3], self.shape[-3:]
    images = reshaped(self, (-1, channels, height, width))
    result = op.nn.depth_to_space(images, block_size=upscale_factor, mode="CRD")
    return reshaped(result, (*lead, *result.shape[1:]))


@aten("select_scatter.default")
def select_scatter(self: Expr, src: Expr, dim: int, index: int) -> Expr:
    """The tensor with one place along an axis replaced."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    place = index + _size_along(self, axis, "a write") if index < 0 else index
    return _put(self, op.expand_dims(src, axis=axis), axis, place, place + 1)


@aten("slice_scatter.default")
def slice_scatter(
    self: Expr, src: Expr, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Expr:
    """The tensor with a slice along an axis replaced."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    low, high = _bounds(start, end, "a write to a slice")
    first, last, _ = slice(low, high, step).indices(_size_along(self, axis, "a write to a slice"))
    if step == 1:
        return _put(self, src, axis, first, max(first, last))
    parts = []
    places = range(first, last, step)
    for row, place in enumerate(places):
        end_of_row = place + step if row + 1 < len(places) else None
        parts.append(slice_axis(src, axis, row, row + 1))
        parts.append(slice_axis(self, axis, place + 1, end_of_row))
    if not parts:
        return self
    return _joined([slice_axis(self, axis, 0, first), *parts], axis)


def _put(data: Expr, src: Expr, axis: int, first: int, last: int) -> Expr:
    middle = as_dtype(src, data.dtype)
    return _joined([slice_axis(data, axis, 0, first), middle, slice_axis(data, axis, last)], axis)


def _joined(parts: Sequence[Expr], axis: int) -> Expr:
    filled = [part for part in parts if part.shape[axis] != 0]
    return op.concatenate(filled, axis=axis) if len(filled) > 1 else filled[0]


@torch_op("prim::getitem.default", "aten::__getitem__.t")
def getitem(self: Result, index: int) -> Result:
    """One of several values."""
    if isinstance(self, Expr):
        assert isinstance(self.type, TupleType), "only a tuple is indexed here"
        return self[index % len(self.type.fields)]
    assert isinstance(self, Sequence), "only several values are indexed"
    return self[index]


@torch_op("prim::ListUnpack.default", "prim::TupleUnpack.default")
def unpack(self: Result) -> Result:
    """Several values, one by one."""
    return self
