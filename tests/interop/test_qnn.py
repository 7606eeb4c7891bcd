"""Quantized operators compute the very numbers that the real TVM computes, once it has made plain operators of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from tests.interop.conftest import Oracle
from tests.interop.encoding import decoded, encoded, leaves
from tests.samples import Sample, all_rows
from torchrelay.formats import save_json
from torchrelay.ir import Call, Constant, DType, Expr, Function, IRModule, Operator, TensorType, Tuple, Var, free_vars
from torchrelay.runtime import evaluate


def undefined(row: Sample) -> bool:
    """Whether the real TVM shifts 64 bits by 64 places or more, which gives anything."""
    return row.attributes.get("shift", 0) < -32


ROWS = [
    pytest.param(operator, row, id=f"{operator.name}-{number}")
    for operator, rows in all_rows().items()
    if operator.name.startswith(("qnn.", "fixed_point"))
    for number, row in enumerate(rows)
    if not undefined(row)
]
DATA = ("data", "weight", "lhs", "rhs", "x", "y")


@dataclass(frozen=True)
class Unlike:
    """Rows of an operator that the real TVM does not compute, or computes otherwise, and why."""

    reason: str
    row: Callable[[Sample], bool] = lambda row: True


UNLIKE = {
    "fixed_point_multiply": Unlike(
        "for a power of two it adds the half in 32 bits, past the largest number",
        lambda row: row.attributes["multiplier"] == 2**30,
    ),
    "qnn.mul": Unlike(
        "with channels on one side alone it reads past the scale of the other",
        lambda row: np.ndim(row.inputs[2]) != np.ndim(row.inputs[4]),
    ),
    "qnn.dense": Unlike("its kernels take matrices alone", lambda row: np.ndim(row.inputs[0]) != 2),
    "qnn.contrib_dense_pack": Unlike("it has the type relation alone"),
    "qnn.batch_matmul": Unlike(
        "it takes the second transposed and the first not, alone",
        lambda row: row.attributes["transpose_a"] or not row.attributes["transpose_b"],
    ),
}


def expression(value: object, name: str, variable: bool) -> Expr:
    """A variable for data; a constant for a parameter, which the real TVM must know when it compiles."""
    if isinstance(value, tuple):
        return Tuple(tuple([expression(part, f"{name}{place}", variable) for place, part in enumerate(value)]))
    array = np.asarray(value)
    return Var(name, TensorType(array.shape, DType.of(array.dtype))) if variable else Constant(array)


@pytest.mark.parametrize(("operator", "row"), ROWS)
def test_the_real_tvm_computes_the_same(operator: Operator[...], row: Sample, oracle: Oracle) -> None:
    named = list(zip(operator.inputs, row.inputs, strict=True))
    inputs = tuple([expression(value, declared.name, declared.name in DATA) for declared, value in named])
    call = Call(operator, inputs, row.attrs(operator))
    module = IRModule.from_expr(Function(free_vars(call), call))
    given = [leaf for declared, value in named if declared.name in DATA for leaf in leaves(value)]
    said = oracle.ask(ask="run", form="json", content=save_json(module), inputs=[encoded(leaf) for leaf in given])
    ours = np.asarray(evaluate(module, given))
    known = UNLIKE.get(operator.name)
    if known is not None and known.row(row):
        assert "error" in said or not np.array_equal(decoded(str(said["result"])), ours), known.reason
        return
    theirs = decoded(str(said["result"]))
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs)
