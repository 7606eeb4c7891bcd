"""The library: the same functions and data types as TVM's, by name, importable once or often."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from torchrelay.errors import IllFormed
from torchrelay.formats import Prelude, parse
from torchrelay.ir import (
    ANY,
    Call,
    Function,
    GlobalTypeVar,
    IRModule,
    TensorType,
    TypeCall,
    Var,
    assert_structural_equal,
    check_well_formed,
    const,
    infer_types,
)

INT = TensorType.of((), "int32")
IDENTITY = Function((x := Var("x", INT),), x, INT)


def test_the_prelude_is_that_of_tvm(shared: Path) -> None:
    recorded = parse((shared / "spec" / "prelude_printed.relay").read_text("utf-8"))
    mod = Prelude().mod
    assert mod.functions.keys() == recorded.functions.keys()
    assert mod.type_definitions.keys() == recorded.type_definitions.keys()
    for name in recorded.functions:
        assert_structural_equal(mod[name], recorded[name])
    for name, definition in recorded.type_definitions.items():
        ours = [(c.name, [str(t) for t in c.inputs], c.tag) for c in mod.type_data(name).constructors]
        assert ours == [(c.name, [str(t) for t in c.inputs], c.tag) for c in definition.constructors]


def test_prelude_rly_prints_as_in_tvm(shared: Path) -> None:
    recorded = (shared / "spec" / "prelude_printed.relay").read_text("utf-8")
    ours = IRModule().import_from_std("prelude.rly").astext()
    own = [block for block in _blocks(recorded) if "tensor" not in block and "@ta_" not in block]
    assert [_unnumbered(block) for block in _blocks(ours)] == [_unnumbered(block) for block in own]


def _blocks(text: str) -> list[str]:
    """The definitions of a text, without the places in files."""
    program = re.sub(r" /\* span=\S* \*/| span=\S*(?= \*/)", "", text.partition("#[metadata]")[0])
    return [block.strip() for block in program.split("\n\n")[1:] if block.startswith("def")]


def _unnumbered(block: str) -> str:
    """The definition with its names numbered from the first on, whatever the definitions before it use."""
    names: dict[str, str] = {}
    return re.sub(r"%([A-Za-z_]*)\d*", lambda m: names.setdefault(m.group(), f"%{m[1]}.{len(names)}"), block)


@pytest.mark.parametrize("file_name", ["prelude.rly", "nat.rly", "gradient.rly"])
def test_a_file_of_the_library_is_typed_prints_and_is_read_back(file_name: str) -> None:
    mod = IRModule().import_from_std(file_name)
    for function in mod.functions.values():
        check_well_formed(function)
    assert infer_types(mod)["map"] is mod["map"]
    again = infer_types(parse(mod.astext()))
    for name in mod.functions:
        assert_structural_equal(mod[name], again[name])


def test_what_is_there_already_is_kept_and_what_differs_is_refused() -> None:
    once = IRModule({"main": IDENTITY}).import_from_std("prelude.rly")
    twice = once.import_from_std("prelude.rly").import_from_std("nat.rly")
    assert twice["main"] is IDENTITY
    assert twice.type_data("nat").constructors[1].name == "succ"
    with pytest.raises(IllFormed, match="the module has another function @id than the library"):
        IRModule({"id": IDENTITY}).import_from_std("prelude.rly")
    with pytest.raises(IllFormed, match="no file 'core"):
        IRModule().import_from_std("core.rly")


def test_names_in_the_families() -> None:
    prelude = Prelude(IRModule({"main": IDENTITY}))
    assert prelude.mod["main"] is IDENTITY
    assert prelude.get_name("tensor_t", "float32") == "tensor_float32_t"
    assert prelude.get_type("tensor_t", "int8") == GlobalTypeVar("tensor_int8_t")
    assert prelude.get_global_var("tensor_array_read", "float16").name == "tensor_array_read_float16"
    assert prelude.get_ctor("tensor_float32_t", "tensor2", "float32").inputs == (TensorType.of((ANY, ANY)),)
    assert prelude.get_tensor_ctor("tensor_nil", "uint8").inputs == ()
    with pytest.raises(AttributeError, match="no function head"):
        _ = prelude.head
    with pytest.raises(IllFormed, match="no function @hd_float32"):
        prelude.get_global_var("hd", "float32")


def test_a_function_of_the_prelude_is_typed_where_it_is_called() -> None:
    prelude = Prelude()
    nil = prelude.mod.constructor("List", "Nil")
    cons = prelude.mod.constructor("List", "Cons")
    xs = Call(cons, (const(1), Call(nil, (), type_args=(INT,))))
    assert Call(prelude.length, (xs,)).type == INT
    assert xs.type == TypeCall(GlobalTypeVar("List"), (INT,))


@pytest.mark.parametrize(
    ("shape", "name", "count"),
    [((2, 3), "float32_2_3", 20), ((), "float32_scalar", 11), ((5,), "float32_5", 20), ((ANY, 3), "float32_any_3", 18)],
    ids=str,
)
def test_arrays_of_one_shape(shape: tuple[int, ...], name: str, count: int) -> None:
    prelude = Prelude().with_static_arrays("float32", shape)
    assert len(prelude.mod.functions) - len(Prelude().mod.functions) == count
    assert prelude.get_type_static("tensor_t", "float32", shape).name == f"static_tensor_{name}_t"
    assert prelude.get_tensor_ctor_static("tensor_constructor", "float32", shape).inputs == (TensorType.of(shape),)
    assert prelude.get_global_var_static("tensor_array_stack", "float32", shape).name == f"tensor_array_stack_{name}"
    for function in prelude.mod.functions.values():
        check_well_formed(function)


def test_texts_may_use_the_prelude_after_it_is_imported() -> None:
    text = Prelude(IRModule({"main": IDENTITY})).mod.astext()
    mod = infer_types(parse(text))
    assert mod.functions.keys() == Prelude(IRModule({"main": IDENTITY})).mod.functions.keys()


def test_importing_torchrelay_does_not_read_the_library() -> None:
    code = "import torchrelay, torchrelay.formats; from torchrelay.formats.std import library;"
    code += "print(library.prelude_module.cache_info().currsize)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "0"
