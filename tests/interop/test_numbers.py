"""Calls of every operator compute in the real TVM the numbers that they compute here."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.interop.conftest import Oracle
from tests.interop.encoding import decoded, encoded, leaves
from tests.interop.known_numbers import UNKNOWN, UNLIKE
from tests.samples import Sample, all_rows
from torchrelay.formats import save_json
from torchrelay.ir import Attrs, Call, DType, Expr, Function, IRModule, Operator, TensorType, Tuple, Var, free_vars
from torchrelay.runtime import evaluate

# The quantized ones are compiled with their scales known: test_qnn.py.
ROWS = [
    pytest.param(operator, row, id=f"{operator.name}-{number}")
    for operator, rows in all_rows().items()
    if not operator.name.startswith("qnn.")
    for number, row in enumerate(rows)
]
TOLERANCE = {"float16": 2e-3, "float32": 1e-5, "float64": 1e-9}


def variables(value: object, name: str) -> Expr:
    """Variables of the types of the arrays of an input."""
    if isinstance(value, tuple):
        return Tuple(tuple([variables(part, f"{name}_{index}") for index, part in enumerate(value)]))
    array = np.asarray(value)
    return Var(name, TensorType(array.shape, DType.of(array.dtype)))


def named(value: object, name: str) -> dict[str, np.ndarray]:
    """The arrays of an input under the names of their variables."""
    if isinstance(value, tuple):
        return {key: array for i, part in enumerate(value) for key, array in named(part, f"{name}_{i}").items()}
    return {name: np.asarray(value)}


def with_region(operator: Operator[...], attrs: Attrs | None) -> Attrs | None:
    """The record as the real one wants it: with a region to resize, used or not."""
    if operator.name.startswith("image.resize") and attrs is not None and attrs.roi is None:  # type: ignore[attr-defined]
        return attrs.replace(roi=(0.0,) * 2 * int(operator.name[-2]))
    return attrs


def set_part(name: str, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """The results without what stands behind those that count, which the real one leaves unset."""
    if name == "unique":
        values, first, inverse, number, *counts = arrays
        return [values[: number[0]], first[: number[0]], inverse, number, *(part[: number[0]] for part in counts)]
    if name == "vision.all_class_non_max_suppression":
        *boxes, number = arrays
        count = int(number.ravel()[0])
        return [*(part[:count] if part.ndim == 2 else part for part in boxes), number]
    if name == "vision.multibox_transform_loc":
        boxes, number = arrays
        return [*(boxes[batch, :count] for batch, count in enumerate(number)), number]
    return arrays


def difference(theirs: list[np.ndarray], ours: list[np.ndarray]) -> str:
    """The first difference, or nothing."""
    if len(theirs) != len(ours):
        return f"{len(theirs)} and {len(ours)} results"
    for one, other in zip(theirs, ours, strict=True):
        if (one.shape, one.dtype) != (other.shape, other.dtype):
            return f"{one.dtype}{one.shape} and {other.dtype}{other.shape}"
        if one.dtype.kind == "f":
            bound = TOLERANCE[one.dtype.name]
            same = np.isclose(one.astype("f8"), other.astype("f8"), rtol=bound, atol=bound, equal_nan=True)
        else:
            same = one == other
        if not same.all():
            return f"{(~same).sum()} of {same.size}: {one[~same][:4]} and {other[~same][:4]}"
    return ""


@pytest.mark.parametrize(("operator", "row"), ROWS)
def test_the_real_tvm_computes_the_same(
    operator: Operator[...], row: Sample, oracle: Oracle, request: pytest.FixtureRequest
) -> None:
    key = request.node.callspec.id
    if key in UNKNOWN:
        pytest.skip(UNKNOWN[key])

    pairs = list(zip(operator.inputs, row.inputs, strict=True))
    call = Call(
        operator,
        tuple([variables(value, one.name) for one, value in pairs]),
        with_region(operator, row.attrs(operator)),
    )
    module = IRModule.from_expr(Function(free_vars(call), call))
    arrays = {name: array for one, value in pairs for name, array in named(value, one.name).items()}
    given = [arrays[var.name] for var in module["main"].params]
    ours = leaves(evaluate(module, given))
    if any(array.dtype == ml_dtypes.bfloat16 for array in (*given, *ours)):
        pytest.skip("the real TVM's arrays hold no bfloat16")
    said = oracle.ask(ask="execute", form="json", content=save_json(module), inputs=[encoded(array) for array in given])
    results = said.get("results")
    if isinstance(results, list):
        found = difference(set_part(operator.name, [decoded(text) for text in results]), set_part(operator.name, ours))
    else:
        found = str(said["error"])
    reason = UNLIKE.get(key) or UNLIKE.get(operator.name)
    assert bool(found) == (reason is not None), found or f"this is not unlike any more: {reason}"
