"""Operators of exported programs that run a graph: ``cond``, ``while_loop``, ``map``, ``scan``, ``associative_scan``, checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch._higher_order_ops.associative_scan import associative_scan
from torch._higher_order_ops.map import map as map_rows
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop
from torch.utils.checkpoint import checkpoint

from tests.frontend.test_converters import leaves
from torchrelay import from_torch, run, verify

ONE = torch.tensor([1.0, 2.0, 0.5])
ROWS = torch.arange(12.0).reshape(4, 3) / 5


class Model(torch.nn.Module):
    """A function as a module, with a weight of its own that the graphs inside use."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)
        self.function = function

    def forward(self, *args: torch.Tensor) -> Any:
        return self.function(self.linear, *args)


def cond(linear: Any, x: torch.Tensor) -> Any:
    return torch.cond(x.sum() > 0, lambda x: (linear(x), x.sum()), lambda x: (x - 1, x.mean()), (x,))


def nested(linear: Any, x: torch.Tensor) -> Any:
    def positive(x: torch.Tensor) -> torch.Tensor:
        return torch.cond(x.mean() > 1, lambda x: x * 2, lambda x: linear(x), (x,))

    return torch.cond(x.sum() > 0, positive, lambda x: x - 1, (x,))


def counted(linear: Any, x: torch.Tensor) -> Any:
    return while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, linear(x)), (torch.tensor(0), x))


def until(linear: Any, x: torch.Tensor) -> Any:
    return while_loop(lambda i, x: x.abs().sum() < 50, lambda i, x: (i + 1, x * 2), (torch.tensor(0), x))


def rows(linear: Any, x: torch.Tensor) -> Any:
    return map_rows(lambda row: row.cos() + 1, x)


def carried(linear: Any, x: torch.Tensor) -> Any:
    return scan(lambda state, row: (state + row, state * row), torch.zeros(3), x)


def associative(linear: Any, x: torch.Tensor) -> Any:
    return associative_scan(lambda a, b: a + b, x, 0, combine_mode="generic")


def recomputed(linear: Any, x: torch.Tensor) -> Any:
    return checkpoint(lambda x: linear(x).relu(), x, use_reentrant=False)


CASES = [
    (cond, [(ONE,), (-ONE,)]),
    (nested, [(ONE,), (-ONE,), (ONE * 9,)]),
    (counted, [(ONE,)]),
    (until, [(ONE,), (ONE * 99,)]),
    (rows, [(ROWS,)]),
    (carried, [(ROWS,)]),
    (associative, [(ROWS,)]),
    (recomputed, [(ONE,)]),
]


@pytest.mark.parametrize(("function", "inputs"), CASES, ids=[function.__name__ for function, _ in CASES])
def test_an_operator_that_runs_a_graph_gives_torchs_values(
    function: Callable[..., Any], inputs: list[tuple[torch.Tensor, ...]]
) -> None:
    model = Model(function).eval()
    found = verify(model, inputs[0], via="export")
    assert found.ok
    assert found.values
    assert not found.skipped
    mod, params = from_torch(model, inputs[0], via="export")
    for given in inputs:
        with torch.no_grad():
            wanted = [leaf.numpy() for leaf in leaves(model(*given))]
        for result, value in zip(run(mod, params, given), wanted, strict=True):
            np.testing.assert_allclose(result, value, rtol=1e-5, atol=1e-6)
