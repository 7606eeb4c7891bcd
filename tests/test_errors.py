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


X = torch.ones(1, 2)
RELU = torchrelay.from_torch(torch.nn.ReLU().eval(), X)
OTHER_KINDS = {
    "parse": lambda: torchrelay.parse(b"x"),
    "load_json": lambda: torchrelay.load_json(None),
    "load_params": lambda: torchrelay.load_params(3),
    "save_params": lambda: torchrelay.save_params(3),
    "load": lambda: torchrelay.load(None),
    "astext": lambda: torchrelay.astext(3),
    "lower takes a module": lambda: torchrelay.lower(3, {}, "conv2d-only"),
    "lower takes the parameters": lambda: torchrelay.lower(RELU[0], None, "conv2d-only"),
    "verify takes a module": lambda: torchrelay.verify(torch.nn.ReLU().eval(), X, 3),
    "verify takes numbers": lambda: torchrelay.verify(torch.nn.ReLU().eval(), X, rtol="small"),
}


@pytest.mark.parametrize("what", OTHER_KINDS)
def test_a_value_of_another_kind_is_refused_at_the_door(what: str) -> None:
    with pytest.raises(errors.WrongUsage, match=f"^error.wrong-usage.: {what}.*, not a "):
        OTHER_KINDS[what]()


def test_parameters_of_torch_are_saved_as_arrays() -> None:
    kept = torchrelay.load_params(torchrelay.save_params({"w": torch.arange(3.0)}))
    assert kept["w"].tolist() == [0, 1, 2]
