"""The command line as people use it: what it prints, what it writes, its exit status."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from torchrelay.cli.main import main

FACTORY = "tests.cli.test_commands:small"
INPUT = ("--input", "x:2x3")


class Small(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(3, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.layer(x))


class Refused(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.linalg.svdvals(x) + torch.linalg.svdvals(x * 2)


def small() -> torch.nn.Module:
    torch.manual_seed(0)
    return Small()


def refused() -> torch.nn.Module:
    return Refused()


def call(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["torchrelay", *map(str, arguments)])
    with pytest.raises(SystemExit) as caught:
        main()
    return int(caught.value.code or 0)


def test_convert_writes_a_folder_that_other_commands_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    assert call(monkeypatch, "convert", FACTORY, *INPUT, "-o", folder) == 0
    printed = capsys.readouterr().out
    assert "verified: 1 results and 2 values inside compared" in printed
    assert sorted(path.name for path in folder.iterdir()) == ["model.json", "model.params", "model.relay"]
    assert not list(tmp_path.glob(".*"))


def test_convert_to_standard_output_is_relay_text_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "convert", FACTORY, *INPUT) == 0
    out, err = capsys.readouterr()
    assert out.startswith('#[version = "0.0.5"]\ndef @main(%x: Tensor[(2, 3), float32]')
    assert "verified" in err


@pytest.mark.parametrize("via", ["trace", "script", "export"])
def test_verify_by_every_route(via: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "verify", FACTORY, *INPUT, "--via", via, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ok"]
    assert found["values_compared"] == 2
    assert found["first_divergence"] is None


def test_saved_models(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    inputs = (torch.randn(2, 3),)
    torch.jit.save(torch.jit.trace(small().eval(), inputs), tmp_path / "model.pt")
    torch.export.save(torch.export.export(small().eval(), inputs), tmp_path / "model.pt2")
    assert call(monkeypatch, "verify", tmp_path / "model.pt", *INPUT) == 0
    assert call(monkeypatch, "verify", tmp_path / "model.pt2") == 0
    torch.save(small().state_dict(), tmp_path / "state.pt")
    capsys.readouterr()
    assert call(monkeypatch, "verify", tmp_path / "state.pt", *INPUT) == 1
    assert "holds a pickle" in capsys.readouterr().err
    (tmp_path / "empty.pt").touch()
    assert call(monkeypatch, "verify", tmp_path / "empty.pt", *INPUT) == 1
    assert "is empty" in capsys.readouterr().err


def test_refusals_name_everything_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    factory = "tests.cli.test_commands:refused"
    assert call(monkeypatch, "convert", factory, "--input", "x:3x3", "-o", tmp_path / "out") == 1
    error = capsys.readouterr().err
    assert "error[unsupported-operator]: aten::linalg_svdvals.default has no converter, used 2 times" in error
    assert "test_commands.py:" in error
    assert not (tmp_path / "out").exists()
    assert call(monkeypatch, "coverage", factory, "--input", "x:3x3") == 1
    assert "missing" in capsys.readouterr().out


WRONG_USAGE = [
    (("convert", "nothing"), "names no model"),
    (("convert", "tests.cli.test_commands:absent", *INPUT), "has no callable 'absent'"),
    (("convert", "no_such_module:f", *INPUT), "cannot be imported"),
    (("convert", FACTORY), "it takes: x"),
    (("convert", FACTORY, "--input", "x:2y3"), "is not sizes joined by x"),
    (("convert", FACTORY, "--input", "x:2x3:float99x"), "is not the name of a dtype"),
    (("convert", FACTORY, "--via", "magic"), "is not one of"),
    (("explain", FACTORY, *INPUT, "--stage", "none"), "there is no stage 'none'"),
    (("nonsense",), "No such command"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG_USAGE, ids=[message for _, message in WRONG_USAGE])
def test_wrong_usage_ends_with_status_two(
    arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, *arguments) == 2
    assert message in capsys.readouterr().err


def test_run_writes_results(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    x = np.random.default_rng(0).standard_normal((2, 3)).astype("float32")
    np.savez(tmp_path / "in.npz", x=x)
    assert call(monkeypatch, "run", FACTORY, *INPUT, "--data", tmp_path / "in.npz", "-o", tmp_path / "out.npz") == 0
    with torch.no_grad():
        wanted = small()(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(np.load(tmp_path / "out.npz")["out0"], wanted, rtol=1e-6)


def test_the_rest_of_the_commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "explain", FACTORY, *INPUT, "--stage", "op_names") == 0
    assert "aten::linear" in capsys.readouterr().out
    assert call(monkeypatch, "explain", FACTORY, *INPUT, "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["stages"]) == 16
    assert call(monkeypatch, "lower", FACTORY, *INPUT, "--profile", "conv2d-only", "--json") == 0
    assert "nn.dense" in json.loads(capsys.readouterr().out)["after"]
    assert call(monkeypatch, "show", FACTORY, *INPUT, "--json") == 0
    assert json.loads(capsys.readouterr().out)["parameter_elements"] == 16
    assert call(monkeypatch, "ops", "nn.softmax", "--json") == 0
    (operator,) = json.loads(capsys.readouterr().out)["operators"]
    assert operator["attributes"] == {"axis": "-1"}
    assert call(monkeypatch, "ops", "nn.softmacks") == 1
    assert "did you mean nn.softmax" in capsys.readouterr().err
    assert call(monkeypatch, "--version") == 0
