"""Questions about a tensor: sizes, dtype, the number it holds."""

from __future__ import annotations

import torch
from tests.cases.making import case, scripted
from tests.samples.making import f32, f64, i32, i64

ATEN = torch.ops.aten


def _text(*lines):
    return "def f(x):\n" + "".join(f"  {line}\n" for line in lines)


GRAPH = """graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %n : {1} = aten::{0}(%y)
  %r : Tensor = aten::add(%x, %n, %one)
  return (%r)
"""

NUMBER = """graph(%x : Tensor):
  %n : Scalar = aten::item(%x)
  %r : int = aten::Int(%n)
  return (%r)
"""

ROWS = {
    "Int.Scalar": [scripted(NUMBER, f64())],
    "prim::NumToTensor.Scalar": [case(lambda x: x + x.shape[0] * 2, f32(2, 3))],
    "Int.Tensor": [case(lambda x: x.reshape(x.shape[0] * x.shape[1]), f32(2, 3))],
    "size.int": [case(lambda x: x.reshape(x.size(0), -1), f32(2, 3, 4))],
    "size.default": [scripted(_text("s = x.size()", "return x.reshape([s[1], s[0]])"), f32(2, 3))],
    "dim.default": [scripted(_text("return x.sum(x.dim() - 1)"), f32(2, 3))],
    "numel.default": [scripted(_text("return x.reshape(x.numel())"), f32(2, 3))],
    "is_floating_point.default": [scripted(_text("return x + int(x.is_floating_point())"), f32(2))],
    "is_complex.default": [scripted(_text("return x + int(x.is_complex())"), f32(2))],
    "is_contiguous.default": [scripted(_text("return x + int(x.is_contiguous())"), f32(2))],
    "prim::dtype.default": [
        scripted(_text("return torch.zeros([2], dtype=x.dtype)"), f64(2)),
        scripted(_text("return x + int(x.dtype == torch.float64)"), f64(2)),
    ],
    "item.default": [
        case(lambda x: x.item(), f32(), routes=("export",)),
        case(lambda x: x.item(), i32(), routes=("export",)),
        scripted(_text("return x * x.sum().item()"), f32(3)),
        scripted(_text("return x * x.sum().item()"), i32(3)),
    ],
    "ScalarImplicit.default": [scripted(GRAPH.format("ScalarImplicit", "Scalar", "Scalar"), f32(3), f32())],
    "IntImplicit.default": [scripted(GRAPH.format("IntImplicit", "int", "Scalar"), f32(3), i64())],
    "FloatImplicit.default": [scripted(GRAPH.format("FloatImplicit", "float", "Scalar"), f32(3), f64())],
    "_local_scalar_dense.default": [scripted(GRAPH.format("_local_scalar_dense", "Scalar", "Scalar"), f32(3), f32())],
}
