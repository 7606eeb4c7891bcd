"""The interpreter beside PyTorch on one thread."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from tests.models import build

from benchmarks.harness import Row, benchmark, timed


@benchmark("interpreter")
def interpreter() -> Sequence[Row]:
    import torchrelay
    from torchrelay.runtime import run

    torch.set_num_threads(1)
    rows = []
    for name in ("resnet18", "mobilenet_v3_small", "bert"):
        model, inputs = build(name)
        mod, params = torchrelay.from_torch(model, inputs)
        run(mod, params, inputs)
        with torch.no_grad():
            model(*inputs)
            reference = timed(lambda model=model, inputs=inputs: model(*inputs), runs=5)
        measured = timed(lambda mod=mod, params=params, inputs=inputs: run(mod, params, inputs), runs=5)
        bound = 15 if name == "resnet18" else None
        rows.append(Row(f"run {name} in the interpreter", measured, reference, "s", "PyTorch, one thread", bound))
    return rows
