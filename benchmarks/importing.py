"""What importing torchrelay and asking for help cost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from benchmarks.harness import Row, benchmark, timed


def _process(*arguments: str) -> float:
    return timed(lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True), runs=9)


@benchmark("import")
def importing() -> Sequence[Row]:
    numpy = _process("-c", "import numpy")
    package = _process("-c", "import numpy, torchrelay")
    parts = _process("-c", "import numpy, torchrelay; torchrelay.IRModule, torchrelay.run, torchrelay.lower")
    help_text = _process("-m", "torchrelay", "--help")
    return [
        # The bound is 100 ms more than NumPy takes, said as a ratio to 100 ms.
        Row("import torchrelay, beyond NumPy", max(package - numpy, 0), 0.1, "s", "0.1 s", 1),
        Row("import torchrelay with IR, operators, interpreter", parts - numpy, numpy, "s", "import numpy"),
        Row("torchrelay --help", help_text, 0.4, "s", "0.4 s", 1),
    ]
