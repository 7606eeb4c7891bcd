"""Quantized programs: every quantized value within one quantum of PyTorch's, weights kept or quantized by the program."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch
from torch import nn
from torch.ao.nn.quantized import FloatFunctional
from torch.ao.quantization import DeQuantStub, QuantStub, convert, get_default_qconfig, prepare, quantize_dynamic

from torchrelay import relay, run, verify
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend import imported
from torchrelay.ir import Call, Operator, post_order

warnings.filterwarnings("ignore")
Q = torch.ops.quantized
IMAGE = torch.randn(2, 4, 8, 8, generator=torch.Generator().manual_seed(0))


class Small(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.quant, self.dequant = QuantStub(), DeQuantStub()
        self.conv, self.grouped = nn.Conv2d(4, 4, 3, padding=1), nn.Conv2d(4, 4, 3, padding=1, groups=2, bias=False)
        self.relu, self.linear = nn.ReLU(), nn.Linear(32, 5)
        self.add, self.mul, self.cat = FloatFunctional(), FloatFunctional(), FloatFunctional()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.quant(x)
        y = self.relu(self.conv(x))
        x = self.cat.cat([self.add.add(x, y), self.mul.mul(x, self.grouped(y))], 1)
        x = torch.max_pool2d(x, 2)
        return self.dequant(self.linear(torch.flatten(torch.max_pool2d(x, 2), 1)))


@pytest.fixture(autouse=True)
def _same_weights() -> None:
    """With other weights a product of two values that are each one quantum off can be two off."""
    torch.manual_seed(0)


def prepared(model: nn.Module, engine: str, x: torch.Tensor) -> nn.Module:
    torch.backends.quantized.engine = engine
    model = model.eval()
    model.qconfig = get_default_qconfig(engine)
    model = prepare(model)
    model(x)
    return convert(model).eval()


@pytest.mark.parametrize("via", ["trace", "script"])
@pytest.mark.parametrize("engine", ["fbgemm", "qnnpack"])
def test_every_value_of_an_eager_model_is_within_one_quantum(engine: str, via: str) -> None:
    model = prepared(Small(), engine, IMAGE)
    found = verify(model, (IMAGE,), via=via)
    assert found.ok, str(found)
    assert not found.skipped
    assert sum(value.dtype in ("uint8", "int8") for value in found.values) >= 8


def operators(mod: relay.IRModule) -> set[str]:
    calls = [expr for expr in post_order(mod["main"]) if isinstance(expr, Call)]
    return {call.op.name for call in calls if isinstance(call.op, Operator)}


def test_an_eager_model_is_integer_arithmetic() -> None:
    names = operators(imported(prepared(Small(), "fbgemm", IMAGE), (IMAGE,), via="trace").mod)
    assert {f"qnn.{name}" for name in ("conv2d", "dense", "add", "mul", "concatenate", "requantize")} <= names
    assert not names & {"nn.conv2d", "nn.dense"}


@pytest.mark.parametrize("keep", [False, True])
def test_weights_are_real_parameters_or_kept_as_integers(keep: bool) -> None:
    model = prepared(Small(), "fbgemm", IMAGE)
    traced = torch.jit.trace(model, IMAGE)
    mod, params = relay.frontend.from_pytorch(traced, [("x", tuple(IMAGE.shape))], keep_quantized_weight=keep)
    weight = params["conv._packed_params.weight"]
    assert weight.dtype == ("int8" if keep else "float32")
    held = model.conv.weight()
    np.testing.assert_array_equal(weight, held.int_repr() if keep else held.dequantize())
    quantum = model.linear.scale
    np.testing.assert_allclose(run(mod, params, (IMAGE,))[0], model(IMAGE), atol=1.01 * quantum, rtol=0)


class Applied(nn.Module):
    """A function of one quantized tensor, whose result is made real."""

    def __init__(self, function, dtype: torch.dtype) -> None:
        super().__init__()
        self.function, self.dtype = function, dtype

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        zero_point = 120 if self.dtype == torch.quint8 else 3
        return self.function(torch.quantize_per_tensor(x, 0.03, zero_point, self.dtype)).dequantize()


FUNCTIONS = {
    "relu": torch.relu,
    "relu6": nn.functional.relu6,
    "hardtanh": lambda q: nn.functional.hardtanh(q, -0.5, 0.7),
    "clamp": lambda q: torch.clamp(q, -0.4, 0.6),
    "sigmoid": torch.sigmoid,
    "hardsigmoid": nn.functional.hardsigmoid,
    "tanh": torch.tanh,
    "cat": lambda q: torch.cat([q, q], 1),
    "view": lambda q: q.reshape(2, -1).unsqueeze(0).transpose(0, 1),
    "permute": lambda q: q.permute(0, 2, 3, 1).contiguous(),
    "slice": lambda q: q[:, 1:3],
    "chunk": lambda q: q.chunk(2, 1)[1],
    "max_pool2d": lambda q: nn.functional.max_pool2d(q, 3, 2, 1),
    "avg_pool2d": lambda q: nn.functional.avg_pool2d(q, 3, 2, 1),
    "adaptive_avg_pool2d": lambda q: nn.functional.adaptive_avg_pool2d(q, 3),
    "mean": lambda q: q.mean((2, 3)),
    "nearest": lambda q: nn.functional.interpolate(q, scale_factor=2),
    "bilinear": lambda q: nn.functional.interpolate(q, scale_factor=2, mode="bilinear"),
    "quantized sigmoid": lambda q: Q.sigmoid(q, 0.005, 10),
    "quantized hardswish": lambda q: Q.hardswish(q, 0.02, 20),
    "quantized leaky_relu": lambda q: Q.leaky_relu(q, 0.2, False, 0.02, 20),
    "quantized elu": lambda q: Q.elu(q, 0.02, 60, 1.0, 1.0, 1.0),
    "quantized add": lambda q: Q.add(q, q, 0.05, 60),
    "quantized add_relu": lambda q: Q.add_relu(q, q, 0.05, 60),
    "quantized mul": lambda q: Q.mul(q, q, 0.05, 10),
    "quantized mul_relu": lambda q: Q.mul_relu(q, q, 0.05, 10),
    "quantized cat": lambda q: Q.cat([q, q], 1, 0.05, 30),
    "quantized cat_relu": lambda q: Q.cat_relu([q, q], 1, 0.05, 30),
}


@pytest.mark.parametrize("dtype", [torch.quint8, torch.qint8], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_a_quantized_tensor(name: str, dtype: torch.dtype) -> None:
    torch.backends.quantized.engine = "fbgemm"
    found = verify(Applied(FUNCTIONS[name], dtype), (IMAGE,), via="trace")
    assert found.ok, str(found)
    assert not found.skipped


LAYERS = {
    "conv1d": (nn.Conv1d(4, 6, 3, stride=2, padding=1), IMAGE[:, :, 0]),
    "conv3d": (nn.Conv3d(2, 3, 3, padding=1), IMAGE.reshape(1, 2, 4, 8, 8)),
    "linear of three axes": (nn.Linear(8, 5), IMAGE[0]),
}


class Layer(nn.Module):
    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.quant, self.layer, self.relu, self.dequant = QuantStub(), layer, nn.ReLU(), DeQuantStub()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.dequant(self.relu(self.layer(self.quant(x))))


@pytest.mark.parametrize("name", LAYERS)
def test_a_quantized_layer(name: str) -> None:
    layer, data = LAYERS[name]
    found = verify(prepared(Layer(layer), "fbgemm", data), (data,), via="trace")
    assert found.ok, str(found)


@pytest.mark.parametrize("scale", [1.0, 1e-6, 0.0])
def test_a_linear_layer_quantized_while_it_runs(scale: float) -> None:
    torch.manual_seed(0)
    torch.backends.quantized.engine = "fbgemm"
    model = quantize_dynamic(nn.Sequential(nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, 3)).eval(), {nn.Linear})
    found = verify(model, (torch.randn(2, 5, 8) * scale,), via="trace")
    assert found.ok, str(found)
    assert not found.skipped


def test_what_is_not_known_on_a_quantized_tensor_is_refused() -> None:
    with pytest.raises(UnsupportedProgram, match=r"aten::topk.default: .*quantized tensor"):
        imported(Applied(lambda q: torch.topk(q, 2)[0], torch.quint8), (IMAGE,), via="trace")
