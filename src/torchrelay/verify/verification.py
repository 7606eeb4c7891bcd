"""A converted model against PyTorch, value by value."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import numpy as np
import torch
from torch.utils._pytree import tree_leaves

from torchrelay.errors import Place, UnsupportedProgram, WrongInput
from torchrelay.frontend import CustomConverter, Imported, Model, TorchNode, imported, load_saved, unchanged
from torchrelay.ir import Call, Expr, IRModule, Operator
from torchrelay.runtime import arguments, as_array, evaluate, flattened
from torchrelay.verify.comparison import Difference, compare
from torchrelay.verify.torch_values import torch_values

__all__ = ["Comparison", "Verification", "verify", "verify_imported"]

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One value that PyTorch and Relay both have: the torch operator that makes it, the Relay call, where, how far apart."""

    name: str
    operator: str
    relay: str
    place: Place
    shape: tuple[int, ...]
    dtype: str
    difference: Difference

    def __str__(self) -> str:
        apart = self.difference
        measured = apart.reason or f"max abs err {apart.max_abs_err:.3g}, max rel err {apart.max_rel_err:.3g}"
        where = f" at {list(apart.where)}" if apart.where and not apart.ok else ""
        lines = [
            f"%{self.name} {self.dtype}{list(self.shape)}: {self.operator} -> {self.relay}",
            f"  {measured}{where}",
        ]
        if str(self.place):
            lines.append(f"  --> {self.place}")
        if self.place.source_line:
            lines.append(f"   |  {self.place.source_line}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Verification:
    """What verifying found: every value compared, in the order of the program, and the results at the end.

    ``max_abs_err`` and ``max_rel_err`` are the largest over all values; the relative error of a value is its largest
    difference divided by the largest magnitude of PyTorch's.
    """

    ok: bool
    max_abs_err: float
    max_rel_err: float
    first_divergence: Comparison | None
    values: tuple[Comparison, ...]
    outputs: tuple[Comparison, ...]
    rtol: float
    atol: float
    skipped: str = ""
    """Why values inside were not compared, where they were not."""

    def __str__(self) -> str:
        bounds = f"within {self.atol:g} + {self.rtol:g} * max(|PyTorch|)"
        head = "verified" if self.ok else "NOT equal to PyTorch"
        counts = f"{len(self.outputs)} results and {len(self.values)} values inside compared, {bounds}"
        lines = [f"{head}: {counts}", f"max abs err {self.max_abs_err:.3g}, max rel err {self.max_rel_err:.3g}"]
        if self.skipped:
            lines.append(f"values inside were not compared: {self.skipped}")
        if self.first_divergence is not None:
            lines.append(f"first divergence: {self.first_divergence}")
        return "\n".join(lines)


def verify(
    model: Model,
    example_inputs: Sequence[object],
    mod: IRModule | None = None,
    params: Mapping[str, np.ndarray] | None = None,
    engine: str = "reference",
    rtol: float = 1e-4,
    atol: float = 1e-6,
    *,
    via: str = "auto",
    custom_convert_map: Mapping[str, CustomConverter] | None = None,
) -> Verification:
    """PyTorch and Relay on the same inputs, every value that both have compared in order.

    Without ``mod`` the model is converted first. A ``mod`` of one's own (lowered, read from a file) is compared at its results,
    and inside by the torch value that each expression says it belongs to. Raises what converting and running raise.
    """
    inputs = tuple(example_inputs) if isinstance(example_inputs, list | tuple) else (example_inputs,)
    source = load_saved(Path(model)) if isinstance(model, str | Path) else model
    made = imported(source, inputs, via=via, custom_convert_map=custom_convert_map)
    return verify_imported(made, source, inputs, mod, params, engine=engine, rtol=rtol, atol=atol)


def verify_imported(
    made: Imported,
    model: object,
    inputs: tuple[object, ...],
    mod: IRModule | None = None,
    params: Mapping[str, np.ndarray] | None = None,
    *,
    engine: str = "reference",
    rtol: float = 1e-4,
    atol: float = 1e-6,
    progress: Progress | None = None,
) -> Verification:
    """``verify`` for a model that is imported already; ``progress`` is told how many of how many values are compared."""
    updates = _updates(made.mod if mod is None else mod)
    reference = _reference_results(model, inputs, updates)
    own = mod is not None
    module = made.mod if mod is None else mod
    given = made.params if params is None else params
    wanted, skipped = _reference_values(made, inputs)
    comparing = _Comparing(made, wanted, by_place=own, rtol=rtol, atol=atol, progress=progress)
    results = flattened(evaluate(module, arguments(module["main"], given, inputs), comparing.observe))
    outputs = _compared_results(results, reference, updates, rtol, atol)
    return _summed_up(comparing.finished(), outputs, own=own, rtol=rtol, atol=atol, skipped=skipped)


def _summed_up(
    values: Sequence[Comparison],
    outputs: Sequence[Comparison],
    *,
    own: bool,
    rtol: float,
    atol: float,
    skipped: str,
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
        rtol,
        atol,
        skipped,
    )


def _updates(mod: IRModule) -> list[str]:
    """The buffers whose new values are the last results of the module, by state-dict key."""
    text = mod["main"].attrs.get("updates")
    return text.split(", ") if isinstance(text, str) else []


def _reference_results(model: object, inputs: tuple[object, ...], updates: Sequence[str]) -> list[np.ndarray]:
    """What the model itself gives, flattened, without None, and what it leaves in the buffers named; the inputs are copied in
    case it writes to them, and the model is left as it was.
    """
    run = model.module() if isinstance(model, torch.export.ExportedProgram) else model
    assert callable(run), "a model is callable"
    with torch.no_grad(), unchanged(run):
        result = run(*copy.deepcopy(inputs))
        left = [attrgetter(key)(run) for key in updates]
        leaves = [leaf for leaf in tree_leaves(result) if leaf is not None]
        return [_array(leaf).copy() for leaf in [*leaves, *left]]


def _array(leaf: object) -> np.ndarray:
    if isinstance(leaf, bool | int | float):
        return np.asarray(leaf, np.float32 if isinstance(leaf, float) else None)
    return as_array(leaf)


def _reference_values(made: Imported, inputs: tuple[object, ...]) -> tuple[dict[str, np.ndarray], str]:
    """PyTorch's values inside by name; and why there are none, where the graph cannot be run node by node."""
    found: dict[str, np.ndarray] = {}
    leaves = copy.deepcopy(_graph_inputs(made, inputs))
    try:
        for node, results in torch_values(made.capture.graph, leaves):
            for output, result in zip(node.outputs, results, strict=True):
                if isinstance(result, torch.Tensor):
                    found[output.name] = as_array(result)
    except UnsupportedProgram as error:
        return {}, error.message
    return found, ""


def _graph_inputs(made: Imported, inputs: tuple[object, ...]) -> list[object]:
    values = made.capture.graph.inputs
    if len(inputs) == len(values):
        return list(inputs)
    leaves = [leaf for leaf in tree_leaves(inputs) if leaf is not None]
    if len(leaves) != len(values):
        raise WrongInput(f"{len(inputs)} example inputs are given, the model takes {len(values)}")
    return leaves


class _Comparing:
    """Compares values as the interpreter gives them, and forgets PyTorch's once compared."""

    def __init__(
        self,
        made: Imported,
        reference: dict[str, np.ndarray],
        *,
        by_place: bool,
        rtol: float,
        atol: float,
        progress: Progress | None,
    ) -> None:
        self._reference, self._rtol, self._atol = reference, rtol, atol
        self._progress, self._total = progress, len(reference)
        self._order: dict[str, tuple[int, TorchNode]] = {}
        self._names: dict[Expr, list[str]] = {}
        self._found: dict[str, Comparison] = {}
        self._by_place = by_place
        for index, record in enumerate(made.conversion.records):
            for output, result in zip(record.node.outputs, record.results, strict=True):
                self._order[output.name] = (index, record.node)
                if isinstance(result, Expr):
                    self._names.setdefault(result, []).append(output.name)

    def observe(self, expr: Expr, value: object) -> None:
        """Compares the value of an expression with that of the torch value it stands for."""
        if not isinstance(value, np.ndarray):
            return
        for name in self._names_of(expr):
            reference = self._reference.get(name)
            if reference is None or (self._by_place and reference.shape != value.shape):
                continue
            _, node = self._order[name]
            apart = compare(value, reference, rtol=self._rtol, atol=self._atol)
            self._found[name] = Comparison(
                name, node.target, _relay_name(expr), node.where, reference.shape, str(reference.dtype), apart
            )
            if not self._by_place:
                del self._reference[name]
            if self._progress is not None:
                self._progress(len(self._found), self._total)

    def _names_of(self, expr: Expr) -> Sequence[str]:
        if not self._by_place:
            return self._names.get(expr, ())
        name = expr.place.node if expr.place is not None else ""
        return (name,) if name in self._order else ()

    def finished(self) -> list[Comparison]:
        """The comparisons in the order of the program."""
        return sorted(self._found.values(), key=lambda comparison: self._order[comparison.name][0])


def _relay_name(expr: Expr) -> str:
    if isinstance(expr, Call) and isinstance(expr.op, Operator):
        return expr.op.name
    return type(expr).__name__


def _compared_results(
    results: Sequence[np.ndarray], reference: Sequence[np.ndarray], updates: Sequence[str], rtol: float, atol: float
) -> list[Comparison]:
    if len(results) != len(reference):
        raise WrongInput(f"the module gives {len(results)} results, PyTorch gives {len(reference)}")
    own = len(reference) - len(updates)
    names = [*(f"result {index}" for index in range(own)), *(f"{key} afterwards" for key in updates)]
    compared = []
    for name, value, wanted in zip(names, results, reference, strict=True):
        apart = compare(value, wanted, rtol=rtol, atol=atol)
        compared.append(Comparison(name, "the model", "main", Place(), wanted.shape, str(wanted.dtype), apart))
    return compared
