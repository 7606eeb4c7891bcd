"""Converters of operators on lists, tuples and mappings, which conversion takes apart."""

from __future__ import annotations

from collections.abc import Sequence

from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.query import size
from torchrelay.frontend.promote import BLANK, Blank, Computed
from torchrelay.frontend.registry import Result, aten, torch_op
from torchrelay.ir import Expr, TupleType

__all__: list[str] = []


@aten("__getitem__.t")
def element(list: Result, idx: int) -> Result:
    """One of several values."""
    return _elements(list)[idx]


def _elements(value: Result) -> Sequence[Result]:
    """The values in a list or tuple. Raises UnsupportedProgram for a list that the program makes."""
    if isinstance(value, Expr) and isinstance(value.type, TupleType):
        return tuple(value)
    if not isinstance(value, Sequence):
        raise UnsupportedProgram("a list that is made while the program runs")
    return value


@torch_op("prim::ListUnpack.default")
def unpack(self: Result) -> Result:
    """Several values, one by one."""
    return tuple(_elements(self))


@aten("len.t")
def length(a: Result) -> int:
    """How many values there are."""
    return len(_elements(a))


@aten("len.Tensor")
def tensor_length(t: Expr) -> int | Computed:
    """The size of the first axis."""
    return size(t, 0)


@aten("slice.t")
def part(l: Result, start: int | None = None, end: int | None = None, step: int = 1) -> Result:  # noqa: E741 the schema's name
    """Some of several values."""
    return tuple(_elements(l)[start:end:step])


@aten("add.t")
def joined_lists(a: Result, b: Result) -> Result:
    """Several values and several more."""
    return (*_elements(a), *_elements(b))


@aten("mul.left_t")
def repeated_list(l: Result, n: int) -> Result:  # noqa: E741 the schema's name
    """Several values so many times."""
    return tuple(_elements(l)) * n


@aten("list.t")
def same_list(l: Result) -> Result:  # noqa: E741 the schema's name
    """The values as they are: what writes to a list made another one before."""
    return tuple(_elements(l))


@torch_op("prim::Uninitialized.default")
def unset() -> Blank:
    """What a variable is on a way on which the program leaves without setting it."""
    return BLANK
