"""Tensors made from nothing or like another."""

from __future__ import annotations

import torch
from tests.cases.making import case, scripted
from tests.samples.making import bools, f16, f32, f64, i32, i64

ATEN = torch.ops.aten


def _like(name):
    function = getattr(torch, name)
    return [
        case(lambda x: function(x), f32(2, 3)),
        case(lambda x: function(x, dtype=torch.float64), i32(2, 3)),
        case(lambda x: function(x), bools(2)),
        case(lambda x: function(x), f32()),
    ]


ROWS = {
    "zeros.default": [
        case(lambda x: x + torch.zeros(2, 3), f32(3)),
        case(lambda x: torch.zeros(2, dtype=torch.int32) + x, i64(2)),
    ],
    "ones.default": [
        case(lambda x: x + torch.ones(2, 3), f32(3)),
        case(lambda x: torch.ones(3, dtype=torch.bool) & x, bools(3)),
    ],
    "full.default": [
        case(lambda x: x + torch.full((2, 3), 2.5), f32(3)),
        case(lambda x: x + torch.full((2, 3), 7), f32(3)),
        case(lambda x: torch.full((3,), True) & x, bools(3), routes=("export",)),
        case(lambda x: torch.full((), 7, dtype=torch.float16) * x, f16(3)),
    ],
    "empty.memory_format": [case(lambda x: torch.empty(2, 3) + x, f32(3), values=False)],
    "new_empty.default": [case(lambda x: x.new_empty((2, 3)), f32(3), values=False)],
    "empty_like.default": [case(lambda x: torch.empty_like(x), f32(2, 3), values=False)],
    "empty_permuted.default": [case(lambda x: torch.empty_permuted((2, 3), (1, 0)) + x, f32(3), values=False)],
    "empty_strided.default": [case(lambda x: torch.empty_strided((2, 3), (3, 1)) + x, f32(3), values=False)],
    "new_zeros.default": [
        case(lambda x: x.new_zeros((2, 3)), i32(3)),
        case(lambda x: x.new_zeros(2, dtype=torch.float64), i32(3)),
    ],
    "new_ones.default": [case(lambda x: x.new_ones((2, 3)), f64(3))],
    "new_full.default": [case(lambda x: x.new_full((2, 3), 1.5), f32(3)), case(lambda x: x.new_full((2,), 3), i32(3))],
    "zeros_like.default": _like("zeros_like"),
    "ones_like.default": _like("ones_like"),
    "full_like.default": [
        case(lambda x: torch.full_like(x, 2.5), f32(2, 3)),
        case(lambda x: torch.full_like(x, 3, dtype=torch.int64), f32(2, 3)),
    ],
    "fill.Scalar": [
        case(lambda x: torch.fill(x, 2.5), f32(2, 3), routes=("export",)),
        case(lambda x: x.clone().fill_(3), i32(2, 3)),
    ],
    "fill.Tensor": [case(lambda x, v: torch.fill(x, v), f32(2, 3), f64(), routes=("export",))],
    "zero.default": [
        case(lambda x: ATEN.zero.default(x), f32(2, 3), routes=("export",)),
        case(lambda x: x.clone().zero_(), i32(2, 3)),
    ],
    "arange.default": [
        case(lambda x: x + torch.arange(5), f32(5)),
        case(lambda x: x + torch.arange(2.5), f32(3)),
        case(lambda x: x + torch.arange(0), f32(1)),
        case(lambda x: x + torch.arange(5, dtype=torch.int32), i32(5)),
    ],
    "arange.start": [case(lambda x: x + torch.arange(2, 7), i64(5)), case(lambda x: x + torch.arange(-1.5, 2), f32(4))],
    "arange.start_step": [
        case(lambda x: x + torch.arange(2, 10, 3), f32(3)),
        case(lambda x: x + torch.arange(5, 0, -2), i64(3)),
        case(lambda x: x + torch.arange(0, 1, 0.1), f32(10)),
        case(lambda x: x + torch.arange(0, 1, 0.25, dtype=torch.float64), f64(4)),
    ],
    "linspace.default": [
        case(lambda x: x + torch.linspace(0, 1, 5), f32(5)),
        case(lambda x: x + torch.linspace(-3, 7, 4, dtype=torch.float64), f64(4)),
        case(lambda x: x + torch.linspace(2, 5, 1), f32(1)),
    ],
    "logspace.default": [
        case(lambda x: x + torch.logspace(0, 2, 5), f32(5)),
        case(lambda x: x + torch.logspace(0, 3, 4, base=2.0), f32(4)),
    ],
    "scalar_tensor.default": [
        case(lambda x: x + torch.scalar_tensor(2.5), f32(3)),
        case(lambda x: x + torch.scalar_tensor(2, dtype=torch.int64), i32(3)),
    ],
    "eye.default": [
        case(lambda x: x + torch.eye(3), f32(3, 3)),
        case(lambda x: x + torch.eye(2, dtype=torch.int64), i64(2)),
    ],
    "eye.m": [case(lambda x: x + torch.eye(2, 3), f32(3))],
    "hann_window.default": [case(lambda x: x * torch.hann_window(6), f32(6))],
    "hann_window.periodic": [case(lambda x: x * torch.hann_window(6, periodic=False), f32(6))],
    "hamming_window.periodic": [case(lambda x: x * torch.hamming_window(6, periodic=False), f32(6))],
    "blackman_window.periodic": [case(lambda x: x * torch.blackman_window(6, periodic=False), f32(6), tolerance=1e-5)],
    "hamming_window.default": [case(lambda x: x * torch.hamming_window(6), f32(6))],
    "blackman_window.default": [case(lambda x: x * torch.blackman_window(6), f32(6), tolerance=1e-5)],
    "tensor.int": [
        scripted("def f(x):\n  return x + torch.tensor(3)\n", f32(3)),
        scripted("def f(x):\n  return x + torch.tensor(x.size(0), dtype=torch.float64)\n", f32(3)),
    ],
    "tensor.float": [scripted("def f(x):\n  return x + torch.tensor(2.5)\n", f32(3))],
    "tensor.bool": [scripted("def f(x):\n  return x + torch.tensor(True)\n", f32(3))],
    "tensor.default": [
        scripted("def f(x):\n  return x + torch.tensor([1, 2, 3])\n", f32(3)),
        scripted("def f(x):\n  return x + torch.tensor([[1.5], [2.5]])\n", f32(3)),
    ],
    "_shape_as_tensor.default": [case(lambda x: torch._shape_as_tensor(x) * 2, f32(2, 3), routes=("trace",))],
}
