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


class Step(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.layer(x)) + x * 0.5


def test_two_thousand_nodes_are_shown_in_outline(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    model = torch.nn.Sequential(*[Step() for _ in range(500)]).eval()
    record = torchrelay.explain(model, (torch.randn(2, 4),))
    assert len(record.nodes) == 2000
    record.print()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 300
    assert max(map(len, lines)) <= 120
    for number, name in enumerate(STAGES, 1):
        assert any(f" {number} {name} " in line for line in lines)
    assert any("2000 nodes, by module" in line for line in lines)
    assert any("and 460 more modules" in line for line in lines)
    assert any("this is an outline" in line for line in lines)
    assert len(json.loads(record.to_json())["nodes"]) == 2000
    record.print(stages=["func"])
    assert len(capsys.readouterr().out.splitlines()) > 2000


@pytest.mark.parametrize("name", ["bert", "densenet121"])
def test_real_models_are_explained_in_every_form(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    model, inputs = build(name)
    record = torchrelay.explain(model, inputs)
    record.print()
    assert len(capsys.readouterr().out.splitlines()) < 260
    data = json.loads(record.to_json())
    assert list(data["stages"]) == STAGES
    assert data["route"] == "trace"
    assert len(data["nodes"]) == len(record.nodes) > 100
    record.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    for outside in ("src=", "href=", "@import", "url("):
        assert outside not in page.replace("&quot;", ""), f"the page asks for {outside}"


def test_what_was_tried_is_in_the_record() -> None:
    class Untraceable(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> dict[str, object]:
            return {"doubled": x * 2, "n": 3}

    record = torchrelay.explain(Untraceable().eval(), (torch.ones(2),))
    assert record.route == "export"
    assert "tried before export: via='trace': torch.jit.trace cannot capture the model" in record.notes[0]
    assert json.loads(record.to_json())["notes"] == list(record.notes)


def test_the_converters_that_a_model_uses_come_first() -> None:
    record = torchrelay.explain(torch.nn.ReLU().eval(), (torch.ones(2),))
    assert next(iter(record.stages["convert_map"])) == "aten::relu.default"
