"""The same elements in another order."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    Attrs,
    Dim,
    Fusion,
    Integer,
    Integers,
    Shape,
    TensorType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_integers

__all__ = ["layout_transform", "reverse", "reverse_sequence", "transpose"]


@attrs("relay.attrs.TransposeAttrs")
class TransposeAttrs(Attrs):
    axes: Integers | None
    """For each axis of the result, the axis of the data it is; None turns the order around."""


@operator("transpose", TransposeAttrs, Fusion.INJECTIVE, level=3)
def transpose(data: TensorType, attrs: TransposeAttrs) -> Type:
    """The axes in another order."""
    if attrs.axes is None:
        return TensorType(data.shape[::-1], data.dtype)
    axes = shapes.normal_axes(attrs.axes, data.rank)
    if len(axes) != data.rank:
        raise WrongArgument(f"axes is {attrs.axes}, but must name each of {data.rank} axes once")
    return TensorType(tuple([data.shape[axis] for axis in axes]), data.dtype)


@transpose.reference
def transpose_numpy(data: Array, attrs: TransposeAttrs) -> Array:
    return data.transpose(attrs.axes)


@attrs("relay.attrs.ReverseAttrs")
class ReverseAttrs(Attrs):
    axis: Integer | None = None
    """The axis to turn around."""


def _axis(attrs: ReverseAttrs, rank: int) -> int:
    if attrs.axis is None:
        raise WrongArgument("the attribute axis must be given")
    return shapes.normal_axis(attrs.axis, rank)


@operator("reverse", ReverseAttrs, Fusion.INJECTIVE, level=3)
def reverse(data: TensorType, attrs: ReverseAttrs) -> Type:
    """The elements along an axis, the last one first."""
    _axis(attrs, data.rank)
    return data


@reverse.reference
def reverse_numpy(data: Array, attrs: ReverseAttrs) -> Array:
    return np.flip(data, _axis(attrs, data.ndim))


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
    check_integers(seq_lengths=seq_lengths)
    if seq_lengths.rank != 1 or not shapes.dims_fit(seq_lengths.shape[0], data.shape[batch]):
        raise TypeMismatch(f"seq_lengths must have the shape ({data.shape[batch]},), not {seq_lengths.shape}")
    return data


@reverse_sequence.reference
def reverse_sequence_numpy(data: Array, seq_lengths: Array, attrs: ReverseSequenceAttrs) -> Array:
    length = data.shape[attrs.seq_axis]
    steps = np.arange(length, dtype=np.int64)
    ends = np.minimum(seq_lengths, length)[:, None]
    places: Array = np.where(steps < ends, ends - 1 - steps, steps)
    batch, sequence = attrs.batch_axis % data.ndim, attrs.seq_axis % data.ndim
    if batch > sequence:
        places = places.T
    spread = [data.shape[axis] if axis in (batch, sequence) else 1 for axis in range(data.ndim)]
    return np.take_along_axis(data, places.reshape(spread), sequence)


@attrs("relay.attrs.LayoutTransformAttrs")
class LayoutTransformAttrs(Attrs):
    src_layout: str
    """The layout of the data, such as ``NCHW`` or ``NCHW4c``."""
    dst_layout: str
    """The layout of the result, with the same axes."""


def _layouts(attrs: LayoutTransformAttrs) -> tuple[Layout, Layout, str]:
    """Both layouts and the plain one that they have in common."""
    source, target = Layout.parse(attrs.src_layout), Layout.parse(attrs.dst_layout)
    plain = "".join(letter for letter, block in source.axes if not block)
    if sorted(plain) != sorted(letter for letter, block in target.axes if not block):
        raise WrongArgument(f"layouts {source.text} and {target.text} have different axes")
    return source, target, plain


def _filled(shape: Shape, target: Layout, plain: str) -> Shape:
    """The plain shape with each size rounded up to whole blocks."""
    blocks = {letter.upper(): block for letter, block in target.axes if block}

    def whole(dim: Dim, block: int) -> Dim:
        return shapes.multiply(shapes.ceil_div(dim, block), block)

    return tuple([whole(dim, blocks.get(letter, 1)) for letter, dim in zip(plain, shape, strict=True)])


@operator("layout_transform", LayoutTransformAttrs, Fusion.INJECTIVE, level=5)
def layout_transform(data: TensorType, attrs: LayoutTransformAttrs) -> Type:
    """The data in another layout; a block that the data does not fill is filled with zeros."""
    source, target, plain = _layouts(attrs)
    return TensorType(target.of(plain, _filled(source.to(plain, data.shape), target, plain)), data.dtype)


@layout_transform.reference
def layout_transform_numpy(data: Array, attrs: LayoutTransformAttrs) -> Array:
    source, target, plain = _layouts(attrs)
    unblocked = source.array_to(plain, data)
    filled = shapes.static(_filled(unblocked.shape, target, plain), "a layout")
    if filled != unblocked.shape:
        beyond = [(0, want - have) for want, have in zip(filled, unblocked.shape, strict=True)]
        unblocked = np.pad(unblocked, beyond)
    return target.array_of(plain, unblocked)
