"""The front door: files, routes, inputs; and what is said about the wrong ones."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
import torch
from torch import nn

from tests.frontend.evaluate import evaluate
from torchrelay.errors import BadFile, TorchRelayError, UnsupportedProgram, WrongInput, WrongUsage
from torchrelay.frontend import capture
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
    assert capture(_net(), (X,)).route == "trace"
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
    class Branch(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + 1 if x.sum() > 0 else x - 1

    with pytest.raises(UnsupportedProgram, match=r"torch\.export\.export cannot capture") as raised:
        capture(Branch().eval(), (X,), via="export")
    assert "via='script'" in str(raised.value)


def test_a_model_in_training_mode_is_refused() -> None:
    for model in (Net(), torch.jit.script(Net()), torch.jit.trace(Net(), (X,))):
        with pytest.raises(WrongUsage, match=r"call model\.eval\(\) first"):
            capture(model, (X,))


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
