"""What verifying compares, in which form the inputs come, within which bounds, and what it says of it."""

from __future__ import annotations

import warnings

import ml_dtypes
import numpy as np
import pytest
import torch
from torch import nn

import torchrelay
from torchrelay import op
from torchrelay.errors import WrongUsage
from torchrelay.verify import Tolerance


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, pair: tuple[torch.Tensor, dict[str, torch.Tensor]]) -> torch.Tensor:
        return torch.relu(self.layer(x)) + pair[0] * pair[1]["scale"]


@pytest.fixture
def net() -> nn.Module:
    torch.manual_seed(0)
    return Net().eval()


X, PAIR = torch.randn(3, 4), (torch.randn(4), {"scale": torch.randn(1)})


@pytest.mark.parametrize("via", ["trace", "export"])
@pytest.mark.parametrize("inputs", [(X, PAIR), [X, PAIR], {"x": X, "pair": PAIR}, {"pair": PAIR, "x": X}])
def test_inputs_in_every_form(net: nn.Module, via: str, inputs: object) -> None:
    found = torchrelay.verify(net, inputs, via=via)
    assert found.ok
    assert len(found.values) >= 3


def test_one_tensor_alone() -> None:
    assert torchrelay.verify(nn.ReLU().eval(), X).ok
    assert torchrelay.verify(torch.export.export(nn.ReLU().eval(), (X,)), X).ok
    assert torchrelay.verify(torch.jit.script(nn.ReLU().eval()), X).ok


def test_an_exported_program_with_keywords(net: nn.Module) -> None:
    program = torch.export.export(net, (X,), {"pair": PAIR})
    for inputs in ((X, PAIR), {"x": X, "pair": PAIR}, {"pair": PAIR, "x": X}):
        assert torchrelay.verify(program, inputs).ok


@pytest.mark.parametrize("route", ["trace", "export", "script"])
def test_the_way_of_capturing_follows_from_the_module(route: str) -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2)).eval()
    mod, params = torchrelay.from_torch(model, (X,), via=route)
    found = torchrelay.verify(model, (X,), mod, params)
    assert found.ok
    assert len(found.values) == 3
    assert found.route == route


def test_why_nothing_inside_is_compared_is_said(net: nn.Module) -> None:
    inputs = (X, PAIR)
    mod, params = torchrelay.from_torch(net, inputs, via="trace")
    other = torchrelay.verify(net, inputs, mod, params, via="export")
    assert other.ok
    assert not other.values
    assert "captured in another way than export: give via=" in str(other)
    read = torchrelay.verify(net, inputs, torchrelay.parse(mod.astext()), params)
    assert "does not say which value of PyTorch's an expression is" in read.skipped


def test_parameters_that_the_model_no_longer_holds_are_named() -> None:
    torch.manual_seed(0)
    model = nn.Linear(4, 2).eval()
    mod, params = torchrelay.from_torch(model, (X,))
    old = {name: array.copy() for name, array in params.items()}
    with torch.no_grad():
        model.bias += 1
    found = torchrelay.verify(model, (X,), mod, old)
    assert not found.ok
    assert "the parameters given are not those that the model holds now: bias" in str(found)


def test_bounds_follow_the_dtype() -> None:
    own = Tolerance()
    for dtype, resolution, multiple in [
        (np.float64, 2.0**-52, 2.0**20),
        (np.float32, 2.0**-23, 838.8608),
        (np.float16, 2.0**-10, 8),
        (ml_dtypes.bfloat16, 2.0**-7, 8),
    ]:
        assert own.of(np.dtype(dtype))[0] == pytest.approx(multiple * resolution)
    assert own.of(np.dtype("float32")) == (pytest.approx(1e-4), 1e-6)
    assert own.of(np.dtype("int64")) == (0, 0)
    assert Tolerance(0.5, 0.25).of(np.dtype(ml_dtypes.bfloat16)) == (0.5, 0.25)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_the_report_names_the_bounds_used(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 64), nn.GELU(), nn.LayerNorm(64), nn.Softmax(-1)).eval().to(dtype)
    found = torchrelay.verify(model, (torch.randn(4, 64, dtype=dtype),))
    assert found.ok, str(found)
    (name,) = found.tolerances
    assert f"{name} {found.tolerances[name][1]:g} + " in str(found)


def test_padded_positions_of_an_encoder() -> None:
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)

    class Padded(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.encoder = nn.TransformerEncoder(layer, 2)

        def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            return self.encoder(x, src_key_padding_mask=mask)

    mask = torch.zeros(2, 5, dtype=torch.bool)
    mask[1, 3:] = True
    before = torch.backends.mha.get_fastpath_enabled()
    for via in ("trace", "export"):
        found = torchrelay.verify(Padded().eval(), (torch.randn(2, 5, 16), mask), via=via)
        assert found.ok, str(found)
        assert "without its fast path of attention" in str(found)
    assert torch.backends.mha.get_fastpath_enabled() is before


class Order(nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return *x.topk(3), *x.sort(descending=True), x.argsort(), *x.max(1), x.argmax(1), x.argmin()


def test_nan_is_the_greatest_and_comes_first() -> None:
    nan = float("nan")
    x = torch.tensor([[1.0, nan, 3.0, -1.0], [nan, nan, 0.5, 2.0], [4.0, 1.0, 2.0, 3.0]])
    for via in ("trace", "export"):
        found = torchrelay.verify(Order().eval(), (x,), via=via)
        assert found.ok, str(found)


def test_indices_of_equal_elements_are_compared_through_what_they_name() -> None:
    x = torch.randint(0, 3, (4, 64)).float()
    found = torchrelay.verify(Order().eval(), (x,))
    assert found.ok, str(found)
    assert "and name equal elements" in str(found)


def test_other_indices_are_still_a_divergence() -> None:
    class Best(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.argmax(1)

    wrong = {"aten::argmax": lambda inputs, types: op.cast(op.argmin(inputs[0], axis=(1,)), dtype="int64")}
    found = torchrelay.verify(Best().eval(), (torch.tensor([[1.0, 2.0, 1.0]]),), custom_convert_map=wrong)
    assert not found.ok


def test_an_engine_that_is_not_there() -> None:
    with pytest.raises(WrongUsage, match="there is no engine 'gpu'"):
        torchrelay.verify(nn.ReLU().eval(), X, engine="gpu")
