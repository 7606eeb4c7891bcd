"""What a model argument names: a file of PyTorch's, a file of Relay's, or a factory in Python."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from torchrelay.errors import BadFile, Place, WrongUsage

if TYPE_CHECKING:
    import torch

    from torchrelay.ir import IRModule

__all__ = ["RelayModel", "TorchModel", "load_model", "relay_in", "relay_of", "torch_of"]

_FORMS = (
    "a .pt (TorchScript), a .pt2 (ExportedProgram), a folder written by save, a .relay, a .json, or module:callable"
)


@dataclass(frozen=True, slots=True)
class TorchModel:
    """A model of PyTorch's: a path to a saved one or a module, the example inputs that came with it, if any, and what is to be
    said of how it was made.
    """

    model: torch.nn.Module | Path
    example_inputs: object = None
    notes: tuple[str, ...] = ()


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

        return RelayModel(parse(_text_of(path), str(path)), {})
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


def _text_of(path: Path) -> str:
    try:
        return _existing(path).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise BadFile(f"{path} is not a text in UTF-8: {error.reason}") from None


def _existing(path: Path) -> Path:
    if not path.exists():
        raise BadFile(f"there is no file {path}")
    return path


def _made_by(text: str) -> TorchModel:
    module_name, _, attribute = text.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    module = _asked(f"{text}: importing {module_name}", lambda: importlib.import_module(module_name))
    factory = getattr(module, attribute, None)
    if not callable(factory):
        raise WrongUsage(f"{text}: {module_name} has no callable {attribute!r}")
    import torch

    torch.manual_seed(0)  # a model that makes up its weights makes the same each time
    # A module is callable too, and is the model itself.
    made = factory if isinstance(factory, torch.nn.Module) else _asked(text, factory)
    model, inputs = made if isinstance(made, tuple) and len(made) == 2 else (made, None)
    if not isinstance(model, torch.nn.Module):
        hint = "the callable takes no arguments and gives a model, or a model and example inputs"
        raise WrongUsage(f"{text} gives a {type(model).__name__}, not a torch.nn.Module", hint=hint)
    return TorchModel(*_in_eval_mode(text, model, inputs))


def _asked(what: str, call: Callable[[], object]) -> object:
    """What the user's own code gives. Raises WrongUsage, with the line in it, for whatever that raises."""
    try:
        return call()
    except ImportError as error:
        raise WrongUsage(f"{what}: it cannot be imported: {error}", place=_place_of(error)) from None
    except (Exception, SystemExit) as error:
        first = str(error).strip().partition("\n")[0]
        raise WrongUsage(f"{what} raised {type(error).__name__}: {first}", place=_place_of(error)) from error


def _place_of(error: BaseException) -> Place | None:
    """The innermost line of the user's own that led to the error."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename != __file__ and not frame.filename.startswith("<")]
    return Place(own[-1].filename, own[-1].lineno or 0) if own and own[-1].name != "import_module" else None


def _in_eval_mode(text: str, model: torch.nn.Module, inputs: object) -> tuple[torch.nn.Module, object, tuple[str, ...]]:
    from torchrelay.frontend import depends_on_training

    found = depends_on_training(model)
    if not found:
        return model, inputs, ()
    rest = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return (
        model.eval(),
        inputs,
        (f"{text} gives a model in training mode; eval() was called for {', '.join(found[:3])}{rest}",),
    )


def torch_of(text: str) -> TorchModel:
    """The model of PyTorch's that the argument names. Raises WrongUsage where it names Relay."""
    model = load_model(text)
    if isinstance(model, RelayModel):
        raise WrongUsage(f"{text} is Relay already; this command takes a model of PyTorch's")
    return model


def relay_in(path: Path) -> RelayModel:
    """The Relay in a folder or a file. Raises WrongUsage where there is a model of PyTorch's."""
    model = load_model(str(path))
    if isinstance(model, TorchModel):
        raise WrongUsage(f"{path} is a model of PyTorch's, not Relay", hint="give a folder that convert wrote")
    return model


def relay_of(text: str, inputs: Sequence[str], via: str) -> RelayModel:
    """The Relay that the argument names, or that its model converts to."""
    model = load_model(text)
    if isinstance(model, RelayModel):
        return model
    from torchrelay.cli.conversion import converted

    return converted(model, inputs, via).relay
