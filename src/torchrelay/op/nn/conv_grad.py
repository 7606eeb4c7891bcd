"""What a convolution's weight gets from the gradient of its result."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Dim, Fusion, TensorType, Type, operator, shapes
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array
from torchrelay.op._windows import padded, per_axis, sides, taps
from torchrelay.op.nn.conv import Conv2DAttrs

__all__ = ["conv2d_backward_weight"]


def _kernel_size(attrs: Conv2DAttrs) -> tuple[int, ...]:
    if attrs.kernel_size is None or len(attrs.kernel_size) != 2:
        raise WrongArgument(f"kernel_size is {attrs.kernel_size}, but must have 2 values")
    return shapes.static(attrs.kernel_size, "kernel_size")


def _result_layout(attrs: Conv2DAttrs) -> Layout:
    return Layout.parse(attrs.out_layout or "OIHW")


@operator("nn.conv2d_backward_weight", Conv2DAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=2)
def conv2d_backward_weight(grad: TensorType, data: TensorType, attrs: Conv2DAttrs) -> Type:
    """The gradient of a two-dimensional convolution's weight, from that of its result and from its data.

    ``data_layout`` is the layout of the gradient, ``kernel_layout`` that of the data, ``out_layout`` that of the weight.
    """
    batch, outputs, *places = Layout.parse(attrs.data_layout).to("NCHW", grad.shape, "the gradient")
    count, channels, *sizes = Layout.parse(attrs.kernel_layout).to("NCHW", data.shape)
    if not shapes.dims_fit(batch, count):
        raise TypeMismatch(f"the gradient has a batch of {batch}, the data one of {count}")
    if isinstance(channels, int) and channels % attrs.groups:
        raise TypeMismatch(f"{channels} channels do not form {attrs.groups} groups")
    _check_places(places, sizes, attrs)
    shape = (outputs, shapes.floor_div(channels, attrs.groups), *_kernel_size(attrs))
    return TensorType(_result_layout(attrs).of("OIHW", shape), attrs.out_dtype or grad.dtype)


def _check_places(places: Sequence[Dim], sizes: Sequence[Dim], attrs: Conv2DAttrs) -> None:
    strides, dilation = per_axis(2, strides=attrs.strides, dilation=attrs.dilation)
    (before, after), kernel = sides(attrs.padding, 2), _kernel_size(attrs)
    for axis, (given, size) in enumerate(zip(places, sizes, strict=True)):
        made = shapes.window(size, kernel[axis], strides[axis], dilation[axis], before[axis] + after[axis])
        if not shapes.dims_fit(given, made):
            raise TypeMismatch(f"the gradient has {given} places on spatial axis {axis}, the convolution makes {made}")


@conv2d_backward_weight.reference
def conv2d_backward_weight_numpy(grad: Array, data: Array, attrs: Conv2DAttrs) -> Array:
    strides, dilation = per_axis(2, strides=attrs.strides, dilation=attrs.dilation)
    kernel, groups = _kernel_size(attrs), attrs.groups
    errors = Layout.parse(attrs.data_layout).array_to("NCHW", grad)
    source = padded(Layout.parse(attrs.kernel_layout).array_to("NCHW", data), *sides(attrs.padding, 2))
    batch, outputs, *out = errors.shape
    length, inputs = out[0] * out[1], source.shape[1] // groups
    rows = errors.reshape(batch, groups, outputs // groups, length)
    result = np.empty((groups, outputs // groups, inputs, *kernel), errors.dtype)
    for index, view in taps(source, kernel, strides, dilation, out):
        columns = view.reshape(batch, groups, inputs, length)
        result[(..., *index)] = np.matmul(rows, columns.swapaxes(2, 3)).sum(0)
    result = result.reshape(outputs, inputs, *kernel).astype(attrs.out_dtype.numpy if attrs.out_dtype else grad.dtype)
    return _result_layout(attrs).array_of("OIHW", result)
