"""Every text that a real TVM read or refused: read to the same program as it prints, or refused."""

from __future__ import annotations

import json
import re
import zipfile

import pytest

from tests.recorded import archive_of, names_in
from torchrelay.errors import TorchRelayError
from torchrelay.formats import astext, parse, parse_expr
from torchrelay.ir import VirtualDevice, const

recorded = archive_of("parse.zip")
DOTTED = "TVM prints such a name and cannot read it back; here it can be read"
WRITTEN_TYPE = "TVM prints such a type behind a let and cannot read it back; here it can be read"
TARGET = "a device with the target that code is made for"
MEMORY = "operators that reserve memory are not there"
PRIMITIVE = "functions of TVM's tensor language"
DIFFERENT = {
    "fmt_exp4__016": WRITTEN_TYPE,
    "fmt_exp4__017": WRITTEN_TYPE,
    "fmt_exp4__053": DOTTED,
    "fmt_exp4__054": DOTTED,
    "fmt_exp4__064": DOTTED,
    "fmt_exp4__077": DOTTED,
    "fmt_exp4__078": DOTTED,
    "test_pass_plan_devices__test_lowered__000": PRIMITIVE,
    "test_pass_plan_devices__test_lowered__001": PRIMITIVE,
    "test_pass_dead_code_elimination__test_impure_op__000": MEMORY,
    "test_pass_dead_code_elimination__test_impure_op__001": TARGET,
    "test_pass_plan_devices__test_alloc_tensor__000": TARGET,
    "test_pass_plan_devices__test_alloc_tensor__001": MEMORY,
    "fmt_exp8__007": "a record of another operator is printed field by field with its type key, which TVM reads too",
}
"""Texts that are read otherwise than in TVM, with the reason; one that is read alike fails."""


TABLE = {
    "VirtualDevice": lambda number: VirtualDevice(1, number),
    "relay.Constant": lambda number: const([number, 2, 3], "int64"),
}
"""What the tables of metadata held is not recorded: as many of each as a text may name, all different."""


def bare(text: str) -> str:
    """The program of a text without comments and metadata, in one line."""
    return " ".join(re.sub(r" ?/\*.*?\*/", "", text.partition("#[metadata]")[0], flags=re.DOTALL).split())


def printed_back(text: str, case: dict[str, object]) -> str:
    """The text of what was read, or nothing where it is refused."""
    try:
        if case["kind"] == "expr":
            return bare(astext(parse_expr(text)))
        given = {key: [TABLE[key](number) for number in range(9)] for key in case.get("init_meta_table", ())}
        base = parse(str(case["init_module"])) if "init_module" in case else None
        return bare(astext(parse(text, init_module=base, init_meta_table=given)))
    except TorchRelayError as error:
        assert error.place is not None or "metadata" in str(error), error
        return ""


@pytest.mark.parametrize("name", names_in("parse.zip", ".txt"))
def test_read_as_in_tvm(name: str, recorded: zipfile.ZipFile) -> None:
    text = recorded.read(f"{name}.txt").decode()
    case = json.loads(recorded.read(f"{name}.json"))
    accepted = f"{name}.out.relay" in recorded.namelist()
    expected = bare(recorded.read(f"{name}.out.relay").decode()) if accepted else ""
    same = printed_back(text, case) == expected
    assert same == (name not in DIFFERENT)
