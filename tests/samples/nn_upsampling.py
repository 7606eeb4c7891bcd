"""Images made larger by a factor."""

from __future__ import annotations

import torch.nn.functional as F

from tests.samples.image_resize import resized
from tests.samples.layouts import DATA, permuted
from tests.samples.making import f32, f64, i32, sample, u8
from torchrelay import op

METHODS = {"nearest_neighbor": "nearest_neighbor", "bilinear": "linear", "trilinear": "linear", "bicubic": "cubic"}
SCALES = ("scale_d", "scale_h", "scale_w")


def enlarged(data, *scales, method="nearest_neighbor", coordinates="asymmetric", **attributes):
    """A row judged element by element."""
    rank = len(scales)
    layout = attributes.get("layout", DATA[rank])

    def judge(x):
        plain = permuted(x, layout, DATA[rank])
        size = [round(have * scale) for have, scale in zip(plain.shape[2:], scales, strict=True)]
        rounding = "round" if coordinates == "align_corners" else "floor"
        result = resized(plain.double().numpy(), size, METHODS[method], coordinates, rounding=rounding)
        return permuted(x.new_tensor(result), DATA[rank], layout)

    given = dict(zip(SCALES[-rank:], scales, strict=True))
    return sample(data, torch=judge, rtol=1e-4, atol=1e-5, method=method, **given, **attributes)


def larger(data, scale_h, scale_w, mode, **attributes):
    """A row judged by torch's interpolation."""
    scale = (scale_h, scale_w)
    judge = lambda x: F.interpolate(x, scale_factor=scale, mode=mode, align_corners=attributes.get("align_corners"))
    return sample(data, torch=judge, rtol=1e-4, atol=1e-5, scale_h=scale_h, scale_w=scale_w, **attributes)


ROWS = {
    op.nn.upsampling: [
        larger(f32(2, 3, 4, 5), 2, 2, "nearest"),
        larger(f32(2, 3, 4, 5), 3, 1, "nearest"),
        larger(u8(2, 3, 4, 5), 2, 2, "nearest"),
        larger(f32(2, 3, 4, 5), 2, 3, "bilinear", method="bilinear", align_corners=True),
        enlarged(f32(2, 3, 4, 5), 2, 2),
        enlarged(f32(1, 2, 3, 4), 1.5, 2.5),
        enlarged(f32(1, 2, 3, 4), 2, 3, method="bilinear"),
        enlarged(f32(1, 2, 3, 4), 2, 2, method="bicubic"),
        enlarged(f32(1, 3, 4, 2), 2, 2, method="bilinear", layout="NHWC"),
        enlarged(f32(1, 1, 3, 4, 2), 2, 2, layout="NCHW2c"),
        enlarged(f64(1, 2, 3, 4), 2, 2),
        enlarged(i32(1, 2, 3, 4), 2, 2),
        enlarged(f32(1, 2, 3, 4), 2, 2, align_corners=True, coordinates="align_corners"),
    ],
    op.nn.upsampling3d: [
        enlarged(f32(1, 2, 2, 3, 4), 2, 2, 2, coordinates="half_pixel"),
        enlarged(f32(1, 2, 2, 3, 4), 1, 2, 3, coordinates="half_pixel", method="trilinear"),
        enlarged(f32(1, 2, 2, 3, 4), 2, 1.5, 2, coordinates="half_pixel", method="trilinear"),
        enlarged(f32(1, 2, 3, 4, 2), 2, 2, 2, coordinates="half_pixel", layout="NDHWC"),
        enlarged(
            f32(1, 2, 2, 3, 4),
            2,
            2,
            2,
            coordinates="align_corners",
            method="trilinear",
            coordinate_transformation_mode="align_corners",
        ),
        enlarged(
            f32(1, 2, 2, 3, 4),
            2,
            2,
            2,
            method="trilinear",
            coordinate_transformation_mode="asymmetric",
        ),
    ],
}
