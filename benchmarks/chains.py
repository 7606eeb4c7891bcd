"""Chains of operators of growing length: every step is linear, and none is recursive."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence

import torch

from benchmarks.harness import Row, benchmark

LENGTHS = (1_000, 10_000, 100_000)


def _graph(length: int) -> torch.jit.ScriptFunction:
    """TorchScript of that many additions one after the other, made from its text: tracing so many calls takes minutes."""
    lines = [
        "graph(%x : Float(4, strides=[1], requires_grad=0, device=cpu)):",
        "  %one : int = prim::Constant[value=1]()",
    ]
    lines += [
        f"  %v{i} : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::add(%{'x' if not i else f'v{i - 1}'}, %one, %one)"
        for i in range(length)
    ]
    lines.append(f"  return (%v{length - 1})")
    graph = torch._C.parse_ir("\n".join(lines))
    return torch._C._create_function_from_graph("forward", graph)


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
        script = _graph(length)
        convert, made = _once(lambda script=script: imported(script, input_infos=[("x", (4,))]))
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
