"""Grey-scale dilation: the largest sum of a window and a structuring element."""

from __future__ import annotations

import numpy as np

from torchrelay.errors import TypeMismatch
from torchrelay.ir import VOID, Attrs, DType, Fusion, Indices, TensorType, Type, attrs, operator, shapes
from torchrelay.op._layout import Layout
from torchrelay.op._numpy import Array
from torchrelay.op._windows import padded, per_axis, sides, taps, tiled

__all__ = ["dilation2d"]


@attrs("relay.attrs.Dilation2DAttrs")
class Dilation2DAttrs(Attrs):
    strides: Indices = (1, 1)
    """The step of the window."""
    padding: Indices = (0, 0)
    """Zeros before and after: one value, one for each axis, or all before and then all after."""
    dilations: Indices = (1, 1)
    """The distance of neighbouring taps."""
    data_layout: str = "NCHW"
    """The layout of the data and of the result."""
    kernel_layout: str = "IHW"
    """The layout of the weight."""
    out_dtype: DType = VOID
    """The dtype of the result; that of the data when void."""


@operator("image.dilation2d", Dilation2DAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=2)
def dilation2d(data: TensorType, weight: TensorType, attrs: Dilation2DAttrs) -> Type:
    """The largest sum of an element of a window and its weight, for each channel."""
    layout = Layout.parse(attrs.data_layout)
    batch, channels, *sizes = layout.to("NCHW", data.shape)
    inputs, *kernel = Layout.parse(attrs.kernel_layout).to("IHW", weight.shape, "the weight")
    if not shapes.dims_fit(channels, inputs):
        raise TypeMismatch(f"the data has {channels} channels, but the weight takes {inputs}")
    strides, dilations = per_axis(2, strides=attrs.strides, dilations=attrs.dilations)
    before, after = sides(attrs.padding, 2)
    spatial = [shapes.window(sizes[a], kernel[a], strides[a], dilations[a], before[a] + after[a]) for a in range(2)]
    if any(isinstance(size, int) and size < 0 for size in spatial):
        raise TypeMismatch(f"a weight of {tuple(kernel)} does not fit images of {tuple(sizes)}")
    shape = (batch, shapes.known(channels, inputs), *spatial)
    return TensorType(layout.of("NCHW", shape), attrs.out_dtype or data.dtype)


@dilation2d.reference
def dilation2d_numpy(data: Array, weight: Array, attrs: Dilation2DAttrs) -> Array:
    layout = Layout.parse(attrs.data_layout)
    kernel = Layout.parse(attrs.kernel_layout).array_to("IHW", weight)
    strides, dilations = per_axis(2, strides=attrs.strides, dilations=attrs.dilations)
    source = padded(layout.array_to("NCHW", data), *sides(attrs.padding, 2))
    out = tiled(source.shape[2:], kernel.shape[1:], strides, dilations)
    result = None
    for index, view in taps(source, kernel.shape[1:], strides, dilations, out):
        part = view + kernel[(slice(None), *index)][:, None, None]
        result = part if result is None else np.maximum(result, part)
    assert result is not None, "a window has at least one tap"
    dtype = attrs.out_dtype.numpy if attrs.out_dtype else data.dtype
    return layout.array_of("NCHW", result.astype(dtype, copy=False))
