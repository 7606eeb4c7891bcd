"""Pools."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.samples.layouts import DATA, ends, permuted
from tests.samples.making import array, f32, f64, i8, i32, sample
from torchrelay import op

LARGEST = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
MEAN = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}
TO_LARGEST = {1: F.adaptive_max_pool1d, 2: F.adaptive_max_pool2d, 3: F.adaptive_max_pool3d}
TO_MEAN = {1: F.adaptive_avg_pool1d, 2: F.adaptive_avg_pool2d, 3: F.adaptive_avg_pool3d}


def laid_out(function, data, **attributes):
    """A row judged by a function of the data in the plain layout and of its spatial rank."""
    rank = sum(letter.isupper() for letter in attributes["layout"]) - 2 if "layout" in attributes else data.ndim - 2
    layout = attributes.get("layout", DATA[rank])

    def judge(x):
        result = function(permuted(x, layout, DATA[rank]), rank)
        return permuted(result.to(x.dtype), DATA[rank], layout)

    return sample(data, torch=judge, **attributes)


def largest(data, pool_size, **attributes):
    """A row of a max pool."""
    options = {"stride": attributes.get("strides", 1), "dilation": attributes.get("dilation", 1)}

    def judge(x, rank):
        wide = F.pad(x.double(), ends(attributes.get("padding", (0,)), rank), value=-torch.inf)
        return LARGEST[rank](wide, pool_size, ceil_mode=attributes.get("ceil_mode", False), **options)

    return laid_out(judge, data, pool_size=pool_size, **attributes)


def mean(data, pool_size, **attributes):
    """A row of an average pool: the sum of windows divided by how many elements count."""

    def judge(x, rank):
        around = ends(attributes.get("padding", (0,)), rank)
        counted = torch.ones_like(x, dtype=torch.double)
        if attributes.get("count_include_pad"):
            counted = F.pad(counted, around, value=1.0)
        else:
            counted = F.pad(counted, around)
        taps = torch.ones(1, 1, *pool_size, dtype=torch.double)
        options = {"stride": attributes.get("strides", 1), "dilation": attributes.get("dilation", 1)}
        convolve = (F.conv1d, F.conv2d, F.conv3d)[rank - 1]
        flat = [part.flatten(0, 1).unsqueeze(1) for part in (F.pad(x.double(), around), counted)]
        total, count = (convolve(part, taps, **options) for part in flat)
        return (total / count).unflatten(0, x.shape[:2]).squeeze(2)

    return laid_out(judge, data, pool_size=pool_size, **attributes)


def by_torch(data, pool_size, **attributes):
    """A row of an average pool whose options torch has too."""

    def judge(x, rank):
        options = {name: attributes[name] for name in ("ceil_mode", "count_include_pad") if name in attributes}
        given = {"stride": attributes.get("strides", 1), "padding": attributes.get("padding", 0)}
        return MEAN[rank](x, pool_size, **given, **{"count_include_pad": False, **options})

    return laid_out(judge, data, pool_size=pool_size, **attributes)


def fitted(pools, data, output_size=(), **attributes):
    """A row of an adaptive pool."""

    def judge(x, rank):
        size = output_size or tuple(x.shape[2:])
        return pools[rank](x, size * rank if len(size) == 1 else size)

    return laid_out(judge, data, **({"output_size": output_size} if output_size else {}), **attributes)


def adaptive(pools):
    """Rows of adaptive pools of each rank."""
    return {
        1: [
            fitted(pools, f32(2, 3, 8), (4,)),
            fitted(pools, f32(2, 3, 8), (3,)),
            fitted(pools, f32(2, 3, 8), (11,)),
            fitted(pools, f32(2, 3, 8)),
            fitted(pools, f32(2, 8, 3), (1,), layout="NWC"),
        ],
        2: [
            fitted(pools, f32(2, 3, 8, 9), (4, 3)),
            fitted(pools, f32(2, 3, 8, 9), (3, 4)),
            fitted(pools, f32(2, 3, 8, 9), (5,)),
            fitted(pools, f32(2, 3, 8, 9), (1, 1)),
            fitted(pools, f32(2, 3, 8, 9), (9, 20)),
            fitted(pools, f32(2, 3, 8, 9)),
            fitted(pools, f32(2, 8, 9, 3), (3, 3), layout="NHWC"),
            fitted(pools, f32(2, 8, 9, 3), (3, 3), layout="NHWC", out_layout="NCHW"),
            fitted(pools, f32(2, 2, 8, 9, 4), (3, 3), layout="NCHW4c"),
        ],
        3: [
            fitted(pools, f32(2, 3, 4, 6, 5), (2, 3, 5)),
            fitted(pools, f32(2, 3, 4, 6, 5), (3, 4, 2)),
            fitted(pools, f32(2, 3, 4, 6, 5), (2,)),
            fitted(pools, f32(2, 4, 6, 5, 3), (2, 2, 2), layout="NDHWC"),
        ],
    }


MEANS, LARGEST_ONES = adaptive(TO_MEAN), adaptive(TO_LARGEST)

ROWS = {
    op.nn.max_pool1d: [
        largest(f32(2, 3, 9), (3,)),
        largest(f32(2, 3, 9), (3,), strides=(2,), padding=(1,)),
        largest(f32(2, 3, 9), (2,), strides=(2,), padding=(0, 1), dilation=(3,)),
        largest(f32(2, 3, 8), (3,), strides=(2,), ceil_mode=True),
        sample(
            f32(1, 1, 3),
            pool_size=(2,),
            padding=(2, 0),
            numpy=lambda x: np.array([[[np.finfo("f").min, x[0, 0, 0], *np.maximum(x[0, 0, :2], x[0, 0, 1:])]]]),
        ),
        largest(f32(2, 9, 3), (3,), layout="NWC"),
        largest(i32(2, 3, 9), (3,), strides=(3,)),
    ],
    op.nn.max_pool2d: [
        largest(f32(2, 3, 8, 9), (2, 3)),
        largest(f32(2, 3, 8, 9), (3, 3), strides=(2, 2), padding=(1, 1)),
        largest(f32(2, 3, 8, 9), (3, 2), strides=(1, 2), padding=(0, 1, 2, 1), dilation=(2, 3)),
        largest(f32(2, 3, 8, 9), (3, 3), strides=(2, 3), padding=(1,), ceil_mode=True),
        largest(-f32(2, 3, 8, 9, low=1), (3, 3), padding=(1, 1)),
        largest(f32(2, 8, 9, 3), (2, 2), layout="NHWC", strides=(2, 2)),
        largest(f32(2, 8, 9, 3), (2, 2), layout="NHWC", out_layout="NCHW"),
        largest(f32(2, 2, 8, 9, 4), (2, 2), layout="NCHW4c"),
        largest(i8(2, 3, 8, 9), (3, 3), padding=(1, 1)),
        largest(f64(1, 1, 4, 4), (2, 2)),
        largest(f32(0, 3, 8, 9), (2, 2)),
    ],
    op.nn.max_pool3d: [
        largest(f32(2, 3, 5, 6, 7), (2, 3, 2)),
        largest(f32(2, 3, 5, 6, 7), (3, 3, 3), strides=(2, 1, 2), padding=(1, 1, 0)),
        largest(f32(2, 3, 5, 6, 7), (2, 2, 2), padding=(0, 1, 1, 1, 0, 1), dilation=(2, 1, 2)),
        largest(f32(2, 3, 5, 6, 7), (2, 3, 2), strides=(2, 2, 2), ceil_mode=True),
        largest(f32(2, 5, 6, 7, 3), (2, 2, 2), layout="NDHWC"),
    ],
    op.nn.avg_pool1d: [
        mean(f32(2, 3, 9), (3,)),
        mean(f32(2, 3, 9), (3,), strides=(2,), padding=(1,)),
        mean(f32(2, 3, 9), (3,), strides=(2,), padding=(0, 2), count_include_pad=True),
        mean(f32(2, 3, 9), (2,), padding=(1, 1), dilation=(3,)),
        by_torch(f32(2, 3, 8), (3,), strides=(2,), ceil_mode=True),
        mean(f32(2, 9, 3), (3,), layout="NWC"),
    ],
    op.nn.avg_pool2d: [
        mean(f32(2, 3, 8, 9), (2, 3)),
        mean(f32(2, 3, 8, 9), (3, 3), strides=(2, 2), padding=(1, 1)),
        mean(f32(2, 3, 8, 9), (3, 3), strides=(2, 2), padding=(1, 1), count_include_pad=True),
        mean(f32(2, 3, 8, 9), (3, 2), strides=(1, 2), padding=(0, 1, 2, 1), dilation=(2, 3)),
        by_torch(f32(2, 3, 8, 9), (3, 3), strides=(2, 3), padding=(1, 1), ceil_mode=True),
        by_torch(f32(2, 3, 8, 9), (3, 2), strides=(2, 3), padding=(1, 1), ceil_mode=True, count_include_pad=True),
        mean(f32(2, 8, 9, 3), (2, 2), layout="NHWC", strides=(2, 2)),
        mean(f32(2, 2, 8, 9, 4), (2, 2), layout="NCHW4c"),
        mean(f64(2, 3, 8, 9), (2, 2)),
        mean(array([[[[1, 2], [4, 2]]]], "int32"), (2, 2)),
        mean(-i32(1, 2, 6, 6, low=0), (2, 2), strides=(2, 2)),
        mean(i8(1, 2, 6, 6, low=100), (2, 2), strides=(2, 2)),
    ],
    op.nn.avg_pool3d: [
        mean(f32(2, 3, 5, 6, 7), (2, 3, 2)),
        mean(f32(2, 3, 5, 6, 7), (3, 3, 3), strides=(2, 1, 2), padding=(1, 1, 0), count_include_pad=True),
        mean(f32(2, 3, 5, 6, 7), (2, 2, 2), padding=(0, 1, 1, 1, 0, 1), dilation=(2, 1, 2)),
        by_torch(f32(2, 3, 5, 6, 7), (2, 3, 2), strides=(2, 2, 2), ceil_mode=True),
        mean(f32(2, 5, 6, 7, 3), (2, 2, 2), layout="NDHWC"),
    ],
    op.nn.adaptive_avg_pool1d: MEANS[1],
    op.nn.adaptive_avg_pool2d: MEANS[2],
    op.nn.adaptive_avg_pool3d: MEANS[3],
    op.nn.adaptive_max_pool1d: LARGEST_ONES[1],
    op.nn.adaptive_max_pool2d: LARGEST_ONES[2],
    op.nn.adaptive_max_pool3d: LARGEST_ONES[3],
    op.nn.global_avg_pool2d: [
        laid_out(lambda x, rank: x.mean((2, 3), keepdim=True), f32(2, 3, 8, 9)),
        laid_out(lambda x, rank: x.mean((2, 3), keepdim=True), f32(2, 8, 9, 3), layout="NHWC"),
        laid_out(lambda x, rank: x.mean((2, 3), keepdim=True), f32(2, 8, 9, 3), layout="NHWC", out_layout="NCHW"),
    ],
    op.nn.global_max_pool2d: [
        laid_out(lambda x, rank: x.amax((2, 3), keepdim=True), f32(2, 3, 8, 9)),
        laid_out(lambda x, rank: x.amax((2, 3), keepdim=True), f32(2, 8, 9, 3), layout="NHWC"),
        laid_out(lambda x, rank: x.amax((2, 3), keepdim=True), i8(2, 3, 8, 9)),
    ],
}
