"""The worked example: one transposed convolution over width."""

from __future__ import annotations

import json
from pathlib import Path

import torch

__all__ = ["INPUT_INFOS", "TempOpModel", "build"]

INPUT_INFOS = [("data0", (1, 3, 16))]


class TempOpModel(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.convtrans = torch.nn.ConvTranspose1d(3, 6, kernel_size=5, stride=2, padding=1, bias=False)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        return self.convtrans(input)


def build(weight: Path | None = None) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    """The model in eval mode and an example input; the weight of the file where one is given."""
    torch.manual_seed(0)
    model = TempOpModel().eval()
    if weight is not None:
        model.convtrans.weight.data = torch.tensor(json.loads(weight.read_text("utf-8")))
    return model, (torch.randn(1, 3, 16),)
