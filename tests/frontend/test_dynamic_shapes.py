"""Models exported with dynamic shapes: converted once, run at many sizes, equal to PyTorch at each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.export import Dim

from torchrelay import from_torch, load_json, parse, run, save_json
from torchrelay.errors import WrongInput
from torchrelay.frontend import Imported, imported
from torchrelay.ir import Symbolic, TensorType, shapes

Inputs = tuple[torch.Tensor, ...]


def converted(model: nn.Module, inputs: Inputs, dynamic: Any) -> Imported:
    return imported(model.eval(), inputs, dynamic_shapes=dynamic, via="export")


def leaves(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    parts = value.values() if hasattr(value, "values") else value
    return [leaf for part in parts if part is not None for leaf in leaves(part)]


def agree(made: Imported, model: nn.Module, runs: Sequence[Inputs], tolerance: float = 1e-4) -> None:
    """Fails unless the converted model gives what PyTorch gives, at the sizes of every run."""
    for inputs in runs:
        with torch.no_grad():
            wanted = leaves(model.eval()(*inputs))
        given = run(made.mod, made.params, inputs)
        for value, reference in zip(given, wanted, strict=True):
            assert value.shape == tuple(reference.shape)
            np.testing.assert_allclose(value, reference.numpy(), rtol=tolerance, atol=tolerance)


def result_type(made: Imported) -> str:
    return str(made.mod["main"].body.type)


class Sums(nn.Module):
    """Two inputs whose sizes depend on each other."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.cat([x, y[1:]], 0).reshape(-1), y.sum(1)


@pytest.fixture(scope="module")
def sums() -> Imported:
    batch = Dim("batch", min=4, max=64)
    return converted(Sums(), (torch.randn(6, 4), torch.randn(13, 4)), ({0: batch}, {0: 2 * batch + 1}))


def test_sizes_are_named_and_computed_with(sums: Imported) -> None:
    assert [str(var.type) for var in sums.mod["main"].params] == [
        "Tensor[(batch, 4), float32]",
        "Tensor[(2*batch + 1, 4), float32]",
    ]
    assert result_type(sums) == "(Tensor[(12*batch), float32], Tensor[(2*batch + 1), float32])"
    assert "%y: Tensor[(?, 4), float32]" in sums.mod.astext()


def test_the_model_runs_at_every_size(sums: Imported) -> None:
    agree(sums, Sums(), [(torch.randn(n, 4), torch.randn(2 * n + 1, 4)) for n in (4, 6, 9, 64)])


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        (3, 7, "axis 0 of the input x has size 3, but batch must be 4 to 64"),
        (65, 131, "axis 0 of the input x has size 65, but batch must be 4 to 64"),
        (6, 14, "axis 0 of the input y has size 14, but 2*batch + 1 is 13: batch is 6 by axis 0 of the input x"),
    ],
)
def test_sizes_outside_of_the_exported_range_are_refused(sums: Imported, left: int, right: int, message: str) -> None:
    inputs = (np.zeros((left, 4), "float32"), np.zeros((right, 4), "float32"))
    for mod in (sums.mod, parse(sums.mod.astext()), load_json(save_json(sums.mod))):
        with pytest.raises(WrongInput) as caught:
            run(mod, sums.params, inputs)
        assert message in caught.value.message


def test_a_size_that_fits_no_name_is_refused() -> None:
    even = Dim("half", min=1, max=8)
    made = converted(nn.ReLU(), (torch.randn(6),), ({0: 2 * even},))
    agree(made, nn.ReLU(), [(torch.randn(2),), (torch.randn(16),)])
    with pytest.raises(WrongInput, match=r"has size 5, which is 2\*half for no half"):
        run(made.mod, made.params, (np.zeros(5, "float32"),))


def test_a_range_without_end() -> None:
    made = converted(nn.ReLU(), (torch.randn(6, 2),), ({0: Dim("rows", min=2)},))
    agree(made, nn.ReLU(), [(torch.randn(2, 2),), (torch.randn(1000, 2),)])
    with pytest.raises(WrongInput, match="axis 0 of the input input has size 1, but rows must be 2 or more"):
        run(made.mod, made.params, (np.zeros((1, 2), "float32"),))


def test_a_module_without_dynamic_sizes_says_nothing_of_sizes() -> None:
    mod, _ = from_torch(nn.ReLU(), (torch.randn(6, 2),), via="export")
    assert not mod["main"].attrs


def test_a_perceptron_at_many_batch_sizes() -> None:
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4), nn.Softmax(-1))
    made = converted(model, (torch.randn(4, 8),), ({0: Dim("batch", min=1, max=64)},))
    assert result_type(made) == "Tensor[(batch, 4), float32]"
    agree(made, model, [(torch.randn(n, 8),) for n in (1, 3, 64)])


def test_a_convolutional_net_at_many_batch_sizes_heights_and_widths() -> None:
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.MaxPool2d(3, 2, 1),
        nn.Conv2d(8, 8, 3, padding=1),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(8, 5),
    )
    sizes = {0: Dim("batch", min=1, max=16), 2: Dim("height", min=8, max=64), 3: Dim("width", min=8, max=64)}
    made = converted(model, (torch.randn(2, 3, 16, 24),), (sizes,))
    assert result_type(made) == "Tensor[(batch, 5), float32]"
    agree(made, model, [(torch.randn(*size),) for size in ((1, 3, 8, 8), (2, 3, 17, 30), (5, 3, 64, 9))])


def test_a_window_gives_its_size_by_name() -> None:
    model = nn.Conv1d(2, 3, 4, stride=2, padding=1)
    made = converted(model, (torch.randn(2, 2, 12),), ({2: 2 * Dim("half", min=3, max=16)},))
    whole = made.mod["main"].body.type
    assert isinstance(whole, TensorType)
    assert shapes.same(whole.shape[2], made.mod["main"].params[0].shape[2]) is False
    assert isinstance(whole.shape[2], Symbolic)
    assert str(whole.shape[2]) == "half"
    agree(made, model, [(torch.randn(2, 2, n),) for n in (6, 8, 32)])
