"""Models and inputs of every kind at the front door: each converts, or is refused with one typed error that says what to do."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import nn

import torchrelay
from torchrelay.errors import TorchRelayError, UnsupportedOperators, UnsupportedProgram, WrongInput, WrongUsage

X = torch.randn(2, 3)
Pair = namedtuple("Pair", "a b")


class Model(nn.Module):
    """A model that is one function, with attributes."""

    def __init__(self, function: Callable[..., object], **attributes: object) -> None:
        super().__init__()
        for name, value in attributes.items():
            setattr(self, name, value)
        self.function = function

    def forward(self, *args: object, **keywords: object) -> object:
        return self.function(self, *args, **keywords)


def _hooked() -> nn.Module:
    layer = nn.Linear(3, 3)
    layer.register_forward_hook(lambda module, inputs, output: output * 2)
    return layer


def _inference() -> nn.Module:
    with torch.inference_mode():
        return nn.Linear(3, 3)


TAKEN = {
    "a number": (Model(lambda self, x: 3), (X,), 1),
    "nested results": (Model(lambda self, x: {"a": {"b": x, "c": [x * 2, None]}, "n": 1.5, "t": True}), (X,), 4),
    "named tuple": (Model(lambda self, x: Pair(x, x + 1)), (X,), 2),
    "list": (Model(lambda self, xs: xs[0] + xs[1]), ([X, X],), 1),
    "mapping": (Model(lambda self, d: d["a"] + d["b"]), ({"a": X, "b": X},), 1),
    "a number given": (Model(lambda self, x, n: x * n), (X, 3), 1),
    "a text given": (Model(lambda self, x, mode: x * 2 if mode == "twice" else x), (X, "twice"), 1),
    "None given": (Model(lambda self, x, y: x * 2 if y is None else y), (X, None), 1),
    "arrays": (Model(lambda self, x: x * 2), (np.ones((2, 3), "float32"),), 1),
    "nothing": (Model(lambda self: torch.ones(2)), (), 1),
    "empty": (Model(lambda self, x: x * 2), (torch.ones(0, 3),), 1),
    "rank 0": (Model(lambda self, x: x * 2), (torch.tensor(3.0),), 1),
    "float8": (Model(lambda self, x: x.float()), (torch.ones(2).to(torch.float8_e4m3fn),), 1),
    "requires grad": (Model(lambda self, x: x * 2), (X.clone().requires_grad_(),), 1),
    "weight norm": (nn.utils.parametrizations.weight_norm(nn.Linear(3, 3)), (X,), 1),
    "hook": (_hooked(), (X,), 1),
    "inference tensors": (_inference(), (X,), 1),
    "beside torch": (Model(lambda self, x: torch.from_numpy(x.detach().numpy() * 2) + x), (X,), 1),
}


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_taken_is_right(name: str) -> None:
    model, inputs, results = TAKEN[name]
    found = torchrelay.verify(model.eval(), inputs)
    assert found.ok, str(found)
    assert len(found.outputs) == results


REFUSED: dict[str, tuple[object, object, dict[str, object], type[TorchRelayError], str]] = {
    "nothing returned": (Model(lambda self, x: None), (X,), {}, UnsupportedProgram, "returns None, which is no tensor"),
    "text returned": (Model(lambda self, x: "a"), (X,), {}, UnsupportedProgram, "returns 'a', which is no tensor"),
    "no examples": (nn.ReLU(), None, {}, WrongInput, "example inputs are needed to capture the model; it takes (input"),
    "too many": (nn.ReLU(), (X, X), {}, WrongInput, "too many positional arguments"),
    "lazy": (nn.LazyLinear(3), (X,), {}, WrongUsage, "weight has no shape yet"),
    "not forward": (nn.ModuleList([nn.ReLU()]), (X,), {}, WrongInput, "does not run on the example inputs"),
    "another device": (nn.Linear(3, 3, device="meta"), (X,), {}, WrongInput, "does not run on the example inputs"),
    "for ever": (Model(lambda self, x: self.forward(x)), (X,), {}, WrongInput, "RecursionError"),
    "sparse": (
        Model(lambda self, x: torch.sparse.mm(self.w, x), w=torch.eye(2).to_sparse()),
        (X,),
        {},
        UnsupportedOperators,
        "aten::_sparse_mm.default has no converter",
    ),
    "an int": (3, (X,), {}, WrongUsage, "a int, is no model"),
    "a class": (nn.ReLU, (X,), {}, WrongUsage, "a type, is no model"),
    "way": (nn.ReLU(), (X,), {"via": 3}, WrongUsage, "via is 3"),
    "infos": (nn.ReLU(), None, {"input_infos": 5}, WrongInput, "input_infos is 5, but must be a list"),
    "infos as text": (nn.ReLU(), None, {"input_infos": "x"}, WrongInput, "input_infos is 'x', but must be a list"),
    "converters": (nn.ReLU(), (X,), {"custom_convert_map": [1]}, WrongUsage, "custom_convert_map is a list"),
    "converter": (nn.ReLU(), (X,), {"custom_convert_map": {"aten::relu": 3}}, WrongUsage, "which is no function"),
    "converter raises": (
        nn.ReLU(),
        (X,),
        {"custom_convert_map": {"aten::relu": lambda inputs, types: 1 / 0}},
        UnsupportedProgram,
        "the converter given for aten::relu raised ZeroDivisionError: division by zero",
    ),
    "converter of nothing": (
        nn.ReLU(),
        (X,),
        {"custom_convert_map": {"aten::relu": lambda inputs, types: None}},
        UnsupportedProgram,
        "the converter given for aten::relu gave None",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.filterwarnings("ignore:Lazy modules")
def test_what_is_refused_is_one_typed_error(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    model, inputs, options, kind, message = REFUSED[name]
    given = model.eval() if isinstance(model, nn.Module) else model
    with pytest.raises(kind) as raised:
        torchrelay.from_torch(given, inputs, **options)
    assert type(raised.value) is kind
    assert message in str(raised.value)
    assert capfd.readouterr() == ("", "")


def test_what_a_capture_fixed_is_no_input_any_more() -> None:
    mod, params = torchrelay.from_torch(Model(lambda self, x, n: x * n).eval(), (X, 3))
    assert torchrelay.run(mod, params, (X,))[0].shape == (2, 3)
    with pytest.raises(WrongInput, match="numbers and texts are fixed by the capture"):
        torchrelay.run(mod, params, (X, 3))
