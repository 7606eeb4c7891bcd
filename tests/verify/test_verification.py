"""Verification finds the first value that diverges, and says where."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import torchrelay
from torchrelay import op
from torchrelay.ir import Call, Expr, const, rebuild
from torchrelay.verify import compare


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(4, 4)
        self.second = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(self.first(x))
        return torch.tanh(self.second(y))


@pytest.fixture
def net() -> torch.nn.Module:
    torch.manual_seed(0)
    return Net().eval()


@pytest.mark.parametrize("via", ["trace", "export"])
def test_a_right_conversion_is_verified_value_by_value(net: torch.nn.Module, via: str) -> None:
    found = torchrelay.verify(net, (torch.randn(3, 4),), via=via)
    assert found.ok
    assert [value.operator for value in found.values] == [
        "aten::linear.default",
        "aten::relu.default",
        "aten::linear.default",
        "aten::tanh.default",
    ]
    assert found.max_rel_err < 1e-6
    assert found.first_divergence is None


def test_a_wrong_module_is_found_at_its_first_wrong_value(net: torch.nn.Module) -> None:
    inputs = (torch.randn(3, 4),)
    mod, params = torchrelay.from_torch(net, inputs)

    def spoiled(expr: Expr) -> Expr:
        if isinstance(expr, Call) and expr.op is op.nn.relu:
            with_place = op.add(expr, const(0.5))
            return Call(with_place.op, with_place.args, place=expr.place)
        return expr

    wrong = mod.with_functions({"main": rebuild(mod["main"], spoiled)})
    found = torchrelay.verify(net, inputs, wrong, params)
    assert not found.ok
    first = found.first_divergence
    assert first is not None
    assert first.operator == "aten::relu.default"
    assert first.place.file.endswith("test_verification.py")
    assert "y = torch.relu(self.first(x))" in str(found)


def test_a_wrong_converter_is_found(net: torch.nn.Module) -> None:
    wrong = {"aten::tanh": lambda inputs, types: op.sigmoid(inputs[0])}
    found = torchrelay.verify(net, (torch.randn(3, 4),), custom_convert_map=wrong)
    assert not found.ok
    assert found.first_divergence is not None
    assert found.first_divergence.relay == "sigmoid"


ROWS = [
    (np.float32([1, 2]), np.float32([1, 2]), True),
    (np.float32([1, 2]), np.float32([1, 2.1]), False),
    (np.float32([1e-9, 100]), np.float32([0, 100]), True),
    (np.float32([np.nan, np.inf]), np.float32([np.nan, np.inf]), True),
    (np.float32([np.nan, 1]), np.float32([1, 1]), False),
    (np.float32([np.inf, 1]), np.float32([-np.inf, 1]), False),
    (np.int64([1, 2]), np.int64([1, 3]), False),
    (np.float32([1]), np.float64([1]), False),
    (np.float32([1]), np.float32([[1]]), False),
    (np.zeros((0, 3), "float32"), np.zeros((0, 3), "float32"), True),
    (np.array([True]), np.array([False]), False),
]


@pytest.mark.parametrize(("value", "reference", "ok"), ROWS, ids=range(len(ROWS)))
def test_equal_means_equal(value: np.ndarray, reference: np.ndarray, ok: bool) -> None:
    assert compare(value, reference, rtol=1e-4, atol=1e-6).ok is ok
