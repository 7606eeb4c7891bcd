"""TorchScript to the TorchGraph: arguments by schema, literals folded, parameters by key and never copied, places."""

import inspect
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend import TorchGraph, TorchNode, TorchValue, imported
from torchrelay.frontend.graph import walk_nodes
from torchrelay.frontend.read_script import read_script, script, trace
from torchrelay.frontend.read_script.lists import LIST_WRITERS
from torchrelay.runtime import run


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.conv(x)) + 2


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])
        self.blocks[1].conv = nn.Conv2d(4, 4, 3, padding=1)
        self.register_buffer("shift", torch.ones(4, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            x = block(x)
        return x.mean((1, 2)) - self.shift.sum()


IMAGE = torch.randn(1, 3, 8, 8)


def _nodes(graph: TorchGraph, target: str) -> list[TorchNode]:
    return [node for node in walk_nodes(graph) if node.target == target]


def _line_of(cls: type, text: str) -> int:
    lines, start = inspect.getsourcelines(cls)
    return start + next(i for i, line in enumerate(lines) if text in line)


def _traced(model: nn.Module, *inputs: object) -> TorchGraph:
    return read_script(trace(model.eval(), inputs))


def _scripted(model: nn.Module) -> TorchGraph:
    return read_script(script(model.eval()))


def _saved(source: torch.jit.ScriptModule) -> torch.jit.ScriptModule:
    file = io.BytesIO()
    torch.jit.save(source, file)
    file.seek(0)
    return torch.jit.load(file)


def test_arguments_stand_under_their_schema_names_with_defaults_and_literals() -> None:
    (add,) = _nodes(_traced(Block(), IMAGE), "aten::add.Scalar") or _nodes(_traced(Block(), IMAGE), "aten::add.Tensor")
    assert list(add.args) == ["self", "other", "alpha"]
    assert add.args["other"] == 2
    assert add.args["alpha"] == 1


def test_dtypes_devices_and_formats_are_no_numbers() -> None:
    class Cast(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.to(torch.float64, memory_format=torch.channels_last) + torch.zeros(
                8, dtype=torch.int32, device="cpu"
            )

    graph = _traced(Cast(), IMAGE)
    (cast,) = _nodes(graph, "aten::to.dtype")
    (zeros,) = _nodes(graph, "aten::zeros.default")
    assert (cast.args["dtype"], cast.args["memory_format"]) == ("float64", "channels_last")
    assert (zeros.args["dtype"], zeros.args["device"], zeros.args["layout"]) == ("int32", "cpu", None)


@pytest.mark.parametrize("capture", ["trace", "script", "saved"])
def test_parameters_are_the_models_own_memory_under_their_keys(capture: str) -> None:
    model = Net().eval()
    graph = _scripted(model) if capture == "script" else _traced(model, IMAGE)
    if capture == "saved":
        source = _saved(trace(model, (IMAGE,)))
        graph, state = read_script(source), source.state_dict(keep_vars=True)
    else:
        state = model.state_dict(keep_vars=True)
    found = {p.key: p.tensor for p in graph.parameters.values() if not p.constant}
    assert sorted(found) == sorted(state)
    assert all(found[key].data_ptr() == state[key].data_ptr() for key in state)


def test_a_shared_parameter_stays_one() -> None:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Linear(4, 4, bias=False)
            self.second = nn.Linear(4, 4, bias=False)
            self.second.weight = self.first.weight

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.second(self.first(x))

    for graph in (_traced(Tied(), torch.ones(2, 4)), _scripted(Tied())):
        one, two = _nodes(graph, "aten::linear.default")
        assert one.args["weight"] is two.args["weight"]
        assert [p.key for p in graph.parameters.values()] == ["first.weight"]


@pytest.mark.parametrize("capture", ["trace", "script", "saved"])
def test_places_name_the_users_line_the_module_path_and_its_class(capture: str) -> None:
    model = Net().eval()
    source = script(model) if capture == "script" else trace(model, (IMAGE,))
    graph = read_script(_saved(source) if capture == "saved" else source)
    convolutions = [node for node in graph.nodes if "conv" in node.target]
    assert [node.where.scope for node in convolutions] == ["blocks.0.conv", "blocks.1.conv"]
    assert {node.where.scope_class for node in convolutions} == {"Conv2d"}
    assert {node.where.file for node in convolutions} == {__file__}
    assert {node.where.line for node in convolutions} == {_line_of(Block, "self.conv(x)")}
    (mean,) = _nodes(graph, "aten::mean.dim")
    assert (mean.where.line, mean.where.scope, mean.where.scope_class) == (_line_of(Net, "x.mean"), "", "Net")


def test_the_users_module_is_left_as_it_is() -> None:
    source = trace(Net().eval(), (IMAGE,))
    before = str(source.graph)
    read_script(source)
    assert str(source.graph) == before


def test_branches_on_what_is_known_are_taken() -> None:
    class Choice(nn.Module):
        scale: int | None

        def __init__(self) -> None:
            super().__init__()
            self.scale = None
            self.norm = nn.LayerNorm(3)

        def forward(self, x: torch.Tensor, y: torch.Tensor | None = None) -> torch.Tensor:
            if self.training or self.scale is not None:
                x = torch.dropout(x, 0.5, True)
            sizes = [1, 2, 3]
            if len(sizes) > 2:
                x = x * sizes[-1]
            return self.norm(x)

    graph = _scripted(Choice())
    assert not [node for node in walk_nodes(graph) if node.blocks]
    assert [node.target for node in graph.nodes][-1] == "aten::layer_norm.default"
    (mul,) = _nodes(graph, "aten::mul.Scalar") or _nodes(graph, "aten::mul.Tensor")
    assert mul.args["other"] == 3


def test_a_branch_that_raises_is_not_taken() -> None:
    class Checked(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            if x.dim() != 2:
                raise ValueError("wanted a matrix")
            assert x.size(0) > 0
            return x + 1

    assert not [node for node in walk_nodes(_scripted(Checked())) if node.blocks]


def test_loops_and_branches_have_blocks() -> None:
    class Loop(nn.Module):
        def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
            for i in range(n):
                if x.sum() > 0:
                    x = x - i
                else:
                    x = x + 1
            return x

    graph = _scripted(Loop())
    (loop,) = _nodes(graph, "prim::Loop.default")
    (branch,) = _nodes(graph, "prim::If.default")
    assert loop.args["trip_count"] is graph.signature["n"]
    assert loop.args["condition"] is True
    assert loop.args["carried"] == (graph.signature["x"],)
    (body,) = loop.blocks
    assert [value.type.kind for value in body.inputs] == ["int", "Tensor"]
    assert len(body.outputs) == 2
    assert [len(block.outputs) for block in branch.blocks] == [1, 1]
    assert branch.outputs[0] is body.outputs[1]


def test_only_lists_that_are_written_to_are_nodes() -> None:
    class Lists(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            kept = [x, x]
            grown: list[torch.Tensor] = []
            for i in range(3):
                y = x * i
                grown.append(y)
            return torch.cat(kept) + torch.cat(grown)

    graph = _scripted(Lists())
    kept, grown = _nodes(graph, "aten::cat.default")
    assert kept.args["tensors"] == (graph.signature["x"], graph.signature["x"])
    (made,) = _nodes(graph, "prim::ListConstruct.default")
    assert grown.args["tensors"] is made.outputs[0]
    assert _nodes(graph, "aten::append.t")[0].args["self"] is made.outputs[0]


def test_a_list_handed_on_by_branches_and_loops_is_known_to_be_written() -> None:
    class Aliased(nn.Module):
        def forward(self, x: torch.Tensor, n: int) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
            one = [x]
            two = [x]
            for i in range(n):
                if i > 2:
                    two = one
                two.append(x)
            return one, two

    assert len(_nodes(_scripted(Aliased()), "prim::ListConstruct.default")) == 2


def test_the_writers_of_lists_are_those_that_the_schemas_say() -> None:
    found = set()
    for schema in torch._C._jit_get_all_schemas():
        for argument in schema.arguments:
            kind = str(argument.type)
            written = argument.alias_info is not None and argument.alias_info.is_write
            if written and (kind.startswith("Dict") or (kind.startswith("List") and "Tensor" not in kind)):
                found.add(schema.name)
    assert found == set(LIST_WRITERS)


def test_nested_inputs_and_outputs() -> None:
    class Nested(nn.Module):
        def forward(
            self, x: tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]], y: torch.Tensor
        ) -> dict[str, torch.Tensor]:
            return {"a": x[0] + x[1][1], "b": y * x[1][0]}

    one = torch.ones(2)
    for graph in (_scripted(Nested()), _traced(Nested(), (one, (one, one)), one)):
        first, (second, third) = graph.signature["x"]
        assert [value.name for value in (first, second, third)] == ["x[0]", "x[1][0]", "x[1][1]"]
        assert graph.inputs == (first, second, third, graph.signature["y"])
        (result,) = graph.outputs
        assert list(result) == ["a", "b"]
        assert all(isinstance(value, TorchValue) for value in result.values())


def test_constants_get_a_name_of_their_own() -> None:
    class Constant(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + torch.tensor([1.0, 2.0])

    graph = _traced(Constant(), torch.ones(2))
    again = _traced(Constant(), torch.ones(2))
    (constant,) = graph.parameters.values()
    assert constant.constant
    assert constant.tensor.tolist() == [1.0, 2.0]
    assert [p.key for p in again.parameters.values()] == [constant.key]


def test_a_function_has_no_module() -> None:
    traced = torch.jit.trace(lambda x: x.relu() + 1, torch.ones(2))
    graph = read_script(traced)
    assert [node.target for node in graph.nodes] == ["aten::relu.default", "aten::add.Tensor"]
    assert len(graph.inputs) == 1


def test_a_module_without_forward_is_refused() -> None:
    with pytest.raises(UnsupportedProgram, match="has no forward"):
        read_script(torch.jit.script(nn.ModuleList([nn.Linear(1, 1)])))


def test_quantized_parameters_show_what_they_hold() -> None:
    torch.backends.quantized.engine = "fbgemm" if "fbgemm" in torch.backends.quantized.supported_engines else "qnnpack"
    model = nn.Sequential(
        torch.ao.quantization.QuantStub(), nn.Conv2d(3, 4, 3), torch.ao.quantization.DeQuantStub()
    ).eval()
    model.qconfig = torch.ao.quantization.get_default_qconfig("fbgemm")
    prepared = torch.ao.quantization.prepare(model)
    prepared(IMAGE)
    graph = _traced(torch.ao.quantization.convert(prepared), IMAGE)
    (conv,) = _nodes(graph, "quantized::conv2d.new")
    packed = conv.args["packed_weight"]
    weight = graph.parameters[packed["weight"].name]
    assert weight.key == "1._packed_params.weight"
    assert weight.tensor.dtype == torch.int8
    assert len(packed["scale"]) == len(packed["zero_point"]) == 4
    assert (packed["axis"], packed["stride"], packed["groups"], packed["transpose"]) == (0, (1, 1), 1, False)


def test_a_long_chain_is_read_in_linear_time_without_recursion() -> None:
    class Chain(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            for _ in range(5000):
                x = x + 1
            return x

    assert len(_traced(Chain(), torch.ones(1)).nodes) == 5000


def test_what_tracing_adds_has_the_line_of_what_it_belongs_to() -> None:
    class Sized(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.reshape(x.shape[0], -1)

    nodes = _traced(Sized(), IMAGE).nodes
    assert {"prim::NumToTensor.Scalar", "aten::Int.Tensor"} <= {node.target for node in nodes}
    assert {node.where.line for node in nodes} == {_line_of(Sized, "x.reshape")}


@pytest.mark.parametrize("constant", [2.5, torch.tensor(2.5, dtype=torch.float64), torch.tensor(3)])
@pytest.mark.parametrize(
    ("operation", "dtype"),
    [
        (operation, dtype)
        for operation in (torch.add, torch.sub, torch.mul, torch.div, torch.pow, torch.fmod)
        for dtype in (torch.int8, torch.bool, torch.float16, torch.float64)
        if (operation, dtype) != (torch.sub, torch.bool)  # torch refuses it
    ],
)
def test_constants_of_a_saved_trace_promote_as_torch_runs_them(
    tmp_path: Path, constant: Any, operation: Any, dtype: torch.dtype
) -> None:
    data = torch.ones(3, dtype=dtype)
    traced = torch.jit.trace(lambda x: operation(x, constant), (data,), check_trace=False)
    torch.jit.save(traced, str(tmp_path / "model.pt"))
    loaded = torch.jit.load(str(tmp_path / "model.pt"))
    wanted = loaded(data)
    made = imported(loaded, (data,))
    (given,) = run(made.mod, made.params, (data,))
    assert str(given.dtype) == str(wanted.dtype).removeprefix("torch.")
    assert np.array_equal(given, wanted.numpy())
