"""Buffers of what came last along an axis, as models that run step by step keep."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import Attrs, Fusion, TensorType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_same_dtype

__all__ = ["fifo_buffer"]


@attrs("relay.attrs.FIFOBufferAttrs")
class FIFOBufferAttrs(Attrs):
    axis: int = 0
    """The axis along which data comes in."""


@operator("nn.fifo_buffer", FIFOBufferAttrs, Fusion.OPAQUE, level=3)
def fifo_buffer(data: TensorType, buffer: TensorType, attrs: FIFOBufferAttrs) -> Type:
    """The buffer with the data put at its end and as much taken off its start."""
    axis = shapes.normal_axis(attrs.axis, buffer.rank)
    check_same_dtype(data=data, buffer=buffer)
    rest = [shape[:axis] + shape[axis + 1 :] for shape in (data.shape, buffer.shape)]
    if data.rank != buffer.rank or not all(map(shapes.dims_fit, *rest)):
        raise TypeMismatch(f"data {data.shape} and buffer {buffer.shape} must be alike but for axis {axis}")
    return buffer


@fifo_buffer.reference
def fifo_buffer_numpy(data: Array, buffer: Array, attrs: FIFOBufferAttrs) -> Array:
    axis, size = attrs.axis % buffer.ndim, buffer.shape[attrs.axis]
    joined = np.concatenate([buffer, data], axis)
    return joined[(slice(None),) * axis + (slice(joined.shape[axis] - size, None),)]
