"""The worked example: one ConvTranspose1d from PyTorch to Relay, every stage shown, verified, then lowered to a chip whose only
convolution is conv2d.
"""

from __future__ import annotations

import torch

import torchrelay


class TempOpModel(torch.nn.Module):
    """One transposed convolution over width."""

    def __init__(self) -> None:
        super().__init__()
        self.convtrans = torch.nn.ConvTranspose1d(3, 6, kernel_size=5, stride=2, padding=1, bias=False)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        return self.convtrans(input)


def step(what: str) -> None:
    """Says what comes next, before it is done."""
    print(f"\n--- {what} ...", flush=True)


def main() -> None:
    step("Explaining every stage of the conversion of one ConvTranspose1d")
    torch.manual_seed(0)
    model, inputs = TempOpModel().eval(), (torch.randn(1, 3, 16),)
    input_infos = [("data0", (1, 3, 16))]
    torchrelay.explain(model, inputs, input_infos).print()

    step("Converting it to Relay")
    mod, params = torchrelay.from_torch(model, inputs, input_infos=input_infos)
    print(mod)

    step("Comparing every value inside with PyTorch")
    print(torchrelay.verify(model, inputs, mod, params))

    step("Lowering it to a chip whose only convolution is conv2d (profile conv2d-only)")
    lowered, lowered_params = torchrelay.lower(mod, params, "conv2d-only")
    print(lowered)

    step("Comparing what was lowered with PyTorch")
    print(torchrelay.verify(model, inputs, lowered, lowered_params))


if __name__ == "__main__":
    main()
