"""Type inference against what a real TVM's InferType gave: the same type at every expression of every recorded program."""

from __future__ import annotations

import re
import zipfile

import pytest

from tests.recorded import archive_of, names_in
from torchrelay.errors import TorchRelayError
from torchrelay.formats import parse
from torchrelay.ir import infer_types

recorded = archive_of("pass.zip")
BEFORE, AFTER = ".before.relay", ".after.relay"
UNREADABLE = {
    r"Tensor\[\(2, 2\), float32\][^@]*qnn\.add\(": "quantized numbers are integers; TVM infers the type, then cannot run it",
    r"nn\.lrn\(.*size=10": "a sum over as many channels before a channel as behind it needs an odd number",
    r"\"tir\.(Mul|Add|FloorDiv|Cast|Sub|FloorMod|Max|Min)\"": "sizes that are expressions of TVM's tensor language",
}
"""Words for which a program cannot be read, with the reason; a program with them that can be read fails."""
DIFFERENT = {
    **dict.fromkeys(
        [
            "InferType/test_op_level2__test_flatten_infer_type_graph__000",
            "InferType/test_op_level2__test_flatten_infer_type_graph__004",
            "InferType/test_op_level2__test_pad_infer_type__004",
            "InferType/test_op_level2__test_pad_infer_type__006",
            "InferType/test_op_level2__test_pad_infer_type__008",
            "InferType/test_op_level2__test_upsampling_infer_type__000",
            "InferType/test_op_level5__test_yolo_reorg_infer_shape__000",
            "InferType/test_op_level5__test_yolo_reorg_infer_shape__002",
            "InferType/test_pass_simplify_expr__test_simplify_reshape__004",
        ],
        "a sum or a product of named sizes is an unknown size, not an expression of TVM's tensor language",
    ),
    "InferType/test_type_infer__test_dynamic_function__001": "TVM forgets a size of a constant, whose sizes are all known",
}
"""Programs with other types than in TVM, with the reason; one with the same types fails."""


def types_in(text: str) -> list[str]:
    """The heads of functions and the types at expressions, in the order of the text; sizes without their own dtype."""
    program = re.sub(r"(?<=\d)i64\b", "", text.partition("#[metadata]")[0])
    heads = [re.sub(r"\s*/\*.*?\*/", "", line) for line in program.splitlines() if line.startswith("def ")]
    return heads + re.findall(r"/\* ty=(.*?)(?: span=\S*)? \*/", program)


@pytest.mark.parametrize("name", names_in("pass.zip", BEFORE, "InferType/"))
def test_the_types_of_a_recorded_program(name: str, recorded: zipfile.ZipFile) -> None:
    before = recorded.read(name + BEFORE).decode()
    after = recorded.read(name + AFTER).decode()
    if any(re.search(words, before) for words in UNREADABLE):
        with pytest.raises(TorchRelayError):
            parse(before)
        return
    same = types_in(infer_types(parse(before)).astext()) == types_in(after)
    assert same == (name not in DIFFERENT)
