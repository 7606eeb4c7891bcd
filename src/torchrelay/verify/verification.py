"""A converted model against PyTorch, value by value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from torchrelay.errors import TorchRelayError, expect
from torchrelay.frontend import CustomConverter, Imported, Model, imported, load_saved
from torchrelay.ir import IRModule, post_order
from torchrelay.runtime import arguments, check_engine, evaluate, flattened
from torchrelay.verify.comparison import Tolerance
from torchrelay.verify.observing import Comparing, Comparison, compared_results
from torchrelay.verify.reference import Inside, graph_inputs, model_results, values_inside

__all__ = ["Verification", "verify", "verify_imported"]

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Verification:
    """What verifying found: every value compared, in the order of the program, and the results at the end.

    ``max_abs_err`` and ``max_rel_err`` are the largest over all values; the relative error of a value is its largest
    difference divided by the largest magnitude of PyTorch's. ``tolerances`` are ``rtol`` and ``atol`` by dtype compared.
    """

    ok: bool
    max_abs_err: float
    max_rel_err: float
    first_divergence: Comparison | None
    values: tuple[Comparison, ...]
    outputs: tuple[Comparison, ...]
    tolerances: Mapping[str, tuple[float, float]]
    route: str = ""
    skipped: str = ""
    """Why values inside were not compared, where they were not."""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        head = "verified" if self.ok else "NOT equal to PyTorch"
        counts = f"{len(self.outputs)} results and {len(self.values)} values inside compared via {self.route}"
        bounds = "; ".join(f"{dtype} {_bound(*found)}" for dtype, found in self.tolerances.items())
        lines = [
            f"{head}: {counts}",
            f"max abs err {self.max_abs_err:.3g}, max rel err {self.max_rel_err:.3g}; allowed: {bounds or 'nothing'}",
        ]
        if self.skipped:
            lines.append(f"values inside were not compared: {self.skipped}")
        if self.first_divergence is not None:
            lines.append(f"first divergence: {self.first_divergence}")
        lines.extend(f"note: {note}" for note in self.notes)
        return "\n".join(lines)


def _bound(rtol: float, atol: float) -> str:
    return f"{atol:g} + {rtol:.3g} * max(|PyTorch|)" if rtol or atol else "exactly"


def verify(
    model: Model,
    example_inputs: object,
    mod: IRModule | None = None,
    params: Mapping[str, np.ndarray] | None = None,
    engine: str = "reference",
    rtol: float | None = None,
    atol: float | None = None,
    *,
    via: str = "auto",
    custom_convert_map: Mapping[str, CustomConverter] | None = None,
) -> Verification:
    """PyTorch and Relay on the same inputs, every value that both have compared in order.

    ``example_inputs`` are what the model's forward takes: a tuple, a mapping by name, or one argument alone, nested as it is.
    A difference is allowed up to ``atol + rtol * max(|PyTorch|)``; without them by the dtype compared, see ``Tolerance``.

    Without ``mod`` the model is converted first. A ``mod`` of one's own (lowered, read from a file) is compared at its results,
    and inside by the torch value that each expression says it belongs to; ``via="auto"`` then takes the way of capturing in
    which these have the same names. Raises what converting and running raise.
    """
    check_engine(engine)
    expect(mod, IRModule | None, "verify takes a module as mod")
    for bound in (rtol, atol):
        expect(bound, int | float | None, "verify takes numbers as rtol and atol")
    source = load_saved(Path(model)) if isinstance(model, str | Path) else model

    def made_via(route: str) -> Imported:
        return imported(source, example_inputs, via=route, custom_convert_map=custom_convert_map)

    made = made_via(via)
    if mod is not None and via == "auto":
        made = _as_captured(made, source, mod, made_via)
    return verify_imported(made, source, example_inputs, mod, params, rtol=rtol, atol=atol)


def _as_captured(made: Imported, model: object, mod: IRModule, made_via: Callable[[str], Imported]) -> Imported:
    """The model imported in the way in which its values have the names that the places of the module have."""
    names = _names_in(mod)
    candidates = [made]
    open_ways = isinstance(model, torch.nn.Module) and not isinstance(model, torch.jit.ScriptModule)
    if open_ways and _shared(made, names) * 2 < len(names):
        for route in ("export", "trace", "script"):
            if route != made.capture.route:
                try:
                    candidates.append(made_via(route))
                except TorchRelayError:
                    continue  # the module was not made by a way that this model cannot go
    return max(candidates, key=lambda candidate: _shared(candidate, names))


def _names_in(mod: IRModule) -> set[str]:
    """The torch values that expressions of the module say they belong to."""
    places = [expr.place for expr in post_order(*mod.functions.values())]
    return {place.node for place in places if place is not None and place.node}


def _shared(made: Imported, names: set[str]) -> int:
    return len(names & {output.name for record in made.conversion.records for output in record.node.outputs})


def verify_imported(
    made: Imported,
    model: object,
    inputs: object,
    mod: IRModule | None = None,
    params: Mapping[str, np.ndarray] | None = None,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    progress: Progress | None = None,
) -> Verification:
    """``verify`` for a model that is imported already; ``progress`` is told how many of how many values are compared."""
    tolerance = Tolerance(rtol, atol)
    module = made.mod if mod is None else mod
    given = made.params if params is None else params
    updates = _updates(module)
    reference = model_results(model, inputs, updates)
    leaves = graph_inputs(made, model, inputs)
    inside = values_inside(made, leaves)
    comparing = Comparing(made, inside, tolerance, by_place=mod is not None, progress=progress)
    results = flattened(evaluate(module, arguments(module["main"], given, leaves), comparing.observe))
    outputs = compared_results(made, results, reference.arrays, updates, inside, tolerance)
    values = comparing.finished()
    found = _summed_up(values, outputs, tolerance, own=mod is not None)
    return replace(
        found,
        route=made.capture.route,
        skipped=inside.skipped or _unnamed(made, mod, inside),
        notes=(*_notes(made, model, given, found), *_changed(reference.changed)),
    )


def _updates(mod: IRModule) -> list[str]:
    """The buffers whose new values are the last results of the module, by state-dict key."""
    text = mod["main"].attrs.get("updates")
    return text.split(", ") if isinstance(text, str) else []


def _summed_up(
    values: Sequence[Comparison], outputs: Sequence[Comparison], tolerance: Tolerance, *, own: bool
) -> Verification:
    bad_outputs = [c for c in outputs if not c.difference.ok]
    bad_values = [c for c in values if not c.difference.ok]
    # A module of one's own may rightly hold other values inside (scales folded): only its results are judged.
    ok = not bad_outputs and (own or not bad_values)
    judged = [c.difference for c in (outputs if own else [*values, *outputs])]
    return Verification(
        ok,
        max((d.max_abs_err for d in judged), default=0.0),
        max((d.max_rel_err for d in judged), default=0.0),
        None if ok else next(iter([*bad_values, *bad_outputs])),
        tuple(values),
        tuple(outputs),
        {dtype: tolerance.of(np.dtype(dtype)) for dtype in sorted({c.dtype for c in [*values, *outputs]})},
    )


def _unnamed(made: Imported, own: IRModule | None, inside: Inside) -> str:
    """Why no value of a module of one's own has the name of one of PyTorch's; empty where some have."""
    if own is None or not inside.values:
        return ""
    names = _names_in(own)
    if not names:
        return "the module does not say which value of PyTorch's an expression is, as one read from a file does not"
    if not _shared(made, names):
        return f"the module was captured in another way than {made.capture.route}: give via="
    return ""


def _notes(made: Imported, model: object, params: Mapping[str, np.ndarray], found: Verification) -> list[str]:
    compared = [*found.values, *found.outputs]
    notes = made.notes
    notes += [f"%{c.name}: {c.difference.reason}" for c in compared if c.difference.ok and c.difference.reason]
    if _pads(model):
        notes.append(
            "PyTorch ran without its fast path of attention, which gives other values where an input is padded"
        )
    other = [] if found.ok else [k for k, own in made.params.items() if k in params and not _equal(own, params[k])]
    if other:
        notes.append(f"the parameters given are not those that the model holds now: {', '.join(other)}")
    return notes


def _changed(attributes: Sequence[str]) -> list[str]:
    """What a model leaves behind that is no result: only buffers are."""
    names = ", ".join(attributes[:5])
    held = "the module holds what they were, and only buffers come out as results"
    return [f"the model changes attributes of its own while it runs ({names}): {held}"] if attributes else []


def _pads(model: object) -> bool:
    """Whether torch has a fast path for the model that leaves out what is padded."""
    return isinstance(model, torch.nn.Module) and any(
        isinstance(module, torch.nn.TransformerEncoder | torch.nn.TransformerEncoderLayer) for module in model.modules()
    )


def _equal(left: np.ndarray, right: np.ndarray) -> bool:
    return left is right or (left.shape == right.shape and left.tobytes() == right.tobytes())
