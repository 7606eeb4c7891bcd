"""Names and places: what parameters, inputs and spans are called, as users of Relay ask for it."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import torchrelay
from torchrelay import relay
from torchrelay.errors import CannotWrite
from torchrelay.ir import Call, Function, assert_structural_equal, post_order


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.norm = nn.BatchNorm2d(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.norm(self.conv(x)))


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.Sequential(Block(), nn.Conv2d(4, 4, 1))
        self.head = nn.Linear(4, 4)
        self.tied = nn.Linear(4, 4)
        self.tied.weight = self.head.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.blocks(x).mean((2, 3))
        return self.tied(self.head(y))


class Clashing(nn.Module):
    """Two parameters whose names differ in a dot alone, and an input of that name too."""

    def __init__(self) -> None:
        super().__init__()
        self.part_bias = nn.Parameter(torch.ones(3))
        self.part = nn.Linear(3, 3)

    def forward(self, part_weight: torch.Tensor) -> torch.Tensor:
        return self.part(part_weight) * self.part_bias


class Pair(nn.Module):
    def forward(self, pair: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        return pair[0] + pair[1]


IMAGE = torch.randn(1, 3, 8, 8)


def _traced(model: nn.Module, *inputs: object) -> torch.jit.ScriptModule:
    return torch.jit.trace(model.eval(), inputs, check_trace=False)  # pyright: ignore[reportReturnType] a module gives a module


def _calls(function: Function) -> list[Call]:
    return [expr for expr in post_order(function.body) if isinstance(expr, Call)]


def test_the_signature_is_relays() -> None:
    names = [
        name for name in inspect.signature(relay.frontend.from_pytorch).parameters if name != "keep_quantized_weight"
    ]
    assert names == [
        "script_module",
        "input_infos",
        "custom_convert_map",
        "default_dtype",
        "use_parser_friendly_name",
        "export_renamed_c_graph_path",
        "preserve_pytorch_scopes",
    ]


@pytest.mark.parametrize("via", ["trace", "script", "export"])
def test_names_with_underscores_for_dots(via: str) -> None:
    model = Net().eval()
    dotted, own = torchrelay.from_torch(model, (IMAGE,), via=via)
    plain, params = torchrelay.from_torch(model, (IMAGE,), via=via, use_parser_friendly_name=True)
    assert {name: name.replace(".", "_") for name in own} == dict(zip(own, params, strict=True))
    assert [var.name for var in plain["main"].params] == [var.name.replace(".", "_") for var in dotted["main"].params]
    assert_structural_equal(plain, dotted)
    assert all(np.shares_memory(params[name.replace(".", "_")], array) for name, array in own.items())
    (wanted,) = torchrelay.run(dotted, own, (IMAGE,))
    (given,) = torchrelay.run(plain, params, (IMAGE,))
    np.testing.assert_array_equal(given, wanted)


def test_the_other_two_entries_take_it_too() -> None:
    model = Net().eval()
    _, scripted = relay.frontend.from_pytorch(
        _traced(model, IMAGE), [("x", IMAGE.shape)], use_parser_friendly_name=True
    )
    _, exported = torchrelay.from_exported_program(torch.export.export(model, (IMAGE,)), use_parser_friendly_name=True)
    assert "blocks_0_norm_running_mean" in scripted
    assert set(scripted) == set(exported)


def test_no_two_names_become_one() -> None:
    model, data = Clashing().eval(), torch.randn(2, 3)
    mod, params = torchrelay.from_torch(model, (data,), via="trace", use_parser_friendly_name=True)
    names = [var.name for var in mod["main"].params]
    assert sorted(names) == sorted({"part_weight", "part_weight_1", "part_bias", "part_bias_1"})
    np.testing.assert_array_equal(params["part_bias"], model.part_bias.detach())
    (given,) = torchrelay.run(mod, params, (data,))
    np.testing.assert_allclose(given, model(data).detach(), rtol=1e-5, atol=1e-6)


def test_names_of_inputs_that_are_given_stay() -> None:
    one = torch.ones(2)
    mod, _ = torchrelay.from_torch(Pair().eval(), ((one, one),), use_parser_friendly_name=True)
    assert [var.name for var in mod["main"].params] == ["pair_0", "pair_1"]
    script = _traced(Net(), IMAGE)
    mod, _ = relay.frontend.from_pytorch(script, [("x.1", IMAGE.shape)], use_parser_friendly_name=True)
    assert mod["main"].params[0].name == "x.1"


def test_scopes_as_spans() -> None:
    script = _traced(Net(), IMAGE)
    mod, _ = relay.frontend.from_pytorch(script, [("x", IMAGE.shape)], preserve_pytorch_scopes=True)
    found = {call.op.name: call.span.source_name.name for call in _calls(mod["main"]) if call.span is not None}  # pyright: ignore[reportAttributeAccessIssue] operators have names
    assert found["nn.batch_norm"] == "blocks.0.norm"
    assert found["nn.relu"] == "blocks.0"
    assert found["mean"] == ""
    assert all((call.span.line, call.span.column) == (0, 0) for call in _calls(mod["main"]) if call.span is not None)
    text = mod.astext()
    assert "span=blocks.0.conv:0:0" in text
    assert Path(__file__).name not in text
    (span,) = {
        call.span.source_name.name
        for call in _calls(torchrelay.load_json(torchrelay.save_json(mod))["main"])
        if getattr(call.op, "name", "") == "nn.batch_norm" and call.span is not None
    }
    assert span == "blocks.0.norm"


@pytest.mark.parametrize("via", ["trace", "script", "export"])
def test_every_call_has_its_line_and_module(via: str) -> None:
    mod, _ = torchrelay.from_torch(Net().eval(), (IMAGE,), via=via)
    calls = _calls(mod["main"])
    assert calls
    lines, start = inspect.getsourcelines(Block.forward)
    for call in calls:
        assert call.place is not None
        assert call.place.file == __file__, call
        assert call.place.line, call
    scopes = {call.op.name: (call.place.scope, call.place.scope_class) for call in calls if call.place is not None}  # pyright: ignore[reportAttributeAccessIssue] operators have names
    assert scopes["nn.batch_norm"] == ("blocks.0.norm", "BatchNorm2d")
    assert scopes["nn.relu"] == ("blocks.0", "Block")
    (relu,) = [call for call in calls if getattr(call.op, "name", "") == "nn.relu"]
    assert relu.place is not None
    assert relu.place.line == start + len(lines) - 1


@pytest.mark.parametrize("via", ["trace", "script", "export"])
def test_a_shared_parameter_is_one_variable(via: str) -> None:
    mod, params = torchrelay.from_torch(Net().eval(), (IMAGE,), via=via)
    assert "head.weight" in params
    assert "tied.weight" not in params
    first, second = [call.args[1] for call in _calls(mod["main"]) if getattr(call.op, "name", "") == "nn.dense"]
    assert first is second


def test_the_renamed_graph_is_written(tmp_path: Path) -> None:
    script = _traced(Net(), IMAGE)
    before = str(script.graph)
    relay.frontend.from_pytorch(script, [("x", IMAGE.shape)], export_renamed_c_graph_path=tmp_path / "graph.txt")
    text = (tmp_path / "graph.txt").read_text()
    assert text.startswith("graph(%self")
    assert "%aten::relu_0_0 : Float(1, 4, 6, 6" in text
    assert "%aten::_convolution_1_0 : Float(1, 4, 6, 6" in text
    assert "aten::mean(%aten::_convolution_1_0, " in text
    assert str(script.graph) == before
    relay.frontend.from_pytorch(script, [("x", IMAGE.shape)], export_renamed_c_graph_path=str(tmp_path / "graphs"))
    (written,) = (tmp_path / "graphs").iterdir()
    assert written.name.startswith("tvm_exported_c_graph_")
    assert written.read_text() == text


def test_values_inside_branches_and_loops_are_renamed_in_order(tmp_path: Path) -> None:
    class Looped(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x = x.relu()
            for _ in range(3):
                x = x.relu() + 1
                if bool(x.sum() > 3):
                    x = x.relu() * 2
            return x.relu()

    script = torch.jit.script(Looped().eval())
    path = tmp_path / "graph.txt"
    relay.frontend.from_pytorch(script, [("x", (2,))], export_renamed_c_graph_path=path)
    names = [line.split()[0] for line in path.read_text().splitlines() if "= aten::relu(" in line]
    assert names == [f"%aten::relu_{index}_0" for index in range(4)]


def test_a_place_where_nothing_can_be_written_is_told(tmp_path: Path) -> None:
    script = _traced(Net(), IMAGE)
    with pytest.raises(CannotWrite):
        relay.frontend.from_pytorch(script, [("x", IMAGE.shape)], export_renamed_c_graph_path=tmp_path / "no" / "g.txt")
