"""What the families of tensor arrays are named after: dtypes and shapes."""

from __future__ import annotations

from collections.abc import Iterable

from torchrelay.ir import Any, Dim

__all__ = ["DTYPES", "shape_name"]

DTYPES = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16")
"""The dtypes that the prelude has tensor arrays of."""


def shape_name(dtype: str, shape: Iterable[Dim]) -> str:
    """What a family of one shape has in its names: float32_2_any, float32_scalar."""
    sizes = ["any" if isinstance(dim, Any) else str(dim) for dim in shape]
    return "_".join([dtype, *(sizes or ["scalar"])])
