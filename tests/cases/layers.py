"""Layers: convolutions, products, norms, attention, pools, padding."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from tests.cases.making import case, core
from tests.samples.making import bools, f16, f32, f64, i32, i64
from torch import nn

ATEN = torch.ops.aten


def _seeded(make, *arguments, **options):
    torch.manual_seed(0)
    layer = make(*arguments, **options)
    for name, buffer in layer.named_buffers():
        if "running" in name:
            buffer.copy_(torch.rand(buffer.shape) + 0.5)
    return layer


CONVOLUTION = {
    "conv1d.default": [
        case(_seeded(nn.Conv1d, 4, 6, 3), f32(2, 4, 9)),
        case(_seeded(nn.Conv1d, 4, 6, 3, stride=2, padding=1, dilation=2, groups=2, bias=False), f32(2, 4, 9)),
        case(_seeded(nn.Conv1d, 4, 6, 1), f32(4, 9)),
        case(_seeded(nn.Conv1d, 4, 6, 4, padding=2, padding_mode="circular"), f32(2, 4, 9)),
        case(_seeded(nn.Conv1d, 4, 6, 4, padding=2, padding_mode="reflect"), f32(2, 4, 9)),
        case(_seeded(nn.Conv1d, 4, 6, 4, padding=2, padding_mode="replicate"), f32(2, 4, 9)),
    ],
    "conv2d.default": [
        case(_seeded(nn.Conv2d, 4, 6, 3), f32(2, 4, 7, 8)),
        case(
            _seeded(nn.Conv2d, 4, 8, (3, 2), stride=(2, 1), padding=(1, 2), dilation=(1, 2), groups=4), f32(2, 4, 7, 8)
        ),
        case(_seeded(nn.Conv2d, 4, 6, 3, padding=1, padding_mode="reflect"), f32(1, 4, 7, 8)),
        case(_seeded(nn.Conv2d, 4, 6, 3, padding=1, padding_mode="circular"), f32(4, 7, 8)),
        case(_seeded(nn.Conv2d, 4, 6, 3).double(), f64(2, 4, 7, 8)),
        case(_seeded(nn.Conv2d, 4, 6, 3).half(), f16(2, 4, 7, 8), tolerance=1e-2),
    ],
    "conv3d.default": [
        case(_seeded(nn.Conv3d, 4, 6, 3), f32(1, 4, 5, 6, 7)),
        case(
            _seeded(nn.Conv3d, 4, 6, (1, 2, 3), stride=(1, 2, 1), padding=(0, 1, 2), dilation=(1, 1, 2), groups=2),
            f32(1, 4, 5, 6, 7),
        ),
        case(_seeded(nn.Conv3d, 4, 6, 2, padding=1, padding_mode="replicate"), f32(1, 4, 5, 6, 7)),
    ],
    "conv1d.padding": [
        case(_seeded(nn.Conv1d, 4, 6, 4, padding="same"), f32(2, 4, 9)),
        case(_seeded(nn.Conv1d, 4, 6, 3, padding="valid"), f32(2, 4, 9)),
        case(_seeded(nn.Conv1d, 4, 6, 4, padding="same", padding_mode="circular"), f32(2, 4, 9)),
    ],
    "conv2d.padding": [case(_seeded(nn.Conv2d, 4, 6, (3, 4), padding="same", dilation=2, groups=2), f32(2, 4, 7, 8))],
    "conv3d.padding": [case(_seeded(nn.Conv3d, 4, 6, 2, padding="same"), f32(1, 4, 5, 6, 7))],
    "conv_transpose1d.default": [
        case(_seeded(nn.ConvTranspose1d, 4, 6, 5, stride=2, padding=1, bias=False), f32(1, 4, 16)),
        case(
            _seeded(nn.ConvTranspose1d, 4, 6, 3, stride=3, padding=1, output_padding=2, dilation=2, groups=2),
            f32(2, 4, 7),
        ),
        case(_seeded(nn.ConvTranspose1d, 4, 6, 1), f32(4, 7)),
    ],
    "conv_transpose2d.input": [
        case(_seeded(nn.ConvTranspose2d, 4, 6, 3), f32(2, 4, 5, 6)),
        case(
            _seeded(
                nn.ConvTranspose2d,
                4,
                8,
                (3, 2),
                stride=(2, 3),
                padding=(1, 0),
                output_padding=(1, 2),
                dilation=(1, 2),
                groups=2,
            ),
            f32(2, 4, 5, 6),
        ),
        case(_seeded(nn.ConvTranspose2d, 4, 4, 3, stride=2, groups=4), f32(2, 4, 5, 6)),
    ],
    "conv_transpose3d.input": [
        case(
            _seeded(nn.ConvTranspose3d, 4, 6, 3, stride=2, padding=1, output_padding=1, dilation=2, groups=2),
            f32(1, 4, 3, 4, 5),
        ),
        case(_seeded(nn.ConvTranspose3d, 2, 3, (1, 2, 3)), f32(1, 2, 3, 4, 5)),
    ],
    "_convolution.default": [
        case(_seeded(nn.Conv2d, 4, 6, 3, stride=2, padding=1), f32(2, 4, 7, 8), routes=("trace",)),
        case(_seeded(nn.ConvTranspose1d, 4, 6, 5, stride=2), f32(2, 4, 7), routes=("trace",)),
    ],
    "_convolution.deprecated": [
        case(
            lambda x, w: ATEN._convolution.deprecated(
                x, w, None, (2,), (1,), (1,), False, (0,), 1, False, False, False
            ),
            f32(1, 3, 9),
            f32(4, 3, 3),
            routes=("export",),
        ),
    ],
    "convolution.default": [
        core(_seeded(nn.Conv2d, 4, 6, 3, stride=2, padding=1), f32(2, 4, 7, 8)),
        core(_seeded(nn.ConvTranspose2d, 4, 6, 3, stride=2, output_padding=1), f32(2, 4, 5, 6)),
    ],
    "_convolution_mode.default": [case(_seeded(nn.Conv1d, 4, 6, 4, padding="same"), f32(2, 4, 9), routes=("trace",))],
    "conv_tbc.default": [case(lambda x, w, b: torch.conv_tbc(x, w, b, 1), f32(7, 2, 3), f32(3, 3, 4), f32(4))],
}

PRODUCTS = {
    "linear.default": [
        case(_seeded(nn.Linear, 4, 3), f32(2, 4)),
        case(_seeded(nn.Linear, 4, 3, bias=False), f32(2, 5, 4)),
        case(_seeded(nn.Linear, 4, 3), f32(4)),
        case(lambda x, w: F.linear(x, w), f32(2, 4), f32(4)),
    ],
    "bilinear.default": [case(_seeded(nn.Bilinear, 3, 4, 5), f32(2, 3), f32(2, 4))],
    "matmul.default": [
        case(lambda x, y: x @ y, f32(2, 0, 3), f32(3, 4)),
        case(lambda x, y: x @ y, f32(2, 3, 0), f32(0, 4)),
        case(lambda x, y: x @ y, f32(2, 3), f32(3, 4)),
        case(lambda x, y: x @ y, f32(3), f32(3)),
        case(lambda x, y: x @ y, f32(2, 3), f32(3)),
        case(lambda x, y: x @ y, f32(3), f32(3, 4)),
        case(lambda x, y: x @ y, f32(5, 2, 3), f32(3, 4)),
        case(lambda x, y: x @ y, f32(5, 1, 2, 3), f32(6, 3, 4)),
        case(lambda x, y: x @ y, f32(3), f32(2, 3, 4)),
        case(lambda x, y: x @ y, f32(2, 4, 3), f32(3)),
        case(lambda x, y: x @ y, i32(2, 3), i32(3, 4)),
        case(lambda x, y: x @ y, f64(2, 3), f64(3, 4)),
    ],
    "mm.default": [case(lambda x, y: torch.mm(x, y), f32(2, 3), f32(3, 4))],
    "bmm.default": [case(lambda x, y: torch.bmm(x, y), f32(5, 2, 3), f32(5, 3, 4))],
    "mv.default": [case(lambda x, y: torch.mv(x, y), f32(2, 3), f32(3))],
    "dot.default": [case(lambda x, y: torch.dot(x, y), f32(3), f32(3, seed=1))],
    "linalg_matmul.default": [case(lambda x, y: torch.linalg.matmul(x, y), f32(2, 3), f32(3, 4))],
    "chain_matmul.default": [case(lambda x, y, z: torch.chain_matmul(x, y, z), f32(2, 3), f32(3, 4), f32(4, 2))],
    "linalg_multi_dot.default": [
        case(lambda x, y, z: torch.linalg.multi_dot((x, y, z)), f32(2, 3), f32(3, 4), f32(4, 2))
    ],
    "addmm.default": [
        case(lambda x, y, z: torch.addmm(x, y, z), f32(4), f32(2, 3), f32(3, 4)),
        case(lambda x, y, z: torch.addmm(x, y, z, beta=0.5, alpha=2), f32(2, 4), f32(2, 3), f32(3, 4)),
        case(lambda x, y, z: torch.addmm(x, y, z, beta=0), f32(2, 4), f32(2, 3), f32(3, 4)),
    ],
    "addmv.default": [case(lambda x, y, z: torch.addmv(x, y, z, beta=2), f32(2), f32(2, 3), f32(3))],
    "addr.default": [case(lambda x, y, z: torch.addr(x, y, z, alpha=2), f32(2, 3), f32(2), f32(3))],
    "baddbmm.default": [
        case(lambda x, y, z: torch.baddbmm(x, y, z, alpha=2), f32(5, 2, 4), f32(5, 2, 3), f32(5, 3, 4))
    ],
    "addbmm.default": [case(lambda x, y, z: torch.addbmm(x, y, z), f32(2, 4), f32(5, 2, 3), f32(5, 3, 4))],
}

NORMS = {
    "batch_norm.default": [
        case(lambda x: F.batch_norm(x, None, None, training=True), f32(2, 0, 3)),
        case(_seeded(nn.BatchNorm1d, 4), f32(2, 4)),
        case(_seeded(nn.BatchNorm1d, 4), f32(2, 4, 5)),
        case(_seeded(nn.BatchNorm2d, 4, affine=False), f32(2, 4, 5, 6)),
        case(_seeded(nn.BatchNorm3d, 4, eps=0.1), f32(2, 4, 3, 4, 5)),
        case(_seeded(nn.BatchNorm2d, 4, track_running_stats=False), f32(2, 4, 5, 6), tolerance=1e-5),
        case(
            lambda x, mean, var: F.batch_norm(x, mean.clone(), var.clone(), training=True, momentum=0.0),
            f32(2, 4, 5),
            f32(4),
            f32(4),
            tolerance=1e-5,
        ),
    ],
    "_native_batch_norm_legit_no_training.default": [core(_seeded(nn.BatchNorm2d, 4), f32(2, 4, 5, 6))],
    "_native_batch_norm_legit.no_stats": [
        core(_seeded(nn.BatchNorm2d, 4, track_running_stats=False), f32(2, 4, 5, 6), tolerance=1e-5)
    ],
    "layer_norm.default": [
        case(_seeded(nn.LayerNorm, 6), f32(2, 3, 6)),
        case(_seeded(nn.LayerNorm, (3, 6), elementwise_affine=False), f32(2, 3, 6)),
        case(_seeded(nn.LayerNorm, (3, 6), eps=0.1), f32(2, 3, 6)),
        case(_seeded(nn.LayerNorm, 6, bias=False), f32(2, 6)),
    ],
    "native_layer_norm.default": [core(_seeded(nn.LayerNorm, 6), f32(2, 3, 6))],
    "rms_norm.default": [
        case(_seeded(nn.RMSNorm, 6), f32(2, 3, 6)),
        case(_seeded(nn.RMSNorm, (3, 6), eps=0.1), f32(2, 3, 6)),
    ],
    "group_norm.default": [
        case(_seeded(nn.GroupNorm, 2, 4), f32(2, 4, 5)),
        case(_seeded(nn.GroupNorm, 4, 4, affine=False), f32(2, 4, 3, 5)),
    ],
    "native_group_norm.default": [core(_seeded(nn.GroupNorm, 2, 4), f32(2, 4, 5))],
    "instance_norm.default": [
        case(_seeded(nn.InstanceNorm1d, 4), f32(2, 4, 5)),
        case(_seeded(nn.InstanceNorm2d, 4, affine=True), f32(2, 4, 5, 6)),
        case(_seeded(nn.InstanceNorm2d, 4, track_running_stats=True), f32(2, 4, 5, 6)),
    ],
    "_weight_norm.default": [
        case(lambda v, g: torch._weight_norm(v, g, 0), f32(4, 3), f32(4, 1)),
        case(lambda v, g: torch._weight_norm(v, g, 1), f32(4, 3), f32(1, 3)),
    ],
    "renorm.default": [
        case(lambda x: torch.renorm(x, 2, 0, 1.5), f32(3, 4)),
        case(lambda x: torch.renorm(x, 1, -1, 9.0), f32(3, 4)),
    ],
}

ATTENTION = {
    "scaled_dot_product_attention.default": [
        case(
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
            f32(2, 3, 5, 4),
            f32(2, 3, 6, 4),
            f32(2, 3, 6, 4, seed=1),
        ),
        case(
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
            f32(2, 5, 4),
            f32(2, 6, 4),
            f32(2, 6, 4, seed=1),
        ),
        case(
            lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m),
            f32(2, 3, 5, 4),
            f32(2, 3, 6, 4),
            f32(2, 3, 6, 4, seed=1),
            f32(5, 6),
        ),
        case(
            lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m),
            f32(2, 3, 5, 4),
            f32(2, 3, 6, 4),
            f32(2, 3, 6, 7, seed=1),
            bools(2, 1, 5, 6),
        ),
        case(
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=0.3), f32(5, 4), f32(6, 4), f32(6, 4, seed=1)
        ),
        case(
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, enable_gqa=True),
            f32(2, 6, 5, 4),
            f32(2, 2, 6, 4),
            f32(2, 2, 6, 4, seed=1),
        ),
        case(lambda q, k, v: F.scaled_dot_product_attention(q, k, v), f32(3, 5, 4), f32(3, 6, 4), f32(2, 3, 6, 7)),
        case(
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
            f32(1, 3, 5, 4),
            f32(2, 3, 6, 4),
            f32(2, 3, 6, 4, seed=1),
        ),
    ],
}

POOLS = {
    "max_pool1d.default": [
        case(nn.MaxPool1d(3), f32(2, 3, 10)),
        case(nn.MaxPool1d(3, 2, 1, 2, ceil_mode=True), f32(2, 3, 10)),
        case(nn.MaxPool1d(2), f32(3, 10)),
    ],
    "max_pool2d.default": [
        case(nn.MaxPool2d(2), f32(2, 3, 7, 8)),
        case(nn.MaxPool2d((3, 2), (2, 1), (1, 0), (1, 2), ceil_mode=True), f32(2, 3, 7, 8)),
        case(nn.MaxPool2d(3, 2, 1, ceil_mode=True), f32(2, 3, 6, 6)),
        case(nn.MaxPool2d(2, 2, ceil_mode=True), f32(3, 5, 5)),
    ],
    "max_pool3d.default": [
        case(nn.MaxPool3d(2, ceil_mode=True), f32(1, 2, 5, 6, 7)),
        case(nn.MaxPool3d(3, 1, 1), f32(1, 2, 4, 4, 4)),
    ],
    "max_pool2d_with_indices.default": [
        core(lambda x: F.max_pool2d(x, 2), f32(2, 3, 7, 8)),
        case(lambda x: F.max_pool2d(x, 3, 2, 1, return_indices=True), f32(2, 3, 7, 8)),
        case(lambda x: F.max_pool2d(x, 2, 1, 0, 2, return_indices=True), f32(3, 7, 8)),
    ],
    "max_pool1d_with_indices.default": [case(lambda x: F.max_pool1d(x, 3, 2, 1, return_indices=True), f32(2, 3, 9))],
    "max_pool3d_with_indices.default": [case(lambda x: F.max_pool3d(x, 2, return_indices=True), f32(1, 2, 4, 5, 6))],
    "avg_pool1d.default": [
        case(nn.AvgPool1d(3), f32(2, 3, 10)),
        case(nn.AvgPool1d(3, 2, 1, True, False), f32(2, 3, 10)),
    ],
    "avg_pool2d.default": [
        case(lambda x: F.avg_pool2d(x, 2, divisor_override=3), i64(2, 3, 5, 4)),
        case(lambda x: F.avg_pool2d(x, 3, 1, 1, divisor_override=1), i64(2, 3, 5, 4)),
        case(nn.AvgPool2d(2), f32(2, 3, 7, 8)),
        case(nn.AvgPool2d(3, 2, 1), f32(2, 3, 7, 8)),
        case(nn.AvgPool2d(3, 2, 1, True, False), f32(2, 3, 6, 8)),
        case(nn.AvgPool2d(3, 2, 1, True, True), f32(2, 3, 6, 8)),
        case(nn.AvgPool2d((2, 3), divisor_override=4), f32(3, 7, 8)),
        case(nn.AvgPool2d(3, 2, 1, ceil_mode=True, divisor_override=5), f32(2, 3, 6, 8)),
    ],
    "avg_pool3d.default": [
        case(nn.AvgPool3d(2, ceil_mode=True), f32(1, 2, 5, 6, 7)),
        case(nn.AvgPool3d(3, 2, 1, count_include_pad=False), f32(1, 2, 5, 6, 7)),
    ],
    "adaptive_avg_pool1d.default": [
        case(nn.AdaptiveAvgPool1d(4), f32(2, 3, 10)),
        case(nn.AdaptiveAvgPool1d(1), f32(3, 10)),
    ],
    "adaptive_avg_pool2d.default": [
        case(nn.AdaptiveAvgPool2d((3, 5)), f32(2, 3, 7, 8)),
        case(nn.AdaptiveAvgPool2d((None, 2)), f32(2, 3, 7, 8)),
        case(nn.AdaptiveAvgPool2d(1), f32(3, 7, 8)),
    ],
    "adaptive_avg_pool3d.default": [case(nn.AdaptiveAvgPool3d(2), f32(1, 2, 5, 6, 7))],
    "_adaptive_avg_pool2d.default": [core(nn.AdaptiveAvgPool2d((3, 5)), f32(2, 3, 7, 8))],
    "_adaptive_avg_pool3d.default": [core(nn.AdaptiveAvgPool3d(2), f32(1, 2, 5, 6, 7))],
    "adaptive_max_pool1d.default": [
        case(nn.AdaptiveMaxPool1d(4), f32(2, 3, 10)),
        case(nn.AdaptiveMaxPool1d(3, return_indices=True), f32(2, 3, 10)),
    ],
    "adaptive_max_pool2d.default": [
        case(nn.AdaptiveMaxPool2d((3, 5)), f32(2, 3, 7, 8)),
        case(nn.AdaptiveMaxPool2d(2, return_indices=True), f32(3, 7, 8)),
    ],
    "adaptive_max_pool3d.default": [case(nn.AdaptiveMaxPool3d(2), f32(1, 2, 5, 6, 7))],
}

PADDING = {
    "constant_pad_nd.default": [
        core(lambda x: F.pad(x, (1, 2), value=3.0), f32(2, 3)),
        case(lambda x: ATEN.constant_pad_nd.default(x, (1, 0, -1, 2), 1), f32(2, 3, 4)),
        case(lambda x: ATEN.constant_pad_nd.default(x, (0, 0)), i32(2, 3)),
    ],
    "pad.default": [
        case(lambda x: F.pad(x, (1, 2)), f32(2, 3)),
        case(lambda x: F.pad(x, (1, 2, 0, 1), value=-2.5), f32(2, 3, 4)),
        case(lambda x: F.pad(x, (-1, 2)), f32(2, 3)),
        case(lambda x: F.pad(x, (1, 2), "reflect"), f32(2, 3, 5)),
        case(lambda x: F.pad(x, (1, 2, 2, 0), "replicate"), f32(2, 3, 4, 5)),
        case(lambda x: F.pad(x, (1, 2, 2, 1), "circular"), f32(2, 3, 4, 5)),
        case(lambda x: F.pad(x, (-1, 2), "circular"), f32(2, 3, 5)),
        case(lambda x: F.pad(x, (-1, 1), "reflect"), f32(2, 3, 5)),
        case(lambda x: F.pad(x, (1, 1), value=True), bools(2, 3)),
    ],
    "reflection_pad1d.default": [case(lambda x: ATEN.reflection_pad1d.default(x, (2, 1)), f32(2, 3, 5))],
    "reflection_pad2d.default": [case(lambda x: ATEN.reflection_pad2d.default(x, (2, 1, 0, 3)), f32(2, 3, 5, 6))],
    "reflection_pad3d.default": [
        case(lambda x: ATEN.reflection_pad3d.default(x, (1, 1, 2, 0, 1, 1)), f32(1, 2, 3, 4, 5))
    ],
    "replication_pad1d.default": [case(lambda x: ATEN.replication_pad1d.default(x, (2, 1)), f32(2, 3, 5))],
    "replication_pad2d.default": [case(lambda x: ATEN.replication_pad2d.default(x, (2, 1, 0, 3)), f32(3, 5, 6))],
    "replication_pad3d.default": [
        case(lambda x: ATEN.replication_pad3d.default(x, (1, 1, 2, 0, 1, 1)), f32(1, 2, 3, 4, 5))
    ],
}

ROWS = {**CONVOLUTION, **PRODUCTS, **NORMS, **ATTENTION, **POOLS, **PADDING}
