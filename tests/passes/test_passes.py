"""Passes keep the values and say the module more simply; pipelines are found by their text."""

from __future__ import annotations

import numpy as np
import pytest

from torchrelay.errors import WrongUsage
from torchrelay.formats import parse
from torchrelay.ir import IRModule, structural_equal
from torchrelay.passes import ModulePass, Pipeline, parse_pipeline, pass_names, pass_text
from torchrelay.runtime import run


def module(body: str, parameters: str = "%x: Tensor[(2, 3), float32]") -> IRModule:
    """The module whose main has that body."""
    return parse(f'#[version = "0.0.5"]\ndef @main({parameters}) {{\n{body}\n}}\n')


ROWS = [
    ("simplify", "transpose(transpose(%x, axes=[1, 0]), axes=[1, 0])", "%x"),
    ("simplify", "reshape(reshape(%x, newshape=[6]), newshape=[3, 2])", "reshape(%x, newshape=[3, 2])"),
    ("simplify", "reshape(%x, newshape=[2, 3])", "%x"),
    ("simplify", 'cast(%x, dtype="float32")', "%x"),
    ("simplify", 'cast(%x, dtype="float64")', 'cast(%x, dtype="float64")'),
    ("simplify", "strided_slice(%x, begin=[0, 0], end=[2, 3], strides=[1, 1], axes=None)", "%x"),
    (
        "simplify",
        "strided_slice(%x, begin=[1, 0], end=[-3, 3], strides=[-1, 1], axes=None)",
        "strided_slice(%x, begin=[1, 0], end=[-3, 3], strides=[-1, 1], axes=None)",
    ),
    ("simplify", "%0 = (%x,); concatenate(%0, axis=1)", "%x"),
    ("simplify", "broadcast_to(%x, shape=[2, 3])", "%x"),
    ("fold-constants", "add(%x, add(1f, 2f))", "add(%x, 3f)"),
    ("fold-constants", "add(%x, %x)", "add(%x, %x)"),
    ("dead-code", "let %a = negative(%x); exp(%x)", "exp(%x)"),
    ("dead-code", "let %a = negative(%x); exp(%a)", "let %a = negative(%x); exp(%a)"),
    ("dead-code", "let %r = ref(%x); let %u = ref_write(%r, exp(%x)); ref_read(%r)", None),
]


@pytest.mark.parametrize(("pipeline", "body", "wanted"), ROWS)
def test_a_pass_says_the_same_more_simply(pipeline: str, body: str, wanted: str | None) -> None:
    before = module(body)
    after = parse_pipeline(pipeline)(before)
    assert structural_equal(after, module(body if wanted is None else wanted)), after.astext()
    data = np.arange(6, dtype="float32").reshape(2, 3)
    np.testing.assert_array_equal(run(after, {}, [data])[0], run(before, {}, [data])[0])


def test_a_module_that_needs_no_change_is_the_very_same() -> None:
    before = module("exp(%x)")
    assert parse_pipeline("simplify,fold-constants,dead-code")(before) is before


def test_instruments_see_each_pass_with_the_module_before_and_after() -> None:
    seen: list[tuple[str, bool]] = []

    def watch(step: ModulePass, before: IRModule, after: IRModule) -> None:
        seen.append((step.name, before is after))

    parse_pipeline("simplify,dead-code", [watch])(module("reshape(%x, newshape=[2, 3])"))
    assert seen == [("simplify", False), ("dead-code", True)]


def test_a_pipeline_is_the_text_it_came_from() -> None:
    text = ",".join(pass_names())
    assert str(parse_pipeline(text)) == text
    folding = parse_pipeline("fold-constants{max-elements=3}")
    assert pass_text(folding.passes[0]) == "fold-constants{max-elements=3}"
    assert folding == Pipeline(folding.passes)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("simplfy", "there is no pass 'simplfy'"),
        ("simplify{depth=3}", "has no option 'depth'"),
        ("fold-constants{max-elements=many}", "must be int"),
        ("fold-constants{", "is no pass"),
    ],
)
def test_a_text_that_says_no_pipeline_is_refused(text: str, says: str) -> None:
    with pytest.raises(WrongUsage, match=says):
        parse_pipeline(text)
