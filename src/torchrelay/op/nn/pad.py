"""Operators that put something around or between elements, or fold axes into each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    Any,
    Attrs,
    Dim,
    Fusion,
    Indices,
    Integers,
    Shape,
    String,
    TensorType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._numpy import Array

__all__ = ["batch_flatten", "dilate", "mirror_pad", "pad"]


@attrs("relay.attrs.PadAttrs")
class PadAttrs(Attrs):
    pad_width: tuple[Integers, ...]
    """For each axis how much is added before and after."""
    pad_mode: String = "constant"
    """``constant``, ``edge`` (the nearest element) or ``reflect`` (mirrored, the border not repeated)."""


def _grown(data: TensorType, widths: tuple[tuple[Dim, ...], ...]) -> Shape:
    if len(widths) != data.rank or any(len(width) != 2 for width in widths):
        raise WrongArgument(f"pad_width must have a pair for each of {data.rank} axes, not {widths}")
    grown = [shapes.add(dim, shapes.add(*width)) for dim, width in zip(data.shape, widths, strict=True)]
    if any(isinstance(dim, int) and dim < 0 for dim in grown):
        raise WrongArgument(f"pad_width {widths} takes more off the shape {data.shape} than there is")
    return tuple(grown)


@operator("nn.pad", PadAttrs, Fusion.INJECTIVE, level=2)
def pad(data: TensorType, pad_val: TensorType, attrs: PadAttrs) -> Type:
    """The data with a value, its edge or its mirror image around it; a negative width takes elements off."""
    if attrs.pad_mode not in ("constant", "edge", "reflect"):
        raise WrongArgument(f"pad_mode is {attrs.pad_mode!r}, but must be constant, edge or reflect")
    if pad_val.shape:
        raise TypeMismatch(f"pad_val must be a scalar, not of shape {pad_val.shape}")
    grown = _grown(data, attrs.pad_width)
    if attrs.pad_mode == "reflect":
        widths = [[max(n, 0) for n in width] for width in attrs.pad_width]
        left = [shapes.subtract(size, sum(width)) for size, width in zip(grown, widths, strict=True)]
        _check_mirror(left, widths, border=False)
    return TensorType(grown, data.dtype)


@pad.reference
def pad_numpy(data: Array, pad_val: Array, attrs: PadAttrs) -> Array:
    cuts = [slice(max(-b, 0), size - max(-a, 0)) for size, (b, a) in zip(data.shape, attrs.pad_width, strict=True)]
    widths = [(max(before, 0), max(after, 0)) for before, after in attrs.pad_width]
    if attrs.pad_mode == "constant":
        return np.pad(data[tuple(cuts)], widths, constant_values=pad_val.astype(data.dtype))
    return np.pad(data[tuple(cuts)], widths, mode="edge" if attrs.pad_mode == "edge" else "reflect")


@attrs("relay.attrs.MirrorPadAttrs")
class MirrorPadAttrs(Attrs):
    mode: str = "SYMMETRIC"
    """``SYMMETRIC`` repeats the border, ``REFLECT`` does not."""
    pad_width: tuple[Indices, ...]
    """For each axis how much is added before and after."""


@operator("nn.mirror_pad", MirrorPadAttrs, Fusion.INJECTIVE, level=2)
def mirror_pad(data: TensorType, attrs: MirrorPadAttrs) -> Type:
    """The data with its mirror image around it."""
    if attrs.mode not in ("SYMMETRIC", "REFLECT"):
        raise WrongArgument(f"mode is {attrs.mode!r}, but must be SYMMETRIC or REFLECT")
    _check_mirror(data.shape, _known(attrs.pad_width), border=attrs.mode == "SYMMETRIC")
    return TensorType(_grown(data, attrs.pad_width), data.dtype)


@mirror_pad.reference
def mirror_pad_numpy(data: Array, attrs: MirrorPadAttrs) -> Array:
    return np.pad(data, _known(attrs.pad_width), mode="symmetric" if attrs.mode == "SYMMETRIC" else "reflect")


def _known(widths: tuple[Indices, ...]) -> list[tuple[int, ...]]:
    return [shapes.static(width, "pad_width") for width in widths]


def _check_mirror(sizes: Sequence[Dim], widths: Sequence[Sequence[int]], *, border: bool) -> None:
    """Raises WrongArgument where a mirror image would need more elements than there are."""
    for axis, (size, width) in enumerate(zip(sizes, widths, strict=False)):
        most = size if border or isinstance(size, Any) else max(size - 1, 0)
        if min(width) < 0 or (isinstance(most, int) and max(width) > most):
            raise WrongArgument(
                f"pad_width is {tuple(width)} on axis {axis} of size {size}, but must be from 0 to {most}"
            )


@attrs("relay.attrs.DilateAttrs")
class DilateAttrs(Attrs):
    strides: Indices = (1, 1)
    """For each axis the distance that neighbours get."""
    dilation_value: float = 0.0
    """What stands between them."""


@operator("nn.dilate", DilateAttrs, Fusion.INJECTIVE, level=10, keyed=False)
def dilate(x: TensorType, attrs: DilateAttrs) -> Type:
    """The data with a value between neighbours."""
    if len(attrs.strides) != x.rank:
        raise WrongArgument(f"strides has {len(attrs.strides)} values, but must have {x.rank}")
    sizes = [
        shapes.add(shapes.multiply(shapes.subtract(dim, 1), step), 1)
        for dim, step in zip(x.shape, attrs.strides, strict=True)
    ]
    return TensorType(tuple(sizes), x.dtype)


@dilate.reference
def dilate_numpy(x: Array, attrs: DilateAttrs) -> Array:
    if all(step == 1 for step in attrs.strides):
        return x
    shape = [(size - 1) * step + 1 for size, step in zip(x.shape, attrs.strides, strict=True)]
    result = np.full(shape, attrs.dilation_value, x.dtype)
    result[tuple([slice(None, None, step) for step in attrs.strides])] = x
    return result


@operator("nn.batch_flatten", None, Fusion.INJECTIVE, level=2)
def batch_flatten(data: TensorType) -> Type:
    """All axes but the first in one."""
    if not data.rank:
        raise TypeMismatch("the data must have rank 1 or more, not 0")
    return TensorType((data.shape[0], shapes.product(data.shape[1:])), data.dtype)


@batch_flatten.reference
def batch_flatten_numpy(data: Array) -> Array:
    return data.reshape(data.shape[0], math.prod(data.shape[1:]))
