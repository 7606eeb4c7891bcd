"""``python -m benchmarks``: every benchmark, or those named."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from benchmarks import chains, conversion, execution, importing, text  # noqa: F401 importing them declares the benchmarks
from benchmarks.harness import BENCHMARKS, run_all, run_one


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of: {', '.join(BENCHMARKS)}")
    parser.add_argument("--only", help="run this one here, print its rows as JSON")
    parser.add_argument("--out", type=Path, help="write all rows to this JSON file")
    arguments = parser.parse_args()
    if arguments.only:
        run_one(arguments.only)
        return
    rows = run_all(arguments.names or list(BENCHMARKS))
    if arguments.out:
        arguments.out.write_text(json.dumps([{**asdict(row), "ratio": row.ratio} for row in rows], indent=1))


if __name__ == "__main__":
    main()
