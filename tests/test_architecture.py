"""The house rules that a machine can check."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "torchrelay"
FILES = sorted(SOURCE.rglob("*.py"))
ORDER = (
    "errors",
    "ir",
    "op",
    "formats",
    "passes",
    "lower",
    "nd",
    "runtime",
    "verify",
    "explain",
    "transform",
    "relay",
    "parser",
    "cli",
)
ALLOWED = {name: set(ORDER[: index + 1]) for index, name in enumerate(ORDER)}
ALLOWED["frontend"] = {"errors", "ir", "op", "frontend"}
for _name in ("verify", "explain", "relay", "cli"):
    ALLOWED[_name].add("frontend")
# The text of an expression is asked of the expression; printing.py is the one place that reaches up for it.
# tvm.transform and tvm.ir.transform are one module under two names.
# What from_pytorch is asked to write beside the module is written as every other file.
EXCEPTIONS = {("ir/printing.py", "formats"), ("transform.py", "ir"), ("frontend/entry.py", "formats")}


def package_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports from a relative place"
            names = tuple(alias.name for alias in node.names)
            if node.module == "torchrelay":
                yield from ((f"torchrelay.{name}", ()) for name in names if not name.startswith("__"))
            elif node.module is not None:
                yield node.module, names


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_one_way_and_through_the_face_of_a_package(path: Path) -> None:
    own = package_of(path)
    if own in ("__init__", "__main__"):
        return
    for module, names in imports(path):
        assert "*" not in names, f"{path.name} imports everything of {module}"
        parts = module.split(".")
        if parts[0] != "torchrelay" or len(parts) < 2:
            continue
        other = parts[1]
        if (str(path.relative_to(SOURCE)), other) in EXCEPTIONS:
            continue
        assert other in ALLOWED[own], f"{own} must not import {other}"
        if other != own and other not in ("errors", "cli"):
            assert len(parts) == 2, f"import from torchrelay.{other}, not from {module}"


def test_importing_torchrelay_loads_no_torch_and_no_engine() -> None:
    code = "import sys, torchrelay, torchrelay.ir, torchrelay.op, torchrelay.runtime, torchrelay.formats, torchrelay.lower;"
    code += "print([name for name in ('torch', 'onnxruntime', 'openvino', 'scipy') if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_public_names_are_pinned() -> None:
    import torchrelay

    assert sorted(torchrelay.__all__) == torchrelay.__all__
    for name in torchrelay.__all__:
        assert getattr(torchrelay, name) is not None
    from torchrelay.verify import compare

    assert callable(torchrelay.verify), "the function, also when the package it lives in is loaded"
    assert callable(compare)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_functions_are_short_and_files_are_named_for_what_is_inside(path: Path) -> None:
    assert path.stem not in ("utils", "helpers", "common", "misc")
    text = path.read_text("utf-8")
    assert "TODO" not in text and "FIXME" not in text
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= 50, f"{path.name}: {node.name} has {length} lines"


# How a program is captured is the business of the readers, and of the front door, which takes models as people have them.
FRONT_DOOR = {"capture.py", "entry.py", "files.py", "routes.py", "state.py", "training.py"}
# What torch knows of an operator, whoever captured it: its schema, and its value for numbers.
ASKS_TORCH = {"schema.py", "numbers.py"}


@pytest.mark.parametrize("path", sorted((SOURCE / "frontend").rglob("*.py")), ids=lambda path: path.name)
def test_only_the_readers_know_how_a_graph_was_captured(path: Path) -> None:
    text = path.read_text("utf-8")
    names = {ast.unparse(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}
    inside = path.relative_to(SOURCE / "frontend").parts[0]
    reader = inside in ("read_script", "read_export")
    if not reader and inside not in FRONT_DOOR:
        assert not [name for name in names if name.startswith(("torch.jit", "torch.export", "torch.fx"))]
    if not reader and inside not in ASKS_TORCH:
        assert not [name for name in names if name.startswith(("torch._C", "torch.jit._"))]
    if inside == "aten":
        assert not [name for name in names if name.startswith("torch.")]


def test_every_operator_has_documentation() -> None:
    from torchrelay import op
    from torchrelay.ir import registry

    assert op.exp is not None
    for name in registry.names():
        operator = registry.get(name)
        assert operator.doc, f"{name} does not say what it computes"
        assert "reference" in operator.slots, f"{name} has no NumPy semantics"
