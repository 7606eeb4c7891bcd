"""What a person meets at the command line with a model, a file or an option that is wrong, and with one that is right."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import torchrelay
from tests.cli.test_commands import call
from torchrelay.cli.conversion import progress
from torchrelay.frontend import imported
from torchrelay.lower import lower

F = "tests.cli.factories"
SMALL, INPUT = f"{F}:small", ("--input", "x:2x3")
COMMANDS = ("convert", "explain", "verify", "run", "lower", "coverage", "show")


def _arguments(command: str, model: str, *more: object) -> tuple[object, ...]:
    return (command, model, *(("--profile", "conv2d-only") if command == "lower" else ()), *more)


# Wrong models: every command says the same.

WRONG_MODELS = [
    (f"{F}:raising", 2, "raised ZeroDivisionError: no weights here"),
    (f"{F}:leaving", 2, "raised SystemExit: 3"),
    (f"{F}:needing", 2, "raised TypeError: needing() missing 1 required positional argument: 'weights'"),
    (f"{F}:no_module", 2, "gives a int, not a torch.nn.Module"),
    (f"{F}:not_callable", 2, "has no callable 'not_callable'"),
    (f"{F}:absent", 2, "has no callable 'absent'"),
    ("no_such_module:f", 2, "cannot be imported: No module named 'no_such_module'"),
    ("tests.cli.broken_module:f", 2, "importing tests.cli.broken_module raised ValueError: broken on purpose"),
    ("nothing", 2, "names no model"),
    ("no/such/file.pt", 1, "there is no file no/such/file.pt"),
    ("no/such/file.relay", 1, "there is no file no/such/file.relay"),
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("model", "status", "message"), WRONG_MODELS, ids=[row[0] for row in WRONG_MODELS])
def test_a_wrong_model_is_one_error(
    command: str,
    model: str,
    status: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call(monkeypatch, *_arguments(command, model, *INPUT)) == status
    out, err = capsys.readouterr()
    assert message in err
    assert err.startswith("error[")
    assert "Traceback" not in err
    assert not out


def test_the_line_of_the_users_own_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for model in (f"{F}:raising", "tests.cli.broken_module:f"):
        call(monkeypatch, "convert", model, *INPUT)
        error = capsys.readouterr().err
        assert "  --> " in error
        assert "   |  raise " in error
    call(monkeypatch, "convert", f"{F}:wrong", *INPUT)
    error = capsys.readouterr().err
    assert "the model does not run on the example inputs: ZeroDivisionError" in error
    assert "factories.py:" in error


# Inputs.

WRONG_INPUTS = [
    (("--input", "y:2x3"), "the model has no input 'y'\n  note: it takes x, scale"),
    (("--input", "x:2x3", "--input", "z:1"), "the model has no input 'z'"),
    (("--input", "x:2x3:float32:0..3:4"), "is not an input"),
    (("--input", "x:2x3:int64:9..1"), "is not a range"),
    ((), "it takes: x, scale"),
]


@pytest.mark.parametrize("command", [*COMMANDS])
@pytest.mark.parametrize(("inputs", "message"), WRONG_INPUTS, ids=range(len(WRONG_INPUTS)))
def test_a_wrong_input_names_what_the_model_takes(
    command: str,
    inputs: tuple[str, ...],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call(monkeypatch, *_arguments(command, SMALL, *inputs)) == 2
    assert message in capsys.readouterr().err


def test_inputs_that_do_not_fit_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "convert", SMALL, "--input", "x:2x5") == 1
    assert "the model does not run on the example inputs: RuntimeError" in capsys.readouterr().err
    assert call(monkeypatch, "convert", SMALL, "--input", "scale:4") == 1
    assert "missing a required argument: 'x'" in capsys.readouterr().err


def test_inputs_come_in_any_order_and_nested(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert call(monkeypatch, "verify", SMALL, "--input", "scale:4", "--input", "x:2x3", "--json") == 0
    parts = ("--input", "more.scale:1", "--input", "pair.0:2", "--input", "pair.1:2")
    assert call(monkeypatch, "verify", f"{F}:nested", *parts) == 0
    assert call(monkeypatch, "verify", f"{F}:nested", *parts, "--via", "trace") == 0
    capsys.readouterr()
    assert call(monkeypatch, "verify", f"{F}:with_inputs", "--json") == 0
    assert json.loads(capsys.readouterr().out)["ok"]
    np.savez(tmp_path / "in.npz", scale=np.ones(4, "float32"), x=np.ones((2, 3), "float32"))
    assert call(monkeypatch, "verify", SMALL, "--data", tmp_path / "in.npz") == 0
    np.savez(tmp_path / "other.npz", y=np.ones(4, "float32"))
    capsys.readouterr()
    assert call(monkeypatch, "verify", SMALL, "--data", tmp_path / "other.npz") == 2
    assert "the model has no input 'y'" in capsys.readouterr().err
    assert call(monkeypatch, "verify", SMALL, *INPUT, "--data", tmp_path / "no.npz") == 1
    assert "there is no file" in capsys.readouterr().err
    (tmp_path / "bad.npz").write_text("no arrays")
    assert call(monkeypatch, "verify", SMALL, *INPUT, "--data", tmp_path / "bad.npz") == 1
    assert "bad.npz holds no arrays" in capsys.readouterr().err


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64", "int8", "uint8", "int64", "bool", "float8_e4m3fn"])
def test_inputs_of_every_dtype(dtype: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "verify", f"{F}:cast", "--input", f"x:2x3:{dtype}") == 0
    assert capsys.readouterr().out.startswith("verified")


@pytest.mark.parametrize("dtype", ["int4", "float99", "complex64", "floaty"])
def test_inputs_of_no_dtype(dtype: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "verify", f"{F}:cast", "--input", f"x:2x3:{dtype}") == 2
    assert f"--input 'x:2x3:{dtype}': " in capsys.readouterr().err


def test_inputs_of_saved_models_have_names_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from tests.cli.factories import small

    x = torch.randn(2, 3)
    torch.jit.save(torch.jit.script(small().eval()), tmp_path / "model.pt")
    torch.export.save(torch.export.export(small().eval(), (x,)), tmp_path / "model.pt2")
    for name in ("model.pt", "model.pt2"):
        assert call(monkeypatch, "verify", tmp_path / name, *INPUT) == 0
        capsys.readouterr()
        assert call(monkeypatch, "verify", tmp_path / name, "--input", "y:2x3") == 2
        assert "the model has no input 'y'\n  note: it takes x" in capsys.readouterr().err
    assert call(monkeypatch, "convert", SMALL, *INPUT, "-o", tmp_path / "out") == 0
    capsys.readouterr()
    assert call(monkeypatch, "run", tmp_path / "out", "--input", "y:2x3") == 2
    assert "the model has no input 'y'\n  note: it takes x" in capsys.readouterr().err


# Outputs.


def test_where_nothing_can_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    inside, onto = tmp_path / "file" / "in", tmp_path / "file"
    for command in ("convert", "lower"):
        arguments = _arguments(command, f"{F}:model", "--input", "input:2x3")
        if command == "lower":
            arguments = ("lower", f"{F}:model", "--profile", str(_profile(tmp_path)), "--input", "input:2x3")
        assert call(monkeypatch, *arguments, "-o", inside) == 1
        assert "error[cannot-write]" in capsys.readouterr().err
        assert call(monkeypatch, *arguments, "-o", onto) == 2
        assert "is a file" in capsys.readouterr().err
    assert call(monkeypatch, "run", SMALL, *INPUT, "-o", tmp_path / "no" / "out.npz") == 1
    assert "there is no folder" in capsys.readouterr().err
    assert call(monkeypatch, "explain", SMALL, *INPUT, "--html", tmp_path / "no" / "page.html") == 1
    assert "there is no folder" in capsys.readouterr().err
    assert onto.read_text() == "mine"


@pytest.mark.parametrize("command", ["convert", "lower"])
def test_that_nothing_can_be_written_is_told_before_the_work(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "in"
    assert call(monkeypatch, *_arguments(command, f"{F}:interrupted", *INPUT), "-o", folder) == 1
    error = capsys.readouterr().err
    assert "error[cannot-write]" in error
    assert "file is no folder" in error


def _profile(folder: Path) -> Path:
    path = folder / "chip.toml"
    path.write_text('name = "chip"\n[operators]\n"nn.relu" = {}\n')
    return path


def test_lower_says_what_it_wrote_and_what_cannot_go(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    profile = _profile(tmp_path)
    relu = ("lower", f"{F}:model", "--input", "input:2x3", "--profile", profile, "-o", tmp_path / "out")
    assert call(monkeypatch, *relu) == 0
    assert f"wrote {tmp_path / 'out'}/model.relay, model.json, model.params" in capsys.readouterr().out
    assert call(monkeypatch, "lower", SMALL, *INPUT, "--profile", profile) == 1
    assert "error[cannot-lower]: nn.dense" in capsys.readouterr().err
    assert call(monkeypatch, "lower", SMALL, *INPUT, "--profile", "none-such") == 1
    assert "there is no profile 'none-such'" in capsys.readouterr().err


def test_a_difference_from_pytorch_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def spoiled(mod: object, params: object, profile: object) -> object:
        lowered, kept = lower(mod, params, "conv2d-only")
        return lowered, {name: array + 1 for name, array in kept.items()}

    monkeypatch.setattr(sys.modules["torchrelay.lower"], "lower", spoiled)
    out = tmp_path / "out"
    assert call(monkeypatch, "convert", SMALL, *INPUT, "--profile", "conv2d-only", "-o", out) == 1
    printed = capsys.readouterr().out
    assert "NOT equal to PyTorch" in printed
    assert "the parameters given are not those that the model holds now: layer.weight, layer.bias" in printed
    assert "nothing written" in printed
    assert not out.exists()


def test_what_was_written_is_compared_with_the_model(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name, more in (("out", ()), ("tvm", ("--for-tvm",))):
        assert call(monkeypatch, "convert", SMALL, *INPUT, "-o", tmp_path / name, *more) == 0
        assert call(monkeypatch, "verify", SMALL, *INPUT, "--relay", tmp_path / name) == 0
    capsys.readouterr()
    _, params = torchrelay.load(tmp_path / "out")
    torchrelay.save_params({key: array + 1 for key, array in params.items()}, tmp_path / "out" / "model.params")
    assert call(monkeypatch, "verify", SMALL, *INPUT, "--relay", tmp_path / "out") == 1
    assert "the parameters given are not those that the model holds now" in capsys.readouterr().out
    assert call(monkeypatch, "verify", SMALL, *INPUT, "--relay", tmp_path / "none") == 2
    assert "names no model" in capsys.readouterr().err
    assert call(monkeypatch, "verify", SMALL, *INPUT, "--relay", SMALL) == 2
    assert "is a model of PyTorch's, not Relay" in capsys.readouterr().err


def test_a_model_makes_up_the_same_weights_each_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed: list[str] = []
    for _ in range(2):
        assert call(monkeypatch, "run", f"{F}:unseeded", "--input", "input:2x3", "--json") == 0
        printed.append(json.dumps(json.loads(capsys.readouterr().out)["results"]))
    assert printed[0] == printed[1]


def test_an_interrupt_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert call(monkeypatch, "convert", f"{F}:interrupted", *INPUT, "-o", tmp_path / "out") == 1
    assert "stopped; nothing was written" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


# What is said beside.


@pytest.mark.parametrize("command", [*COMMANDS])
def test_that_eval_was_called_is_said(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status = call(monkeypatch, *_arguments(command, f"{F}:drops", "--input", "input:2x3", "--json"))
    out, err = capsys.readouterr()
    assert status == 0
    assert json.loads(out)
    assert f"note: {F}:drops gives a model in training mode; eval() was called for 1 (BatchNorm1d), 2 (Dropout)" in err
    call(monkeypatch, *_arguments(command, SMALL, *INPUT, "--json"))
    assert "eval()" not in capsys.readouterr().err


def test_only_our_own_words_are_said(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "verify", f"{F}:loud", *INPUT, "--via", "trace") == 0
    out, err = capfd.readouterr()
    assert "loud: deprecated" not in err
    assert "loud: logged" not in err
    assert out.startswith("verified")
    assert call(monkeypatch, "verify", f"{F}:loud", *INPUT, "--via", "trace", "--verbose") == 0
    assert "loud: logged" in capfd.readouterr().err


def test_what_was_tried_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "convert", f"{F}:branch", *INPUT) == 1
    error = capsys.readouterr().err
    assert "note: this is what via='export' gave; also tried:" in error
    assert "note: via='script': " in error


def test_updates_are_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert call(monkeypatch, "convert", f"{F}:counter", "--input", "x:3", "-o", tmp_path / "out") == 0
    assert "the model updates its own buffers, which are results behind its own: count" in capsys.readouterr().out
    assert call(monkeypatch, "convert", f"{F}:counter", "--input", "x:3", "--json") == 0
    assert json.loads(capsys.readouterr().out)["updates"] == "count"
    assert call(monkeypatch, "run", tmp_path / "out", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["results"]) == 2


def slowed(function: Callable[..., object]) -> Callable[..., object]:
    def slow(*args: object, **keywords: object) -> object:
        time.sleep(0.5)
        return function(*args, **keywords)

    return slow


def test_long_work_tells_how_far_it_is_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "verify", SMALL, *INPUT) == 0
    assert "capturing" not in capsys.readouterr().err
    monkeypatch.setattr("torchrelay.cli.conversion.PATIENCE", 0.02)
    monkeypatch.setattr("torchrelay.frontend.imported", slowed(imported))
    assert call(monkeypatch, "verify", SMALL, *INPUT) == 0
    assert "capturing and converting, 0 s" in capsys.readouterr().err
    with progress("comparing") as tick:
        tick(2, 5)
        time.sleep(0.2)
    assert "comparing: 2 of 5, 0 s" in capsys.readouterr().err


def test_a_fault_of_our_own_is_one_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object, **__: object) -> None:
        raise LookupError("no such thing")

    monkeypatch.setattr("torchrelay.frontend.imported", broken)
    assert call(monkeypatch, "convert", SMALL, *INPUT) == 1
    error = capsys.readouterr().err
    assert "error[internal]: a fault of torchrelay: LookupError: no such thing" in error
    assert "hint: --verbose shows where it came from" in error
    with pytest.raises(LookupError):
        call(monkeypatch, "convert", SMALL, *INPUT, "--verbose")


@pytest.mark.parametrize("command", [*COMMANDS, "ops"])
def test_every_command_has_help_and_json(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, command, "--help") == 0
    shown = capsys.readouterr().out
    assert "--json" in shown
    assert "--verbose" in shown
    arguments = ("ops",) if command == "ops" else _arguments(command, SMALL, *INPUT)
    assert call(monkeypatch, *arguments, "--json") == 0
    assert json.loads(capsys.readouterr().out)
    assert call(monkeypatch, command, "--nonsense") == 2
    assert "No such option" in capsys.readouterr().err
