"""What a model argument names: a file of PyTorch's, a file of Relay's, or a factory in Python."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from torchrelay.errors import BadFile, WrongUsage

if TYPE_CHECKING:
    import torch

    from torchrelay.ir import IRModule

__all__ = ["RelayModel", "TorchModel", "load_model", "relay_of", "torch_of"]

_FORMS = (
    "a .pt (TorchScript), a .pt2 (ExportedProgram), a folder written by save, a .relay, a .json, or module:callable"
)


@dataclass(frozen=True, slots=True)
class TorchModel:
    """A model of PyTorch's: a path to a saved one or a module, and the example inputs that came with it, if any."""

    model: torch.nn.Module | Path
    example_inputs: tuple[object, ...] | None = None


@dataclass(frozen=True, slots=True)
class RelayModel:
    """A module of Relay's with its parameters."""

    mod: IRModule
    params: dict[str, np.ndarray]


def load_model(text: str) -> TorchModel | RelayModel:
    """The model that the argument names.

    ``module:callable`` is imported and called without arguments; it gives a module, or a module and example inputs.
    Raises WrongUsage for what names nothing, BadFile for a file that is not what its name says.
    """
    path = Path(text)
    if path.is_dir():
        from torchrelay.formats import load

        return RelayModel(*load(path))
    if path.suffix in (".pt", ".pth", ".pt2", ".ts"):
        return TorchModel(_existing(path))
    if path.suffix == ".relay":
        from torchrelay.formats import parse

        return RelayModel(parse(_existing(path).read_text("utf-8"), str(path)), {})
    if path.suffix == ".json":
        return RelayModel(_module_in(_existing(path)), {})
    if ":" in text and not path.exists():
        return _made_by(text)
    raise WrongUsage(f"{text!r} names no model", hint=f"give {_FORMS}")


def _module_in(path: Path) -> IRModule:
    from torchrelay.formats import load_json
    from torchrelay.ir import Expr, IRModule

    loaded = load_json(path)
    if isinstance(loaded, IRModule):
        return loaded
    if isinstance(loaded, Expr):
        return IRModule.from_expr(loaded)
    raise BadFile(f"{path} holds a {type(loaded).__name__}, not a module")


def _existing(path: Path) -> Path:
    if not path.exists():
        raise BadFile(f"there is no file {path}")
    return path


def _made_by(text: str) -> TorchModel:
    module_name, _, attribute = text.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise WrongUsage(f"{text}: {module_name} cannot be imported: {error}") from None
    factory = getattr(module, attribute, None)
    if not callable(factory):
        raise WrongUsage(f"{text}: {module_name} has no callable {attribute!r}")
    made = factory()
    model, inputs = made if isinstance(made, tuple) and len(made) == 2 else (made, None)
    import torch

    if not isinstance(model, torch.nn.Module):
        raise WrongUsage(f"{text} gives a {type(model).__name__}, not a torch.nn.Module")
    return TorchModel(model.eval(), inputs if inputs is None or isinstance(inputs, tuple) else (inputs,))


def torch_of(text: str) -> TorchModel:
    """The model of PyTorch's that the argument names. Raises WrongUsage where it names Relay."""
    model = load_model(text)
    if isinstance(model, RelayModel):
        raise WrongUsage(f"{text} is Relay already; this command takes a model of PyTorch's")
    return model


def relay_of(text: str, inputs: Sequence[str], via: str) -> RelayModel:
    """The Relay that the argument names, or that its model converts to."""
    model = load_model(text)
    if isinstance(model, RelayModel):
        return model
    from torchrelay.cli.conversion import converted

    return converted(model, inputs, via).relay
