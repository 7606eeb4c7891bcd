"""What holds of every module: text and JSON read back to the same program, to the last bit of every value."""

from __future__ import annotations

import re

from hypothesis import given, settings

from tests.strategies import modules
from torchrelay.formats import astext, load_json, parse, save_json
from torchrelay.ir import IRModule, assert_structural_equal, structural_hash


def without_places(text: str) -> str:
    return re.sub(r" span=\S+", "", text.partition("#[metadata]")[0])


@settings(max_examples=40)
@given(modules())
def test_text_reads_back(module: IRModule) -> None:
    text = module.astext()
    again = parse(text)
    assert_structural_equal(again, module)
    assert structural_hash(again) == structural_hash(module)
    assert without_places(parse(again.astext()).astext()) == without_places(again.astext())


@settings(max_examples=25)
@given(modules())
def test_json_reads_back(module: IRModule) -> None:
    again = load_json(save_json(module))
    assert isinstance(again, IRModule)
    assert_structural_equal(again, module)
    assert without_places(astext(again)) == without_places(astext(module))


@settings(max_examples=15)
@given(modules())
def test_text_for_tvm_is_the_same_program_under_plain_names(module: IRModule) -> None:
    text = module.astext(for_tvm=True)
    names = set(
        re.findall(r"[%@][^\s(),:=;{}.]+", re.sub(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/', "", text.partition("#[metadata]")[0]))
    )
    assert all(re.fullmatch(r"[%@][A-Za-z0-9_]+", name) for name in names)
    assert len(parse(text).functions) == len(module.functions)
