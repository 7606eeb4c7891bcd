"""The operators under ``image.``: images resized, cropped, warped."""

from torchrelay.op.image.resize import resize1d, resize2d, resize3d

__all__ = ["resize1d", "resize2d", "resize3d"]
