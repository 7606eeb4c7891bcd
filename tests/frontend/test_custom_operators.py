"""Operators of the user's own: converters by name, torch.library with and without a decomposition, functions of Python."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from torch import nn

import torchrelay
from torchrelay import op
from torchrelay.errors import UnsupportedOperators, UnsupportedProgram
from torchrelay.frontend import imported

DATA = torch.randn(2, 3)
BOTH = pytest.mark.parametrize("via", ["trace", "export"])


@pytest.fixture(scope="module", autouse=True)
def library() -> Iterator[None]:
    """Operators without a decomposition (pair) and with one (scaled)."""
    made = torch.library.Library("relaytest", "DEF")
    made.define("pair(Tensor[] xs, int k=2) -> (Tensor, Tensor)")
    made.impl("pair", lambda xs, k=2: (xs[0] + k, xs[1] * k), "CompositeExplicitAutograd")
    made.define("scaled(Tensor x, float s) -> Tensor")
    made.impl("scaled", lambda x, s: (x * s).relu(), "CompositeImplicitAutograd")
    yield
    made._destroy()


class Pair(nn.Module):
    def forward(self, x: torch.Tensor, unused: torch.Tensor) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        one, other = torch.ops.relaytest.pair([x, x + 1], 3)
        return one, (other, one - other)


class Scaled(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.ops.relaytest.scaled(x, 0.5) + 1


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx: object, x: torch.Tensor) -> torch.Tensor:
        return x * x * x


class Cubed(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return Cube.apply(x) + 1  # pyright: ignore[reportOperatorIssue, reportReturnType] apply has no types


def _check(made: torchrelay.frontend.Imported, model: nn.Module, *inputs: torch.Tensor) -> None:
    wanted = torch.utils._pytree.tree_leaves(model(*inputs))
    given = torchrelay.run(made.mod, made.params, inputs)
    for value, expected in zip(given, wanted, strict=True):
        np.testing.assert_allclose(value, expected.numpy(), rtol=1e-6, atol=1e-6)


@BOTH
def test_several_results_of_a_list_nested_with_an_unused_input(via: str) -> None:
    def pair(inputs: object, types: object) -> object:
        (first, second), number = inputs  # pyright: ignore[reportGeneralTypeIssues] a list and a number
        amount = torchrelay.relay.const(float(number))
        return op.add(first, amount), op.multiply(second, amount)

    model = Pair().eval()
    made = imported(model, (DATA, DATA), via=via, custom_convert_map={"relaytest::pair": pair})  # pyright: ignore[reportArgumentType]
    _check(made, model, DATA, DATA)
    with pytest.raises(UnsupportedOperators, match=r"relaytest::pair\.default has no converter"):
        imported(model, (DATA, DATA), via=via)


@BOTH
def test_an_operator_with_a_decomposition_is_decomposed(via: str) -> None:
    model = Scaled().eval()
    _check(imported(model, (DATA,), via=via), model, DATA)


def test_a_function_of_python_is_named_with_what_to_do() -> None:
    with pytest.raises(UnsupportedOperators) as found:
        imported(Cubed().eval(), (DATA,), via="trace")
    text = str(found.value)
    assert "python::Cube" in text
    assert "Cube.forward" in text
    assert "test_custom_operators.py" in text


def test_a_function_of_python_takes_a_converter() -> None:
    model = Cubed().eval()

    def cube(inputs: object, types: object) -> object:
        (x,) = inputs  # pyright: ignore[reportGeneralTypeIssues] one tensor
        return op.multiply(op.multiply(x, x), x)

    made = imported(model, (DATA,), via="trace", custom_convert_map={"python::Cube": cube})  # pyright: ignore[reportArgumentType]
    _check(made, model, DATA)


def test_an_export_looks_into_a_function_of_python() -> None:
    model = Cubed().eval()
    _check(imported(model, (DATA,), via="export"), model, DATA)


class Held:
    def __init__(self, x: torch.Tensor, y: torch.Tensor) -> None:
        self.x = x
        self.y = y


torch.jit.script(Held)


class Uses(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        held = Held(x, x * 2)
        held.x = held.y + 1
        pair = (held, x)
        again, other = pair
        again.y = again.y * 3
        return held.x * held.y + other


class WritesInABranch(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        held = Held(x, x * 2)
        if bool(x.sum() > 0):
            held.x = held.y
        return held.x


class GivenByABranch(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        one = Held(x, x * 2)
        held = one if bool(x.sum() > 0) else Held(x + 1, x)
        one.x = x * 5
        return held.x


def test_an_object_that_a_script_makes_is_what_its_attributes_hold() -> None:
    model = Uses().eval()
    _check(imported(model, (DATA,), via="script"), model, DATA)


@pytest.mark.parametrize("model", [WritesInABranch(), GivenByABranch()], ids=lambda model: type(model).__name__)
def test_an_object_whose_attributes_depend_on_a_branch_is_refused(model: nn.Module) -> None:
    with pytest.raises(UnsupportedProgram, match="of an object"):
        imported(model.eval(), (DATA,), via="script")


class Holds(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.held = Held(torch.ones(3), torch.full((3,), 2.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.held.x + self.held.y


def test_an_object_that_a_module_holds_is_read() -> None:
    model = Holds().eval()
    _check(imported(model, (DATA,), via="script"), model, DATA)
