"""A whole model: torchvision's resnet18 from PyTorch to Relay, every value inside compared, written for a tool chain to read."""

from __future__ import annotations

from pathlib import Path

import torch
import torchvision

import torchrelay


def main() -> None:
    torch.manual_seed(0)
    model, inputs = torchvision.models.resnet18(weights=None).eval(), (torch.randn(1, 3, 224, 224),)

    mod, params = torchrelay.from_torch(model, inputs)
    print(f"resnet18: {len(str(mod).splitlines())} lines of Relay, {len(params)} parameters, not one of them copied")

    print(torchrelay.verify(model, inputs, mod, params))

    folder = Path("demo-out") / "resnet18"
    torchrelay.save(mod, params, folder, for_tvm=True)
    for file in sorted(folder.iterdir()):
        print(f"wrote {file} ({file.stat().st_size:,} bytes)")

    (probabilities,) = torchrelay.run(mod, params, inputs)
    print(f"run in the interpreter: result {probabilities.shape}, largest at class {probabilities.argmax()}")


if __name__ == "__main__":
    main()
