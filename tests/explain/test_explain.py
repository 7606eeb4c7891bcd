"""Every stage of the worked example under its name, and of any model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

import torchrelay
from tests.models import build, worked_example

STAGES = [
    "script_module", "graph (raw)", "convert_map", "graph (after the JIT passes)", "op_names", "opLocation",
    "pythonOpInfos", "params", "all_graph_input", "outputs", "param_vars, tensors", "packed_param_map", "tvm_params",
    "ret_name", "ret", "func",
]  # fmt: skip


def test_the_worked_example_has_all_sixteen_stages(shared: Path) -> None:
    model, inputs = worked_example.build(shared / "walkthrough" / "convtrans_weight.json")
    record = torchrelay.explain(model, inputs, worked_example.INPUT_INFOS)
    assert list(record.stages) == STAGES
    data = json.loads(record.to_json())["stages"]
    assert 'prim::CallMethod[name="forward"]' in data["graph (raw)"]
    assert "aten::_convolution" in data["graph (after the JIT passes)"]
    assert data["op_names"] == ["aten::_convolution", "prim::Constant", "prim::GetAttr", "prim::ListConstruct"]
    (location,) = data["opLocation"]["aten::_convolution"]
    assert "worked_example.py:" in location
    assert location.endswith("__module.convtrans")
    assert data["pythonOpInfos"] == []
    assert data["params"] == {"convtrans.weight": "float32[3, 6, 5]"}
    assert data["all_graph_input"] == {"input": "Var(data0, TensorType([1, 3, 16], float32))"}
    assert data["outputs"] == data["all_graph_input"]
    weight = "Var(convtrans.weight, TensorType([3, 6, 5], float32))"
    assert next(iter(record.stages["param_vars"].values())).name == "convtrans.weight"
    assert list(data["param_vars, tensors"]["param_vars"].values()) == [weight]
    assert data["packed_param_map"] == {}
    assert list(data["tvm_params"]) == ["convtrans.weight"]
    assert len(data["ret_name"]) == 1
    assert data["ret"][0].startswith("nn.conv1d_transpose(%data0, %convtrans.weight")
    assert "%data0: Tensor[(1, 3, 16), float32]" in data["func"]


def test_every_node_tells_its_story() -> None:
    model, inputs = worked_example.build()
    (node,) = torchrelay.explain(model, inputs, worked_example.INPUT_INFOS).nodes
    assert node.operator == "aten::_convolution.default"
    assert node.converter.endswith("any_convolution")
    assert node.inputs["input"] == "%data0: Tensor[(1, 3, 16), float32]"
    assert node.inputs["weight"] == "%convtrans.weight: Tensor[(3, 6, 5), float32]"
    assert node.type == "Tensor[(1, 6, 33), float32]"
    assert node.place.scope == "convtrans"
    assert node.place.source_line == "return self.convtrans(input)"
    assert len(node.entry) == 1


@pytest.mark.parametrize("via", ["trace", "export"])
def test_a_large_model_is_folded_by_module(via: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    model, inputs = build("gpt2")
    record = torchrelay.explain(model, inputs, via=via)
    record.print()
    folded = capsys.readouterr().out
    record.print(expand=True)
    whole = capsys.readouterr().out
    assert "nodes, by module" in folded
    assert len(folded.splitlines()) < len(whole.splitlines()) / 2
    record.to_html(tmp_path / "record.html")
    page = (tmp_path / "record.html").read_text("utf-8")
    assert page.count("<details") == len(record.nodes) + len(STAGES)


def test_scripted_modules_are_explained_too() -> None:
    scripted = torch.jit.script(torch.nn.ReLU().eval())
    record = torchrelay.explain(scripted, input_infos=[("x", (2, 3))])
    assert [node.operator for node in record.nodes] == ["aten::relu.default"]
