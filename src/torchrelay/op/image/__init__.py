"""The operators under ``image.``: images resized, cropped, warped."""

from torchrelay.op.image.crop import crop_and_resize
from torchrelay.op.image.dilation import dilation2d
from torchrelay.op.image.resize import resize1d, resize2d, resize3d
from torchrelay.op.image.warp import affine_grid, grid_sample

__all__ = ["affine_grid", "crop_and_resize", "dilation2d", "grid_sample", "resize1d", "resize2d", "resize3d"]
