"""Convolutions of every rank and option, lowered to conv2d only, equal PyTorch."""

from __future__ import annotations

import itertools

import pytest
import torch

import torchrelay
from tests.models import worked_example
from torchrelay.errors import LoweringError
from torchrelay.ir import Call, post_order
from torchrelay.lower import lower, parse_profile

TRANSPOSED = (torch.nn.ConvTranspose1d, torch.nn.ConvTranspose2d, torch.nn.ConvTranspose3d)
PLAIN = (torch.nn.Conv1d, torch.nn.Conv2d, torch.nn.Conv3d)
OPTIONS = list(itertools.product((1, 2, 3), (1, 2), (0, 1, 2), (1, 2), (1, 3), (False, True)))
"""kernel size, stride, padding, dilation, groups, bias"""


def operators(mod: torchrelay.IRModule) -> list[str]:
    return [expr.op.name for expr in post_order(mod["main"]) if isinstance(expr, Call)]


def test_the_worked_example_becomes_the_chain_of_the_walkthrough() -> None:
    model, inputs = worked_example.build()
    mod, params = torchrelay.from_torch(model, inputs, input_infos=worked_example.INPUT_INFOS)
    assert operators(mod) == ["nn.conv1d_transpose"]
    lowered, lowered_params = lower(mod, params, "conv2d-only")
    assert operators(lowered) == [
        "expand_dims", "nn.dilate", "expand_dims", "reshape", "reverse", "reshape", "transpose", "nn.conv2d", "squeeze",
    ]  # fmt: skip
    assert [param.name for param in lowered["main"].params] == ["data0", "convtrans.weight"]
    assert torchrelay.verify(model, inputs, lowered, lowered_params).ok


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_every_option_of_transposed_convolutions(rank: int) -> None:
    for index, (kernel, stride, padding, dilation, groups, bias) in enumerate(OPTIONS):
        beyond = index % max(stride, dilation)
        torch.manual_seed(index)
        model = TRANSPOSED[rank - 1](
            3,
            6,
            kernel,
            stride=stride,
            padding=padding,
            output_padding=beyond,
            dilation=dilation,
            groups=groups,
            bias=bias,
        ).eval()
        check(model, (torch.randn(2, 3, *(6, 5, 4)[:rank]),))


@pytest.mark.parametrize("rank", [1, 3])
def test_every_option_of_convolutions(rank: int) -> None:
    for index, (kernel, stride, padding, dilation, groups, bias) in enumerate(OPTIONS):
        torch.manual_seed(index)
        model = PLAIN[rank - 1](
            3, 6, kernel, stride=stride, padding=padding, dilation=dilation, groups=groups, bias=bias
        ).eval()
        check(model, (torch.randn(2, 3, *(7, 6, 5)[:rank]),))


def check(model: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
    try:
        model(*inputs)
    except RuntimeError:
        return  # PyTorch itself refuses these options.
    mod, params = torchrelay.from_torch(model, inputs)
    lowered, lowered_params = lower(mod, params, "conv2d-only")
    kinds = set(operators(lowered))
    assert "nn.conv2d" in kinds
    assert not kinds & {"nn.conv1d", "nn.conv3d", "nn.conv1d_transpose", "nn.conv2d_transpose", "nn.conv3d_transpose"}
    assert torchrelay.verify(model, inputs).ok, model
    assert torchrelay.verify(model, inputs, lowered, lowered_params).ok, model


def test_what_cannot_go_is_named_with_its_place_and_the_reason() -> None:
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 5), torch.nn.Softplus()).eval()
    mod, params = torchrelay.from_torch(model, (torch.randn(1, 3, 8, 8),))
    small = parse_profile('name = "small"\n[operators."nn.conv2d"]\nattributes.kernel_size = { max = 3 }\n')
    with pytest.raises(LoweringError) as caught:
        lower(mod, params, small)
    text = str(caught.value)
    assert "kernel_size is (5, 5), the chip takes at most 3" in text
    assert "the profile small has no nn.relu" in text
    assert "in 0 (Conv2d)" in text
    assert len(caught.value.diagnostics) > 1
