"""Sums, differences, products and concatenation of quantized tensors that each have their own scale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import Arg, Attrs, DType, Fusion, Operator, TensorType, TupleType, Type, attrs, operator
from torchrelay.op._numpy import Array
from torchrelay.op._relations import broadcast_types
from torchrelay.op.qnn._scales import (
    along,
    channels,
    check_dtype,
    check_parameter,
    check_single,
    rescaled,
    saturated,
)
from torchrelay.op.shape.join import ConcatenateAttrs, concatenate as plain_concatenate

__all__ = ["add", "concatenate", "mul", "subtract"]

NONE = np.array(0, np.int32)
"""The zero point of products."""
QUANTIZED = ("int8", "uint8", "int16", "uint16", "int32")


@attrs("relay.attrs.BroadcastAttrs")
class BroadcastAttrs(Attrs):
    lhs_axis: int = -1
    """The axis of the channels of the first, where its parameters are vectors."""
    rhs_axis: int = -1
    """The axis of the channels of the second, where its parameters are vectors."""


P = ParamSpec("P")
Meaning = Callable[[Array, Array, Array, Array, Array, Array, Array, Array, BroadcastAttrs], Array]
Binary = Operator[Concatenate[Arg, Arg, Arg, Arg, Arg, Arg, Arg, Arg, P]]


def _check_side(data: TensorType, axis: int, **parameters: TensorType) -> None:
    """Checks the parameters of one side; the axis says nothing where each of them is one number."""
    size = channels(data, axis) if any(given.rank for given in parameters.values()) else None
    for name, given in parameters.items():
        check_parameter(name, given, size)


def _binary(name: str, record: Callable[P, BroadcastAttrs], meaning: Meaning, doc: str) -> Binary[P]:
    def relation(
        lhs: TensorType,
        rhs: TensorType,
        lhs_scale: TensorType,
        lhs_zero_point: TensorType,
        rhs_scale: TensorType,
        rhs_zero_point: TensorType,
        output_scale: TensorType,
        output_zero_point: TensorType,
        attrs: BroadcastAttrs,
    ) -> Type:
        check_dtype(QUANTIZED, lhs=lhs, rhs=rhs)
        _check_side(lhs, attrs.lhs_axis, lhs_scale=lhs_scale, lhs_zero_point=lhs_zero_point)
        _check_side(rhs, attrs.rhs_axis, rhs_scale=rhs_scale, rhs_zero_point=rhs_zero_point)
        check_single(output_scale=output_scale, output_zero_point=output_zero_point)
        return broadcast_types(lhs, rhs)

    relation.__doc__ = doc
    made = operator(name, record, Fusion.BROADCAST, level=11)(relation)
    made.reference(meaning)
    return made


def _added(sign: int) -> Meaning:
    """The sum or the difference: both sides are brought to the output's parameters, each rounded on its own."""

    def meaning(
        lhs: Array,
        rhs: Array,
        lhs_scale: Array,
        lhs_zero_point: Array,
        rhs_scale: Array,
        rhs_zero_point: Array,
        output_scale: Array,
        output_zero_point: Array,
        attrs: BroadcastAttrs,
    ) -> Array:
        left, left_zero = (along(given, lhs.ndim, attrs.lhs_axis) for given in (lhs_scale, lhs_zero_point))
        right, right_zero = (along(given, rhs.ndim, attrs.rhs_axis) for given in (rhs_scale, rhs_zero_point))
        first = rescaled(lhs, left, left_zero, output_scale, output_zero_point)
        second = rescaled(rhs, right, right_zero, output_scale, output_zero_point) - output_zero_point
        return saturated(first + sign * second, DType.of(lhs.dtype))

    return meaning


def _multiplied(
    lhs: Array,
    rhs: Array,
    lhs_scale: Array,
    lhs_zero_point: Array,
    rhs_scale: Array,
    rhs_zero_point: Array,
    output_scale: Array,
    output_zero_point: Array,
    attrs: BroadcastAttrs,
) -> Array:
    left = lhs.astype(np.int32) - along(lhs_zero_point, lhs.ndim, attrs.lhs_axis)
    right = rhs.astype(np.int32) - along(rhs_zero_point, rhs.ndim, attrs.rhs_axis)
    scale = along(lhs_scale, lhs.ndim, attrs.lhs_axis) * along(rhs_scale, rhs.ndim, attrs.rhs_axis)
    product = rescaled(left * right, scale, NONE, output_scale, output_zero_point)
    return saturated(product, DType.of(lhs.dtype))


add = _binary("qnn.add", BroadcastAttrs, _added(1), "The sum of two quantized tensors, quantized.")
subtract = _binary("qnn.subtract", BroadcastAttrs, _added(-1), "The difference of two quantized tensors, quantized.")
mul = _binary("qnn.mul", BroadcastAttrs, _multiplied, "The product of two quantized tensors, quantized.")


@operator("qnn.concatenate", ConcatenateAttrs, Fusion.INJECTIVE, level=11)
def concatenate(
    data: TupleType,
    input_scales: TupleType,
    input_zero_points: TupleType,
    output_scale: TensorType,
    output_zero_point: TensorType,
    attrs: ConcatenateAttrs,
) -> Type:
    """Quantized tensors brought to one scale and zero point and joined along an axis."""
    result = plain_concatenate.relation(data, attrs)
    tensors = [part for part in data.fields if isinstance(part, TensorType)]
    check_dtype(("int8", "uint8", "int16", "int32"), data=tensors[0])
    for name, parameters in (("input_scales", input_scales), ("input_zero_points", input_zero_points)):
        if len(parameters.fields) != len(tensors):
            raise TypeMismatch(f"{name} has {len(parameters.fields)} numbers, but the data {len(tensors)} tensors")
        for place, given in enumerate(parameters.fields):
            if not isinstance(given, TensorType):
                raise TypeMismatch(f"{name} must be a tuple of numbers, but holds {given}")
            check_parameter(f"{name}[{place}]", given)
    check_single(output_scale=output_scale, output_zero_point=output_zero_point)
    return result


@concatenate.reference
def concatenate_numpy(
    data: tuple[Array, ...],
    input_scales: tuple[Array, ...],
    input_zero_points: tuple[Array, ...],
    output_scale: Array,
    output_zero_point: Array,
    attrs: ConcatenateAttrs,
) -> Array:
    dtype = DType.of(data[0].dtype)
    parts = zip(data, input_scales, input_zero_points, strict=True)
    moved = [saturated(rescaled(*part, output_scale, output_zero_point), dtype) for part in parts]
    return np.concatenate(moved, attrs.axis)
