"""Operators whose shapes are values."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.samples.image_resize import resized
from tests.samples.making import array, f32, f64, i8, i32, sample
from tests.samples.sort import TIES, largest
from torchrelay import op

DATA = f32(2, 3, 4)


def longs(*values):
    """int64 of these values."""
    return array(values, "int64")


def ints32(*values):
    """int32 of these values."""
    return array(values, "int32")


def cut(data, begin, end, strides, wanted, dtype="int64", **attributes):
    """A row of a slice from values, judged by NumPy's own slice."""
    given = {"begin": None, "end": None, "strides": None, "axes": None, **attributes}
    vectors = [array(values, dtype) for values in (begin, end, strides)]
    return sample(data, *vectors, known_dims=True, numpy=lambda x, *_: wanted(x), **given)


def hot(indices, depth, axis=-1, dtype="float32"):
    """A row of one-hot vectors, judged by rows of the identity."""

    def judge(places, on, off, count):
        rows = np.where(np.eye(count.item(), dtype=bool)[places], on, off)
        return np.moveaxis(rows, -1, axis).astype(dtype)

    return sample(indices, f32(low=2, high=3), f32(), depth, axis=axis, dtype=dtype, numpy=judge)


def first(data, k, **attributes):
    """A row of the largest elements."""
    axis, down = attributes.get("axis", -1), not attributes.get("is_ascend", False)
    count = int(k.reshape(()))
    count = data.shape[axis] if count < 1 else count
    return sample(data, k, k=None, dtype="int32", numpy=lambda x, _: largest(x, count, axis, down=down), **attributes)


def around(data, value, mode, widths, dtype="int64"):
    """A row of padding, judged by NumPy."""

    def judge(x, pairs, given):
        options = {"constant_values": given.astype(x.dtype)} if mode == "constant" else {}
        return np.pad(x, pairs, mode, **options)

    return sample(data, array(widths, dtype), array(value), pad_width=(), pad_mode=mode, numpy=judge)


def larger(data, scales, mode, **attributes):
    """A row of a larger image, judged by torch's interpolation."""
    names = ("scale_d", "scale_h", "scale_w")[-len(scales) :]
    corners = {} if mode == "nearest" else {"align_corners": attributes.get("align_corners", False)}
    judge = lambda x, *_: F.interpolate(x, scale_factor=scales, mode=mode, **corners)
    zeros = dict.fromkeys(names, 0.0)
    return sample(data, *map(array, scales), torch=judge, rtol=1e-4, atol=1e-5, **zeros, **attributes)


def resize(data, size, *, judge, roi=(0, 0, 1, 1), dtype="int64", **attributes):
    """A row of a resized image."""
    return sample(data, array(size, dtype), array(roi), rtol=1e-4, atol=1e-5, **judge, **attributes)


ROWS = {
    op.dyn.reshape: [
        sample(DATA, longs(6, 4), known_dims=True, newshape=(), torch=lambda x, _: x.reshape(6, 4)),
        sample(DATA, ints32(0, -1), known_dims=True, newshape=(), torch=lambda x, _: x.reshape(2, 12)),
        sample(DATA, longs(4, 1, 3, -1), known_dims=True, newshape=(), torch=lambda x, _: x.reshape(4, 1, 3, 2)),
        sample(
            f32(0, 3), longs(3, 0), known_dims=True, newshape=(), allowzero=True, torch=lambda x, _: x.reshape(3, 0)
        ),
        sample(f32(1), longs(), known_dims=True, newshape=(), torch=lambda x, _: x.reshape(())),
    ],
    op.dyn.tile: [
        sample(DATA, longs(2), known_dims=True, reps=(), torch=lambda x, _: x.tile(2)),
        sample(DATA, ints32(2, 1, 1, 3), known_dims=True, reps=(), torch=lambda x, _: x.tile(2, 1, 1, 3)),
        sample(i8(2, 3), longs(0, 2), known_dims=True, reps=(), torch=lambda x, _: x.tile(0, 2)),
    ],
    op.dyn.broadcast_to: [
        sample(f32(1, 3), longs(2, 3), known_dims=True, shape=None, torch=lambda x, _: x.expand(2, 3)),
        sample(f32(3), ints32(4, 2, 3), known_dims=True, shape=None, torch=lambda x, _: x.expand(4, 2, 3)),
        sample(f32(), longs(2, 1), known_dims=True, shape=(), torch=lambda x, _: x.expand(2, 1)),
    ],
    op.dyn.expand_dims: [
        sample(DATA, array(0, "int64"), torch=lambda x, _: x.unsqueeze(0)),
        sample(DATA, array(-1, "int32"), torch=lambda x, _: x.unsqueeze(-1)),
        sample(DATA, array(1, "int64"), num_newaxis=2, numpy=lambda x, _: x[:, None, None]),
        sample(DATA, array(3, "int64"), num_newaxis=0, numpy=lambda x, _: x),
    ],
    op.dyn.squeeze: [
        sample(f32(1, 2, 1, 3), longs(0, 2), known_dims=True, axis=(), torch=lambda x, _: x.squeeze((0, 2))),
        sample(f32(1, 2, 1, 3), ints32(-2), known_dims=True, axis=(), torch=lambda x, _: x.squeeze(-2)),
        sample(f32(1, 2), longs(), known_dims=True, axis=None, torch=lambda x, _: x),
    ],
    op.dyn.zeros: [
        sample(longs(2, 3), known_dims=True, shape=None, dtype="float32", torch=lambda _: torch.zeros(2, 3)),
        sample(ints32(0, 3), known_dims=True, shape=(), dtype="int8", numpy=lambda _: np.zeros((0, 3), "int8")),
    ],
    op.dyn.ones: [
        sample(longs(2, 3), known_dims=True, shape=None, dtype="float32", torch=lambda _: torch.ones(2, 3)),
        sample(longs(), known_dims=True, shape=(), dtype="bool", numpy=lambda _: np.ones((), "bool")),
    ],
    op.dyn.full: [
        sample(f32(), longs(2, 3), known_dims=True, shape=None, torch=lambda v, _: torch.full((2, 3), v.item())),
        sample(
            array(2.7),
            ints32(4),
            known_dims=True,
            shape=(),
            dtype="int32",
            numpy=lambda *_: np.full(4, 2, "int32"),
        ),
    ],
    op.dyn.one_hot: [
        hot(ints32(0, 2, 1), array(3, "int32")),
        hot(longs(0, 2, 1, 1), array(4, "int64"), axis=0),
        hot(i32(2, 3, low=0, high=5), array([5], "int64"), axis=1, dtype="int32"),
    ],
    op.dyn.sparse_to_dense: [
        sample(
            array([[0, 1], [1, 2]], "int64"),
            array([5, 6]),
            array(-1),
            longs(2, 4),
            known_dims=True,
            numpy=lambda *_: array([[-1, 5, -1, -1], [-1, -1, 6, -1]]),
        ),
        sample(
            ints32(1, 3),
            f64(2),
            array(0, "float64"),
            ints32(5),
            known_dims=True,
            numpy=lambda i, v, *_: np.array([0, v[0], 0, v[1], 0]),
        ),
        sample(
            array(2, "int32"),
            array(7, "int32"),
            array(0, "int32"),
            longs(4),
            known_dims=True,
            numpy=lambda *_: ints32(0, 0, 7, 0),
        ),
    ],
    op.dyn.strided_slice: [
        cut(f32(6, 5), (1, 0), (4, 5), (1, 2), lambda x: x[1:4, ::2]),
        cut(f32(6, 5), (-4,), (-1,), (1,), lambda x: x[-4:-1], dtype="int32"),
        cut(f32(6, 5), (1, 2), (99, 99), (2, 1), lambda x: x[1::2, 2:], dtype="int16"),
        cut(f32(6, 5), (4, -1), (0, -9), (-2, -1), lambda x: x[4:0:-2, ::-1]),
        cut(f32(6, 5), (3,), (3,), (1,), lambda x: x[3:3]),
        cut(f32(6, 5), (1, 2), (-1, 2), (1, 1), lambda x: x[1:, 2:4], slice_mode="size"),
    ],
    op.dyn.topk: [
        first(f32(2, 5), array(3, "int64")),
        first(f32(2, 5), longs(1), axis=0, is_ascend=True),
        first(TIES, array(4, "int32")),
        first(f32(2, 5), array(0, "int32")),
        sample(
            f32(2, 5), array(2, "int64"), k=None, ret_type="values", dtype="int32", torch=lambda x, _: x.topk(2).values
        ),
        sample(
            f32(2, 5),
            array(2, "int64"),
            k=None,
            ret_type="indices",
            dtype="int64",
            torch=lambda x, _: x.topk(2).indices,
        ),
    ],
    op.dyn.nn.pad: [
        around(f32(2, 3), 1.5, "constant", ((1, 2), (0, 3))),
        around(i8(2, 3), -7, "constant", ((1, 0), (0, 1)), "int32"),
        around(f32(3, 4), 0, "edge", ((1, 2), (2, 1))),
        around(f32(3, 4), 0, "reflect", ((1, 2), (3, 1))),
    ],
    op.dyn.nn.upsampling: [
        larger(f32(2, 3, 4, 5), (2, 2), "nearest"),
        larger(f32(2, 3, 4, 5), (3, 1), "nearest"),
        larger(f32(2, 3, 4, 5), (2, 3), "bilinear", method="bilinear", align_corners=True),
    ],
    op.dyn.nn.upsampling3d: [
        larger(f32(1, 2, 2, 3, 4), (2, 1, 3), "nearest", coordinate_transformation_mode="asymmetric"),
        larger(f32(1, 2, 2, 3, 4), (2, 2, 2), "trilinear", method="trilinear"),
    ],
    op.dyn.image.resize2d: [
        resize(
            f32(1, 2, 4, 5),
            (8, 6),
            judge={"torch": lambda x, *_: F.interpolate(x, (8, 6), mode="bilinear", align_corners=False)},
        ),
        resize(
            f32(1, 2, 4, 5),
            (7, 9),
            dtype="int32",
            coordinate_transformation_mode="align_corners",
            judge={"torch": lambda x, *_: F.interpolate(x, (7, 9), mode="bilinear", align_corners=True)},
        ),
        resize(
            f32(1, 4, 5, 2),
            (8, 10),
            layout="NHWC",
            method="nearest_neighbor",
            coordinate_transformation_mode="asymmetric",
            rounding_method="floor",
            judge={
                "torch": lambda x, *_: F.interpolate(x.permute(0, 3, 1, 2), (8, 10), mode="nearest").permute(0, 2, 3, 1)
            },
        ),
        resize(
            f32(1, 2, 4, 5),
            (3, 3),
            roi=(0.25, 0, 0.75, 1),
            coordinate_transformation_mode="tf_crop_and_resize",
            judge={
                "numpy": lambda x, *_: resized(
                    x, [3, 3], "linear", "tf_crop_and_resize", roi=(0.25, 0, 0.75, 1)
                ).astype("float32")
            },
        ),
    ],
}
