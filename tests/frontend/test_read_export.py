"""Exported programs to the TorchGraph: the same form as TorchScript's, parameters by key, places, branches and loops."""

import inspect
import io
from dataclasses import dataclass

import pytest
import torch
from torch import nn

from tests.frontend.evaluate import evaluate
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend import TorchGraph, TorchNode, TorchValue
from torchrelay.frontend.graph import walk_nodes
from torchrelay.frontend.read_export import export, read_export
from torchrelay.ir import ANY


class Block(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, 4, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.conv(x)) + 2


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Block(3), Block(4)])
        self.register_buffer("shift", torch.ones(4, 1, 1), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            x = block(x)
        return x.mean((1, 2)) - self.shift.sum()


IMAGE = torch.randn(1, 3, 8, 8)


def _exported(model: nn.Module, *inputs: object, dynamic_shapes: object = None) -> TorchGraph:
    return read_export(export(model.eval(), inputs, dynamic_shapes))


def _nodes(graph: TorchGraph, target: str) -> list[TorchNode]:
    return [node for node in walk_nodes(graph) if node.target == target]


def _check(model: nn.Module, *inputs: torch.Tensor) -> TorchGraph:
    """The graph computes what the model does."""
    graph = _exported(model, *inputs)
    torch.testing.assert_close(_plain(evaluate(graph, *inputs)), _plain(model(*inputs)))
    return graph


def _plain(result: object) -> object:
    return [_plain(part) for part in result] if isinstance(result, list | tuple) else result


@pytest.mark.parametrize("form", ["captured", "decomposed", "saved"])
def test_parameters_are_the_programs_own_memory_under_their_keys(form: str) -> None:
    model = Net().eval()
    program = export(model, (IMAGE,))
    if form == "decomposed":
        program = program.run_decompositions()
    if form == "saved":
        file = io.BytesIO()
        torch.export.save(program, file)
        file.seek(0)
        program = torch.export.load(file)
    held = {**program.state_dict, **program.constants}
    found = {p.key: p.tensor for p in read_export(program).parameters.values()}
    assert sorted(found) == sorted([*model.state_dict(), "shift"])
    assert all(found[key].data_ptr() == held[key].data_ptr() for key in found)


def test_places_name_the_users_line_the_module_path_and_its_class() -> None:
    graph = _exported(Net(), IMAGE)
    convolutions = _nodes(graph, "aten::conv2d.default")
    lines, start = inspect.getsourcelines(Block)
    line = start + next(i for i, text in enumerate(lines) if "self.conv(x)" in text)
    assert [node.where.scope for node in convolutions] == ["blocks.0.conv", "blocks.1.conv"]
    assert {(n.where.file, n.where.line, n.where.scope_class) for n in convolutions} == {(__file__, line, "Conv2d")}


def test_several_results_are_outputs_of_their_own() -> None:
    class Several(nn.Module):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            values, indices = x.max(1)
            first, second = x.split(2, 1)
            return values, indices, second - first

    graph = _check(Several(), torch.randn(3, 4))
    (largest,) = _nodes(graph, "aten::max.dim")
    assert len(largest.outputs) == 2
    assert [node.target for node in graph.nodes][1:3] == ["aten::split.Tensor", "prim::ListUnpack.default"]


def test_nested_inputs_and_outputs_keep_their_names() -> None:
    class Nested(nn.Module):
        def forward(
            self, x: tuple[torch.Tensor, dict[str, torch.Tensor]], scale: int, y: torch.Tensor | None = None
        ) -> dict[str, object]:
            return {"a": x[0] + x[1]["k"] * scale, "b": (x[0], y)}

    graph = _exported(Nested(), (torch.ones(2), {"k": torch.ones(2)}), 3)
    first, mapping = graph.signature["x"]
    assert [value.name for value in graph.inputs] == ["x[0]", "x[1][k]"]
    assert (first, mapping["k"]) == graph.inputs
    assert graph.signature["scale"] == 3
    (result,) = graph.outputs
    assert list(result) == ["a", "b"]
    assert result["b"] == (first, None)


def test_data_classes_are_mappings_of_their_fields() -> None:
    @dataclass
    class Pair:
        left: torch.Tensor
        right: torch.Tensor

    torch.export.register_dataclass(Pair, serialized_type_name="test_read_export.Pair")

    class Returns(nn.Module):
        def forward(self, x: torch.Tensor) -> Pair:
            return Pair(x + 1, x + 2)

    (result,) = _exported(Returns(), torch.ones(2)).outputs
    assert list(result) == ["left", "right"]


def test_writes_to_buffers_are_named() -> None:
    class Counter(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", torch.zeros(()))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.count += 1
            return x + self.count

    graph = read_export(export(Counter(), (torch.ones(2),)).run_decompositions())
    ((key, value),) = graph.writes
    assert key == "count"
    assert isinstance(value, TorchValue)


def test_sizes_that_are_not_known_are_values() -> None:
    class Sized(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.reshape(x.shape[0] * 2, -1) + torch.zeros(x.shape[0] // 2 + 2)[:1]

    batch = torch.export.Dim("batch", min=2, max=64)
    graph = _exported(Sized(), torch.ones(6, 14), dynamic_shapes={"x": {0: batch}})
    assert graph.inputs[0].type.shape == (ANY, 14)
    assert {"aten::size.int", "aten::mul.int", "aten::add.int", "aten::floordiv.int"} <= {n.target for n in graph.nodes}
    x = torch.randn(13, 14)
    torch.testing.assert_close(evaluate(graph, x), Sized()(x))


def test_branches_have_the_form_of_torchscript() -> None:
    class Branch(nn.Module):
        def forward(self, x: torch.Tensor, positive: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            return torch.cond(positive, lambda x: (x + 1, x * 2), lambda x: (x - 1, x / 2), (x,))

    graph = _check(Branch(), torch.randn(3), torch.tensor([True]).all())
    (branch,) = _nodes(graph, "prim::If.default")
    assert [block.inputs for block in branch.blocks] == [(), ()]
    torch.testing.assert_close(evaluate(graph, torch.ones(3), torch.tensor([False]).all())[0], torch.zeros(3))


def test_loops_have_the_form_of_torchscript() -> None:
    class Loop(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            from torch._higher_order_ops import while_loop

            count = torch.zeros((), dtype=torch.int64)
            return while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, x * 2), (count, x))[1]

    (loop,) = _nodes(_check(Loop(), torch.randn(3)), "prim::Loop.default")
    assert list(loop.args) == ["trip_count", "condition", "carried"]


def test_scans_and_maps_are_loops_over_rows() -> None:
    class Scans(nn.Module):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            from torch._higher_order_ops import map, scan

            last, sums = scan(lambda total, row: (total + row, total * row), x[0].clone(), x)
            return last, sums, map(lambda row, other: row * other, x, x[1].clone())

    assert len(_nodes(_check(Scans(), torch.randn(4, 3)), "prim::Loop.default")) == 2


def test_an_associative_scan_is_a_loop() -> None:
    class Sums(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            from torch._higher_order_ops import associative_scan

            return associative_scan(lambda a, b: a + b, x, 0, combine_mode="pointwise")

    x = torch.randn(5, 3)
    graph = _exported(Sums(), x)
    assert _nodes(graph, "prim::Loop.default")
    torch.testing.assert_close(evaluate(graph, x), x.cumsum(0))


def test_what_is_mapped_over_a_batch_is_read_without_the_mapping() -> None:
    class Sums(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.vmap(lambda row: row.cumsum(0) + row.sum())(x)

    assert not [node for node in _check(Sums(), torch.randn(5, 3)).nodes if node.target.startswith("python::")]


def test_wrappers_are_looked_through() -> None:
    class Wrapped(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = x.relu()
            with torch.enable_grad():
                y = y.sin().relu()
            return y + 0

    graph = _check(Wrapped(), torch.randn(3))
    assert sorted(node.target for node in graph.nodes) == [
        "aten::add.Tensor",
        "aten::relu.default",
        "aten::relu.default",
        "aten::sin.default",
    ]
    assert len({node.outputs[0].name for node in graph.nodes}) == 4


def test_an_autocast_region_is_refused_with_its_place() -> None:
    class Cast(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                return x @ x

    with pytest.raises(UnsupportedProgram, match="autocast"):
        _exported(Cast(), torch.randn(3, 3))
