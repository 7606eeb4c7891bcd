"""tvm.relay's functions for operators on images.

Written by ``python -m torchrelay.relay.stubs``.
"""

from collections.abc import Sequence

from torchrelay.ir import Call, Expr
from torchrelay.relay.functions import Made, TupleWrapper

__all__ = ["affine_grid", "crop_and_resize", "dilation2d", "grid_sample", "resize1d", "resize2d", "resize3d"]
Operand = Expr | TupleWrapper | Sequence[Expr]

def affine_grid(data: Operand, target_shape: Sequence[int] | int | None = None) -> Made:
    """The grid (N, 2, height, width) of places x and y that maps (N, 2, 3) take a grid from -1 to 1 to."""

def crop_and_resize(
    data: Operand,
    boxes: Operand,
    box_indices: Operand,
    crop_size: Sequence[int] | int | None,
    layout: str,
    method: str = "bilinear",
    extrapolation_value: float = 0,
    out_dtype: str | None = None,
) -> Made:
    """For each box (top, left, bottom, right, from 0 to 1) the part of the image with that index, resized."""

def dilation2d(
    data: Operand,
    weight: Operand,
    strides: Sequence[int] | int = (1, 1),
    padding: Sequence[int] | int = (0, 0),
    dilations: Sequence[int] | int = (1, 1),
    data_layout: str = "NCHW",
    kernel_layout: str = "IHW",
    out_dtype: str = "",
) -> Made:
    """The largest sum of an element of a window and its weight, for each channel."""

def grid_sample(
    data: Operand,
    grid: Operand,
    method: str = "bilinear",
    layout: str = "NCHW",
    padding_mode: str = "zeros",
    align_corners: bool = True,
) -> Made:
    """The images at places of a grid (N, axes, ...) that run from -1 to 1, its first axis being the data's last."""

def resize1d(
    data: Expr,
    size: Sequence[int],
    roi: Sequence[float] | None = None,
    layout: str = "NCW",
    method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel",
    rounding_method: str = "",
    cubic_alpha: float = -0.5,
    cubic_exclude: int = 0,
    extrapolation_value: float = 0.0,
    out_dtype: str | None = None,
) -> Call:
    """Signals or volumes of another size."""

def resize2d(
    data: Expr,
    size: Sequence[int] | Expr,
    roi: Sequence[float] | None = None,
    layout: str = "NCHW",
    method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel",
    rounding_method: str = "",
    cubic_alpha: float = -0.5,
    cubic_exclude: int = 0,
    extrapolation_value: float = 0.0,
    out_dtype: str | None = None,
) -> Call:
    """Images of another size."""

def resize3d(
    data: Expr,
    size: Sequence[int],
    roi: Sequence[float] | None = None,
    layout: str = "NCDHW",
    method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel",
    rounding_method: str = "",
    cubic_alpha: float = -0.5,
    cubic_exclude: int = 0,
    extrapolation_value: float = 0.0,
    out_dtype: str | None = None,
) -> Call:
    """Signals or volumes of another size."""
