"""A model argument converted, with inputs to try it on."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from torchrelay.cli.inputs import InputSpec, example_arrays, load_arrays, parse_input
from torchrelay.cli.models import RelayModel, TorchModel
from torchrelay.errors import WrongUsage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchrelay.frontend import Imported, Model
    from torchrelay.verify import Verification

__all__ = ["Converted", "converted", "examples_for", "progress", "verification_data"]


@dataclass(frozen=True, slots=True)
class Converted:
    """A converted model: what it was, the inputs it was tried on, the Relay, how long capture and conversion took."""

    made: Imported
    model: object
    example_inputs: tuple[object, ...]
    relay: RelayModel
    seconds: float

    def verified(self, *, rtol: float | None, atol: float | None) -> Verification:
        """The conversion against PyTorch, with progress on a terminal."""
        from torchrelay.verify import verify_imported

        with progress("verifying") as tick:
            return verify_imported(self.made, self.model, self.example_inputs, rtol=rtol, atol=atol, progress=tick)


def converted(model: TorchModel, inputs: Sequence[str], via: str, data: Path | None = None, seed: int = 0) -> Converted:
    """The model converted on the inputs that the command line describes.

    Raises WrongUsage where neither the command line nor the model says what the inputs are.
    """
    import torch

    from torchrelay.frontend import imported

    source, examples = examples_for(model, inputs, data, seed)
    specs = [parse_input(text) for text in inputs]
    infos = [(spec.name, (spec.shape, str(spec.dtype))) for spec in specs] or None
    start = time.perf_counter()
    with torch.no_grad():
        made = imported(source, examples, input_infos=infos, via=via)
    seconds = time.perf_counter() - start
    return Converted(made, source, examples, RelayModel(made.mod, made.params), seconds)


def examples_for(
    model: TorchModel, inputs: Sequence[str], data: Path | None, seed: int
) -> tuple[Model, tuple[object, ...]]:
    """The model, loaded where it is a file, and values for its inputs. Raises WrongUsage where they are not known."""
    from torchrelay.frontend import load_saved

    source = load_saved(model.model) if isinstance(model.model, Path) else model.model
    return source, _examples(source, model, [parse_input(text) for text in inputs], data, seed)


def _examples(
    source: object, model: TorchModel, specs: Sequence[InputSpec], data: Path | None, seed: int
) -> tuple[object, ...]:
    import torch

    if data is not None:
        arrays = load_arrays(data)
        missing = [spec.name for spec in specs if spec.name not in arrays]
        if missing:
            raise WrongUsage(f"{data} has no array {missing[0]!r}; it has {', '.join(arrays) or 'none'}")
        names = [spec.name for spec in specs] or list(arrays)
        return tuple([torch.from_numpy(np.array(arrays[name])) for name in names])
    if specs:
        return tuple([torch.from_numpy(array) for array in example_arrays(specs, seed)])
    if model.example_inputs is not None:
        return model.example_inputs
    if isinstance(source, torch.export.ExportedProgram) and source.example_inputs is not None:
        positional, keywords = source.example_inputs
        return (*positional, *keywords.values())
    wanted = _wanted(source)
    raise WrongUsage(
        f"the model's inputs are not known; it takes: {wanted}",
        hint="--input NAME:SHAPE[:DTYPE] for each, such as --input x:1x3x224x224:float32",
    )


def _wanted(source: object) -> str:
    import inspect

    forward = getattr(source, "forward", None)
    schema = getattr(forward, "schema", None)
    if schema is not None:
        return ", ".join(argument.name for argument in schema.arguments if argument.name != "self")
    return ", ".join(inspect.signature(forward).parameters) if callable(forward) else "nothing known"


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on standard error while that is a terminal; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def verification_data(found: Verification) -> dict[str, object]:
    """A verification as plain data."""
    first = found.first_divergence
    return {
        "ok": found.ok,
        "max_abs_err": found.max_abs_err,
        "max_rel_err": found.max_rel_err,
        "tolerances": {dtype: {"rtol": r, "atol": a} for dtype, (r, a) in found.tolerances.items()},
        "route": found.route,
        "notes": list(found.notes),
        "values_compared": len(found.values),
        "results_compared": len(found.outputs),
        "skipped": found.skipped,
        "first_divergence": None
        if first is None
        else {
            "value": first.name,
            "operator": first.operator,
            "relay": first.relay,
            "file": first.place.file,
            "line": first.place.line,
            "module": first.place.scope,
            "max_abs_err": first.difference.max_abs_err,
            "max_rel_err": first.difference.max_rel_err,
            "reason": first.difference.reason,
        },
    }
