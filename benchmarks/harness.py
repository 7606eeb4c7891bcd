"""Runs each benchmark in a process of its own and prints one table."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

__all__ = ["BENCHMARKS", "Row", "added_memory", "benchmark", "run_all", "run_one", "timed"]


@dataclass(frozen=True)
class Row:
    """One measured ratio: what was measured, beside what, in which unit; ``bound`` is what the ratio should stay under
    (or over, with ``at_least``).
    """

    name: str
    value: float
    reference: float
    unit: str
    reference_name: str
    bound: float | None = None
    at_least: bool = False

    @property
    def ratio(self) -> float:
        return self.value / self.reference if self.reference else float("inf")

    @property
    def ok(self) -> bool:
        if self.bound is None:
            return True
        return self.ratio >= self.bound if self.at_least else self.ratio <= self.bound


Benchmark = Callable[[], Sequence[Row]]
BENCHMARKS: dict[str, Benchmark] = {}


def benchmark(name: str) -> Callable[[Benchmark], Benchmark]:
    """Declares a benchmark: a function that gives rows, run in a process of its own."""

    def declare(function: Benchmark) -> Benchmark:
        BENCHMARKS[name] = function
        return function

    return declare


def timed(function: Callable[[], object], runs: int = 3) -> float:
    """The median time of a call in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return median(times)


def added_memory(step: Callable[[], object]) -> int:
    """How far the memory of this process rises, at its highest, above what it was before the step, in bytes (Linux)."""
    gc.collect()
    before = _kilobytes("VmRSS")
    # The kernel forgets the highest mark so far.
    Path("/proc/self/clear_refs").write_text("5")
    kept = step()
    added = _kilobytes("VmHWM") - before
    del kept
    return added * 1024


def _kilobytes(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise RuntimeError(f"this kernel does not say {name}")


def run_one(name: str) -> None:
    """Runs a benchmark here and prints its rows as JSON on the last line."""
    rows = BENCHMARKS[name]()
    print(json.dumps([asdict(row) for row in rows]))


def run_all(names: Sequence[str]) -> list[Row]:
    """Runs the benchmarks one after the other, each in a fresh process, and prints their table."""
    rows: list[Row] = []
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    # Some machines pin OpenBLAS to an old kernel; a comparison with torch wants the one that fits.
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OPENBLAS_CORETYPE", "OPENBLAS_L2"))}
    print(f"{'what':58} {'measured':>12} {'beside':>12} {'ratio':>8} {'bound':>8}")
    for name in names:
        command = [sys.executable, "-W", "ignore", "-m", "benchmarks", "--only", name]
        done = subprocess.run(command, capture_output=True, text=True, env={**environment, **one_thread})
        if done.returncode:
            print(f"{name}: failed\n{done.stderr[-2000:]}")
            rows.append(Row(f"{name} failed", 1, 0, "", "", 0))
            continue
        for data in json.loads(done.stdout.strip().splitlines()[-1]):
            row = Row(**data)
            rows.append(row)
            bound = "" if row.bound is None else f"{'>=' if row.at_least else '<='}{row.bound:g}"
            mark = "" if row.ok else "  MISSED"
            print(
                f"{row.name:58} {row.value:9.4g} {row.unit:2} {row.reference:9.4g} {row.unit:2} "
                f"{row.ratio:8.3f} {bound:>8}{mark}   (beside {row.reference_name})",
                flush=True,
            )
    return rows
