"""Profiles are read with a schema; what does not fit is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from torchrelay import op
from torchrelay.errors import ProfileError, WrongUsage
from torchrelay.ir import Function, IRModule, TensorType, Var
from torchrelay.lower import load_profile, lower, parse_profile, profile_names

HEAD = 'name = "chip"\n'

WRONG = [
    ("", 0, "a profile needs a name"),
    ("name = 3\n", 1, "name is 3, but must be a text"),
    (HEAD, 0, "a profile needs operators"),
    (HEAD + "[operators]\nfoo = {}\n", 3, "there is no operator 'foo'"),
    (HEAD + "[operators]\nexp = 3\n", 3, "exp is 3, but must be a table of limits"),
    (HEAD + '[operators.exp]\ndtypes = ["float33x"]\n', 3, "'float33x' is not the name of a dtype"),
    (HEAD + '[operators.exp]\nranks = ["4"]\n', 3, "ranks holds '4'"),
    (HEAD + "[operators.exp]\nrank = [4]\n", 3, "there is no key 'rank' here"),
    (HEAD + '[operators."nn.softmax"]\nattributes.axes = {}\n', 3, "nn.softmax has no attribute axes"),
    (HEAD + '[operators."nn.softmax".attributes]\naxis = { max = "3" }\n', 3, "max is '3', but must be a number"),
    (HEAD + "speed = 3\n[operators]\nexp = {}\n", 2, "there is no key 'speed' here"),
    (HEAD + "[operators\n", 2, "not TOML"),
]


@pytest.mark.parametrize(("text", "line", "message"), WRONG, ids=[message for _, _, message in WRONG])
def test_a_wrong_profile_is_refused_at_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(ProfileError) as caught:
        parse_profile(text, "chip.toml")
    assert message in str(caught.value)
    assert caught.value.place is not None
    assert caught.value.place.line == line


def test_shipped_profiles_load_and_files_too(tmp_path: Path) -> None:
    assert "conv2d-only" in profile_names()
    for name in profile_names():
        assert load_profile(name).operators
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + '[operators.exp]\ndtypes = ["float32"]\nranks = [4]\n')
    assert load_profile(path).operators["exp"].ranks == (4,)
    with pytest.raises(ProfileError, match="there is no profile"):
        load_profile("nonsense")


@pytest.mark.parametrize("profile", [None, {"name": "chip"}, 3])
def test_what_can_be_no_profile_is_refused(profile: object) -> None:
    x = Var("x", TensorType.of((2,)), place=None)
    mod = IRModule({"main": Function((x,), op.exp(x), place=None)})
    with pytest.raises(ProfileError, match=f"a profile cannot be a {type(profile).__name__}") as caught:
        lower(mod, {}, profile)
    assert "conv2d-only" in str(caught.value)
    with pytest.raises(WrongUsage, match="lower takes a module first, not a NoneType"):
        lower(None, {}, "conv2d-only")
