"""Operators that rearrange: reshape, transpose, slice, join, split, repeat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    ANY,
    VOID,
    Any,
    Attrs,
    Dim,
    DType,
    Fusion,
    Integer,
    Integers,
    Shape,
    String,
    TensorType,
    TupleType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_same_dtype
from torchrelay.op.create import InitOpAttrs

__all__ = [
    "broadcast_to",
    "broadcast_to_like",
    "collapse_sum_like",
    "collapse_sum_to",
    "concatenate",
    "expand_dims",
    "meshgrid",
    "ndarray_size",
    "repeat",
    "reshape",
    "reshape_like",
    "reverse",
    "reverse_sequence",
    "shape_of",
    "slice_like",
    "split",
    "squeeze",
    "stack",
    "strided_set",
    "strided_slice",
    "tile",
    "transpose",
]


@attrs("relay.attrs.ReshapeAttrs")
class ReshapeAttrs(Attrs):
    newshape: Integers
    """Sizes, or: 0 the size at this place, -1 what remains, -2 all dims that are left, -3 two dims in one, -4 one in two."""
    allowzero: bool = False
    """Whether 0 is a size."""


class _Cursor:
    """The dims of the data not yet used by the new shape."""

    def __init__(self, dims: Shape) -> None:
        self.dims, self.at = dims, 0

    def take(self) -> Dim:
        if self.at >= len(self.dims):
            raise WrongArgument(f"newshape refers to dim {self.at} of a value of rank {len(self.dims)}")
        self.at += 1
        return self.dims[self.at - 1]


def _split_dim(dim: Dim, left: int, right: int) -> tuple[Dim, Dim]:
    if left == -1 and right == -1:
        raise WrongArgument("-4 in newshape needs one known size after it")
    if left == -1:
        return shapes.floor_div(dim, right), right
    return left, shapes.floor_div(dim, left) if right == -1 else right


def reshaped(dims: Shape, newshape: Sequence[int], *, allowzero: bool = False) -> Shape:
    """The shape that ``newshape`` makes of the dims. Raises WrongArgument or TypeMismatch where it fits no size."""
    cursor, result = _Cursor(dims), list[Dim]()
    unknown: int | None = None
    index = 0
    while index < len(newshape):
        size = newshape[index]
        if size > 0 or (size == 0 and allowzero):
            cursor.at += 1
            result.append(size)
        elif size == 0:
            result.append(cursor.take())
        elif size == -1:
            if unknown is not None:
                raise WrongArgument(f"newshape {tuple(newshape)} leaves more than one size open")
            unknown = len(result)
            cursor.at += 1
            result.append(1)
        elif size == -2:
            result.extend(dims[cursor.at :])
            cursor.at = len(dims)
        elif size == -3:
            result.append(shapes.multiply(cursor.take(), cursor.take()))
        elif size == -4:
            result.extend(_split_dim(cursor.take(), *newshape[index + 1 : index + 3]))
            index += 2
        else:
            raise WrongArgument(f"newshape holds {size}, which has no meaning")
        index += 1
    return _completed(dims, result, unknown, newshape)


def _completed(dims: Shape, result: list[Dim], unknown: int | None, newshape: Sequence[int]) -> Shape:
    total, given = shapes.product(dims), shapes.product(result)
    if unknown is not None:
        known = isinstance(total, int) and isinstance(given, int)
        if known and given == 0:
            raise WrongArgument(f"newshape {tuple(newshape)} leaves a size open beside a size of 0")
        result[unknown] = shapes.floor_div(total, given) if known else ANY
        given = shapes.product(result)
    if isinstance(total, int) and isinstance(given, int) and total != given:
        raise TypeMismatch(f"{total} elements of shape {dims} do not fill newshape {tuple(newshape)}")
    return tuple(result)


@operator("reshape", ReshapeAttrs, Fusion.INJECTIVE, level=3)
def reshape(data: TensorType, attrs: ReshapeAttrs) -> Type:
    """The elements in the same order in another shape."""
    return TensorType(reshaped(data.shape, attrs.newshape, allowzero=attrs.allowzero), data.dtype)


@reshape.reference
def reshape_numpy(data: Array, attrs: ReshapeAttrs) -> Array:
    return data.reshape(reshaped(data.shape, attrs.newshape, allowzero=attrs.allowzero))


@attrs("relay.attrs.ReshapeLikeAttrs")
class ReshapeLikeAttrs(Attrs):
    lhs_begin: int = 0
    """The first dim of the data to replace."""
    lhs_end: Integer | None = None
    """The dim of the data where replacing ends."""
    rhs_begin: int = 0
    """The first dim of the other to take."""
    rhs_end: Integer | None = None
    """The dim of the other where taking ends."""


def _like(data: Shape, like: Shape, attrs: ReshapeLikeAttrs) -> Shape:
    begin, end, *_ = slice(attrs.lhs_begin, attrs.lhs_end).indices(len(data))
    return (*data[:begin], *like[slice(attrs.rhs_begin, attrs.rhs_end)], *data[end:])


@operator("reshape_like", ReshapeLikeAttrs, Fusion.INJECTIVE, level=3)
def reshape_like(data: TensorType, shape_like: TensorType, attrs: ReshapeLikeAttrs) -> Type:
    """The elements in the shape of another tensor, or with some dims replaced by some of the other's."""
    shape = _like(data.shape, shape_like.shape, attrs)
    total, given = shapes.product(data.shape), shapes.product(shape)
    if isinstance(total, int) and isinstance(given, int) and total != given:
        raise TypeMismatch(f"{total} elements of shape {data.shape} do not fill the shape {shape}")
    return TensorType(shape, data.dtype)


@reshape_like.reference
def reshape_like_numpy(data: Array, shape_like: Array, attrs: ReshapeLikeAttrs) -> Array:
    return data.reshape(_like(data.shape, shape_like.shape, attrs))


@attrs("relay.attrs.TransposeAttrs")
class TransposeAttrs(Attrs):
    axes: Integers | None
    """For each axis of the result, the axis of the data it is; None turns the order around."""


@operator("transpose", TransposeAttrs, Fusion.INJECTIVE, level=3)
def transpose(data: TensorType, attrs: TransposeAttrs) -> Type:
    """The axes in another order."""
    axes = range(data.rank)[::-1] if attrs.axes is None else shapes.normal_axes(attrs.axes, data.rank)
    if len(axes) != data.rank:
        raise WrongArgument(f"axes {tuple(axes)} must name each of {data.rank} axes once")
    return TensorType(tuple([data.shape[axis] for axis in axes]), data.dtype)


@transpose.reference
def transpose_numpy(data: Array, attrs: TransposeAttrs) -> Array:
    return np.transpose(data, attrs.axes)


@attrs("relay.attrs.ExpandDimsAttrs")
class ExpandDimsAttrs(Attrs):
    axis: int
    """Where the new axes stand in the result (from the end when negative)."""
    num_newaxis: int = 1
    """How many."""


@operator("expand_dims", ExpandDimsAttrs, Fusion.BROADCAST, level=1)
def expand_dims(data: TensorType, attrs: ExpandDimsAttrs) -> Type:
    """New axes of size 1."""
    if not -data.rank - 1 <= attrs.axis <= data.rank:
        raise WrongArgument(f"axis {attrs.axis} is outside -{data.rank + 1}..{data.rank}")
    if attrs.num_newaxis < 0:
        raise WrongArgument(f"num_newaxis is {attrs.num_newaxis}, but must be 0 or more")
    at = attrs.axis + data.rank + 1 if attrs.axis < 0 else attrs.axis
    return TensorType((*data.shape[:at], *(1,) * attrs.num_newaxis, *data.shape[at:]), data.dtype)


@expand_dims.reference
def expand_dims_numpy(data: Array, attrs: ExpandDimsAttrs) -> Array:
    at = attrs.axis + data.ndim + 1 if attrs.axis < 0 else attrs.axis
    return data.reshape(*data.shape[:at], *(1,) * attrs.num_newaxis, *data.shape[at:])


@attrs("relay.attrs.SqueezeAttrs")
class SqueezeAttrs(Attrs):
    axis: Integers | None = None
    """The axes to drop; all of size 1 for None."""


def _squeezed(shape: Shape, axes: Sequence[int] | None) -> Shape:
    if axes is None:
        return tuple([dim for dim in shape if dim != 1])
    dropped = shapes.normal_axes(axes, len(shape))
    for axis in dropped:
        if not shapes.dims_fit(shape[axis], 1):
            raise TypeMismatch(f"axis {axis} has size {shape[axis]}, only one of size 1 can be dropped")
    return tuple([dim for axis, dim in enumerate(shape) if axis not in dropped])


@operator("squeeze", SqueezeAttrs, Fusion.INJECTIVE, level=3)
def squeeze(data: TensorType, attrs: SqueezeAttrs) -> Type:
    """Without axes of size 1."""
    if attrs.axis is None and not shapes.is_static(data.shape):
        raise TypeMismatch("axis must be given where a dim is unknown")
    return TensorType(_squeezed(data.shape, attrs.axis), data.dtype)


@squeeze.reference
def squeeze_numpy(data: Array, attrs: SqueezeAttrs) -> Array:
    return data.reshape(_squeezed(data.shape, attrs.axis))


@operator("broadcast_to", InitOpAttrs, Fusion.BROADCAST, level=4, data_dependent=(True,))
def broadcast_to(data: TensorType, attrs: InitOpAttrs) -> Type:
    """The data repeated along axes of size 1, and new ones, up to ``shape``."""
    shape = tuple(attrs.shape or ())
    if shapes.broadcast(data.shape, shape) != shape:
        raise TypeMismatch(f"the shape {data.shape} does not broadcast to {shape}")
    return TensorType(shape, data.dtype)


@broadcast_to.reference
def broadcast_to_numpy(data: Array, attrs: InitOpAttrs) -> Array:
    return np.broadcast_to(data, attrs.shape or ())


@operator("broadcast_to_like", None, Fusion.BROADCAST, level=10)
def broadcast_to_like(data: TensorType, broadcast_type: TensorType) -> Type:
    """The data repeated up to the shape of another tensor."""
    shapes.broadcast(data.shape, broadcast_type.shape)
    return TensorType(broadcast_type.shape, data.dtype)


broadcast_to_like.reference(lambda data, broadcast_type: np.broadcast_to(data, broadcast_type.shape))


def _collapsed(data: Array, shape: Sequence[int]) -> Array:
    extra = data.ndim - len(shape)
    axes = [*range(extra), *(extra + axis for axis, size in enumerate(shape) if size != data.shape[extra + axis])]
    return data.sum(tuple(axes), dtype=data.dtype).reshape(tuple(shape))


@operator("collapse_sum_like", None, Fusion.COMM_REDUCE, level=10)
def collapse_sum_like(data: TensorType, collapse_type: TensorType) -> Type:
    """The sum over the axes along which the shape of another tensor broadcasts to that of the data."""
    shapes.broadcast(data.shape, collapse_type.shape)
    return TensorType(collapse_type.shape, data.dtype)


collapse_sum_like.reference(lambda data, collapse_type: _collapsed(data, collapse_type.shape))


@operator("collapse_sum_to", InitOpAttrs, Fusion.COMM_REDUCE, level=4, keyed=False)
def collapse_sum_to(data: TensorType, shape: TensorType, attrs: InitOpAttrs) -> Type:
    """The sum over the axes along which ``shape`` broadcasts to the shape of the data."""
    if attrs.shape is None:
        return TensorType((ANY,) * int(shapes.static(shape.shape, "the shape")[0]), data.dtype)
    return TensorType(attrs.shape, data.dtype)


@collapse_sum_to.reference
def collapse_sum_to_numpy(data: Array, shape: Array, attrs: InitOpAttrs) -> Array:
    return _collapsed(data, [int(size) for size in shape])


@attrs("relay.attrs.ConcatenateAttrs")
class ConcatenateAttrs(Attrs):
    axis: int = 0
    """The axis to join along."""


def _tensors(data: TupleType) -> list[TensorType]:
    tensors = [part for part in data.fields if isinstance(part, TensorType)]
    if not tensors or len(tensors) != len(data.fields):
        raise TypeMismatch(f"a tuple of one tensor or more is needed, not {data}")
    first = tensors[0]
    for other in tensors:
        check_same_dtype(first=first, other=other)
        if other.rank != first.rank:
            raise TypeMismatch(f"the tensors must have one rank, but have {first.rank} and {other.rank}")
    return tensors


def _common(dims: Sequence[Dim], axis: int) -> Dim:
    known = {dim for dim in dims if not isinstance(dim, Any)}
    if len(known) > 1:
        raise TypeMismatch(f"the tensors differ along axis {axis}: {', '.join(map(str, dims))}")
    return next(iter(known), ANY)


@operator("concatenate", ConcatenateAttrs, Fusion.INJECTIVE, level=1)
def concatenate(data: TupleType, attrs: ConcatenateAttrs) -> Type:
    """Tensors joined along an axis that they have."""
    tensors = _tensors(data)
    axis = shapes.normal_axis(attrs.axis, tensors[0].rank)
    columns = list(zip(*[tensor.shape for tensor in tensors], strict=True))
    total: Dim = 0
    for dim in columns[axis]:
        total = shapes.add(total, dim)
    shape = tuple([total if i == axis else _common(dims, i) for i, dims in enumerate(columns)])
    return TensorType(shape, tensors[0].dtype)


@concatenate.reference
def concatenate_numpy(data: tuple[Array, ...], attrs: ConcatenateAttrs) -> Array:
    return np.concatenate(data, attrs.axis)


@attrs("relay.attrs.StackAttrs")
class StackAttrs(Attrs):
    axis: Integer = 0
    """Where the new axis stands in the result."""


@operator("stack", StackAttrs, Fusion.INJECTIVE, level=3)
def stack(data: TupleType, attrs: StackAttrs) -> Type:
    """Tensors of one shape joined along a new axis."""
    tensors = _tensors(data)
    rank = tensors[0].rank
    axis = shapes.normal_axis(attrs.axis, rank + 1)
    dims = [_common(dims, i) for i, dims in enumerate(zip(*[tensor.shape for tensor in tensors], strict=True))]
    return TensorType((*dims[:axis], len(tensors), *dims[axis:]), tensors[0].dtype)


@stack.reference
def stack_numpy(data: tuple[Array, ...], attrs: StackAttrs) -> Array:
    return np.stack(data, attrs.axis)


@attrs("relay.attrs.SplitAttrs")
class SplitAttrs(Attrs):
    indices_or_sections: int | Integers
    """The number of equal parts, or the places where a part ends and the next begins."""
    axis: int = 0
    """The axis to cut."""


def _part_sizes(dim: Dim, cuts: int | Sequence[int]) -> list[Dim]:
    if isinstance(cuts, int):
        if isinstance(dim, int) and (cuts < 1 or dim % cuts):
            raise TypeMismatch(f"a dim of {dim} has no {cuts} equal parts")
        return [shapes.floor_div(dim, cuts)] * cuts
    ends: list[Dim] = [*cuts, dim]
    return [shapes.subtract(end, start) for start, end in zip([0, *cuts], ends, strict=True)]


@operator("split", SplitAttrs, Fusion.INJECTIVE, level=3)
def split(data: TensorType, attrs: SplitAttrs) -> Type:
    """The data cut into parts along an axis."""
    axis = shapes.normal_axis(attrs.axis, data.rank)
    sizes = _part_sizes(data.shape[axis], attrs.indices_or_sections)
    return TupleType(
        tuple([TensorType((*data.shape[:axis], size, *data.shape[axis + 1 :]), data.dtype) for size in sizes])
    )


@split.reference
def split_numpy(data: Array, attrs: SplitAttrs) -> tuple[Array, ...]:
    return tuple(np.split(data, attrs.indices_or_sections, attrs.axis))


@attrs("relay.attrs.StridedSliceAttrs")
class StridedSliceAttrs(Attrs):
    begin: Integers | None
    """Where each slice begins."""
    end: Integers | None
    """Where each slice ends, or its size in mode ``size`` (-1: to the end)."""
    strides: Integers | None
    """The step of each slice; 1 for those left out."""
    slice_mode: String = "end"
    """``end`` or ``size``."""
    axes: Integers | None
    """The axes to slice; the first ones for None."""


def slices(attrs: StridedSliceAttrs, shape: Sequence[Dim]) -> dict[int, slice | None]:
    """For each sliced axis its slice, None where the dim is unknown and the slice depends on it."""
    begin, end = tuple(attrs.begin or ()), tuple(attrs.end or ())
    axes = range(len(begin)) if attrs.axes is None else shapes.normal_axes(attrs.axes, len(shape))
    if len(begin) > len(shape) or len(axes) != len(begin):
        raise WrongArgument(f"{len(begin)} slices are given for {len(axes)} axes of a value of rank {len(shape)}")
    steps = tuple(attrs.strides or ()) + (1,) * len(begin)
    found: dict[int, slice | None] = {}
    for i, axis in enumerate(axes):
        step = 1 if attrs.slice_mode == "size" else steps[i]
        last = end[i] if i < len(end) else None
        found[axis] = _one_slice(shape[axis], begin[i], last, step, attrs.slice_mode)
    return found


def _one_slice(dim: Dim, begin: int, end: int | None, step: int, mode: str) -> slice | None:
    if step == 0:
        raise WrongArgument("a stride of 0 has no meaning")
    if mode == "size":
        end = None if end is None or end < 0 else begin + end
    if isinstance(dim, Any):
        return slice(begin, end, step) if begin == 0 and end is None and step == 1 else None
    start, stop, step = slice(begin, end, step).indices(dim)
    return slice(start, None if stop < 0 else stop, step)


def _slice_size(dim: Dim, cut: slice | None) -> Dim:
    if cut is None or isinstance(dim, Any):
        return dim if cut == slice(0, None, 1) else ANY
    return len(range(*cut.indices(dim)))


@operator("strided_slice", StridedSliceAttrs, Fusion.INJECTIVE, level=4)
def strided_slice(data: TensorType, attrs: StridedSliceAttrs) -> Type:
    """A slice along some axes; begins and ends count from the end when negative, and are clipped to the dim."""
    cuts = slices(attrs, data.shape)
    sizes = [_slice_size(dim, cuts[axis]) if axis in cuts else dim for axis, dim in enumerate(data.shape)]
    return TensorType(tuple(sizes), data.dtype)


@strided_slice.reference
def strided_slice_numpy(data: Array, attrs: StridedSliceAttrs) -> Array:
    cuts = slices(attrs, data.shape)
    return data[tuple([cuts.get(axis) or slice(None) for axis in range(data.ndim)])]


@operator("strided_set", None, Fusion.INJECTIVE, level=4)
def strided_set(data: TensorType, v: TensorType, begin: TensorType, end: TensorType, strides: TensorType) -> Type:
    """The data with ``v`` put into a slice of it."""
    check_same_dtype(data=data, v=v)
    return data


@strided_set.reference
def strided_set_numpy(data: Array, v: Array, begin: Array, end: Array, strides: Array) -> Array:
    steps = [int(step) for step in strides] + [1] * (len(begin) - len(strides))
    cuts = [
        slice(*slice(int(b), int(e), s).indices(dim))
        for b, e, s, dim in zip(begin, end, steps, data.shape, strict=False)
    ]
    result = data.copy()
    result[tuple(cuts)] = v
    return result


@attrs("relay.attrs.SliceLikeAttrs")
class SliceLikeAttrs(Attrs):
    axes: Integers | None
    """The axes to cut; all for None."""


@operator("slice_like", SliceLikeAttrs, Fusion.INJECTIVE, level=10)
def slice_like(data: TensorType, shape_like: TensorType, attrs: SliceLikeAttrs) -> Type:
    """The first elements along axes, as many as another tensor has."""
    axes = range(shape_like.rank) if not attrs.axes else shapes.normal_axes(attrs.axes, data.rank)
    return TensorType(
        tuple([shape_like.shape[axis] if axis in axes else dim for axis, dim in enumerate(data.shape)]), data.dtype
    )


@slice_like.reference
def slice_like_numpy(data: Array, shape_like: Array, attrs: SliceLikeAttrs) -> Array:
    axes = range(shape_like.ndim) if not attrs.axes else shapes.normal_axes(attrs.axes, data.ndim)
    return data[tuple([slice(shape_like.shape[axis]) if axis in axes else slice(None) for axis in range(data.ndim)])]


@attrs("relay.attrs.RepeatAttrs")
class RepeatAttrs(Attrs):
    repeats: Integer
    """How often each element stands."""
    axis: Integer | None = None
    """The axis to repeat along; None for the flattened data."""


@operator("repeat", RepeatAttrs, Fusion.BROADCAST, level=3)
def repeat(data: TensorType, attrs: RepeatAttrs) -> Type:
    """Each element several times, one after the other."""
    if attrs.axis is None:
        return TensorType((shapes.multiply(shapes.product(data.shape), attrs.repeats),), data.dtype)
    axis = shapes.normal_axis(attrs.axis, data.rank)
    shape = [shapes.multiply(dim, attrs.repeats) if i == axis else dim for i, dim in enumerate(data.shape)]
    return TensorType(tuple(shape), data.dtype)


repeat.reference(lambda data, attrs: np.repeat(data, attrs.repeats, attrs.axis))


@attrs("relay.attrs.TileAttrs")
class TileAttrs(Attrs):
    reps: Integers
    """How often the data stands along each axis, the last one last."""


@operator("tile", TileAttrs, Fusion.BROADCAST, level=3)
def tile(data: TensorType, attrs: TileAttrs) -> Type:
    """The whole data several times along each axis."""
    rank = max(data.rank, len(attrs.reps))
    shape = (1,) * (rank - data.rank) + data.shape
    reps = (1,) * (rank - len(attrs.reps)) + attrs.reps
    return TensorType(tuple([shapes.multiply(d, r) for d, r in zip(shape, reps, strict=True)]), data.dtype)


tile.reference(lambda data, attrs: np.tile(data, attrs.reps))


@attrs("relay.attrs.ReverseAttrs")
class ReverseAttrs(Attrs):
    axis: Integer | None = None
    """The axis to turn around."""


@operator("reverse", ReverseAttrs, Fusion.INJECTIVE, level=3)
def reverse(data: TensorType, attrs: ReverseAttrs) -> Type:
    """The elements along an axis, the last one first."""
    shapes.normal_axis(attrs.axis, data.rank)
    return data


reverse.reference(lambda data, attrs: np.flip(data, attrs.axis))


@attrs("relay.attrs.ReverseSequenceAttrs")
class ReverseSequenceAttrs(Attrs):
    seq_axis: Integer = 1
    """The axis along which the sequences run."""
    batch_axis: Integer = 0
    """The axis along which the sequences stand beside each other."""


@operator("reverse_sequence", ReverseSequenceAttrs, Fusion.INJECTIVE, level=3)
def reverse_sequence(data: TensorType, seq_lengths: TensorType, attrs: ReverseSequenceAttrs) -> Type:
    """The first ``seq_lengths[i]`` elements of each sequence i, the last of them first; the rest as it is."""
    batch = shapes.normal_axis(attrs.batch_axis, data.rank)
    shapes.normal_axis(attrs.seq_axis, data.rank)
    if seq_lengths.rank != 1 or not shapes.dims_fit(seq_lengths.shape[0], data.shape[batch]):
        raise TypeMismatch(f"seq_lengths must have the shape ({data.shape[batch]},), not {seq_lengths.shape}")
    return data


@reverse_sequence.reference
def reverse_sequence_numpy(data: Array, seq_lengths: Array, attrs: ReverseSequenceAttrs) -> Array:
    moved = np.moveaxis(data, (attrs.batch_axis, attrs.seq_axis), (0, 1))
    result = moved.copy()
    for row, length in enumerate(seq_lengths):
        result[row, :length] = moved[row, :length][::-1]
    return np.moveaxis(result, (0, 1), (attrs.batch_axis, attrs.seq_axis))


@attrs("relay.attrs.ShapeOfAttrs")
class ShapeOfAttrs(Attrs):
    dtype: DType = VOID
    """The dtype of the result; int32 unless given."""


@operator("shape_of", ShapeOfAttrs, Fusion.OPAQUE, level=10)
def shape_of(data: TensorType, attrs: ShapeOfAttrs) -> Type:
    """The shape as a tensor."""
    return TensorType((data.rank,), attrs.dtype or DType.parse("int32"))


shape_of.reference(lambda data, attrs: np.array(data.shape, (attrs.dtype or DType.parse("int32")).numpy))


@attrs("relay.attrs.NdarraySizeAttrs")
class NdarraySizeAttrs(Attrs):
    dtype: DType = VOID
    """The dtype of the result; int32 unless given."""


@operator("ndarray_size", NdarraySizeAttrs, Fusion.INJECTIVE, level=10)
def ndarray_size(data: TensorType, attrs: NdarraySizeAttrs) -> Type:
    """The number of elements."""
    return TensorType((), attrs.dtype or DType.parse("int32"))


ndarray_size.reference(lambda data, attrs: np.array(data.size, (attrs.dtype or DType.parse("int32")).numpy))


@attrs("relay.attrs.MeshgridAttrs")
class MeshgridAttrs(Attrs):
    indexing: str = "ij"
    """``ij``: the first input runs along the first axis; ``xy``: along the second."""


@operator("meshgrid", MeshgridAttrs, Fusion.INJECTIVE, level=3)
def meshgrid(data: TupleType, attrs: MeshgridAttrs) -> Type:
    """For each vector its values at every point of the grid that the vectors span."""
    vectors = [part for part in data.fields if isinstance(part, TensorType)]
    dims: list[Dim] = [shapes.product(vector.shape) for vector in vectors]
    if attrs.indexing == "xy" and len(dims) > 1:
        dims[:2] = dims[1::-1]
    return TupleType(tuple([TensorType(tuple(dims), vector.dtype) for vector in vectors]))


meshgrid.reference(lambda data, attrs: tuple(np.meshgrid(*[np.reshape(v, -1) for v in data], indexing=attrs.indexing)))
