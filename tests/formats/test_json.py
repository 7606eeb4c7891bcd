"""TVM's JSON: what is written is read back the same, at any depth; what is wrong with a file is said."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.formats.programs import PROGRAMS
from tests.samples import all_rows
from torchrelay import op
from torchrelay.errors import BadFile, TypeMismatch
from torchrelay.formats import load_json, save_json
from torchrelay.formats.json import load_nodes, save_nodes
from torchrelay.ir import (
    Call,
    Constant,
    Expr,
    Function,
    IRModule,
    Let,
    TensorType,
    Tuple,
    Var,
    VirtualDevice,
    assert_structural_equal,
    const,
    post_order,
)

T = TensorType.of((2, 3))
each_program = pytest.mark.parametrize("make", PROGRAMS.values(), ids=PROGRAMS)


@each_program
def test_programs_are_read_back(make: Callable[[], IRModule]) -> None:
    mod = make()
    text = save_json(mod)
    found = load_json(text)
    assert isinstance(found, IRModule)
    assert_structural_equal(found, mod)
    again = load_json(save_json(found))
    assert isinstance(again, IRModule)
    assert_structural_equal(again, mod)
    assert load_json(json.dumps(json.loads(text))) is not None, "compact JSON is read too"


@each_program
def test_places_and_sharing_are_read_back(make: Callable[[], IRModule]) -> None:
    mod = make()
    found = load_json(save_json(mod))
    assert isinstance(found, IRModule)
    for name in mod:
        wanted, given = list(post_order(mod[name])), list(post_order(found[name]))
        assert [type(node) for node in given] == [type(node) for node in wanted]
        assert [node.place for node in given] == [node.place for node in wanted]


@each_program
def test_single_expressions_and_their_types_are_read_back(make: Callable[[], IRModule]) -> None:
    for function in make().functions.values():
        found = load_json(save_json(function))
        assert isinstance(found, Function)
        assert_structural_equal(found, function)
        if function.type is not None:
            assert str(load_json(save_json(function.type))) == str(function.type)


@pytest.mark.parametrize("name", all_rows(), ids=lambda operator: operator.name)
def test_calls_of_every_operator_are_read_back(name: object) -> None:
    for row in all_rows()[name]:
        arguments = [typed(value) for value in row.inputs]
        call = Call(name, tuple(arguments), row.attrs(name))
        function = Function(tuple(v for a in arguments for v in variables(a)), call)
        found = load_json(save_json(function))
        assert isinstance(found, Function)
        assert_structural_equal(found, function, map_free_vars=True)
        assert found.type == function.type


def typed(value: object) -> Expr:
    if isinstance(value, tuple):
        return Tuple(tuple(map(typed, value)))
    array = np.asarray(value)
    return Var("x", TensorType.of(array.shape, array.dtype.name))


def variables(expr: Expr) -> list[Var]:
    return [node for node in post_order(expr) if isinstance(node, Var)]


def test_deep_programs_are_read_back() -> None:
    x = Var("x", T)
    chain: Expr = x
    lets: Expr = x
    for _ in range(100_000):
        chain = op.nn.relu(chain)
    for _ in range(4000):
        lets = Let(Var("v", T), op.exp(x), lets)
    for expr, count in ((chain, 100_000), (lets, 4000)):
        found = load_json(save_json(IRModule.from_expr(expr)))
        assert isinstance(found, IRModule)
        assert sum(isinstance(node, Call) for node in post_order(found["main"])) == count


def test_layout_is_that_of_the_real_writer(golden: Callable[[str, str], None]) -> None:
    x = Var("x", T)
    golden("json_layout.json", save_json(IRModule.from_expr(Function((x,), op.nn.softmax(x, axis=0)))))


def test_files_are_read_by_path(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(save_json(PROGRAMS["calls"]()), "utf-8")
    for source in (path, str(path), path.read_bytes(), path.read_text("utf-8")):
        assert isinstance(load_json(source), IRModule)
    with pytest.raises(BadFile, match="there is no file"):
        load_json(tmp_path / "other.json")


def test_lists_of_objects_by_type_key() -> None:
    record = op.nn.softmax(Var("x", T), axis=0).attrs
    entries = {"relay.Constant": [const(1.5), const(2)], "VirtualDevice": [VirtualDevice(1)], "a": [record, "é", None]}
    found = load_nodes(save_nodes(entries))
    assert set(found) == set(entries)
    first, second = found["relay.Constant"]
    assert isinstance(first, Constant)
    assert isinstance(second, Constant)
    assert (first.data, second.data) == (1.5, 2)
    assert found["VirtualDevice"] == (VirtualDevice(1),)
    assert found["a"] == (record, "é", None)
    assert load_nodes(save_nodes({})) == {}


def changed(**changes: object) -> str:
    """The JSON of a small module with changed fields in the first node of a kind, or of the whole."""
    x = Var("x", T)
    content = json.loads(save_json(Function((x,), op.add(x, const(np.float32([1, 2, 3]))))))
    key = changes.pop("node", None)
    if key is None:
        content.update(changes)
    else:
        node = next(node for node in content["nodes"] if node["type_key"] == key)
        for name, value in changes.items():
            if name in ("type_key", "data_", "repr_str", "attrs"):
                node[name.rstrip("_")] = value
            else:
                node["attrs"][name] = value
    return json.dumps(content)


WRONG = [
    ("", "is no JSON"),
    ("nowhere.json", "there is no file"),
    ("{", "is no JSON"),
    ("{}", "no list of nodes"),
    (b"[1]", "not an object with nodes"),
    (b"\xff{", "is no JSON"),
    ('{"a": ' + "[" * 100_000, "nested deeper"),
    (changed(root=99), "has its root at node 99"),
    (changed(root=-1), "has its root at node -1"),
    (changed(nodes=[]), "there are 0 nodes"),
    (changed(nodes=[3, 4]), "node 0 (None) has no type_key"),
    (changed(b64ndarrays=[]), "refers to array 0; there are 0"),
    (changed(b64ndarrays=["!"]), "has no base64"),
    (changed(b64ndarrays=["AAAA"]), "ends inside the array"),
    (changed(node="Op", repr_str="fly"), "names the operator 'fly'"),
    (changed(node="relay.Call", type_key="relay.Fly"), "(relay.Fly) is of a kind that torchrelay does not know"),
    (changed(node="relay.Call", args="x"), "has 'x' in its field args"),
    (changed(node="relay.Call", args="9" * 5000), "has '9999999999999999999999999999999999999999' in its field args"),
    (changed(node="relay.Call", args="1000"), "refers to a node beyond"),
    (changed(node="relay.Call", args="0"), "has a NoneType in its field args"),
    (changed(node="relay.Call", attrs={}), "has no text in its field"),
    (changed(node="relay.Call", attrs=[]), "has fields that are no object"),
    (changed(node="relay.Function", body="1"), "refers to itself"),
    (changed(node="Array", data_=["1"]), "has data that are no list of nodes"),
    (changed(node="Array", data_=7), "has data that are no list of nodes"),
    (changed(node="relay.TensorType", dtype="float33z"), "has 'float33z' in its field dtype"),
    (changed(node="IntImm", value="one"), "has 'one' in its field value"),
    (changed(node="IntImm", value="1" * 5000), "in its field value"),
]


@pytest.mark.parametrize(("source", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_is_wrong_with_a_file_is_said(source: str | bytes, message: str) -> None:
    with pytest.raises(BadFile) as caught:
        load_json(source)
    assert message in caught.value.message


def test_ill_typed_calls_are_refused_with_the_node() -> None:
    x = Var("x", T)
    text = save_json(op.add(x, Var("y", TensorType.of((3,)))))
    text = re.sub(r'"value": "3"(?!.*"value": "3")', '"value": "5"', text, flags=re.DOTALL)
    with pytest.raises(TypeMismatch) as caught:
        load_json(text)
    assert "node 1 of the JSON" in str(caught.value)


def test_every_truncation_is_noticed() -> None:
    text = changed()
    for size in range(1, len(text), 7):
        with pytest.raises(BadFile):
            load_json(text[:size].encode())
