"""Writes become values: the functional graph computes what PyTorch does, and has no operator that writes."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
import torch
from torch import nn

from tests.frontend.evaluate import evaluate, evaluate_writes
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend import TorchGraph
from torchrelay.frontend.functionalize import functionalize
from torchrelay.frontend.graph import walk_nodes
from torchrelay.frontend.read_export import export, read_export
from torchrelay.frontend.read_script import read_script, script, trace
from torchrelay.frontend.schema import schema_for

Tensor = torch.Tensor
X = torch.arange(24.0).reshape(4, 6) - 7


class Model(nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Tensor) -> object:
        return self.function(x)


def _graph(function: Callable[..., object], *inputs: Tensor, via: str) -> TorchGraph:
    inputs = copy.deepcopy(inputs)
    if via == "script":
        return read_script(torch.jit.script(function))
    if via == "trace":
        return read_script(trace(Model(function), inputs))
    return read_export(export(Model(function), inputs))


def _check(function: Callable[..., object], *inputs: Tensor, via: str) -> TorchGraph:
    """The functional graph gives what the function does, and leaves in the inputs what it leaves."""
    graph = functionalize(_graph(function, *inputs, via=via))
    assert not [
        node.target
        for node in walk_nodes(graph)
        if (s := schema_for(node.target)) and s.mutates and "::" not in s.target
    ]
    theirs = copy.deepcopy(inputs)
    expected = function(*theirs)
    torch.testing.assert_close(_plain(evaluate(graph, *copy.deepcopy(inputs))), _plain(expected))
    left = evaluate_writes(graph, *copy.deepcopy(inputs))
    for value, before, after in zip(graph.inputs, inputs, theirs, strict=True):
        torch.testing.assert_close(left.get(value.name, before), after)
    return graph


def _plain(result: object) -> object:
    return [_plain(part) for part in result] if isinstance(result, list | tuple) else result


def in_place(x: Tensor):
    y = x + 1
    y.relu_()
    y.mul_(2).add_(3)
    return y


def write_to_a_row(x: Tensor):
    y = x + 1
    y[1] = 5.0
    y[2:, ::2] -= 1
    return y, y.sum()


def write_to_the_input(x: Tensor):
    x[1:3] += 1
    return x * 2


def a_view_sees_the_write(x: Tensor):
    y = x.clone()
    view = y[1]
    y.add_(1)
    return view, y


def the_base_sees_the_write(x: Tensor):
    y = x.clone()
    view = y.t()[2]
    view.zero_()
    return y, view


def chains_of_views(x: Tensor):
    y = x.clone()
    y.view(2, 2, 6).transpose(0, 1)[1].unsqueeze(0).squeeze(0)[0, 1:4].fill_(9.0)
    y.permute(1, 0).narrow(0, -2, 1).mul_(3)
    y.diagonal(1).neg_()
    return y


def siblings(x: Tensor):
    y = x.clone()
    first, second = y.chunk(2, 1)
    first.add_(10)
    second.mul_(first)
    a, b, c = y.split([1, 2, 3], 1)
    b.sub_(a)
    rows = y.unbind(0)
    rows[3].copy_(c.sum(1)[0])
    return y, first, rows[3]


def tensor_splits(x: Tensor):
    y = x.clone()
    a, b, c = torch.tensor_split(y, 3, dim=0)
    a.add_(1)
    c.mul_(2)
    d, e = torch.tensor_split(y, [-2], dim=1)
    e.zero_()
    return y, b, d


def indices(x: Tensor):
    y = x.clone()
    y[y > 3] = -1.0
    y[torch.tensor([0, 2]), torch.tensor([1, 1])] = 8.0
    y.masked_fill_(y < -5, 0.5)
    y.scatter_(1, torch.zeros(4, 1, dtype=torch.int64), 2.5)
    return y


def results_in_out(x: Tensor):
    y = torch.empty(6)
    torch.sum(x, 0, out=y)
    z = torch.zeros(4, 6)
    torch.add(x, y, out=z[:])
    values, indices = torch.empty(4), torch.empty(4, dtype=torch.int64)
    torch.max(x, 1, out=(values, indices))
    return y, z, values, indices


def dtypes_stay(x: Tensor):
    y = x.to(torch.float32).clone()
    y.add_(torch.ones(6, dtype=torch.float64))
    z = x.clone()
    z.gt_(2)
    w = torch.ones(4, dtype=torch.int32)
    w.mul_(torch.full((4,), 3, dtype=torch.int64))
    w.copy_(x[:, 0])
    return y, z, w


def parts_of_their_own(x: Tensor):
    first, second = torch.unsafe_chunk(x + 1, 2, 1)
    first.sigmoid_()
    second.tanh_()
    return first * second


def shapes_in_place(x: Tensor):
    y = x.clone()
    z = y.unsqueeze_(0)
    w = y[0]
    w.add_(1)
    y.squeeze_(0).t_()
    y[0] = 7.0
    return y, z, w


def casts_that_are_views(x: Tensor):
    y = x.clone()
    y.to(torch.float32).add_(1)
    y.to(torch.float64).add_(5)
    y.contiguous().mul_(2)
    y.t().contiguous().mul_(100)
    y.reshape(-1)[3] = 4.0
    y.t().reshape(-1)[3] = 1000.0
    y.flatten()[5] = 6.0
    return y


def dropouts_that_are_the_input(x: Tensor):
    y = x.clone()
    z = torch.dropout(y, 0.5, False)
    z.add_(1)
    return y


def what_is_overwritten_is_not_needed(x: Tensor):
    y = torch.zeros(4, 6)
    y[0] = x[0]
    y.copy_(x)
    return y


def broadcast_writes(x: Tensor):
    y = x.clone()
    y[1] = x[0, 0]
    y[:, 2] = x[:, :1].sum()
    y.copy_(x[0])
    return y


FUNCTIONS = [
    in_place,
    write_to_a_row,
    write_to_the_input,
    a_view_sees_the_write,
    the_base_sees_the_write,
    chains_of_views,
    siblings,
    tensor_splits,
    indices,
    results_in_out,
    dtypes_stay,
    parts_of_their_own,
    shapes_in_place,
    casts_that_are_views,
    dropouts_that_are_the_input,
    what_is_overwritten_is_not_needed,
    broadcast_writes,
]
UNKNOWN_TO_A_SCRIPT = {tensor_splits, casts_that_are_views, siblings}
"""Functions whose views, without shapes and dtypes, cannot be told from copies, or cannot be divided."""


@pytest.mark.parametrize("via", ["trace", "export", "script"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_functions(function: Callable[..., object], via: str) -> None:
    if via == "script" and function in UNKNOWN_TO_A_SCRIPT:
        with pytest.raises(UnsupportedProgram) as raised:
            _check(function, X, via=via)
        assert raised.value.place is not None and raised.value.place.file == __file__
    elif via != "trace" and function is results_in_out:
        pytest.skip("neither torch.export nor torch.jit.script takes it")
    elif via == "script" and function is dropouts_that_are_the_input:
        pytest.skip("torch.jit.script itself takes the write for dead code")
    else:
        _check(function, X, via=via)


def branch(x: Tensor, n: int):
    y = x.clone()
    view = y[0]
    if n > 2:
        y.add_(1)
        view.mul_(2)
    else:
        y[1] = 0.0
    return y, view


def branch_without_else(x: Tensor, n: int):
    y = x.clone()
    for i in range(n):
        if i == 1:
            y[i] += 10
    y[3] -= 1
    return y


def loop_over_rows(x: Tensor, n: int):
    y = torch.zeros(4, 6)
    total = torch.zeros(6)
    for i in range(n):
        y[i] = x[i] + total
        total += x[i]
    return y, total


def carried_in_place(x: Tensor, n: int):
    y = x + 0
    for i in range(n):
        y += i
        y = y.mul_(2)
    return y, x


def fresh_each_turn(x: Tensor, n: int):
    h = x[0]
    for i in range(n):
        new = x[i] * 2
        new += h
        h = new + h
    return h, x


def early_exit(x: Tensor, n: int):
    y = x.clone()
    i = 0
    while i < n:
        y[i] = -1.0
        if bool(y.sum() < -20):
            break
        i += 1
    return y, i


def nested_loops(x: Tensor, n: int):
    y = torch.zeros(4, 6)
    for i in range(n):
        row = y[i]
        for j in range(6):
            row[j] = x[i, j] * j
    return y


def list_of_rows(x: Tensor, n: int):
    rows: list[Tensor] = []
    for i in range(n):
        row = torch.zeros(6)
        row[i] = 1.0
        if i % 2 == 0:
            rows.append(row + x[i])
        else:
            rows.append(row)
    rows.insert(0, x[0])
    rows[1] = x[1]
    last = rows.pop()
    return torch.stack(rows), last, len(rows)


def mapping(x: Tensor, n: int):
    found: dict[str, Tensor] = {"a": x}
    for i in range(n):
        found["b"] = x * i
    return found["a"], found["b"]


SCRIPTS = [
    branch,
    branch_without_else,
    loop_over_rows,
    carried_in_place,
    fresh_each_turn,
    early_exit,
    nested_loops,
    list_of_rows,
    mapping,
]


@pytest.mark.parametrize("turns", [1, 2, 4])
@pytest.mark.parametrize("function", SCRIPTS, ids=lambda function: function.__name__)
def test_branches_and_loops(function: Callable[..., object], turns: int) -> None:
    graph = functionalize(read_script(torch.jit.script(function)))
    expected = function(X.clone(), turns)
    torch.testing.assert_close(_plain(evaluate(graph, X.clone(), turns)), _plain(expected))


def doubtful_branch(x: Tensor, n: int):
    y = x + 1
    z = x + 2
    w = y if n > 2 else z
    w.add_(1)
    return y


def doubtful_list(x: Tensor, n: int):
    rows: list[Tensor] = []
    y = x + 1
    for _ in range(n):
        rows.append(y)
        y += 1
    return torch.stack(rows)


def doubtful_element(x: Tensor, n: int):
    y = x + 1
    rows = [y]
    rows.append(x)
    rows[n].add_(1)
    return y


def doubtful_carried(x: Tensor, n: int):
    y = x + 1
    h = y
    total = torch.zeros(4, 6)
    for _ in range(n):
        total += y
        h += 1
        h = h * 2
    return total


def doubtful_reshape(x: Tensor, n: int):
    y = x + 1
    y.reshape(-1).add_(1)
    return y


def overlapping(x: Tensor, n: int):
    y = x[0].clone()
    y.expand(4, 6)[0].add_(1)
    return y


@pytest.mark.parametrize(
    "function",
    [doubtful_branch, doubtful_list, doubtful_element, doubtful_carried, doubtful_reshape, overlapping],
    ids=lambda function: function.__name__,
)
def test_what_cannot_be_decided_is_refused_with_its_place(function: Callable[..., object]) -> None:
    with pytest.raises(UnsupportedProgram) as raised:
        functionalize(read_script(torch.jit.script(function)))
    place = raised.value.place
    assert place is not None
    first = function.__code__.co_firstlineno
    assert place.file == __file__
    assert first < place.line <= first + 12


def undecided_but_unread(x: Tensor, n: int):
    y = x + 1
    z = x + 2
    w = y if n > 2 else z
    w.add_(1)
    return w


def test_a_doubt_that_nobody_reads_is_none() -> None:
    graph = functionalize(read_script(torch.jit.script(undecided_but_unread)))
    torch.testing.assert_close(evaluate(graph, X, 3), X + 2)


def test_writes_to_buffers_are_found() -> None:
    class Counter(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", torch.zeros(3))

        def forward(self, x: Tensor) -> Tensor:
            self.count[1:] += 1
            return x + self.count

    for graph in (
        read_script(trace(Counter(), (torch.ones(3),))),
        read_script(script(Counter())),
        read_export(export(Counter(), (torch.ones(3),))),
    ):
        left = evaluate_writes(functionalize(graph), torch.ones(3))
        assert {name: value.tolist() for name, value in left.items()} == {"count": [0.0, 1.0, 1.0]}


def test_lists_of_tensors_written_to_at_once() -> None:
    def foreach(x: Tensor) -> Tensor:
        y, z = x + 1, x + 2
        torch._foreach_add_([y, z[0]], 2.0)
        return y * z

    _check(foreach, X, via="trace")


def test_dead_code_goes_with_its_parameters() -> None:
    class Dead(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.used, self.unused = nn.Linear(6, 6), nn.Linear(6, 6)

        def forward(self, x: Tensor) -> Tensor:
            self.unused(x)
            return self.used(x)

    graph = functionalize(read_script(trace(Dead(), (X,))))
    assert sorted(parameter.key for parameter in graph.parameters.values()) == ["used.bias", "used.weight"]
    assert [node.target for node in graph.nodes] == ["aten::linear.default"]


def test_a_graph_without_writes_keeps_its_nodes() -> None:
    graph = read_script(trace(Model(lambda x: x.relu() + 1), (X,)))
    assert functionalize(graph).nodes == graph.nodes


@pytest.mark.parametrize("body", ["in_place", "views"])
def test_long_chains_are_linear(body: str) -> None:
    def chain(x: Tensor) -> Tensor:
        for _ in range(1500):
            x = x.relu_().add_(1) if body == "in_place" else x.view(6, 4).add_(1).view(4, 6)
        return x

    graph = read_script(trace(Model(chain), (X.clone(),)))
    assert len(functionalize(graph).nodes) < 3 * len(graph.nodes)
