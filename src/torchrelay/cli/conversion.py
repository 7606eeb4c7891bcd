"""A model argument converted, with inputs to try it on."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click
import numpy as np

from torchrelay.cli.inputs import InputSpec, example_arrays, load_arrays, nested, parse_input
from torchrelay.cli.models import RelayModel, TorchModel
from torchrelay.errors import WrongUsage

if TYPE_CHECKING:
    from collections.abc import Iterator

    import torch

    from torchrelay.frontend import Imported, Model
    from torchrelay.ir import IRModule
    from torchrelay.verify import Verification

__all__ = ["Converted", "converted", "examples_for", "progress", "tell", "verification_data"]


@dataclass(frozen=True, slots=True)
class Converted:
    """A converted model: what it was, the inputs it was tried on, the Relay, how long capture and conversion took."""

    made: Imported
    model: object
    example_inputs: object
    relay: RelayModel
    seconds: float

    def verified(
        self,
        mod: IRModule | None = None,
        params: Mapping[str, np.ndarray] | None = None,
        *,
        rtol: float | None,
        atol: float | None,
    ) -> Verification:
        """The conversion, or what became of it, against PyTorch, with progress."""
        from torchrelay.verify import verify_imported

        with progress("comparing values with PyTorch") as tick:
            return verify_imported(
                self.made, self.model, self.example_inputs, mod, params, rtol=rtol, atol=atol, progress=tick
            )


def converted(
    model: TorchModel,
    inputs: Sequence[str],
    via: str,
    data: Path | None = None,
    seed: int = 0,
    order: Sequence[str] | None = None,
    *,
    unroll_loops: bool = False,
) -> Converted:
    """The model converted on the inputs that the command line describes; what is to be said of how goes to standard error.

    ``order`` is what ``auto`` tries, where that is not the usual. Raises WrongUsage where neither the command line nor the
    model says what the inputs are, and for one that the model does not take.
    """
    import torch

    from torchrelay.frontend import AUTO, imported

    source, examples = examples_for(model, inputs, data, seed)
    start = time.perf_counter()
    with torch.no_grad(), progress("capturing and converting"):
        tried = AUTO if order is None else order
        made = imported(source, examples, via=via, order=tried, unroll_loops=unroll_loops)
    seconds = time.perf_counter() - start
    tell([*model.notes, *made.notes])
    return Converted(made, source, examples, RelayModel(made.mod, made.params), seconds)


def tell(notes: Sequence[str]) -> None:
    """Says the notes on standard error."""
    for note in notes:
        click.echo(f"note: {note}", err=True)


def examples_for(model: TorchModel, inputs: Sequence[str], data: Path | None, seed: int) -> tuple[Model, object]:
    """The model, loaded where it is a file, and values for its inputs. Raises WrongUsage where they are not known."""
    from torchrelay.frontend import load_saved

    source = load_saved(model.model) if isinstance(model.model, Path) else model.model
    return source, _examples(source, model, [parse_input(text) for text in inputs], data, seed)


def _examples(source: Model, model: TorchModel, specs: Sequence[InputSpec], data: Path | None, seed: int) -> object:
    import torch

    if data is not None:
        arrays = load_arrays(data)
        missing = [spec.name for spec in specs if spec.name not in arrays]
        if missing:
            raise WrongUsage(f"{data} has no array {missing[0]!r}; it has {', '.join(arrays) or 'none'}")
        names = [spec.name for spec in specs] or list(arrays)
        return _by_argument(source, {name: tensor_of(np.array(arrays[name])) for name in names})
    if specs:
        values = example_arrays(specs, seed)
        named = {spec.name: tensor_of(array) for spec, array in zip(specs, values, strict=True)}
        return _by_argument(source, named)
    if model.example_inputs is not None:
        return model.example_inputs
    if isinstance(source, torch.export.ExportedProgram) and source.example_inputs is not None:
        positional, keywords = source.example_inputs
        return (*positional, *keywords.values())
    raise WrongUsage(
        f"the model's inputs are not known; it takes: {_wanted(source)}",
        hint="--input NAME:SHAPE[:DTYPE] for each, such as --input x:1x3x224x224:float32",
    )


def _by_argument(source: Model, named: Mapping[str, object]) -> object:
    """The values by the names of the model's arguments, nested where a name says so; in order where these are not known.

    Raises WrongUsage, naming what the model takes, for a name that it does not.
    """
    from torchrelay.frontend import input_names

    known = input_names(source)
    if known is None:
        return tuple(named.values())
    for name in named:
        if name not in known and name.partition(".")[0] not in known:
            raise WrongUsage(f"the model has no input {name!r}", notes=[f"it takes {', '.join(known) or 'nothing'}"])
    return nested(named, known)


def tensor_of(array: np.ndarray) -> torch.Tensor:
    """The array as a tensor of the same dtype. Raises WrongUsage where PyTorch has none such."""
    import torch

    wanted = getattr(torch, array.dtype.name, None)
    if not isinstance(wanted, torch.dtype):
        raise WrongUsage(f"PyTorch has no dtype {array.dtype.name}")
    if array.dtype.isbuiltin == 1:
        return torch.from_numpy(array)
    # NumPy has none such itself: the bits go over as integers.
    return torch.from_numpy(array.view(f"int{8 * array.dtype.itemsize}")).view(wanted)


def _wanted(source: Model) -> str:
    from torchrelay.frontend import input_names

    return ", ".join(input_names(source) or ["nothing known"])


PATIENCE = 5.0
"""How many seconds a step may take in a pipe before a line says how far it is, and between such lines."""


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error while that is a terminal; else a line now and then, for what takes long."""
    stream = sys.stderr  # torch is kept quiet by taking standard error from it
    if not stream.isatty():
        with _lines(what, stream) as tick:
            yield tick
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(file=stream), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def _lines(what: str, stream: TextIO) -> Iterator[Callable[[int, int], None]]:
    """Says every ``PATIENCE`` seconds how far a step is: ``comparing values: 120 of 480, 10 s``."""
    at, start, over = [""], time.monotonic(), threading.Event()

    def tick(done: int, total: int) -> None:
        at[0] = f": {done} of {total}"

    def say() -> None:
        while not over.wait(PATIENCE):
            click.echo(f"{what}{at[0]}, {time.monotonic() - start:.0f} s", file=stream)

    teller = threading.Thread(target=say, daemon=True)
    teller.start()
    try:
        yield tick
    finally:
        over.set()
        teller.join()


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
