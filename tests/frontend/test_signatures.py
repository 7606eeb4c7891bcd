"""Converters take what the schemas of torch's operators say: names, defaults, nothing left over."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable

import pytest
import torchvision

from torchrelay.frontend import LIST_WRITERS, Converter, Schema, converters, schema_for

assert torchvision.__version__, "importing it declares its operators"
CONVERTERS = converters()
WITHOUT_SCHEMA = {f"prim::{kind}.default" for kind in ("ListUnpack", "TupleUnpack", "ListConstruct", "DictConstruct")}
"""Constructs of a program, whose arguments the TorchGraph names."""
WITH_SCHEMA = [name for name in CONVERTERS if name not in WITHOUT_SCHEMA]
BY_FUNCTION: dict[Callable[..., object], list[Converter]] = defaultdict(list)
for _converter in CONVERTERS.values():
    BY_FUNCTION[_converter.function].append(_converter)


def schema_of(overload: str) -> Schema:
    schema = schema_for(overload)
    assert schema is not None
    return schema


@pytest.mark.parametrize("overload", WITH_SCHEMA)
def test_no_argument_of_the_schema_is_left_over(overload: str) -> None:
    converter, schema = CONVERTERS[overload], schema_of(overload)
    names = {argument.name for argument in schema.arguments}
    assert names <= {*converter.takes, *converter.ignores}
    required = {
        name
        for name, parameter in inspect.signature(converter.function).parameters.items()
        if parameter.default is inspect.Parameter.empty
    }
    assert required <= names, f"the schema {schema.target} has only {sorted(names)}"


@pytest.mark.parametrize("overload", WITH_SCHEMA)
def test_defaults_are_those_of_the_schema(overload: str) -> None:
    parameters = inspect.signature(CONVERTERS[overload].function).parameters
    defaults = schema_of(overload).bind(())
    for argument in schema_of(overload).arguments:
        parameter = parameters.get(argument.name)
        if parameter is None or argument.required or parameter.default is inspect.Parameter.empty:
            continue
        given, wanted = parameter.default, defaults[argument.name]
        if isinstance(given, tuple) and isinstance(wanted, tuple) and len(given) == 1:
            given *= len(wanted)
        assert given == wanted, argument.name


@pytest.mark.parametrize("function", BY_FUNCTION, ids=lambda function: function.__qualname__)
def test_every_parameter_belongs_to_a_schema(function: Callable[..., object]) -> None:
    used = BY_FUNCTION[function]
    if any(converter.name in WITHOUT_SCHEMA for converter in used):
        return
    known = {argument.name for converter in used for argument in schema_of(converter.name).arguments}
    assert set(inspect.signature(function).parameters) <= known
    for converter in used:
        ignored = {name for other in used for name in other.ignores}
        assert not ignored & set(converter.takes)


@pytest.mark.parametrize("overload", WITH_SCHEMA)
def test_no_converter_is_for_an_operator_that_writes_to_a_tensor(overload: str) -> None:
    assert schema_of(overload).mutates is (overload in LIST_WRITERS)
