"""Chains of operators of growing length: every step is linear, and none is recursive."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence

import torch

from benchmarks.harness import Row, benchmark

LENGTHS = (1_000, 10_000, 100_000)


class _Chain(torch.nn.Module):
    """One operator so many times, each on the result of the one before."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self.length = length

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for _ in range(self.length):
            x = torch.relu(x)
        return x


def _once(function: Callable[[], object]) -> tuple[float, object]:
    gc.collect()
    gc.disable()
    start = time.perf_counter()
    result = function()
    seconds = time.perf_counter() - start
    gc.enable()
    return seconds, result


@benchmark("chains")
def chains() -> Sequence[Row]:
    import numpy as np

    from torchrelay.formats import astext
    from torchrelay.frontend import imported
    from torchrelay.ir import post_order
    from torchrelay.runtime import run

    found: dict[str, list[float]] = {}
    for length in (LENGTHS[0], *LENGTHS):
        inputs = (torch.ones(4),)
        traced = torch.jit.trace(_Chain(length).eval(), inputs, check_trace=False)
        convert, made = _once(lambda traced=traced, inputs=inputs: imported(traced, inputs))
        mod = made.mod
        steps = {
            "convert": convert,
            "print": _once(lambda mod=mod: astext(mod))[0],
            "walk": _once(lambda mod=mod: sum(1 for _ in post_order(mod["main"])))[0],
            "run": _once(lambda mod=mod: run(mod, {}, [np.ones(4, np.float32)]))[0],
        }
        for name, seconds in steps.items():
            found.setdefault(name, []).append(seconds / length * 1e6)
    rows = []
    for name, (_, small, middle, large) in found.items():
        rows.append(Row(f"{name} a node of a chain of 100,000", large, small, "us", "a chain of 1,000", 1.15))
        rows.append(Row(f"{name} a node of a chain of 10,000", middle, small, "us", "a chain of 1,000", 1.15))
    return rows
