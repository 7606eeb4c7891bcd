"""The definitions of a module: functions and data types."""

from __future__ import annotations

from torchrelay.formats.text.expressions import READERS
from torchrelay.formats.text.reading import Part, Reading, run
from torchrelay.ir import Constructor, Function, GlobalTypeVar, IRModule, TypeData, TypeVar

__all__ = ["module"]


def module(reading: Reading) -> IRModule:
    """The module whose definitions come next, up to the end of the text."""
    scanner = reading.scanner
    while scanner.kind != "end":
        if scanner.accept("def"):
            _function(reading)
        elif scanner.accept("type"):
            _data_type(reading)
        elif scanner.accept("extern"):
            scanner.expect("type")
            _header(reading)
            if scanner.kind != "end":
                # The real reader ends here too: an extern type is the last thing that it reads.
                scanner.unexpected("the end of the text")
        else:
            scanner.unexpected("def, type or the end of the text")
    return IRModule(reading.functions, reading.definitions)


def _function(reading: Reading) -> None:
    name = reading.name("@")
    made = run(reading, READERS, Part.FUNCTION)
    assert isinstance(made, Function), "a definition gives a function"
    reading.functions[name] = made


def _header(reading: Reading) -> TypeData:
    """The name and the parameters of a data type, known from here on."""
    scanner = reading.scanner
    index = scanner.index
    name = scanner.expect_word("the name of a data type")
    if name in reading.definitions:
        scanner.fail(f"the data type {name} is defined twice", index)
    reading.definitions[name] = TypeData(GlobalTypeVar(name), reading.types.parameters())
    return reading.definitions[name]


def _data_type(reading: Reading) -> None:
    scanner = reading.scanner
    data = _header(reading)
    if not scanner.accept("{"):
        return
    scope = {param.name: param for param in data.type_vars}
    made = tuple([_constructor(reading, data, scope, tag) for tag in scanner.separated("}")])
    reading.definitions[data.header.name] = TypeData(data.header, data.type_vars, made)


def _constructor(reading: Reading, data: TypeData, scope: dict[str, TypeVar], tag: int) -> Constructor:
    scanner = reading.scanner
    index = scanner.index
    name = reading.constructor_name("the name of a constructor")
    if name in reading.constructors:
        scanner.fail(f"there are two constructors {name}", index)
    inputs = ()
    if scanner.accept("("):
        inputs = tuple([reading.types.type(scope) for _ in scanner.separated(")")])
    reading.constructors[name] = Constructor(name, inputs, data.header, tag, data.type_vars, place=scanner.place(index))
    return reading.constructors[name]
