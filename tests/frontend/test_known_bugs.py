"""Small models that broke converters elsewhere: equal to PyTorch through every capture that PyTorch makes of them."""

from __future__ import annotations

import copy
import importlib.util
import json
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from tests.conftest import SHARED
from tests.frontend.test_converters import leaves
from torchrelay.errors import UnsupportedOperators, UnsupportedProgram
from torchrelay.frontend import imported
from torchrelay.runtime import as_array, run

BUGS = SHARED / "bugs"
INDEX: list[dict[str, Any]] = json.loads((BUGS / "index.json").read_text()) if BUGS.is_dir() else []
CAPTURES = {"trace": "torch_jit_trace", "script": "torch_jit_script", "export": "torch_export"}
UNEQUAL = "one element in a hundred is two quanta from PyTorch's"
FAILING = {
    "B124-script": "a scripted transformer layer takes its path for nested tensors",
    "B151-trace": UNEQUAL,
    "B151-script": UNEQUAL,
}


def _marks(name: str, reasons: Mapping[str, str]) -> list[pytest.MarkDecorator]:
    return [pytest.mark.xfail(strict=True, reason=reasons[name])] if name in reasons else []


ROWS = [
    pytest.param(row, route, id=f"{row['id']}-{route}", marks=_marks(f"{row['id']}-{route}", FAILING))
    for row in INDEX
    for route, key in CAPTURES.items()
    if row[key] == "ok"
]
DYNAMIC = [pytest.param(row, id=row["id"]) for row in INDEX if row["dyn"]]
TOLERANCE = 1e-5


@cache
def module_of(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"known_bug_{name}", BUGS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check(mod: Any, params: Any, model: torch.nn.Module, inputs: tuple[Any, ...], tolerance: float) -> None:
    """Fails unless the converted model gives what PyTorch gives, each on inputs of its own."""
    with torch.no_grad():
        wanted = leaves(copy.deepcopy(model)(*copy.deepcopy(inputs)))
    given = run(mod, params, copy.deepcopy(inputs))
    for value, expected in zip(given, wanted, strict=True):
        reference = as_array(expected)
        assert value.shape == reference.shape
        assert value.dtype == reference.dtype or not isinstance(expected, torch.Tensor)
        np.testing.assert_allclose(value, reference, rtol=tolerance, atol=tolerance, equal_nan=True)


@pytest.mark.parametrize(("row", "route"), ROWS)
def test_a_known_bug_is_none_here(row: Mapping[str, Any], route: str) -> None:
    model, inputs = module_of(row["id"]).case()
    try:
        made = imported(copy.deepcopy(model), copy.deepcopy(inputs), via=route)
    except (UnsupportedOperators, UnsupportedProgram) as error:
        if row["expect"] == "quant":
            assert "quantiz" in str(error), str(error)
        else:
            assert row["expect"] == "equal_or_clear_error", str(error)
        return
    check(made.mod, made.params, model, inputs, row["tol"] or TOLERANCE)


@pytest.mark.parametrize("row", DYNAMIC)
def test_dynamic_sizes(row: Mapping[str, Any]) -> None:
    source = module_of(row["id"])
    model, inputs = source.case()
    made = imported(copy.deepcopy(model), inputs, via="export", dynamic_shapes=source.DYNAMIC)
    ((axis, dim),) = source.DYNAMIC[0].items()
    for size in (dim.min, 5, dim.max):
        shape = list(inputs[0].shape)
        shape[axis] = size
        check(made.mod, made.params, model, (torch.randn(shape), *inputs[1:]), row["tol"] or TOLERANCE)
