"""Scales and zero points: of the weights that a model holds quantized, and those that it holds in tensors of their own."""

from __future__ import annotations

import numpy as np

from torchrelay import op
from torchrelay.frontend.graph import Scales, TorchGraph, TorchValue, walk_nodes
from torchrelay.ir import Constant, DType, Expr

__all__ = ["integers_of", "quantized_dtype", "real_of", "scale_parameters", "vectors_of"]

_SCALES = frozenset({"scale", "scales", "zero_point", "zero_points"})


def scale_parameters(graph: TorchGraph) -> set[str]:
    """The names of the parameters that are scales or zero points of an operator that quantizes.

    They are constants of the program: what compiles integer arithmetic has to know them.
    """
    found: set[str] = set()
    for node in walk_nodes(graph):
        if "quantize" in node.target:
            values = [value for name, value in node.args.items() if name in _SCALES]
            found.update(value.name for value in values if isinstance(value, TorchValue))
    return found & set(graph.parameters)


def vectors_of(scales: Scales) -> tuple[Constant, Constant]:
    """Scale and zero point as constants: float32 and int32, of rank 0, or of rank 1 where there are several."""
    return Constant(np.asarray(scales.scale, np.float32)), Constant(np.asarray(scales.zero_point, np.int32))


def integers_of(real: Expr, scales: Scales, dtype: DType) -> Expr:
    """The integers of a weight that is held as real numbers."""
    return op.qnn.quantize(real, *vectors_of(scales), out_dtype=dtype, axis=_axis(scales))


def real_of(integers: np.ndarray, scales: Scales) -> np.ndarray:
    """The float32 numbers that the integers of a weight stand for."""
    scale, zero_point = (constant.data for constant in vectors_of(scales))
    if scales.axis is not None:
        along = (*scale.shape, *(1,) * (integers.ndim - 1 - scales.axis))
        scale, zero_point = scale.reshape(along), zero_point.reshape(along)
    return (integers.astype(np.int32) - zero_point).astype(np.float32) * scale


def _axis(scales: Scales) -> int:
    return -1 if scales.axis is None else scales.axis


def quantized_dtype(dtype: object) -> DType:
    """The integers that a quantized dtype of torch's is held in: uint8 for ``quint8``."""
    return DType.parse(str(dtype).removeprefix("q"))
