"""Converters of images taken at the places of a grid."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr

__all__: list[str] = []

_METHODS = ("bilinear", "nearest", "bicubic")
_PADDINGS = ("zeros", "border", "reflection")


@aten("grid_sampler.default", "grid_sampler_2d.default", "grid_sampler_3d.default")
def grid_sampler(input: Expr, grid: Expr, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Expr:
    """The images (N, C, ...) at the places of a grid (N, ..., axes), which Relay takes as (N, axes, ...)."""
    rank = grid.tensor.rank
    return op.image.grid_sample(
        input,
        permuted(grid, (0, rank - 1, *range(1, rank - 1))),
        method=_METHODS[interpolation_mode],
        layout="NCHW" if rank == 4 else "NCDHW",
        padding_mode=_PADDINGS[padding_mode],
        align_corners=align_corners,
    )
