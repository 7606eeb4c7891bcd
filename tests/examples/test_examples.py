"""The examples that ``make demo`` runs: each says what it does before it does it, and comes to its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from examples import resnet, worked_example


def _announced(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if line.startswith("--- ") and line.endswith(" ...")]


def test_the_worked_example(capsys: pytest.CaptureFixture[str]) -> None:
    worked_example.main()
    printed = capsys.readouterr().out
    assert len(_announced(printed)) == 5
    assert printed.count("verified: 1 results") == 2
    assert "nn.conv2d(" in printed


def test_a_whole_model(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    resnet.main(tmp_path / "resnet18")
    printed = capsys.readouterr().out
    assert len(_announced(printed)) == 5
    assert "verified: 1 results and 69 values inside" in printed
    assert f"wrote {tmp_path}/resnet18/model.relay" in printed
    assert "result (1, 1000)" in printed
