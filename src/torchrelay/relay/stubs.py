"""Writes the typed stubs of the modules whose functions are derived: ``python -m torchrelay.relay.stubs``."""

from __future__ import annotations

import importlib
import inspect
import textwrap
from collections.abc import Callable, Mapping
from inspect import Parameter
from pathlib import Path

from torchrelay.ir import AttrField, Kind, Operator, registry
from torchrelay.relay.functions import fills_of

__all__ = ["stubs", "write_stubs"]

_FAMILIES = ("annotation", "core", "image", "nn", "qnn.op", "random", "vision")
_HEADER = '''"""{doc}

Written by ``python -m torchrelay.relay.stubs``.
"""

from collections.abc import Sequence

from torchrelay.ir import Call, Constant, Expr, Tuple
from torchrelay.relay.functions import Made, TupleWrapper

__all__ = {names}
Operand = Expr | TupleWrapper | Sequence[Expr]
'''
_KINDS: Mapping[str, str] = {
    "int": "int",
    "Integer": "int",
    "Index": "int",
    "float": "float",
    "Float": "float",
    "Number": "float",
    "bool": "bool",
    "Boolean": "bool",
    "str": "str",
    "String": "str",
    "dtype": "str",
    "EnvFunc": "str",
    "expr": "Expr",
    "device": "object",
    "one_or_list": "int | Sequence[int]",
}


def _hint(kind: Kind) -> str:
    if kind.name == "list":
        assert kind.element is not None, "a list has a kind of element"
        inner = _hint(kind.element)
        return f"Sequence[{inner}] | int" if inner == "int" else f"Sequence[{inner}]"
    if kind.name == "optional":
        assert kind.element is not None, "an optional has a kind"
        return f"{_hint(kind.element)} | None"
    return _KINDS[kind.name]


def _parameter(shown: Parameter, fields: Mapping[str, AttrField], inputs: set[str], fills: Mapping[str, str]) -> str:
    target = fills.get(shown.name, "")
    hint = "Operand" if target in inputs else _hint(fields[target].kind) if target in fields else "object"
    if shown.default is Parameter.empty:
        return f"{shown.name}: {hint}"
    if shown.default is None and "None" not in hint:
        hint += " | None"
    if hint == "bool" and not isinstance(shown.default, bool):
        hint = "bool | int"
    return f"{shown.name}: {hint} = {shown.default!r}"


def _derived(name: str, function: Callable[..., object], operator: Operator[...], fills: Mapping[str, str]) -> str:
    fields = {field.name: field for field in (operator.record.fields if operator.record else ())}
    inputs = {one.name for one in operator.inputs}
    shown = [_parameter(one, fields, inputs, fills) for one in inspect.signature(function).parameters.values()]
    return _written(name, shown, "Made", inspect.getdoc(function) or "")


def _special(name: str, function: Callable[..., object]) -> str:
    signature = inspect.signature(function)
    shown = [
        _unquoted(_double(one)).replace(": Axes", ": int | Sequence[int] | None")
        for one in signature.parameters.values()
    ]
    return _written(name, shown, str(signature.return_annotation), inspect.getdoc(function) or "")


def _unquoted(parameter: str) -> str:
    """The parameter with its annotation, which is kept as a text, as code."""
    name, colon, rest = parameter.partition(": ")
    if not colon or not rest.startswith('"'):
        return parameter
    annotation, _, default = rest[1:].partition('"')
    return f"{name}: {annotation}{default}"


def _written(name: str, shown: list[str], result: str, doc: str) -> str:
    inside = textwrap.indent(doc, "    ")[4:]
    end = "\n    " if "\n" in doc else ""
    return f'def {name}({", ".join(shown)}) -> {result}:\n    """{inside}{end}"""\n'


def _family(module: str) -> str:
    loaded = importlib.import_module(f"torchrelay.relay.{module}")
    parts = [_HEADER.format(doc=inspect.getdoc(loaded), names=loaded.__all__)]
    for name in loaded.__all__:
        function = getattr(loaded, name)
        operator = getattr(function, "operator", None)
        made = (
            _special(name, function)
            if operator is None
            else _derived(name, function, registry.get(operator), fills_of(operator))
        )
        parts.append(made)
    return "\n".join(parts)


def _classes() -> str:
    """The stub of the classes: each makes an instance of the IR's."""
    from torchrelay.relay import expressions

    head = f'"""{inspect.getdoc(expressions)}\n\nWritten by ``python -m torchrelay.relay.stubs``.\n"""\n\n'
    imports = "from collections.abc import Mapping, Sequence\n\nimport numpy as np\n\nfrom torchrelay import ir\n"
    imports += "from torchrelay.errors import Place\nfrom torchrelay.ir import AttrValue, Type\n\n"
    parts = [head + imports + f"__all__ = {expressions.__all__}\n"]
    for name in expressions.__all__:
        made = getattr(expressions, name)
        if not isinstance(made, type):
            parts.append(_special(name, made))
            continue
        shown = ["cls", *map(_unquoted, map(_double, inspect.signature(made).parameters.values()))]
        parts.append(f"class {name}(ir.{name}):\n    def __new__({', '.join(shown)}) -> {name}: ...\n")
    return "\n".join(parts)


def _double(parameter: Parameter) -> str:
    return str(parameter).replace("'", '"')


def _package(module: str) -> str:
    """The stub of a package or module that gathers what others have."""
    loaded = importlib.import_module(module)
    from torchrelay.relay import core, expressions

    gathered = {**dict.fromkeys(expressions.__all__, "expressions"), **dict.fromkeys(core.__all__, "core")}
    parts = [f'"""{inspect.getdoc(loaded)}\n\nWritten by ``python -m torchrelay.relay.stubs``.\n"""\n']
    parts.append("from collections.abc import Mapping, Sequence\n\nimport numpy as np\n\nfrom torchrelay import ir\n")
    functions = []
    for name in loaded.__all__:
        value = getattr(loaded, name)
        if name in gathered:
            parts.append(f"from torchrelay.relay.{gathered[name]} import {name} as {name}\n")
        elif inspect.ismodule(value):
            parts.append(f"from {value.__name__.rpartition('.')[0]} import {name} as {name}\n")
        elif inspect.isfunction(value) and value.__module__ == module:
            functions.append(_special(name, value))
        elif name == "Expr":
            parts.append("from torchrelay.ir import Expr as Expr\n")
        elif value is Operator:
            parts.append(f"from torchrelay.ir import Operator as {name}\n")
        else:
            parts.append(f"from {value.__module__} import {name} as {name}\n")
    if module == "torchrelay.relay.op":
        parts.append("from torchrelay.ir import Call, Expr\n")
    else:
        parts.append("from torchrelay.relay import frontend as frontend\n")
    rest = ["from torchrelay.ir import IRModule, Operator\n", f"\n__all__ = {loaded.__all__}\n", *functions]
    return "".join([*parts, *rest])


def stubs() -> dict[Path, str]:
    """The text of every stub, by the file it belongs in."""
    folder = Path(__file__).parent
    made = {(folder / module.replace(".", "/")).with_suffix(".pyi"): _family(module) for module in _FAMILIES}
    made[folder / "expressions.pyi"] = _classes()
    made[folder / "__init__.pyi"] = _package("torchrelay.relay")
    made[folder / "op.pyi"] = _package("torchrelay.relay.op")
    return made


def write_stubs() -> None:
    """Writes the stubs beside the modules."""
    for path, text in stubs().items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    write_stubs()
