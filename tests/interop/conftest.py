"""A real TVM in a process of its own, where one can be had."""

from __future__ import annotations

import json
import os
import select
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import SHARED

LONGEST = 60
"""How many seconds an answer may take."""
ENDED: dict[str, object] = {"error": "the real TVM ended"}


class Oracle:
    """Asks the real TVM; one that ends, or gives no answer, is started anew."""

    def __init__(self, folder: str) -> None:
        self.environment = {**os.environ, "TVM_FFI": "ctypes", "PYTHONPATH": f"{folder}:{folder}/deps"}
        self.process = self._started()

    def _started(self) -> subprocess.Popen[str]:
        worker = Path(__file__).parent / "oracle_worker.py"
        # The system's Python: the build of TVM wants a NumPy of its own.
        return subprocess.Popen(
            ["python3", str(worker)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=self.environment,
        )

    def ask(self, **request: object) -> dict[str, object]:
        """The answer; the question is put once more where the process ended over it."""
        answer = self._asked(request)
        return self._asked(request) if answer == ENDED else answer

    def _asked(self, request: dict[str, object]) -> dict[str, object]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answers, _, _ = select.select([self.process.stdout], [], [], LONGEST)
        line = self.process.stdout.readline() if answers else ""
        if line:
            return json.loads(line)
        self.process.kill()
        self.process = self._started()
        return ENDED if answers else {"error": f"the real TVM gave no answer in {LONGEST} s"}


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """The real TVM; the test is skipped where none can be had."""
    setup = SHARED / "oracle" / "setup"
    if not setup.exists():
        pytest.skip("there is no real TVM to ask")
    done = subprocess.run([str(setup)], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"the real TVM cannot be set up: {done.stderr[-300:]}")
    asked = Oracle(done.stdout.strip().splitlines()[-1])
    yield asked
    asked.process.terminate()
