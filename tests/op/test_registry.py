"""Every operator against the facts about Relay's registry, where those are at hand."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

import torchrelay.op  # noqa: F401 declares the operators
from torchrelay.ir import DType, VirtualDevice, registry
from torchrelay.ir.attrs import AttrField, Kind

ROOT = Path(__file__).parents[2]
SPEC = Path(os.environ.get("TORCHRELAY_SHARED", ROOT.parent / "shared")) / "spec"
pytestmark = pytest.mark.skipif(not SPEC.exists(), reason="the facts about Relay are not at hand")

OPERATORS = (
    {row["name"]: row for row in json.loads((SPEC / "relay_ops.json").read_text())["ops"]} if SPEC.exists() else {}
)
RECORDS = json.loads((SPEC / "relay_attrs.json").read_text()) if SPEC.exists() else {}
RECORDED = [
    name
    for name in registry.names()
    if (record := registry.get(name).record) is not None and record.type_key in RECORDS
]
declared = pytest.mark.parametrize("name", [name for name in registry.names() if name in OPERATORS])

OWN_RECORDS = {
    "nn.avg_pool2d_grad": "relay.attrs.AvgPool2DAttrs",
    "nn.contrib_dense_pack": "relay.attrs.DensePackAttrs",
}
"""Operators that Relay registers with another record than the one their makers and type relations use."""

WEIGHTED = ["input_zero_point", "weight_zero_point", "input_scale", "weight_scale"]
SIDES = ["lhs", "rhs", "lhs_scale", "lhs_zero_point", "rhs_scale", "rhs_zero_point"]
OWN_INPUTS = {
    "dyn.strided_slice": ["data", "begin", "end", "strides"],
    "qnn.add": [*SIDES, "output_scale", "output_zero_point"],
    "qnn.mul": [*SIDES, "output_scale", "output_zero_point"],
    "qnn.subtract": [*SIDES, "output_scale", "output_zero_point"],
    "qnn.batch_matmul": ["x", "y", "x_zero_point", "y_zero_point", "x_scale", "y_scale"],
    "qnn.contrib_dense_pack": ["data", "weight", *WEIGHTED],
    "qnn.conv2d": ["data", "weight", *WEIGHTED],
    "qnn.conv2d_transpose": ["data", "weight", *WEIGHTED],
    "qnn.dense": ["data", "weight", *WEIGHTED],
}
"""Operators whose inputs Relay registers in another order than the one their makers and type relations use, or with
attributes among them."""

STORED = {
    "int": "int",
    "int32_t": "int",
    "uint32_t": "int",
    "double": "float",
    "bool": "bool",
    "std::string": "str",
    "DataType": "dtype",
    "Integer": "Integer",
    "Bool": "Boolean",
    "String": "String",
    "tvm::String": "String",
    "IndexExpr": "Index",
    "FloatImm": "Float",
    "Expr": "expr",
    "VirtualDevice": "device",
    "EnvFunc": "EnvFunc",
}

NUMBERS = Kind("list", Kind("Number"))


def stored(cxx_type: str) -> Kind | None:
    """The kind of field for a C++ type; None for one that says nothing about it."""
    inner = cxx_type.removeprefix("Array<").removeprefix("Optional<").removesuffix(">")
    if cxx_type.startswith("Array<"):
        element = stored(inner)
        return Kind("list", element) if element is not None else None
    if cxx_type.startswith("Optional<"):
        return stored(inner)
    return Kind(STORED[cxx_type]) if cxx_type in STORED else None


def same_default(field: AttrField, value: str | None) -> bool:
    """Whether a field's default is what the C++ text says."""
    if value is None:
        return field.required
    if value == "VirtualDevice::FullyUnconstrained()":
        return field.default == VirtualDevice()
    if value.startswith("NullValue<DataType>"):
        return field.default == DType.parse("")
    if value.startswith("NullValue") or value == "nullptr":
        return field.default is None
    if isinstance(field.default, tuple):
        return field.default == tuple(map(float, re.findall(r"-?\d+(?:\.\d+)?", value)))
    text = value.removeprefix("Bool(").removeprefix("Integer(").removesuffix(")").strip('"')
    if isinstance(field.default, bool):
        return field.default == (text in ("true", "1"))
    if isinstance(field.default, int | float):
        return float(text) == field.default
    return isinstance(field.default, str) and (field.default == text or value.startswith(("DataType", "Array")))


@declared
def test_declared_as_registered(name: str) -> None:
    operator, facts = registry.get(name), OPERATORS[name]
    registered = [argument["name"] for argument in facts["arguments"]]
    assert [given.name for given in operator.inputs] == OWN_INPUTS.get(name, registered)
    assert operator.fusion == facts.get("TOpPattern")
    assert operator.level == facts["support_level"]
    assert any(operator.data_dependent) == any(facts.get("TShapeDataDependent", ()))
    key = OWN_RECORDS.get(name) or facts["attrs_type_key"] or facts.get("attrs_type_key_inferred") or None
    assert (operator.record.type_key if operator.record is not None else None) == key
    assert operator.keyed == (name not in OWN_RECORDS and bool(facts["attrs_type_key"] or not key))


@pytest.mark.parametrize("name", RECORDED)
def test_record_as_reflected(name: str) -> None:
    record = registry.get(name).record
    assert record is not None
    rows: list[dict[str, Any]] = RECORDS[record.type_key]
    assert [field.name for field in record.fields] == [row["name"] for row in rows]
    for field, row in zip(record.fields, rows, strict=True):
        kind = stored(row["cxx_type"])
        own = field.kind.element if field.kind.name == "optional" else field.kind
        if own == NUMBERS:  # Relay keeps them among expressions of any kind
            kind = NUMBERS if kind == Kind("list", Kind("Index")) else kind
        assert kind is None or own == kind, f"{field.name}: {own}, not {kind}"
        assert same_default(field, row["cxx_default"]), f"{field.name}: {field.default!r}, not {row['cxx_default']}"
