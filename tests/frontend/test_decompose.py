"""Operators without a converter, by PyTorch's own decompositions, through both readers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
import torchvision

import torchrelay
from torchrelay.errors import Place, UnsupportedOperators, UnsupportedProgram
from torchrelay.frontend.convert import missing_operators
from torchrelay.frontend.entry import imported
from torchrelay.frontend.graph import TorchGraph, TorchNode

torch.manual_seed(0)
X = torch.randn(3, 4)


class Program(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> object:
        return self.function(x)


DECOMPOSED = {
    "aten::trapezoid.dx": lambda x: torch.trapezoid(x, dx=2.0),
    "aten::special_ndtr.default": torch.special.ndtr,
    "aten::view_copy.default": lambda x: torch.view_copy(x, (4, 3)),
    "aten::im2col.default": lambda x: torch.nn.functional.unfold(x[None, None], (2, 2), stride=2, padding=1),
    "aten::isreal.default": torch.isreal,
}


@pytest.mark.parametrize("target", DECOMPOSED)
def test_a_traced_operator_without_a_converter_is_decomposed_and_the_record_says_so(target: str) -> None:
    model = Program(DECOMPOSED[target]).eval()
    made = imported(model, (X,), via="trace")
    (record,) = [record for record in made.conversion.records if record.node.target == target]
    assert record.decomposed
    (found,) = torchrelay.run(made.mod, made.params, [X.numpy()])
    np.testing.assert_allclose(found, model(X).numpy(), rtol=1e-5, atol=1e-6)
    story = [story for story in torchrelay.explain(model, (X,), via="trace").nodes if story.operator == target]
    assert story[0].converter.startswith("PyTorch's decomposition: aten::")


@pytest.mark.parametrize("target", DECOMPOSED)
def test_an_exported_one_gives_the_same_numbers(target: str) -> None:
    model = Program(DECOMPOSED[target]).eval()
    mod, params = torchrelay.from_torch(model, (X,), via="export")
    (found,) = torchrelay.run(mod, params, [X.numpy()])
    np.testing.assert_allclose(found, model(X).numpy(), rtol=1e-5, atol=1e-6)


def test_what_pytorch_decomposes_into_itself_is_refused() -> None:
    with pytest.raises(UnsupportedOperators, match=r"aten::normal.Tensor_float has no converter"):
        torchrelay.from_torch(Program(lambda x: torch.normal(x, 1.0)).eval(), (X,), via="trace")


def test_what_asks_for_values_is_refused() -> None:
    with pytest.raises(
        UnsupportedProgram, match=r"aten::cov.default: has no converter, and PyTorch cannot decompose it"
    ):
        torchrelay.from_torch(Program(torch.cov).eval(), (X,), via="trace")


def _misses(target: str) -> bool:
    node = TorchNode(target, {}, (), Place("model.py", 1))
    return bool(missing_operators(TorchGraph((), (node,), ()), {}))


MISSING = {
    "aten::_adaptive_avg_pool2d_backward.default": "a gradient",
    "aten::avg_pool2d_backward.default": "a gradient",
    "aten::convolution_backward.default": "a gradient",
    "aten::_embedding_bag.default": "bags whose places the program computes",
    "aten::_fft_c2r.default": "complex numbers",
    "aten::_fft_r2c.default": "complex numbers",
    "aten::_native_batch_norm_legit.default": "writes its statistics: it is functional first",
    "aten::_pdist_forward.default": "written as pdist",
    "aten::atan2.out": "written by out: it is atan2.default first",
    "aten::rand.default": "random",
    "aten::randperm.default": "random",
    "aten::resize_.default": "changes the memory of its argument",
}


def test_every_overload_of_core_aten_converts_but_these(shared: Path) -> None:
    names = (shared / "spec" / "torch_core_aten.txt").read_text().split()
    targets = [name.replace("aten.", "aten::", 1) for name in names if name.startswith("aten.")]
    assert len(targets) > 150
    assert {target for target in targets if _misses(target)} == MISSING.keys()


MISSING_OF_RELAY = {
    "a mapping of the program's own": r"(__getitem__|len)\.Dict_",
    "not in the programs that torch makes of models": r"__interpolate|(eq|ne)\.(enum|Tensor_list)|_twin|list_Tensor|to\.prim_",
    "written otherwise, as numpy_T.default, split.Tensor": r"numpy_T\.a|split\.default|einsum\.sublist|NumToTensor\.bool",
    "a size that only the data tells": r"_unique2|bincount|repeat_interleave\.Tensor",
    "random": r"multinomial|randn\.generator",
    "complex numbers": r"tensor\.complex",
    "a product into another dtype": r"(b?mm)\.dtype",
    "quantized tensors": r"^quantized::|dequantize|quantize_per_tensor",
    "a device as a value": r"prim::device",
}
"""The overloads that do not convert, by reason."""
assert torchvision.__version__, "importing it declares its operators"


def test_every_functional_overload_that_relay_importers_take_converts_but_these(shared: Path) -> None:
    names = (shared / "spec" / "torch_ops_relay.txt").read_text().split()
    schemas = [schema for name in names for schema in torch._C._jit_get_schemas_for_operator(name)]
    assert len(schemas) > 400
    targets = [f"{s.name}.{s.overload_name or 'default'}" for s in schemas if not s.is_mutable]
    missing = [target for target in targets if _misses(target)]
    unexplained = [t for t in missing if not any(re.search(text, t) for text in MISSING_OF_RELAY.values())]
    assert unexplained == []
    for reason, text in MISSING_OF_RELAY.items():
        assert any(re.search(text, target) for target in missing), f"nothing is missing for {reason}"
