"""A model that writes to itself: it is left as it was, and what it would hold comes out behind its results."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

import torchrelay
from torchrelay.errors import TorchRelayError, UnsupportedProgram, WrongInput
from torchrelay.frontend import unchanged


class Counter(nn.Module):
    """Counts its calls in a buffer, in place."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("n", torch.zeros(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.n += 1
        return x + self.n


class Running(nn.Module):
    """Statistics in modules inside, as a norm in training keeps them."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = Mean(), Mean()

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        y = self.second(self.first(x))
        return y, {"twice": y * 2}


class Mean(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.full((3,), 0.5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
        return x - self.mean


class Rebinds(Counter):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.n = self.n + 1
        return x + self.n


@pytest.mark.parametrize("via", ["trace", "export", "script"])
def test_an_updated_buffer_is_a_result_with_its_name(via: str) -> None:
    model, x = Counter().eval(), torch.ones(2)
    mod, params = torchrelay.from_torch(model, (x,), via=via)
    assert mod["main"].attrs == {"updates": "n"}
    result, updated = torchrelay.run(mod, params, (x,))
    np.testing.assert_array_equal(result, [2, 2])
    np.testing.assert_array_equal(updated, [1, 1])
    assert model.n.tolist() == [0, 0]


@pytest.mark.parametrize("via", ["trace", "export"])
def test_verifying_leaves_the_model_as_it_is_and_compares_the_updates(via: str) -> None:
    torch.manual_seed(0)
    model, inputs = Running().eval(), (torch.randn(4, 3),)
    before = copy.deepcopy(model.state_dict())
    mod, params = torchrelay.from_torch(model, inputs, via=via)
    for found in (
        torchrelay.verify(model, inputs, via=via),
        torchrelay.verify(model, inputs, mod, params, via=via),
    ):
        assert found.ok, str(found)
        names = [output.name for output in found.outputs]
        assert names == ["result 0", "result 1", "first.mean afterwards", "second.mean afterwards"]
    torch.testing.assert_close(model.state_dict(), before, rtol=0, atol=0)


def test_a_buffer_that_another_tensor_takes_the_place_of() -> None:
    model, x = Rebinds().eval(), torch.ones(2)
    held = model.n
    for via in ("export", "script"):
        mod, params = torchrelay.from_torch(model, (x,), via=via)
        assert [result.tolist() for result in torchrelay.run(mod, params, (x,))] == [[2, 2], [1, 1]]
        assert torchrelay.verify(model, (x,), via=via).ok
    with pytest.raises(UnsupportedProgram, match="in the place of the buffer n, which tracing cannot see"):
        torchrelay.from_torch(model, (x,), via="trace")
    assert model.n is held
    assert model.n.tolist() == [0, 0]


def test_attributes_of_every_kind_are_put_back() -> None:
    class Notes(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.calls, self.seen, self.plain = 0, [], torch.zeros(1)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.calls += 1
            self.seen.append(x)
            self.plain += 1
            self.last = x
            return x

    model = Notes().eval()
    with unchanged(model) as rebound:
        model(torch.ones(1))
    assert rebound.attributes == ["calls", "plain"]
    assert (model.calls, model.seen, model.plain.tolist()) == (0, [], [0])
    assert not hasattr(model, "last")


def test_the_weight_that_an_embedding_shortens_is_put_back() -> None:
    model, inputs = nn.Embedding(4, 3, max_norm=0.1).eval(), (torch.tensor([1, 2]),)
    before = model.weight.detach().clone()
    with unchanged(model):
        model(*inputs)
    torch.testing.assert_close(model.weight.detach(), before, rtol=0, atol=0)


def test_a_write_to_a_parameter_is_refused() -> None:
    class Writes(nn.Linear):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            with torch.no_grad():
                self.weight *= 0.5
            return super().forward(x)

    with (
        pytest.raises(UnsupportedProgram, match="writes to its parameter weight"),
        unchanged(model := Writes(2, 2).eval()),
    ):
        model(torch.ones(1, 2))


def test_an_input_and_a_buffer_of_one_name_are_not_taken_for_each_other() -> None:
    class Same(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("x", torch.zeros(2))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.x += x
            return self.x * 2

    with pytest.raises(UnsupportedProgram, match="both an input and a buffer have that name"):
        torchrelay.from_torch(Same().eval(), (torch.ones(2),), via="export")
    assert torchrelay.verify(Same().eval(), (torch.ones(2),), via="trace").ok


def test_what_no_result_can_carry_is_refused() -> None:
    class Texts(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.mode = "first"

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.mode = "later"
            return x * 2

    with pytest.raises(UnsupportedProgram, match="puts 'later' into its attribute mode"):
        torchrelay.from_torch(Texts().eval(), (torch.ones(2),), via="script")


def test_an_input_that_is_called_as_a_buffer_has_a_name_of_its_own() -> None:
    class Same(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("x", torch.ones(2))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.x + x

    for via in ("trace", "export"):
        mod, params = torchrelay.from_torch(Same().eval(), (torch.ones(2),), via=via)
        assert [var.name for var in mod["main"].params] == ["input.x", "x"]
        assert torchrelay.run(mod, params, (torch.ones(2),))[0].tolist() == [2, 2]
    with pytest.raises(WrongInput, match="names an input 'x', as a parameter of the model is called"):
        torchrelay.from_torch(Same().eval(), (torch.ones(2),), input_infos=[("x", (2,))])


def test_what_a_model_changes_beside_its_buffers_is_said() -> None:
    class Plain(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.step, self.calls = torch.zeros(2), 0

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.step += 1
            self.calls += 1
            return x + self.step

    for via in ("trace", "export"):
        found = torchrelay.verify(Plain().eval(), (torch.ones(2),), via=via)
        assert found.ok
        assert "changes attributes of its own while it runs (calls, step)" in str(found)


@pytest.mark.parametrize("norm", [functional.batch_norm, functional.instance_norm])
def test_statistics_that_a_norm_in_training_writes_are_put_back_and_refused(norm: Callable[..., torch.Tensor]) -> None:
    class Norm(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("mean", torch.zeros(3))
            self.register_buffer("var", torch.ones(3))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return norm(x, self.mean, self.var, None, None, True, 0.1)

    for via in ("trace", "export", "auto"):
        model = Norm().eval()
        with pytest.raises(UnsupportedProgram, match="in training writes its statistics"):
            torchrelay.from_torch(model, (torch.randn(4, 3, 5),), via=via)
        assert model.mean.tolist() == [0, 0, 0]
        assert model.var.tolist() == [1, 1, 1]


def test_what_scripting_leaves_out_is_not_taken_for_the_model() -> None:
    with pytest.raises(TorchRelayError) as raised:
        torchrelay.from_torch(nn.Embedding(5, 3, max_norm=0.1).eval(), (torch.tensor([1, 2]),))
    assert "via='script': the scripted module gives other results on the example inputs" in str(raised.value)
