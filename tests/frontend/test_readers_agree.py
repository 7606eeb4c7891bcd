"""Both readers give the same graph for the same model, but for what torch itself captures differently."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import torch
from torch import nn

from torchrelay.frontend import Arg, TorchGraph, TorchValue, capture


class Mlp(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.LayerNorm(8), nn.Dropout(0.1), nn.Linear(8, 6))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(self.layers(x) + x, -1)


class Parts(nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[object, ...]:
        first, second = x.chunk(2, 1)
        values, indices = torch.max(second, 1, keepdim=True)
        return torch.cat([first, second.relu(), values], 1), (indices, x.transpose(0, 1))


class Tokens(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(10, 6)
        self.register_buffer("scale", torch.tensor([2.0]))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.embedding(tokens).mean(1) * self.scale


class Writes(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x.clone()
        y[1].neg_()
        y.narrow(1, 1, 2).mul_(3).relu_()
        return nn.functional.hardswish(y, inplace=True).unsqueeze_(0)


X = torch.randn(4, 6)
MODELS = {
    "mlp": (Mlp(), X),
    "parts": (Parts(), X),
    "tokens": (Tokens(), torch.arange(6).reshape(2, 3)),
    "writes": (Writes(), X),
}


def _shape_of(graph: TorchGraph) -> list[object]:
    """The graph with values numbered in the order that they are made, and parameters by key."""
    names: dict[str, object] = {name: parameter.key for name, parameter in graph.parameters.items()}

    def number(values: tuple[TorchValue, ...]) -> list[object]:
        for value in values:
            names[value.name] = len(names)
        return [(names[value.name], value.type.kind, value.type.shape, value.type.dtype) for value in values]

    def plain(arg: Arg) -> object:
        if isinstance(arg, TorchValue):
            return names[arg.name]
        if isinstance(arg, tuple):
            return tuple([plain(part) for part in arg])
        return {key: plain(part) for key, part in arg.items()} if isinstance(arg, Mapping) else arg

    found: list[object] = [number(graph.inputs)]
    for node in graph.nodes:
        args = {name: plain(arg) for name, arg in node.args.items() if not name.startswith("cudnn")}
        found.append((node.target, args, number(node.outputs), node.where.scope, node.where.scope_class))
    return [*found, [plain(output) for output in graph.outputs]]


@pytest.mark.parametrize("name", MODELS)
def test_the_same_graph(name: str) -> None:
    model, example = MODELS[name]
    traced, exported = (capture(model.eval(), (example,), via=via) for via in ("trace", "export"))
    assert _shape_of(traced.graph) == _shape_of(exported.graph)
    assert [str(v.type) for v in traced.input_vars.values()] == [str(v.type) for v in exported.input_vars.values()]


@pytest.mark.parametrize("name", ["mlp", "tokens"])
def test_the_same_places(name: str) -> None:
    model, example = MODELS[name]
    traced, exported = (capture(model.eval(), (example,), via=via).graph.nodes for via in ("trace", "export"))
    assert [(n.where.file, n.where.line) for n in traced] == [(n.where.file, n.where.line) for n in exported]
