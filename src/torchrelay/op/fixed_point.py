"""Multiplication of integers by fixed-point factors, as quantized programs scale their accumulators."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import Attrs, Fusion, Integers, TensorType, attrs, operator, shapes
from torchrelay.op._numpy import Array


def scaled(data: Array, multiplier: Array | int, left: Array | int, right: Array | int) -> Array:
    """Data * 2**left * multiplier / 2**31 / 2**right in 64 bits, rounded to nearest with halves up."""
    product = (data.astype(np.int64) << left) * multiplier
    short = np.minimum(right, 32)
    rounded = (product + (np.int64(1) << (short + 30))) >> (short + 31)
    return np.where(short < right, 0, rounded).astype(data.dtype)  # less than a half after 64 places


def _check_int32(**tensors: TensorType) -> None:
    for name, tensor in tensors.items():
        if tensor.dtype != "int32":
            raise TypeMismatch(f"{name} must hold int32, not {tensor.dtype}")


@attrs("relay.attrs.FixedPointMultiplyAttrs")
class FixedPointMultiplyAttrs(Attrs):
    multiplier: int
    """The factor's significand, a fixed-point number with 31 fractional bits."""
    shift: int
    """The factor's exponent: the factor is multiplier / 2**31 * 2**shift."""


@operator("fixed_point_multiply", FixedPointMultiplyAttrs, Fusion.ELEMWISE)
def fixed_point_multiply(data: TensorType, attrs: FixedPointMultiplyAttrs) -> TensorType:
    """Each int32 times a fixed-point factor, rounded to nearest with halves up."""
    _check_int32(data=data)
    return data


fixed_point_multiply.keeps_type()


@fixed_point_multiply.reference
def fixed_point_multiply_numpy(data: Array, attrs: FixedPointMultiplyAttrs) -> Array:
    return scaled(data, attrs.multiplier, max(attrs.shift, 0), max(-attrs.shift, 0))


@attrs("relay.attrs.FixedPointMultiplyPerAxisAttrs")
class FixedPointMultiplyPerAxisAttrs(Attrs):
    is_lshift_required: bool = False
    """Whether the left shifts are applied."""
    is_rshift_required: bool = False
    """Whether a right shift is other than zero."""
    axes: Integers
    """The axes of ``data`` that the factors belong to."""


@operator("fixed_point_multiply_per_axis", FixedPointMultiplyPerAxisAttrs, Fusion.BROADCAST)
def fixed_point_multiply_per_axis(
    data: TensorType,
    fp_multiplier: TensorType,
    left_shift: TensorType,
    right_shift: TensorType,
    attrs: FixedPointMultiplyPerAxisAttrs,
) -> TensorType:
    """Each int32 times the fixed-point factor of its place along ``axes``, rounded to nearest with halves up.

    A factor is fp_multiplier / 2**31 * 2**left_shift / 2**right_shift.
    """
    _check_int32(data=data, fp_multiplier=fp_multiplier, left_shift=left_shift, right_shift=right_shift)
    axes = sorted(shapes.normal_axes(attrs.axes, data.rank))
    wanted = shapes.product([data.shape[axis] for axis in axes])
    for name, given in (("fp_multiplier", fp_multiplier), ("left_shift", left_shift), ("right_shift", right_shift)):
        if not shapes.dims_fit(shapes.product(given.shape), wanted):
            places = ", ".join(map(str, axes))
            raise TypeMismatch(
                f"{name} must have one number for each place along axes {places}, {wanted}, not {given.shape}"
            )
    return data


@fixed_point_multiply_per_axis.reference
def fixed_point_multiply_per_axis_numpy(
    data: Array, fp_multiplier: Array, left_shift: Array, right_shift: Array, attrs: FixedPointMultiplyPerAxisAttrs
) -> Array:
    axes = [axis % data.ndim for axis in attrs.axes]
    along = [data.shape[axis] if axis in axes else 1 for axis in range(data.ndim)]
    multiplier, left, right = (
        part.astype(np.int64).reshape(along) for part in (fp_multiplier, left_shift, right_shift)
    )
    return scaled(data, multiplier, left if attrs.is_lshift_required else 0, right)
