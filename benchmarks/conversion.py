"""Conversion beside capturing the same model, and the memory it adds beside the weights."""

from __future__ import annotations

import time
from collections.abc import Sequence

import torch
from tests.models import build

from benchmarks.harness import Row, added_memory, benchmark, timed

MODELS = ("resnet50", "densenet121", "vit_b_16", "bert_base")


def _weights(model: torch.nn.Module) -> int:
    return sum(tensor.numel() * tensor.element_size() for tensor in model.state_dict().values())


@benchmark("convert")
def conversion() -> Sequence[Row]:
    from torchrelay.frontend import imported

    torch.set_num_threads(1)
    rows = []
    for name in MODELS:
        model, inputs = build(name)
        # The first trace and the first conversion in a process load what later ones have.
        torch.jit.trace(model, inputs, check_trace=False)
        start = time.perf_counter()
        # Without its second run to compare, tracing is at its fastest.
        traced = torch.jit.trace(model, inputs, check_trace=False)
        trace = time.perf_counter() - start
        imported(traced, inputs)
        convert = timed(lambda traced=traced, inputs=inputs: imported(traced, inputs))
        rows.append(Row(f"convert {name}", convert, trace, "s", "torch.jit.trace", 0.35))
    return rows


@benchmark("convert-export")
def conversion_of_exported() -> Sequence[Row]:
    from torchrelay.frontend import imported

    torch.set_num_threads(1)
    rows = []
    for name in MODELS:
        model, inputs = build(name)
        start = time.perf_counter()
        program = torch.export.export(model, inputs)
        export = time.perf_counter() - start
        imported(program)
        convert = timed(lambda program=program: imported(program))
        rows.append(Row(f"convert {name}, exported", convert, export, "s", "torch.export.export", 0.25))
    return rows


def _memory(name: str) -> Sequence[Row]:
    from torchrelay.frontend import imported

    model, inputs = build(name)
    traced = torch.jit.trace(model, inputs, check_trace=False)
    # What the importer's own modules take is loaded before: a small model converted.
    example = (torch.randn(1, 2),)
    imported(torch.jit.trace(torch.nn.Linear(2, 2).eval(), example), example)
    added = added_memory(lambda: imported(traced, inputs))
    weights = _weights(model)
    return [Row(f"memory that converting {name} adds", added / 1e6, weights / 1e6, "MB", "its weights", 0.05)]


for _name in MODELS:
    benchmark(f"memory-{_name}")(lambda name=_name: _memory(name))
