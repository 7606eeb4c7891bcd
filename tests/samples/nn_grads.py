"""Gradients of convolutions and pools."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from tests.samples.layouts import permuted
from tests.samples.making import array, f32, f64, sample
from torchrelay import op


def weight(grad, data, kernel_size, padding=(0, 0), groups=1, strides=(1, 1), dilation=(1, 1), **layouts):
    """A row of the gradient of a convolution's weight."""
    errors, source = layouts.get("data_layout", "NCHW"), layouts.get("kernel_layout", "NCHW")
    target = layouts.get("out_layout", "OIHW")

    def judge(g, x):
        g, x = permuted(g, errors, "NCHW").contiguous(), permuted(x, source, "NCHW").contiguous()
        shape = (g.shape[1], x.shape[1] // groups, *kernel_size)
        result = torch.nn.grad.conv2d_weight(x, shape, g, strides, padding, dilation, groups)
        return permuted(result, "OIHW", target)

    options = {"kernel_size": kernel_size, "padding": padding, "groups": groups, "strides": strides}
    names = {"data_layout": errors, "kernel_layout": source, "out_layout": target}
    return sample(grad, data, torch=judge, dilation=dilation, rtol=2e-5, atol=2e-5, **options, **names)


def pool(function, grad, data, **attributes):
    """A row of the gradient of a pool's data, by torch's own differentiation."""
    layout = attributes.get("layout", "NCHW")

    def judge(g, x):
        plain = permuted(x, layout, "NCHW").requires_grad_()
        function(plain).backward(permuted(g, layout, "NCHW"))
        assert plain.grad is not None
        return permuted(plain.grad, "NCHW", layout)

    return sample(grad, data, torch=judge, **attributes)


TIES = array([[[[1, 1, 2, 0], [1, 1, 2, 2], [3, 0, 0, 0], [3, 3, 0, 0]]]])

ROWS = {
    op.nn.conv2d_backward_weight: [
        weight(f32(2, 4, 4, 5), f32(2, 3, 6, 7), (3, 3)),
        weight(f32(2, 4, 3, 4), f32(2, 3, 6, 7), (3, 3), padding=(1, 1), strides=(2, 2)),
        weight(f32(2, 4, 4, 5), f32(2, 4, 6, 7), (2, 2), groups=2, dilation=(2, 2)),
        weight(f32(2, 4, 4, 5), f32(2, 6, 7, 3), (3, 3), data_layout="NCHW", kernel_layout="NHWC", out_layout="OHWI"),
        weight(f64(1, 4, 5, 2), f64(1, 3, 6, 7), (3, 3), data_layout="NHWC", out_layout="HWIO"),
    ],
    op.nn.max_pool2d_grad: [
        pool(lambda x: F.max_pool2d(x, 2, 2), f32(2, 3, 3, 4), f32(2, 3, 6, 8), pool_size=(2, 2), strides=(2, 2)),
        pool(lambda x: F.max_pool2d(x, 3, 1), f32(1, 2, 4, 5), f32(1, 2, 6, 7), pool_size=(3, 3)),
        pool(
            lambda x: F.max_pool2d(x, 3, 2, 1),
            f32(1, 2, 4, 4),
            -f32(1, 2, 7, 8, low=1),
            pool_size=(3, 3),
            strides=(2, 2),
            padding=(1, 1),
        ),
        pool(
            lambda x: F.max_pool2d(x, 2, 2, ceil_mode=True),
            f32(1, 2, 3, 4),
            f32(1, 2, 5, 7),
            pool_size=(2, 2),
            strides=(2, 2),
            ceil_mode=True,
        ),
        pool(lambda x: F.max_pool2d(x, 2, 2), f32(1, 1, 2, 2), TIES, pool_size=(2, 2), strides=(2, 2), dilation=()),
        pool(
            lambda x: F.max_pool2d(x, 2, 2),
            f32(1, 3, 4, 2),
            f32(1, 6, 8, 2),
            pool_size=(2, 2),
            strides=(2, 2),
            layout="NHWC",
        ),
    ],
    op.nn.avg_pool2d_grad: [
        pool(lambda x: F.avg_pool2d(x, 2, 2), f32(2, 3, 3, 4), f32(2, 3, 6, 8), pool_size=(2, 2), strides=(2, 2)),
        pool(
            lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
            f32(1, 2, 4, 4),
            f32(1, 2, 7, 8),
            pool_size=(3, 3),
            strides=(2, 2),
            padding=(1, 1),
        ),
        pool(
            lambda x: F.avg_pool2d(x, 3, 2, 1),
            f32(1, 2, 4, 4),
            f32(1, 2, 7, 8),
            pool_size=(3, 3),
            strides=(2, 2),
            padding=(1, 1),
            count_include_pad=True,
        ),
        pool(
            lambda x: F.avg_pool2d(x, 2, 2, ceil_mode=True, count_include_pad=False),
            f32(1, 3, 4, 2),
            f32(1, 5, 7, 2),
            pool_size=(2, 2),
            strides=(2, 2),
            ceil_mode=True,
            layout="NHWC",
        ),
    ],
}
