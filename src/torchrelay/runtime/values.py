"""The values that Relay programs compute: arrays, tuples, closures, cells, data types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

from numpy.typing import NDArray

from torchrelay.ir import Constructor, Operator

if TYPE_CHECKING:
    from torchrelay.runtime.program import Program

__all__ = ["Cell", "Closure", "Data", "Value"]


@dataclass(slots=True, eq=False)
class Cell:
    """A mutable reference."""

    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """A value of an algebraic data type."""

    constructor: Constructor
    fields: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function with the values of the variables it uses from outside, by slot of its program."""

    program: Program
    captured: Mapping[int, Value]


Value = Union[NDArray, tuple["Value", ...], Cell, Data, Closure, Operator, Constructor]  # noqa: UP007 a recursive alias
