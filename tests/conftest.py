"""What every test can use: golden files, the shared facts where they are, torch on one thread."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("TORCHRELAY_SHARED", ROOT.parent / "shared"))
GOLDEN = Path(__file__).parent / "golden"

settings.register_profile("steady", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files")


@pytest.fixture
def shared() -> Path:
    """The folder of facts beside the project; the test is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the folder shared is not beside the project")
    return SHARED


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with the golden file of that name, or rewrites it with --update-golden."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        assert path.exists(), f"no golden file {name}; run pytest --update-golden and review it"
        assert text == path.read_text("utf-8")

    return check
