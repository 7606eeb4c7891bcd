"""The stubs beside the derived modules are those that the script writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from torchrelay.relay.stubs import stubs

ROOT = Path(__file__).parent.parent.parent


def test_stubs_are_up_to_date(tmp_path: Path) -> None:
    written = {path: tmp_path / f"{index}.pyi" for index, path in enumerate(stubs())}
    for path, text in stubs().items():
        written[path].write_text(text, "utf-8")
    ruff = [sys.executable, "-m", "ruff"]
    config = ["--config", str(ROOT / "pyproject.toml")]
    subprocess.run([*ruff, "check", "-q", "--fix", "--ignore", "N", *config, str(tmp_path)], check=False)
    subprocess.run([*ruff, "format", "-q", *config, str(tmp_path)], check=True)
    subprocess.run([*ruff, "check", "-q", "--fix", "--ignore", "N", *config, str(tmp_path)], check=False)
    stale = [path.name for path, made in written.items() if made.read_text("utf-8") != path.read_text("utf-8")]
    assert not stale, "write them anew: python -m torchrelay.relay.stubs, then ruff check --fix and ruff format"
