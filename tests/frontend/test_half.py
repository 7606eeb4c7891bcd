"""Half floats: what torch computes in float32 and rounds once is rounded once in Relay too."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest
import torch
from torch.nn import functional

import torchrelay
from torchrelay.runtime import as_array

FUNCTIONS = [
    functional.gelu, functional.silu, functional.mish, functional.hardswish, functional.hardsigmoid, functional.softplus,
    functional.elu, functional.selu, functional.celu, functional.logsigmoid, functional.leaky_relu, functional.glu,
    torch.expm1, torch.exp2, torch.sinc, torch.deg2rad, torch.sigmoid, torch.tanh,
    lambda x: torch.logaddexp(x, x * 0.5), lambda x: torch.hypot(x, x + 1), lambda x: torch.addcdiv(x, x, x.abs() + 1, value=0.37),
    lambda x: x.sum(-1), lambda x: x.mean(-1), lambda x: x.cumsum(-1),
    lambda x: functional.layer_norm(x, (16,), torch.linspace(0.5, 2, 16).to(x.dtype), torch.linspace(-1, 1, 16).to(x.dtype)),
]  # fmt: skip


class Model(torch.nn.Module):
    def __init__(self, function: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.function(x)


def _names(function: object) -> str:
    return str(getattr(function, "__name__", function))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("function", FUNCTIONS, ids=_names)
def test_half_floats_are_rounded_once(function: Callable[[torch.Tensor], torch.Tensor], dtype: torch.dtype) -> None:
    x = torch.linspace(-3, 3, 128).reshape(8, 16).to(dtype)
    wanted = as_array(function(x))
    mod, params = torchrelay.from_torch(Model(function).eval(), (x,), via="trace")
    (got,) = torchrelay.run(mod, params, (x,))
    assert got.dtype == wanted.dtype
    apart = np.abs(got.astype(np.float64) - wanted.astype(np.float64))
    resolution = float(ml_dtypes.finfo(wanted.dtype).eps) * np.abs(wanted.astype(np.float64))
    # float32 itself differs in its last digit, which shows where a value lies between two half floats: one step, and rarely.
    assert (apart <= 1.01 * resolution + 1e-7).all(), f"{np.max(apart / np.maximum(resolution, 1e-7)):.2f} steps"
    assert (apart > 0.0).mean() <= 0.02


def test_gelu_at_the_point_where_rounding_between_loses_most() -> None:
    for dtype in (torch.float16, torch.bfloat16):
        x = torch.tensor([-2.5], dtype=dtype)
        mod, params = torchrelay.from_torch(torch.nn.GELU().eval(), (x,))
        assert torchrelay.run(mod, params, (x,))[0].tolist() == functional.gelu(x).tolist()


def test_float32_is_left_alone() -> None:
    mod, _ = torchrelay.from_torch(torch.nn.GELU().eval(), (torch.ones(2),))
    assert "cast" not in str(mod)
