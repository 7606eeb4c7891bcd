"""Operators judged in processes of their own: each within a time bound, each verdict kept as soon as it is known."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

Row = dict[str, object]
"""The verdict on one operator: its name, its samples, the seconds it took."""


@dataclass
class _Worker:
    """A process, the end of its pipe, the operator it judges and since when."""

    process: BaseProcess
    pipe: Connection
    name: str = ""
    since: float = 0.0

    def start(self, name: str) -> None:
        self.name, self.since = name, time.monotonic()
        self.pipe.send(name)

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def full_name(operator: object) -> str:
    """The name of an operator in the database with its variant."""
    variant = operator.variant_test_name
    return f"{operator.name}/{variant}" if variant else operator.name


def _work(pipe: Connection, route: str) -> None:
    import torch
    from torch.testing._internal import common_methods_invocations as database

    from tests.opinfo.judge import judged

    torch.set_num_threads(1)
    # the database hides that an operator is random by the same seed for every call
    database.wrapper_set_seed = lambda function, *args, **keywords: function(*args, **keywords)
    by_name = {full_name(operator): operator for operator in database.op_db}
    pipe.send(None)
    while True:
        name = pipe.recv()
        samples = []
        try:
            samples = [verdict.as_json() for verdict in judged(by_name[name], route)]
        except Exception as error:  # the database itself may fail to make a sample
            samples.append({"verdict": "no capture", "dtype": "", "index": 0, "reason": f"the sample: {error}"[:300]})
        pipe.send(samples)


def _started(route: str) -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, route), daemon=True)
    process.start()
    theirs.close()
    ours.recv()
    return _Worker(process, ours)


def judge_all(names: Sequence[str], route: str, *, processes: int, seconds: float) -> Iterator[Row]:
    """The verdict on each operator as it becomes known. One that takes more than ``seconds`` is stopped and says so."""
    queue = deque(names)
    busy = [_started(route) for _ in range(min(processes, len(names)))]
    for worker in busy:
        worker.start(queue.popleft())
    try:
        while busy:
            ready = wait([worker.pipe for worker in busy], timeout=1.0)
            for index, worker in enumerate(busy):
                row = _row_of(worker, worker.pipe in ready, seconds)
                if row is None:
                    continue
                yield row
                if not worker.process.is_alive():
                    worker.pipe.close()
                    busy[index] = worker = _started(route)
                worker.name = ""
                if queue:
                    worker.start(queue.popleft())
            for worker in [worker for worker in busy if not worker.name]:
                worker.stop()
                busy.remove(worker)
    finally:
        for worker in busy:
            worker.stop()


def _row_of(worker: _Worker, is_ready: bool, seconds: float) -> Row | None:
    """What the worker has found, if it is done; that it took too long or died, where it did."""
    took = time.monotonic() - worker.since
    if is_ready:
        try:
            return {"name": worker.name, "seconds": round(took, 2), "samples": worker.pipe.recv()}
        except EOFError:
            reason = "the process died"
    elif took <= seconds:
        return None
    else:
        reason = f"stopped after {seconds:g} s"
    worker.process.kill()
    worker.process.join()
    sample = {"verdict": "untyped", "dtype": "", "index": 0, "reason": reason}
    return {"name": worker.name, "seconds": round(took, 2), "samples": [sample]}


def kept(path: Path) -> list[Row]:
    """The verdicts that an earlier run kept."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
