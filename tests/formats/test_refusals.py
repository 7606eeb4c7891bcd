"""Texts changed at random: each is read, or refused by a typed error that says where."""

from __future__ import annotations

import random

import pytest

from tests.formats.programs import PROGRAMS
from torchrelay.errors import SyntaxErrorInText, TorchRelayError
from torchrelay.formats import astext, parse
from torchrelay.ir import assert_structural_equal

PIECES = [
    *(
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ",",
        ";",
        ":",
        "=",
        "->",
        "=>",
        ".",
        "?",
        "_",
        "*",
        "<",
        '"',
        '"a"',
        "/*",
        "*/",
        "//",
    ),
    *(
        "let ",
        "fn ",
        "def ",
        "if ",
        "else ",
        "match ",
        "type ",
        "ref(",
        "free_var %q;",
        "%x",
        "%0",
        "@f",
        '%"a b"',
        "List",
    ),
    *(
        "1",
        "-1",
        "1.5f",
        "1i64",
        "9" * 400,
        "1e999f",
        "inff",
        "nanf",
        "meta[relay.Constant][0]",
        "#[metadata]",
        "\x00",
        "\r",
    ),
]


def changed(text: str, chance: random.Random) -> str:
    """The text with some stretches left out, repeated or replaced."""
    for _ in range(chance.choice([1, 1, 2, 4])):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 1, 3, 20]))
        text = text[:start] + chance.choice(["", text[start:end] * 2, *chance.sample(PIECES, 2)]) + text[end:]
    return text


@pytest.mark.parametrize("name", PROGRAMS)
def test_texts_changed_at_random(name: str) -> None:
    text = PROGRAMS[name]().astext()
    chance = random.Random(name)
    for _ in range(150):
        wrong = changed(text, chance)
        try:
            module = parse(wrong)
        except SyntaxErrorInText as error:
            place = error.place
            assert place is not None
            assert 1 <= place.line <= wrong.count("\n") + 1
            assert error.diagnostics[0].source.endswith("^")
        except TorchRelayError as error:
            assert error.place is not None or "metadata" in error.message
        else:
            assert_structural_equal(parse(astext(module)), module)


def test_what_is_nested_too_deep_is_refused() -> None:
    for begin, end in (("(", ")"), ("Tensor[(", ")"), ("fn () -> ", ""), ("List[", "]")):
        with pytest.raises(SyntaxErrorInText):
            parse(f'#[version = "0.0.5"]\ndef @main(%x: {begin * 5_000}int32{end * 5_000}) {{ %x }}')
    with pytest.raises(SyntaxErrorInText, match="nested deeper"):
        parse(f'#[version = "0.0.5"]\ndef @main(a={"[" * 5_000}) {{ 1 }}')
