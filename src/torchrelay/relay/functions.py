"""tvm.relay's functions for operators, derived from the operators and from how Relay calls them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import cast

from torchrelay import op
from torchrelay.errors import WrongArgument
from torchrelay.ir import AttrField, Call, Expr, Operator, Tuple, TupleGetItem, TupleType, registry
from torchrelay.relay.signatures import NAMES, PADDED, RANKS, SIGNATURES

__all__ = ["Made", "TupleWrapper", "as_expr", "call", "fills_of", "functions_of", "wrapped"]

assert op.add is not None, "the operators are declared when their package is loaded"


@dataclass(frozen=True, slots=True)
class TupleWrapper:
    """Several results of one call: what Relay's functions give for operators with more than one result."""

    tuple_value: Expr
    size: int

    def astuple(self) -> Expr:
        """The call itself, whose value is a tuple."""
        return self.tuple_value

    def astext(self) -> str:
        """Relay text of the call."""
        return self.tuple_value.astext()

    def __getitem__(self, index: int) -> TupleGetItem:
        if not -self.size <= index < self.size:
            raise IndexError(f"result {index} of {self.size}")
        return TupleGetItem(self.tuple_value, index % self.size)

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[TupleGetItem]:
        return iter([TupleGetItem(self.tuple_value, index) for index in range(self.size)])


Made = Expr | TupleWrapper
"""What a function gives."""

_SIZES = {
    "dft": 2,
    "nn.batch_norm": 3,
    "nn.sparse_transpose": 3,
    "sparse_reshape": 2,
    "vision.all_class_non_max_suppression": 2,
    "vision.get_valid_counts": 2,
    "vision.multibox_transform_loc": 2,
    "vision.non_max_suppression": 2,
    "vision.regular_non_max_suppression": 4,
}
"""How many results, where an operator always has several; what it is needed for is a call whose type is not known yet."""
_UNWRAPPED = frozenset({"nn.dropout", "random.normal", "random.uniform", "random.threefry_split", "random.multinomial"})
"""The operators whose function gives the call as it is."""


def as_expr(value: object, name: str) -> Expr:
    """An argument as an expression: several become a tuple. Raises WrongArgument for what is none."""
    if isinstance(value, TupleWrapper):
        return value.tuple_value
    if isinstance(value, Expr):
        return value
    if isinstance(value, Sequence) and not isinstance(value, str):
        return Tuple(tuple([as_expr(part, name) for part in cast("Sequence[object]", value)]))
    raise WrongArgument(f"{name} is {value!r}, but must be an expression", hint=f"write relay.const({value!r}, dtype)")


def call(name: str, inputs: Sequence[object], /, **attributes: object) -> Call:
    """A call of the operator of that name. Raises WrongArgument and TypeMismatch as the operator does."""
    operator = registry.get(name)
    args = [as_expr(value, one.name) for one, value in zip(operator.inputs, inputs, strict=True)]
    fields = operator.record.fields if operator.record is not None else ()
    given = {field.name: _attribute(name, field, attributes.pop(field.name, _DEFAULT)) for field in fields}
    return operator(*args, **{key: value for key, value in given.items() if value is not _DEFAULT}, **attributes)


_DEFAULT = object()
_NOTHING: Mapping[str, object] = {"optional": None, "list": ()}
"""What an attribute that must be given holds where an operand says it instead."""


def _attribute(name: str, field: AttrField, value: object) -> object:
    """The value as the record takes it: one number for all axes, padding for both ends, None for no dtype."""
    kind = field.kind.element or field.kind
    if value is _DEFAULT:
        return _NOTHING.get(field.kind.name, _DEFAULT) if field.required else _DEFAULT
    if value is None and (field.kind.name != "optional" or field.name == "output_size"):
        return _DEFAULT
    if field.kind.name == "list" or kind.name == "list":
        value = [value] * RANKS.get(name, 1) if isinstance(value, int) else value
        if field.name == "padding" and name in PADDED:
            return _both_ends(name, cast("Sequence[int]", value))
    return value


def _both_ends(name: str, padding: Sequence[int]) -> tuple[int, ...]:
    """The padding before every axis, then behind every axis."""
    axes = RANKS[name]
    if len(padding) == 2 * axes:
        return tuple(padding)
    if len(padding) != axes:
        raise WrongArgument(f"{name}: padding is {tuple(padding)}, but must be {axes} or {2 * axes} numbers")
    return (*padding, *padding)


def wrapped(name: str, made: Call) -> Made:
    """The call, as its several results where it has several."""
    size = (
        len(made.type.fields) if isinstance(made.type, TupleType) else _SIZES.get(name, 0) if made.type is None else 0
    )
    return TupleWrapper(made, size) if size and name not in _UNWRAPPED else made


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A parameter of a function and the input or attribute that it fills; nothing where it is only for show."""

    shown: Parameter
    fills: str


def _declared(operator: Operator[...]) -> list[_Parameter]:
    fields = operator.record.fields if operator.record is not None else ()
    shown = [Parameter(one.name, Parameter.POSITIONAL_OR_KEYWORD) for one in operator.inputs]
    for field in fields:
        default = Parameter.empty if field.required else field.default
        shown.append(Parameter(field.name, Parameter.POSITIONAL_OR_KEYWORD, default=default))
    # What must be given comes first, whatever the order of the record.
    shown.sort(key=lambda one: one.default is not Parameter.empty)
    return [_Parameter(one, one.name) for one in shown]


def _written(text: str) -> list[_Parameter]:
    """The parameters of a row of the table."""
    fills: dict[str, str] = {}
    plain: list[str] = []
    depth = 0
    start = 0
    for end, mark in enumerate([*text, ","]):
        depth += (mark == "(") - (mark == ")")
        if mark == "," and not depth:
            head, equals, default = text[start:end].strip().partition("=")
            name, colon, target = head.partition(":")
            fills[name] = target if colon else name
            plain.append(f"{name}{equals}{default}")
            start = end + 1
    arguments = cast("ast.FunctionDef", ast.parse(f"def f({', '.join(plain)}): ...").body[0]).args
    missing = len(arguments.args) - len(arguments.defaults)
    values = [Parameter.empty] * missing + [ast.literal_eval(default) for default in arguments.defaults]
    kind = Parameter.POSITIONAL_OR_KEYWORD
    return [
        _Parameter(Parameter(one.arg, kind, default=value), fills[one.arg])
        for one, value in zip(arguments.args, values, strict=True)
    ]


def _parameters(operator: Operator[...]) -> list[_Parameter]:
    row = SIGNATURES.get(operator.name)
    return _declared(operator) if row is None else _written(row)


def fills_of(name: str) -> dict[str, str]:
    """For each parameter of the function of an operator, the input or attribute that it fills."""
    return {one.shown.name: one.fills for one in _parameters(registry.get(name)) if one.fills}


def _derived(operator: Operator[...], short: str) -> Callable[..., Made]:
    """The function of an operator."""
    parameters = _parameters(operator)
    signature = Signature([one.shown for one in parameters])
    fills = fills_of(operator.name)
    inputs = [one.name for one in operator.inputs]

    def function(*args: object, **kwargs: object) -> Made:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise WrongArgument(f"{operator.name}: {error}", notes=[f"{short}{signature}"]) from None
        bound.apply_defaults()
        given = {fills[name]: value for name, value in bound.arguments.items() if name in fills}
        operands = [given.pop(name) for name in inputs]
        return wrapped(operator.name, call(operator.name, operands, **given))

    function.__name__ = function.__qualname__ = short
    function.__doc__ = operator.doc
    function.__signature__ = signature  # type: ignore[attr-defined] read by inspect
    function.operator = operator.name  # type: ignore[attr-defined] read where stubs are written
    return function


def functions_of(family: str, special: Mapping[str, Callable[..., Made]]) -> dict[str, Callable[..., Made]]:
    """The functions of a family of operators (``nn``, ``image``; empty for those without one), by their names in Relay.

    ``special`` are functions that are more than one call of one operator; they come in place of the derived ones.
    """
    found: dict[str, Callable[..., Made]] = {}
    for name in registry.names():
        head, _, rest = NAMES.get(name, name).rpartition(".")
        if head == family and rest not in special:
            found[rest] = _derived(registry.get(name), rest)
    return dict(sorted({**found, **special}.items()))
