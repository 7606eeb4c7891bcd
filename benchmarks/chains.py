"""Chains of operators of growing length: every step is linear, and none is recursive."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch

from benchmarks.harness import Row, benchmark
from torchrelay.formats import astext
from torchrelay.frontend import imported
from torchrelay.ir import IRModule, post_order
from torchrelay.runtime import run

LENGTHS = (1_000, 10_000, 100_000)
ROUNDS = 5


class _Chain(torch.nn.Module):
    """One operator so many times, each on the result of the one before."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self.length = length

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for _ in range(self.length):
            x = torch.relu(x)
        return x


def _steps(length: int) -> Mapping[str, Callable[[], object]]:
    """What is measured, by name, of as many chains as make the nodes of the longest one.

    The same nodes as one chain or as many: caches, memory and the garbage collector weigh alike on every length.
    """
    inputs = (torch.ones(4),)
    traced = torch.jit.trace(_Chain(length).eval(), inputs, check_trace=False)
    count = LENGTHS[-1] // length

    def convert() -> list[IRModule]:
        return [imported(traced, inputs).mod for _ in range(count)]

    mods = convert()
    return {
        "convert": convert,
        "print": lambda: [astext(mod) for mod in mods],
        "walk": lambda: [sum(1 for _ in post_order(mod["main"])) for mod in mods],
        "run": lambda: [run(mod, {}, [np.ones(4, np.float32)]) for mod in mods],
    }


def _seconds(step: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    step()
    return time.perf_counter() - start


@benchmark("chains")
def chains() -> Sequence[Row]:
    steps = {length: _steps(length) for length in LENGTHS}
    best: dict[tuple[str, int], float] = {}
    for _ in range(ROUNDS):
        for name in steps[LENGTHS[0]]:
            for length in LENGTHS:
                seconds = _seconds(steps[length][name])
                best[name, length] = min(best.get((name, length), seconds), seconds)
    small = LENGTHS[0]
    return [
        Row(
            f"{name} a node of a chain of {length:,}",
            best[name, length] / LENGTHS[-1] * 1e6,
            best[name, small] / LENGTHS[-1] * 1e6,
            "us",
            f"{LENGTHS[-1] // small} chains of {small:,}",
            1.15,
        )
        for name in steps[small]
        for length in LENGTHS[:0:-1]
    ]
