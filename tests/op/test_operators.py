"""Every operator against its samples: type relation, reference and an independent implementation must agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any as Anything

import numpy as np
import pytest
import torch

import torchrelay.op  # noqa: F401 declares the operators
from tests.samples import Sample, all_rows
from torchrelay.errors import TorchRelayError, TypeMismatch
from torchrelay.ir import ANY, Any, DType, Operator, TensorType, TupleType, Type, Var, registry

ROWS = all_rows()
CASES = [
    pytest.param(operator, row, id=f"{operator.name}-{number}")
    for operator, rows in ROWS.items()
    for number, row in enumerate(rows)
]
JUDGED = [case for case in CASES if case.values[1].torch or case.values[1].numpy]
each_row = pytest.mark.parametrize(("operator", "row"), CASES)

TOLERANCE = {"float64": (1e-12, 1e-12), "float32": (2e-6, 1e-6), "float16": (2e-3, 1e-3), "bfloat16": (2e-2, 1e-2)}


def result_of(operator: Operator[...], row: Sample) -> Anything:
    """What the reference gives for the row."""
    attrs = row.attrs(operator)
    arguments = row.inputs if attrs is None else (*row.inputs, attrs)
    with np.errstate(all="ignore"):
        return operator.meaning(*arguments)


def type_of(value: Anything) -> Type:
    """The type of an array or of a tuple of them."""
    if isinstance(value, tuple):
        return TupleType(tuple([type_of(part) for part in value]))
    array = np.asarray(value)
    return TensorType(array.shape, DType.of(array.dtype))


def describes(wide: Type | None, exact: Type) -> bool:
    """Whether ``exact`` is one of the types that ``wide``, which may have unknown dims, stands for."""
    match wide, exact:
        case TensorType(shape, dtype), TensorType(sizes, given):
            fits = len(shape) == len(sizes) and dtype == given
            return fits and all(isinstance(a, Any) or a == b for a, b in zip(shape, sizes, strict=True))
        case TupleType(fields), TupleType(parts):
            return len(fields) == len(parts) and all(map(describes, fields, parts))
        case _:
            return wide == exact


def unknown_dims(type_: Type) -> Type:
    """The type with no dim known."""
    match type_:
        case TensorType(shape, dtype):
            return TensorType((ANY,) * len(shape), dtype)
        case TupleType(fields):
            return TupleType(tuple([unknown_dims(part) for part in fields]))
        case _:
            return type_


def check_equal(given: Anything, wanted: Anything, row: Sample) -> None:
    """Fails where two results differ in structure, shape, dtype, or by more than the dtype's tolerance."""
    if isinstance(given, tuple):
        assert len(given) == len(wanted)
        for part, other in zip(given, wanted, strict=True):
            check_equal(part, other, row)
        return
    given, wanted = np.asarray(given), np.asarray(wanted)
    assert given.shape == wanted.shape
    assert given.dtype == wanted.dtype
    if given.dtype.kind in "iub":
        np.testing.assert_array_equal(given, wanted)
        return
    rtol, atol = TOLERANCE[given.dtype.name]
    rtol, atol = rtol if row.rtol is None else row.rtol, atol if row.atol is None else row.atol
    np.testing.assert_allclose(given.astype("float64"), wanted.astype("float64"), rtol=rtol, atol=atol)


def by_torch(function: Callable[..., Anything], inputs: Sequence[Anything]) -> Anything:
    """The function's result for the inputs as tensors, as arrays."""

    def tensors(value: Anything) -> Anything:
        return tuple(map(tensors, value)) if isinstance(value, tuple) else torch.from_numpy(value.copy())

    def arrays(value: Anything) -> Anything:
        return tuple(map(arrays, value)) if isinstance(value, tuple | list) else value.resolve_conj().numpy()

    return arrays(function(*map(tensors, inputs)))


@each_row
def test_relation_gives_the_type_of_the_reference(operator: Operator[...], row: Sample) -> None:
    inferred = operator.infer([type_of(value) for value in row.inputs], row.attrs(operator))
    exact = type_of(result_of(operator, row))
    assert describes(inferred, exact), f"relation: {inferred}, reference: {exact}"


@each_row
def test_relation_holds_for_unknown_dims(operator: Operator[...], row: Sample) -> None:
    inputs = [unknown_dims(type_of(value)) for value in row.inputs]
    exact = type_of(result_of(operator, row))
    if row.known_dims:
        with pytest.raises(TypeMismatch, match="known size"):
            operator.infer(inputs, row.attrs(operator))
        return
    inferred = operator.infer(inputs, row.attrs(operator))
    assert describes(inferred, exact), f"relation: {inferred}, reference: {exact}"


@each_row
def test_reference_leaves_its_inputs_alone(operator: Operator[...], row: Sample) -> None:
    def frozen(value: Anything) -> Anything:
        if isinstance(value, tuple):
            return tuple(map(frozen, value))
        made = value.copy()
        made.flags.writeable = False
        return made

    check_equal(
        result_of(operator, Sample(tuple(map(frozen, row.inputs)), row.attributes)), result_of(operator, row), row
    )


@pytest.mark.parametrize(("operator", "row"), JUDGED)
def test_reference_agrees_with_an_independent_one(operator: Operator[...], row: Sample) -> None:
    given = result_of(operator, row)
    if row.torch is not None:
        check_equal(given, by_torch(row.torch, row.inputs), row)
    if row.numpy is not None:
        with np.errstate(all="ignore"):
            check_equal(given, row.numpy(*row.inputs), row)


@pytest.mark.parametrize("name", registry.names())
def test_every_operator_has_a_judged_sample(name: str) -> None:
    rows = ROWS.get(registry.get(name), [])
    assert any(row.torch or row.numpy for row in rows), f"{name} needs a row with an independent result"


@pytest.mark.parametrize("name", registry.names())
def test_every_operator_is_documented(name: str) -> None:
    operator = registry.get(name)
    assert operator.doc
    assert operator.doc.splitlines()[0].endswith((".", ":"))


@each_row
def test_builder_gives_a_typed_call(operator: Operator[...], row: Sample) -> None:
    inputs = [Var(f"x{number}", type_of(value)) for number, value in enumerate(row.inputs)]
    assert operator(*inputs, **row.attributes).type == operator.infer([v.type for v in inputs], row.attrs(operator))


@pytest.mark.parametrize("operator", ROWS, ids=lambda operator: operator.name)
def test_wrong_number_of_inputs_is_refused_by_name(operator: Operator[...]) -> None:
    row = ROWS[operator][0]
    types = [type_of(value) for value in row.inputs]
    with pytest.raises(TorchRelayError, match=rf"^error\[type-mismatch\]: {operator.name}: "):
        operator.infer([*types, TensorType.of((1,))], row.attrs(operator))
