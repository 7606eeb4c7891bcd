"""The values of the interpreter against PyTorch's, as they are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from torchrelay.errors import Place, WrongInput
from torchrelay.frontend import Imported, TorchNode, TorchValue
from torchrelay.ir import Call, Expr, Operator
from torchrelay.verify.comparison import Choice, Difference, Tolerance, compare, compare_choices, compare_quanta
from torchrelay.verify.reference import Inside

__all__ = ["Comparing", "Comparison", "compared_results"]

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


class Comparing:
    """Compares values as the interpreter gives them, and forgets PyTorch's once compared.

    ``by_place``: the module is not the one converted, and tells by places which torch value an expression stands for.
    """

    def __init__(
        self, made: Imported, inside: Inside, tolerance: Tolerance, *, by_place: bool, progress: Progress | None
    ) -> None:
        self._reference, self._choices, self._tolerance = dict(inside.values), inside.choices, tolerance
        self._quanta = inside.quanta
        self._progress, self._total = progress, len(inside.values)
        self._order: dict[str, tuple[int, TorchNode]] = {}
        self._names: dict[Expr, list[str]] = {}
        self._found: dict[str, Comparison] = {}
        self._by_place = by_place
        for index, record in enumerate(made.conversion.records):
            if record.nested:
                continue
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
            apart = difference(value, reference, self._choices.get(name), self._tolerance, self._quanta.get(name))
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


def difference(
    value: np.ndarray, reference: np.ndarray, choice: Choice | None, tolerance: Tolerance, quantum: float | None = None
) -> Difference:
    """How far a value is from PyTorch's; indices are compared through what they name, quantized numbers by quanta."""
    if quantum is not None:
        return compare_quanta(value, reference, quantum)
    if choice is not None:
        return compare_choices(value, reference, choice)
    rtol, atol = tolerance.of(reference.dtype)
    return compare(value, reference, rtol=rtol, atol=atol)


def _relay_name(expr: Expr) -> str:
    if isinstance(expr, Call) and isinstance(expr.op, Operator):
        return expr.op.name
    return type(expr).__name__


def compared_results(
    made: Imported,
    results: Sequence[np.ndarray],
    reference: Sequence[np.ndarray],
    updates: Sequence[str],
    inside: Inside,
    tolerance: Tolerance,
) -> list[Comparison]:
    """The results of the program, and behind them the buffers that it updates, each against PyTorch's.

    Raises WrongInput where their number differs.
    """
    if len(results) != len(reference):
        raise WrongInput(f"the module gives {len(results)} results, PyTorch gives {len(reference)}")
    own = len(reference) - len(updates)
    names = [*(f"result {index}" for index in range(own)), *(f"{key} afterwards" for key in updates)]
    made_by = dict(enumerate(_result_values(made)))
    compared: list[Comparison] = []
    for index, (name, value, wanted) in enumerate(zip(names, results, reference, strict=True)):
        source = made_by.get(index, "") if index < own else ""
        apart = difference(value, wanted, inside.choices.get(source), tolerance, inside.quanta.get(source))
        compared.append(Comparison(name, "the model", "main", Place(), wanted.shape, str(wanted.dtype), apart))
    return compared


def _result_values(made: Imported) -> list[str]:
    """The torch value that each result is; empty for one that is known before the program runs."""
    found: list[str] = []
    stack: list[object] = list(reversed(made.capture.graph.outputs))
    while stack:
        part = stack.pop()
        if isinstance(part, TorchValue):
            found.append(part.name)
        elif isinstance(part, tuple):
            stack.extend(reversed(part))
        elif isinstance(part, Mapping):
            stack.extend(reversed(list(part.values())))
        elif part is not None:
            found.append("")
    return found
