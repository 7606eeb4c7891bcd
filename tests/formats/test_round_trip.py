"""What torchrelay writes, torchrelay reads back exactly: text, JSON, folders; and what the recorded texts say."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

import torchrelay
from tests.models import build
from torchrelay import op
from torchrelay.errors import BadFile, SyntaxErrorInText
from torchrelay.formats import parse, parse_expr
from torchrelay.ir import (
    Call,
    Clause,
    Constructor,
    Expr,
    Function,
    GlobalTypeVar,
    GlobalVar,
    If,
    IRModule,
    Let,
    Match,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    RefCreate,
    RefRead,
    RefType,
    RefWrite,
    TensorType,
    Tuple,
    TupleType,
    TypeCall,
    TypeData,
    TypeVar,
    Var,
    assert_structural_equal,
    const,
)

T = TensorType.of((2, 3))
INT = TensorType.of((), "int32")


def language() -> IRModule:
    """A module with every construct."""
    a, list_of = TypeVar("A"), GlobalTypeVar("List")
    nil = Constructor("Nil", (), list_of, 1, (a,))
    cons = Constructor("Cons", (a, TypeCall(list_of, (a,))), list_of, 0, (a,))
    ints = TypeCall(list_of, (INT,))
    xs, head, tail = Var("xs", ints), Var("h", INT), Var("t", ints)
    clauses = (
        Clause(PatternConstructor(nil), const(0)),
        Clause(
            PatternConstructor(cons, (PatternVar(head), PatternVar(tail))),
            op.add(head, Call(GlobalVar("sum"), (tail,))),
        ),
    )
    total = Function((xs,), Match(xs, clauses), INT)
    x, cell, done, y = Var("layer.0/x", T), Var("cell", RefType(T)), Var("_", TupleType(())), Var("y", T)
    body = Let(cell, RefCreate(x), Let(done, RefWrite(cell, op.exp(x)), RefRead(cell)))
    branch = If(const(True), body, op.negative(x))
    inner = Function((y,), op.nn.softmax(y, axis=0), attrs={"Primitive": 1, "Compiler": "chip"})
    main = Function((x,), Tuple((branch, Call(inner, (x,)), op.cumsum(x, axis=1))))
    return IRModule({"main": main, "sum": total}, {"List": TypeData(list_of, (a,), (cons, nil))})


def constants() -> IRModule:
    x = Var("x", T)
    values = [
        np.float32(1 / 3),
        np.float64(1e-300),
        np.float32("nan"),
        np.float64("inf"),
        np.int64(-(2**63)),
        np.int8(3),
    ]
    return IRModule.from_expr(
        Function((x,), Tuple((x, *(const(v) for v in values), const(np.arange(6.0).reshape(2, 3)))))
    )


@pytest.mark.parametrize("made", [language, constants], ids=lambda made: made.__name__)
def test_text_and_json(made: object) -> None:
    module = made()  # type: ignore[operator] a function of this file
    assert_structural_equal(parse(module.astext()), module)
    assert_structural_equal(torchrelay.load_json(torchrelay.save_json(module)), module)
    text = module.astext()
    assert parse(text).astext().replace("span", "") != ""
    assert_structural_equal(parse(parse(text).astext()), module)


@pytest.mark.parametrize("name", ["mobilenet_v3_small", "gpt2"])
def test_models(name: str, tmp_path: Path) -> None:
    model, inputs = build(name)
    mod, params = torchrelay.from_torch(model, inputs)
    torchrelay.save(mod, params, tmp_path / "model")
    loaded, loaded_params = torchrelay.load(tmp_path / "model")
    assert_structural_equal(loaded, mod)
    for one, other in zip(
        torchrelay.run(loaded, loaded_params, inputs), torchrelay.run(mod, params, inputs), strict=True
    ):
        # Mapped memory is aligned otherwise, and BLAS then sums in another order.
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6 * np.abs(other).max())
    assert torchrelay.verify(model, inputs, loaded, loaded_params).ok
    assert_structural_equal(torchrelay.load_json(tmp_path / "model" / "model.json"), mod)


def test_names_for_tvm_are_the_same_in_every_file(tmp_path: Path) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(3, 4)).eval()
    mod, params = torchrelay.from_torch(model, (torch.randn(2, 3),))
    torchrelay.save(mod, params, tmp_path, for_tvm=True)
    assert list(torchrelay.load_params(tmp_path / "model.params")) == ["v0_weight", "v0_bias"]
    assert "%v0_weight: " in (tmp_path / "model.relay").read_text()
    assert '"repr_str": "v0_weight"' in (tmp_path / "model.json").read_text()
    assert json.loads((tmp_path / "names.json").read_text())["0.weight"] == "v0_weight"


def test_any_depth() -> None:
    x = Var("x", T)
    chain: Expr = x
    for _ in range(5_000):
        chain = Let(Var("v", T), chain, op.exp(x)) if isinstance(chain, Var) else op.nn.relu(chain)
    module = IRModule.from_expr(chain)
    assert_structural_equal(parse(module.astext()), module)
    nested = "(" * 5_000 + "1" + ")" * 5_000
    assert isinstance(parse_expr(nested), Expr)


WRONG = [
    ("def @main() { 1 }", "begins with"),
    ('#[version = "0.0.5"]\ndef @main(%x: int32) { add(%x, %y) }', "the variable %y has not been declared"),
    ('#[version = "0.0.5"]\ndef @main(%x: int32) { nonsense(%x) }', "there is no operator 'nonsense'"),
    ('#[version = "0.0.5"]\ndef @main() { 1.5 }', "is no integer"),
    ('#[version = "0.0.5"]\ndef @main() { 40000i16 }', "does not fit int16"),
    ('#[version = "0.0.5"]\ndef @main() { %0 }', "has not been given a value"),
    ('#[version = "0.0.5"]\ndef @main() { meta[relay.Constant][0] }', "the metadata has no entry"),
    ('#[version = "0.0.5"]\ndef @main() { 1', "expected '}'"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_does_not_parse_is_shown_with_a_caret(text: str, message: str) -> None:
    with pytest.raises(SyntaxErrorInText) as caught:
        parse(text)
    assert message in str(caught.value)
    assert "^" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"root": 5, "nodes": []}', '{"root": 1, "nodes": [{"type_key": ""}, {"type_key": "Nope"}]}'],
)
def test_what_is_no_json_of_tvm_is_refused(text: str) -> None:
    with pytest.raises(BadFile):
        torchrelay.load_json(text)


def test_recorded_programs_parse_print_and_compare(shared: Path) -> None:
    """Every fifth typed program of a real TVM that uses operators which are here."""
    archive = zipfile.ZipFile(io.BytesIO((shared / "conformance" / "exec.zip").read_bytes()))
    names = sorted(name for name in archive.namelist() if name.endswith(".relay"))[::5]
    read = 0
    for name in names:
        try:
            module = parse(archive.read(name).decode(), name)
        except SyntaxErrorInText as error:
            assert "there is no operator" in str(error), (name, error)
            continue
        assert_structural_equal(parse(module.astext()), module)
        read += 1
    # The rest use operators of dyn, qnn and vision that are not declared yet.
    assert read >= 180


def test_a_shared_match_with_lines_inside_is_written_once() -> None:
    """It stands in a let and outside of it; what is numbered inside its clause is not numbered again."""
    x, y, v = (
        Var(name, TensorType.of((2,), dtype)) for name, dtype in (("x", "float32"), ("y", "float32"), ("v", "bool"))
    )
    inner = Match(Tuple((x,)), (Clause(PatternTuple((PatternVar(y),)), y),))
    shared = Match(Tuple((x,)), (Clause(PatternWildcard(), inner),))
    let = Let(v, op.zeros(shape=(2,), dtype="bool"), Tuple((v, shared)))
    mod = IRModule.from_expr(Function((x,), Tuple((shared, let))))
    assert_structural_equal(parse(mod.astext()), mod)
