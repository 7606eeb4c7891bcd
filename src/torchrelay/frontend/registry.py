"""The converters: one for each overload of a torch operator, shared by both readers."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from torchrelay.errors import IllFormed, UnsupportedProgram
from torchrelay.frontend.promote import Blank, Computed, Grown, Promote, Quantized, promoted
from torchrelay.ir import DType, Expr, Operator

__all__ = ["Converter", "Result", "Sizes", "aten", "converters", "find_converter", "one_to_one", "torch_op"]

Result = (
    Expr
    | Computed
    | Grown
    | Quantized
    | Blank
    | int
    | float
    | bool
    | str
    | DType
    | None
    | Sequence["Result"]
    | Mapping[str, "Result"]
)
"""What a converter gives: an expression, a number that is known, or several of these."""
Sizes = Sequence[int]
"""Numbers for axes: sizes, strides, axes themselves."""


@dataclass(frozen=True, slots=True)
class Converter:
    """A function from the arguments of a torch operator, by the names of its schema, to Relay."""

    name: str
    function: Callable[..., Result]
    takes: tuple[str, ...]
    ignores: frozenset[str]
    promote: Promote
    promotes: tuple[str, ...]
    """The arguments that are brought to one dtype."""
    takes_computed: frozenset[str]
    """The arguments that may be numbers which the program computes."""

    def __call__(self, args: Mapping[str, object]) -> Result:
        """The Relay for the arguments.

        Raises UnsupportedProgram for an argument that the converter neither takes nor ignores and that is not empty.
        """
        taken = {name: args[name] for name in self.takes if name in args}
        if len(taken) + len(self.ignores) < len(args):
            self._refuse_rest(args)
        if self.promote is not Promote.NONE:
            names = [
                name for name in self.promotes if isinstance(taken.get(name), Expr | Computed | int | float | bool)
            ]
            values = promoted([taken[name] for name in names], self.promote)  # pyright: ignore[reportArgumentType] filtered on the line above
            taken.update(zip(names, values, strict=True))
        for name, value in taken.items():
            if _is_computed(value) and name not in self.takes_computed:
                raise UnsupportedProgram(f"{name} is computed while the program runs, but must be known here")
        return self.function(**taken)

    def _refuse_rest(self, args: Mapping[str, object]) -> None:
        for name, value in args.items():
            if name not in self.takes and name not in self.ignores and value not in (None, False, ()):
                raise UnsupportedProgram(f"{self.name} with {name}={value!r} has no converter")


def _is_computed(value: object) -> bool:
    if type(value) is tuple:
        return any(type(part) is Computed for part in value)
    return type(value) is Computed


_CONVERTERS: dict[str, Converter] = {}
F = TypeVar("F", bound=Callable[..., object])
_COMPUTED = re.compile(r"\b(Operand|Computed|Result|Extents?)\b")
_PROMOTED = frozenset({"self", "other", "input", "exponent", "values", "x", "n"})


def _register(targets: Sequence[str], function: Callable[..., Any], ignore: Sequence[str], promote: Promote) -> None:
    parameters = inspect.signature(function).parameters
    takes = tuple(parameters)
    computed = frozenset(name for name, p in parameters.items() if _COMPUTED.search(str(p.annotation)))
    promotes = tuple(name for name in takes if name in _PROMOTED)
    for target in targets:
        if target in _CONVERTERS:
            raise IllFormed(f"{target} has two converters")
        _CONVERTERS[target] = Converter(target, function, takes, frozenset(ignore), promote, promotes, computed)


def torch_op(*targets: str, ignore: Sequence[str] = (), promote: Promote = Promote.NONE) -> Callable[[F], F]:
    """Declares the decorated function as the converter of overloads by their full names: ``prim::NumToTensor.Scalar``.

    Its parameters are arguments of the schema; those in ``ignore`` mean nothing in inference. With ``promote`` the tensors and
    numbers among self, other, input, exponent, values, x and n come as tensors of one dtype.
    """

    def declare(function: F) -> F:
        _register(targets, function, ignore, promote)
        return function

    return declare


def aten(*overloads: str, ignore: Sequence[str] = (), promote: Promote = Promote.NONE) -> Callable[[F], F]:
    """``torch_op`` for overloads of ``aten``: ``mean.dim``, ``relu.default``."""
    return torch_op(*(f"aten::{overload}" for overload in overloads), ignore=ignore, promote=promote)


def one_to_one(overload: str, operator: Operator[...], *, promote: Promote = Promote.NONE) -> None:
    """Declares that an overload on one tensor, ``self``, is an operator under another name."""

    def converter(self: Expr) -> Expr:
        return operator(self)

    def converter_of_two(self: Expr, other: Expr) -> Expr:
        return operator(self, other)

    _register([f"aten::{overload}"], converter if len(operator.inputs) == 1 else converter_of_two, (), promote)


def find_converter(target: str) -> Converter | None:
    """The converter of an overload, or None."""
    return _CONVERTERS.get(target)


def converters() -> Mapping[str, Converter]:
    """Every converter by the overload it is for."""
    return dict(_CONVERTERS)
