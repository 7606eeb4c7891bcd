"""The front door: files, routes, inputs; and what is said about the wrong ones."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
import torch
from torch import nn

import torchrelay
from tests.frontend.evaluate import evaluate
from torchrelay.errors import BadFile, TorchRelayError, UnsupportedProgram, WrongInput, WrongUsage
from torchrelay.frontend import capture, imported
from torchrelay.ir import ANY, TensorType


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 2)

    def forward(self, x: torch.Tensor, scale: torch.Tensor | None = None) -> torch.Tensor:
        y = self.linear(x)
        return y if scale is None else y * scale


X = torch.randn(4, 3)


def _net() -> Net:
    return Net().eval()


def _types(captured: object) -> dict[str, str]:
    return {var.name: str(var.type) for var in captured.input_vars.values()}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "net.pt"
    torch.jit.save(torch.jit.trace(_net(), (X,), check_trace=False), str(path))
    return path


def test_every_form_of_a_model_is_taken(saved: Path, tmp_path: Path) -> None:
    program = torch.export.export(_net(), (X,))
    torch.export.save(program, tmp_path / "net.pt2")
    forms = {
        "trace": (_net(), {"example_inputs": (X,)}),
        "script": (torch.jit.script(_net()), {"example_inputs": (X,)}),
        "saved": (str(saved), {"input_infos": [("x", (4, 3))]}),
        "export": (program, {}),
        "saved export": (tmp_path / "net.pt2", {}),
    }
    for form, (model, arguments) in forms.items():
        captured = capture(model, **arguments)
        assert [var.name for var in captured.input_vars.values()] == ["x"], form
        assert [node.target for node in captured.graph.nodes] == ["aten::linear.default"], form


def test_routes() -> None:
    assert capture(_net(), (X,)).route == "export"
    assert capture(_net(), (X,), via="trace").route == "trace"
    assert capture(_net(), (X,), via="export").route == "export"
    assert capture(_net(), (X,), via="script").route == "script"
    with pytest.raises(WrongUsage, match="via is 'onnx'"):
        capture(_net(), (X,), via="onnx")
    with pytest.raises(WrongUsage, match="captured already, by trace"):
        capture(torch.jit.trace(_net(), (X,)), (X,), via="export")


def test_example_inputs_in_every_form() -> None:
    for examples in ((X,), [X], X, {"x": X}, (X, None)):
        assert _types(capture(_net(), examples)) == {"x": "Tensor[(4, 3), float32]"}
    both = capture(_net(), {"scale": torch.ones(2), "x": X})
    assert list(_types(both)) == ["x", "scale"]


def test_a_scripted_module_with_an_optional_input() -> None:
    scripted = torch.jit.script(_net())
    without, with_it = capture(scripted, (X,)), capture(scripted, (X, torch.ones(2)))
    assert list(_types(without)) == ["x"]
    assert list(_types(with_it)) == ["x", "scale"]
    assert not [node for captured in (without, with_it) for node in captured.graph.nodes if node.blocks]
    torch.testing.assert_close(evaluate(with_it.graph, X, torch.full((2,), 3.0)), scripted(X, torch.full((2,), 3.0)))


def test_nested_inputs_have_names_that_say_where_they_are() -> None:
    class Nested(nn.Module):
        def forward(self, x: tuple[torch.Tensor, list[torch.Tensor]], y: dict[str, torch.Tensor]) -> torch.Tensor:
            return x[0] + x[1][0] * x[1][1] + y["bias"]

    examples = ((torch.ones(2), [torch.ones(2), torch.ones(2)]), {"bias": torch.ones(1)})
    names = ["x.0", "x.1.0", "x.1.1", "y.bias"]
    for via in ("script", "export"):
        assert list(_types(capture(Nested().eval(), examples, via=via))) == names, via


def test_infos_name_the_inputs() -> None:
    named = capture(_net(), input_infos=[("data0", (4, 3))])
    assert _types(named) == {"data0": "Tensor[(4, 3), float32]"}
    typed = capture(torch.jit.script(_net()), input_infos=[("a", ((4, 3), "double")), ("b", [2])])
    assert _types(typed) == {"a": "Tensor[(4, 3), float64]", "b": "Tensor[(2), float32]"}
    dynamic = capture(torch.jit.script(_net()), input_infos=[("a", (ANY, 3))])
    assert next(iter(dynamic.input_vars.values())).type == TensorType.of((ANY, 3))


def test_infos_of_a_tuple() -> None:
    class Pair(nn.Module):
        def forward(self, x: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
            return x[0] + x[1]

    scripted = torch.jit.script(Pair().eval())
    assert list(_types(capture(scripted, input_infos=[("p", ((2, 3), (2, 3)))]))) == ["p.0", "p.1"]
    assert list(_types(capture(scripted, input_infos=[("a", (2, 3)), ("b", (2, 3))]))) == ["a", "b"]


@pytest.mark.parametrize(
    ("infos", "message"),
    [
        ([("a", (4, 3)), ("b", (2,)), ("c", (1,))], "names 3 inputs, the model takes 1"),
        ([("a", (4, 3, 1))], "a is given the shape (4, 3, 1), the model was captured with Tensor[4, 3] of float32"),
        ([("a", ((4, 3), "int64"))], "a is given the dtype int64"),
        ([("a", ((4, 3), "floaty"))], "'floaty' is not the name of a dtype"),
        ([("a", (4, -3))], "-3 is no size"),
        ([("a", 4)], "whose shape is no list of sizes"),
        ([(4, 3)], "which is no input"),
        ([("a", (4, 3)), ("a", (4, 3))], "names 'a' twice"),
    ],
)
def test_wrong_infos(infos: list[object], message: str) -> None:
    with pytest.raises(WrongInput) as raised:
        capture(torch.jit.trace(_net(), (X,)), input_infos=infos)
    assert message in str(raised.value)


def test_wrong_examples_say_what_the_model_wants() -> None:
    with pytest.raises(WrongInput, match="too many positional arguments") as raised:
        capture(_net(), (X, X, X))
    assert "it takes (x: torch.Tensor, scale: torch.Tensor | None = None)" in str(raised.value).replace("'", "")
    with pytest.raises(WrongInput, match="missing a required argument: 'x'"):
        capture(_net(), {"y": X})
    with pytest.raises(WrongInput, match=r"it takes \(x: "):
        capture(_net())
    with pytest.raises(WrongInput, match="does not run on the example inputs: RuntimeError: mat1 and mat2"):
        capture(_net(), (torch.ones(4, 5),))
    with pytest.raises(WrongInput, match="the capture does not know the shape of the input x"):
        capture(torch.jit.script(_net()))


def test_what_torch_cannot_capture_names_another_way() -> None:
    with pytest.raises(UnsupportedProgram, match=r"torch\.export\.export cannot capture") as raised:
        capture(Branch().eval(), (X,), via="export")
    assert "via='script'" in str(raised.value)


class Drops(nn.Module):
    """Another thing in training, by what is inside or by what it asks itself."""

    def __init__(self, inside: nn.Module) -> None:
        super().__init__()
        self.inside = inside

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inside(x)


class Asks(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2 if self.training else x


@pytest.mark.parametrize("inside", [nn.Dropout(0.5), nn.BatchNorm1d(3), nn.RReLU(), Asks()], ids=str)
def test_a_model_in_training_mode_is_refused(inside: nn.Module) -> None:
    model = Drops(inside.train()).train()
    with pytest.raises(WrongUsage, match=rf"in which inside \({type(inside).__name__}\) is not what it is") as raised:
        capture(model, (X,))
    assert "hint: call model.eval() first" in str(raised.value)
    assert capture(model.eval(), (X,)).graph.outputs


def test_programs_captured_in_training_mode_are_refused() -> None:
    for inside in (nn.Dropout(0.5), nn.BatchNorm1d(3)):
        with pytest.raises(WrongUsage, match="captured in training mode"):
            capture(torch.jit.trace(Drops(inside.train()), (X,), check_trace=False), (X,))
        with pytest.raises(WrongUsage, match=r"call model\.eval\(\) first"):
            capture(torch.jit.script(Drops(inside.train())), (X,))


@pytest.mark.parametrize(
    "inside", [nn.Linear(3, 3), nn.Dropout(0), nn.BatchNorm1d(3, track_running_stats=False)], ids=str
)
def test_training_mode_does_not_matter_where_nothing_asks_for_it(inside: nn.Module) -> None:
    model = Drops(inside).train()
    assert capture(model, (X,)).graph.outputs
    for via in ("trace", "export", "script"):
        assert capture(Net().train(), (X,), via=via).graph.outputs
    assert capture(torch.jit.trace(Net().train(), (X,)), (X,)).graph.outputs
    assert model.training


class Branch(nn.Module):
    """Asks for a value."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1 if x.sum() > 0 else x - 1


class Untraceable(nn.Module):
    """Gives what tracing does not take."""

    def forward(self, x: torch.Tensor) -> dict[str, object]:
        return {"a": {"b": x * 2, "none": None}, "n": 3}


class Unexportable(nn.Module):
    """Runs what exporting refuses and tracing does not see."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        largest = x.detach().numpy().max()
        return x * 2 if largest < 1e9 else x


class Neither(nn.Module):
    """Runs, but is refused by every way of capturing."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.tolist()[0][0] > 1e9:
            return x
        return torch.linalg.svdvals(x)


def test_a_question_about_values_is_scripted_and_not_fixed() -> None:
    found = capture(Branch().eval(), (X,))
    assert found.route == "script"
    for x in (torch.ones(2), -torch.ones(2)):
        torch.testing.assert_close(evaluate(found.graph, x), Branch()(x))
    fixed = capture(Branch().eval(), (X,), via="trace").fixed
    assert len(fixed) == 1
    assert "test_capture.py:" in fixed[0]


def test_results_of_every_kind() -> None:
    made = imported(Untraceable().eval(), (X,))
    assert made.capture.route == "export"
    doubled, number = torchrelay.run(made.mod, made.params, (X,))
    torch.testing.assert_close(torch.from_numpy(doubled), X * 2)
    assert number == 3
    assert torchrelay.verify(Untraceable().eval(), (X,)).ok


def test_what_was_tried_and_why_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    made = imported(Unexportable().eval(), (X,))
    assert made.capture.route == "trace"
    assert [attempt.route for attempt in made.tried] == ["export"]
    assert "tried before trace: via='export': torch.export.export cannot capture the model" in made.notes[0]
    with pytest.raises(TorchRelayError) as raised:
        imported(Neither().eval(), (torch.ones(2, 2),))
    message = str(raised.value)
    assert "this is what via='export' gave; also tried:" in message
    assert "via='trace': " in message
    assert "via='script': " in message
    assert capfd.readouterr() == ("", "")


def test_errors_of_every_kind_inside_a_model_are_one_typed_error() -> None:
    class Own(Exception):
        pass

    class Raises(nn.Module):
        def __init__(self, error: Exception) -> None:
            super().__init__()
            self.error = error

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            raise self.error

    for error in (Own("no"), OSError("no"), ZeroDivisionError("no"), NameError("no"), KeyError("no")):
        with pytest.raises(WrongInput, match="does not run on the example inputs") as raised:
            capture(Raises(error).eval(), (X,))
        assert "test_capture.py:" in str(raised.value)


def test_inputs_by_name_for_what_is_captured_already() -> None:
    scale = torch.ones(2)
    for model in (torch.jit.script(_net()), torch.export.export(_net(), (X, scale))):
        assert list(_types(capture(model, {"scale": scale, "x": X}))) == ["x", "scale"]
        with pytest.raises(WrongInput, match="the model has no input 'y'"):
            capture(model, {"y": X})


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(WrongUsage, match="a state dict, weights without a program"):
        capture(_net().state_dict(), (X,))
    with pytest.raises(WrongUsage, match="a function, is no model"):
        capture(lambda x: x, (X,))


def test_model_and_inputs_are_left_as_they_are() -> None:
    class Writes(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", torch.zeros(()))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.count += 1
            return x.add_(self.count)

    for via in ("trace", "export", "script"):
        model, x = Writes().eval(), torch.ones(2)
        before = copy.deepcopy(model.state_dict())
        captured = capture(model, (x,), via=via)
        assert x.tolist() == [1, 1]
        assert model.state_dict() == before
        assert sorted(name for name, _ in captured.graph.writes) == ["count", next(iter(captured.input_vars))]


def test_what_does_not_convert_is_decomposed_where_torch_can() -> None:
    class Wide(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.huber_loss(torch.nn.functional.gelu(x), x) + torch.nn.functional.celu_(x + 1)

    refused = {"aten::huber_loss.default", "aten::celu.default"}
    graph = capture(Wide().eval(), (X,), via="export", converts=lambda target: target not in refused).graph
    targets = {node.target for node in graph.nodes}
    assert not targets & refused
    assert "aten::gelu.default" in targets
    torch.testing.assert_close(evaluate(graph, X), Wide()(X))


def _write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda folder: folder, "is a directory"),
        (lambda folder: folder / "missing.pt", "there is no file"),
        (lambda folder: _write(folder / "empty.pt", b""), "is empty"),
        (lambda folder: _write(folder / "text.pt", b"hello, world"), "is no file of torch's"),
        (lambda folder: _write(folder / "old.pt", b"\x80\x02}q\x00."), "is a pickle of an old torch.save"),
        (lambda folder: _write(folder / "cut.pt", (folder / "net.pt").read_bytes()[:900]), "is truncated"),
        (lambda folder: _saved_by_torch(folder / "state.pt", _net().state_dict()), "holds a pickle (a state dict"),
        (
            lambda folder: _saved_by_torch(folder / "module.pt", nn.Linear(2, 2)),
            "holds a pickle (a state dict, or a module",
        ),
        (lambda folder: _zip(folder / "other.pt2"), "holds no TorchScript and no exported program"),
    ],
)
def test_bad_files(make: object, message: str, saved: Path) -> None:
    with pytest.raises(BadFile) as raised:
        capture(make(saved.parent), (X,))
    assert message in str(raised.value)


def _saved_by_torch(path: Path, what: object) -> Path:
    torch.save(what, path)
    return path


def _zip(path: Path) -> Path:
    import zipfile

    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "nothing")
    return path


def test_a_damaged_program_is_refused(tmp_path: Path) -> None:
    import zipfile

    path = tmp_path / "net.pt2"
    torch.export.save(torch.export.export(_net(), (X,)), path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, b"{}" if name.endswith("models/model.json") else content)
    with pytest.raises(TorchRelayError, match="torch cannot read this exported program"):
        capture(path)


@pytest.mark.parametrize("via", ["trace", "export"])
def test_an_input_of_a_dtype_that_relay_has_not_is_named_with_it(via: str) -> None:
    with pytest.raises(WrongInput, match="the input input is of dtype complex64, which no tensor of Relay has"):
        imported(nn.Identity(), (torch.ones(2, dtype=torch.complex64),), via=via)
