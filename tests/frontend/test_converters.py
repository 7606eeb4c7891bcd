"""Every converter, row by row, through both readers: the same Relay, PyTorch's values, shapes and dtypes."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from tests.cases.making import TOLERANCE, Case, all_cases
from torchrelay.frontend import Imported, converters, imported
from torchrelay.frontend.graph import walk_nodes
from torchrelay.frontend.read_export import export
from torchrelay.ir import Call, Expr, IRModule, Operator, rebuild
from torchrelay.passes import parse_pipeline
from torchrelay.runtime import as_array, run

ROWS = all_cases()
ROUTES = [
    pytest.param(case, route, id=f"{overload.removeprefix('aten::')}-{number}-{route}")
    for overload, cases in ROWS.items()
    for number, case in enumerate(cases)
    for route in case.routes
]
BOTH = [
    pytest.param(case, id=f"{overload.removeprefix('aten::')}-{number}")
    for overload, cases in ROWS.items()
    for number, case in enumerate(cases)
    if {"trace", "export"} <= set(case.routes)
]
tidy = parse_pipeline("simplify,fold-constants,simplify,dead-code")


@functools.cache
def converted(case: Case, route: str) -> Imported:
    """The row through one capture."""
    module = case.module()
    if route == "core":
        program = export(module, case.inputs).run_decompositions()
        return imported(program, input_infos=case.infos())
    return imported(module, case.inputs, input_infos=case.infos(), via=route)


def without_places(mod: IRModule) -> str:
    """The text of the module, without where its calls come from."""

    def bare(expr: Expr) -> Expr:
        if isinstance(expr, Operator):
            return expr
        if isinstance(expr, Call) and expr.attrs is not None:
            held = {field.name: rebuild(part, bare) for field, part in expr.attrs.items() if isinstance(part, Expr)}
            expr = replace(expr, attrs=expr.attrs.replace(**held)) if held else expr
        return replace(expr, place=None)

    return mod.with_functions({name: rebuild(mod[name], bare) for name in mod}).astext()


def leaves(value: Any) -> list[Any]:
    """The tensors and numbers in a result, in order; None counts for nothing."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [leaf for part in value for leaf in leaves(part)]
    return [] if value is None else [value]


def check_equal(given: np.ndarray, wanted: Any, case: Case) -> None:
    """Fails where shape, dtype or a value is not torch's."""
    reference = as_array(wanted)
    assert given.shape == reference.shape
    if isinstance(wanted, torch.Tensor):
        assert given.dtype == reference.dtype
    if not case.values:
        return
    if given.dtype.kind in "iub":
        np.testing.assert_array_equal(given, reference)
        return
    tolerance = case.tolerance or TOLERANCE[given.dtype.name]
    largest = np.abs(reference[np.isfinite(reference)]).max(initial=1.0).astype("float64")
    left, right = given.astype("float64"), reference.astype("float64")
    np.testing.assert_allclose(left, right, rtol=tolerance, atol=tolerance * min(largest, 1e3))


@pytest.mark.parametrize(("case", "route"), ROUTES)
def test_the_values_are_those_of_torch(case: Case, route: str) -> None:
    torch.manual_seed(0)
    wanted = leaves(case.module()(*case.inputs))
    made = converted(case, route)
    with np.errstate(all="ignore"):
        given = run(made.mod, made.params, case.inputs)
    assert len(given) == len(wanted)
    for value, reference in zip(given, wanted, strict=True):
        check_equal(value, reference, case)


@pytest.mark.parametrize("case", BOTH)
def test_both_readers_give_the_same_relay(case: Case) -> None:
    traced, exported = (without_places(tidy(converted(case, route).mod)) for route in ("trace", "export"))
    assert (traced == exported) is not bool(case.differs), f"{traced}\n---\n{exported}"


OF_REAL = [name for name, found in converters().items() if ".quantized." not in found.function.__module__]
"""The converters but those of quantized operators, which ``test_quantized`` compares by quanta."""


@pytest.mark.parametrize("overload", OF_REAL)
def test_every_converter_has_a_row_that_reaches_it(overload: str) -> None:
    cases = ROWS.get(overload)
    assert cases, f"{overload} needs a row"
    graphs = [converted(case, route).capture.graph for case in cases for route in case.routes]
    reached = {node.target for graph in graphs for node in walk_nodes(graph)}
    assert overload in reached, f"the row of {overload} reaches only {sorted(reached)}"


def test_every_row_is_for_a_converter() -> None:
    assert set(ROWS) <= set(converters())
