"""The errors: every class documented with an example that raises it, rendered as people read it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import torch

import torchrelay
from torchrelay import errors, ir, op
from torchrelay.errors import Place, TorchRelayError, UnsupportedProgram
from torchrelay.lower import parse_profile

PAGE = (Path(__file__).parent.parent / "docs" / "errors.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## ([\w-]+)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
CLASSES = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, TorchRelayError) and kind is not TorchRelayError
}
NAMES = {"np": np, "torch": torch, "torchrelay": torchrelay, "op": op, "relay": ir, "parse_profile": parse_profile}


def test_every_class_has_a_section_and_no_other() -> None:
    assert sorted(SECTIONS) == sorted(CLASSES)
    assert list(SECTIONS) == sorted(SECTIONS)


@pytest.mark.parametrize("code", sorted(CLASSES))
def test_a_section_says_cause_remedy_and_an_example_that_raises_it(code: str) -> None:
    text, kind = SECTIONS[code], CLASSES[code]
    builtin = next(base for base in kind.__mro__ if base.__module__ == "builtins" and base is not Exception)
    assert re.match(rf"`{kind.__name__}`, an? `{builtin.__name__}`\. ", text)
    assert "\nWhat to do: " in text
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    with pytest.raises(kind) as raised:
        exec(compile(example, f"docs/errors.md {code}", "exec"), dict(NAMES))
    assert type(raised.value) is kind
    assert str(raised.value).startswith(f"error[{code}]: ")


def test_the_rendering_has_headline_place_excerpt_notes_and_hint() -> None:
    place = Place(__file__, 1, scope="decoder", scope_class="Decoder")
    error = UnsupportedProgram("a message", place=place, notes=["one", "two"], hint="do that")
    assert str(error).splitlines() == [
        "error[unsupported-program]: a message",
        f"  --> {__file__}:1, in decoder (Decoder)",
        '   |  """The errors: every class documented with an example that raises it, rendered as people read it."""',
        "  note: one",
        "  note: two",
        "  hint: do that",
    ]
    assert error.message == "a message"
