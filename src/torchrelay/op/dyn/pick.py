"""Parts of a tensor whose places or number are values."""

from __future__ import annotations

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Fusion, TensorType, Type, operator, shapes
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_integers
from torchrelay.op.dyn._values import by_static, integers, length, number, unknown
from torchrelay.op.shape.cut import StridedSliceAttrs
from torchrelay.op.sort import TopkAttrs, topk as topk_of_a_number

__all__ = ["strided_slice", "topk"]


@operator("dyn.strided_slice", StridedSliceAttrs, Fusion.INJECTIVE, level=4, data_dependent=(False, True, True, True))
def strided_slice(
    data: TensorType, begin: TensorType, end: TensorType, strides: TensorType, attrs: StridedSliceAttrs
) -> Type:
    """A slice along the first axes, from, to and by what tensors say."""
    counts = length(begin=begin), length(end=end), length(strides=strides)
    if len(set(counts)) > 1 or counts[0] > data.rank:
        raise TypeMismatch(
            f"begin, end and strides have {counts[0]}, {counts[1]} and {counts[2]} values, but must have one for each "
            f"of the axes to slice, {data.rank} at most"
        )
    if attrs.axes is not None and attrs.axes != tuple(range(counts[0])):
        raise WrongArgument(f"axes is {attrs.axes}, but must be None: TVM slices the first axes whatever it says")
    return TensorType((*unknown(counts[0]), *data.shape[counts[0] :]), data.dtype)


@strided_slice.reference
def strided_slice_numpy(data: Array, begin: Array, end: Array, strides: Array, attrs: StridedSliceAttrs) -> Array:
    cuts = zip(data.shape, integers(begin), integers(end), integers(strides), strict=False)
    sized = attrs.slice_mode == "size"
    return data[tuple([_cut(size, start, stop, step, sized=sized) for size, start, stop, step in cuts])]


def _cut(size: int, start: int, stop: int, step: int, *, sized: bool) -> slice:
    """The slice of an axis of that size; in mode ``size`` to the end for a negative one, without steps."""
    if step == 0:
        raise WrongArgument("a stride of 0 has no meaning")
    if sized:
        step, stop = 1, size if stop < 0 else start + stop
    first, last, step = slice(start, stop, step).indices(size)
    return slice(first, None if last < 0 else last, step)


@operator("dyn.topk", TopkAttrs, Fusion.OPAQUE, level=6, data_dependent=(False, True))
def topk(data: TensorType, k: TensorType, attrs: TopkAttrs) -> Type:
    """The largest elements along an axis, sorted, and where they are, as many as a scalar says; all for less than 1."""
    check_integers(k=k)
    if k.rank > 1 or not shapes.dims_fit(shapes.product(k.shape), 1):
        raise TypeMismatch(f"k must be one number, not of shape {k.shape}")
    return topk_of_a_number.relation(data, attrs.replace(k=None))


@topk.reference
def topk_numpy(data: Array, k: Array, attrs: TopkAttrs) -> Array | tuple[Array, ...]:
    count = min(number(k), data.shape[attrs.axis])
    return by_static(topk_of_a_number, attrs.replace(k=count), data)
