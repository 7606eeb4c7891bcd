"""torchrelay: from PyTorch to Relay, the typed functional graph IR of the TVM compiler stack, without TVM.

The public names are loaded when they are first used: importing torchrelay loads neither torch nor an engine.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchrelay.errors import TorchRelayError
    from torchrelay.explain import Record, explain
    from torchrelay.formats import Prelude, astext, load, load_json, load_params, parse, save, save_json, save_params
    from torchrelay.frontend import coverage, from_exported_program, from_pytorch, from_torch
    from torchrelay.ir import IRModule
    from torchrelay.lower import Profile, load_profile, lower
    from torchrelay.runtime import run
    from torchrelay.verify import Verification, verify

__version__ = "0.1.0"

__all__ = [
    "IRModule",
    "Prelude",
    "Profile",
    "Record",
    "TorchRelayError",
    "Verification",
    "astext",
    "coverage",
    "explain",
    "from_exported_program",
    "from_pytorch",
    "from_torch",
    "load",
    "load_json",
    "load_params",
    "load_profile",
    "lower",
    "parse",
    "run",
    "save",
    "save_json",
    "save_params",
    "verify",
]


_PARTS = ("formats", "ir", "nd", "parser", "relay", "runtime", "transform")
"""The parts that are loaded when their name is first used."""


def __getattr__(name: str) -> object:
    if name in _PARTS:
        return importlib.import_module(f"torchrelay.{name}")
    if name in ("cpu", "device"):
        from torchrelay import nd

        return vars(nd)[name]
    if name == "TVMError":
        from torchrelay.errors import TorchRelayError

        return TorchRelayError
    if name not in __all__:
        raise AttributeError(f"module 'torchrelay' has no attribute {name!r}")
    value = globals()[name] = _loaded(name)[name]
    return value


def _loaded(name: str) -> Mapping[str, object]:
    """The names that come with a public name: those of the part of torchrelay it is in, and of no other."""
    if name in ("explain", "Record"):
        from torchrelay.explain import Record, explain

        return {"Record": Record, "explain": explain}
    if name in ("verify", "Verification"):
        from torchrelay.verify import Verification, verify

        return {"Verification": Verification, "verify": verify}
    if name in ("lower", "Profile", "load_profile"):
        from torchrelay.lower import Profile, load_profile, lower

        return {"Profile": Profile, "load_profile": load_profile, "lower": lower}
    if name in ("coverage", "from_exported_program", "from_pytorch", "from_torch"):
        from torchrelay import frontend

        return vars(frontend)
    from torchrelay import errors, formats, ir, runtime

    return {**vars(errors), **vars(ir), **vars(formats), **vars(runtime)}


class _Package(ModuleType):
    """``torchrelay.verify`` is the function of that name, also when the package that it lives in is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and name in ("explain", "lower", "verify")):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__, *_PARTS, "TVMError", "cpu", "device"])
