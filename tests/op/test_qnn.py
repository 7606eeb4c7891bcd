"""Integer programs of quantized layers against the real layers they stand for: one step of the output's scale at most."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from torchrelay import op
from torchrelay.ir import Call, Constant, Function, IRModule, const, free_vars
from torchrelay.runtime import evaluate

RANDOM = np.random.default_rng(7)
DATA_SCALE, DATA_ZERO, OUT_SCALE, OUT_ZERO = 0.0213, 7, 0.37, -11


def constant(value: object, dtype: str) -> Constant:
    """A quantization parameter."""
    return const(np.array(value, dtype))


def quantized_weight(shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights with scale and zero point for each output channel."""
    weight = RANDOM.integers(-128, 128, shape).astype("int8")
    return weight, RANDOM.uniform(0.005, 0.05, shape[0]).astype("float32"), np.zeros(shape[0], "int32")


def layer(kind: str, data: np.ndarray, weight: np.ndarray, scales: np.ndarray, zeros: np.ndarray) -> Call:
    """Sum and rescaling, as frontends write a quantized layer."""
    parameters = [
        constant(DATA_ZERO, "int32"),
        constant(zeros, "int32"),
        constant(DATA_SCALE, "float32"),
        constant(scales, "float32"),
    ]
    if kind == "conv2d":
        total = op.qnn.conv2d(
            const(data), const(weight), *parameters, channels=8, kernel_size=(3, 3), padding=(1, 1), out_dtype="int32"
        )
    else:
        total = op.qnn.dense(const(data), const(weight), *parameters, units=8, out_dtype="int32")
    return op.qnn.requantize(
        total,
        constant(np.float32(DATA_SCALE) * scales, "float32"),
        constant(np.zeros(8), "int32"),
        constant(OUT_SCALE, "float32"),
        constant(OUT_ZERO, "int32"),
        axis=1,
        out_dtype="int8",
    )


@pytest.mark.parametrize("kind", ["conv2d", "dense"])
def test_a_quantized_layer_is_within_one_step_of_the_real_one(kind: str) -> None:
    data = RANDOM.integers(0, 256, (2, 3, 9, 9) if kind == "conv2d" else (40, 30)).astype("uint8")
    weight, scales, zeros = quantized_weight((8, 3, 3, 3) if kind == "conv2d" else (8, 30))
    call = layer(kind, data, weight, scales, zeros)
    result = np.asarray(evaluate(IRModule.from_expr(Function(free_vars(call), call)), []))
    real = (torch.from_numpy(data).double() - DATA_ZERO) * DATA_SCALE
    kernel = torch.from_numpy(weight).double() * torch.from_numpy(scales).double().reshape(8, *[1] * (weight.ndim - 1))
    wanted = F.conv2d(real, kernel, padding=1) if kind == "conv2d" else F.linear(real, kernel)
    steps = np.clip(wanted.numpy() / OUT_SCALE + OUT_ZERO, -128, 127)
    assert np.abs(result - steps).max() <= 0.5 + 1e-4
    assert len(np.unique(result)) > 50
