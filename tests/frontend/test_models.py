"""Real models through both readers: the same Relay, every value inside equal to PyTorch's, parameters shared."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import torchrelay
from tests.models import MODELS, build
from torchrelay.frontend import imported
from torchrelay.ir import assert_structural_equal, check_well_formed
from torchrelay.verify import Verification, verify_imported

NAMES = [name for name in MODELS if name != "bert_base"]
"""``bert_base`` differs from ``bert`` in size alone; the benchmarks convert it."""


def check(found: Verification) -> None:
    assert found.ok, found
    assert not found.skipped
    assert found.max_rel_err < 1e-4
    assert len(found.values) > 40


@pytest.mark.parametrize("name", NAMES)
def test_both_readers_give_the_same_verified_relay(name: str) -> None:
    model, inputs = build(name)
    traced = imported(model, inputs)
    exported = imported(model, inputs, via="export")
    assert_structural_equal(traced.mod, exported.mod)
    assert list(traced.params) == list(exported.params)
    check_well_formed(traced.mod)
    check(verify_imported(traced, model, inputs))
    check(verify_imported(exported, model, inputs))


@pytest.mark.parametrize("via", ["trace", "export"])
def test_parameters_are_the_models_own_memory(via: str) -> None:
    model, inputs = build("resnet18")
    _, params = torchrelay.from_torch(model, inputs, via=via)
    state = model.state_dict()
    assert params
    for name, array in params.items():
        assert array.__array_interface__["data"][0] == state[name].data_ptr(), name
    state["conv1.weight"].fill_(7)
    assert (params["conv1.weight"] == 7).all()


def test_the_same_model_gives_the_same_bytes() -> None:
    texts = []
    for _ in range(2):
        mod, _ = torchrelay.from_torch(*build("gpt2"))
        texts.append((mod.astext(), torchrelay.save_json(mod)))
    assert texts[0] == texts[1]


class _Chain(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for _ in range(20_000):
            x = torch.relu(x)
        return x


def test_a_long_chain_converts_prints_and_runs() -> None:
    mod, params = torchrelay.from_torch(_Chain().eval(), (torch.ones(2),))
    assert mod.astext().count("nn.relu") == 20_000
    (result,) = torchrelay.run(mod, params, [np.float32([-1, 2])])
    np.testing.assert_array_equal(result, [0, 2])
