"""A whole model: torchvision's resnet18 from PyTorch to Relay, every value inside compared, written for a tool chain to read."""

from __future__ import annotations

from pathlib import Path

import torch
import torchvision

import torchrelay


def step(what: str) -> None:
    """Says what comes next, before it is done."""
    print(f"\n--- {what} ...", flush=True)


def main(folder: Path = Path("demo-out") / "resnet18") -> None:
    step("Making torchvision's resnet18 with random weights")
    torch.manual_seed(0)
    model, inputs = torchvision.models.resnet18(weights=None).eval(), (torch.randn(1, 3, 224, 224),)

    step("Converting it to Relay")
    mod, params = torchrelay.from_torch(model, inputs)
    print(f"{len(str(mod).splitlines())} lines of Relay, {len(params)} parameters, not one of them copied")

    step("Comparing every value inside with PyTorch")
    print(torchrelay.verify(model, inputs, mod, params))

    step(f"Writing it to {folder} as the real TVM reads it")
    torchrelay.save(mod, params, folder, for_tvm=True)
    for file in sorted(folder.iterdir()):
        print(f"wrote {file} ({file.stat().st_size:,} bytes)")

    step("Running it in the interpreter")
    (probabilities,) = torchrelay.run(mod, params, inputs)
    print(f"result {probabilities.shape}, largest at class {probabilities.argmax()}")


if __name__ == "__main__":
    main()
