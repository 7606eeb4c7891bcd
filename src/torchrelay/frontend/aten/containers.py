"""Converters of operators on lists, tuples and mappings, which conversion takes apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.index import counted_from_front
from torchrelay.frontend.aten.query import size
from torchrelay.frontend.aten.shape.cut import select
from torchrelay.frontend.aten.shape.extents import extent
from torchrelay.frontend.promote import BLANK, FLOAT64, Blank, Computed, Grown, Operand, as_tensor
from torchrelay.frontend.registry import Result, aten, torch_op
from torchrelay.ir import Expr, Tuple, TupleType

__all__ = ["elements", "entries"]


@aten("__getitem__.t")
def element(list: Result, idx: Operand) -> Result:
    """One of several values; of tensors of one type also by an index that the program computes."""
    if isinstance(list, Grown):
        found = select(list.expr, 0, idx)  # pyright: ignore[reportArgumentType] an index is a number
        return Computed(found) if list.computed else found
    values = elements(list)
    if isinstance(idx, int):
        return values[idx]
    types = {value.type for value in values if isinstance(value, Expr)}
    if len(types) != 1 or not all(isinstance(value, Expr) for value in values):
        numbers = [value for value in values if isinstance(value, bool | int | float | Computed)]
        if len(numbers) < len(values) or not values:
            raise UnsupportedProgram(
                "which element is taken is computed while the program runs, and the elements are of several types"
            )
        exprs = [as_tensor(value, FLOAT64 if isinstance(value, float) else None) for value in numbers]
        return Computed(_picked(exprs, as_tensor(idx)))
    return _picked([value for value in values if isinstance(value, Expr)], as_tensor(idx))


def _picked(exprs: Sequence[Expr], index: Expr) -> Expr:
    return op.take(op.stack(Tuple(tuple(exprs)), axis=0), counted_from_front(index, len(exprs)), axis=0)


def elements(value: Result) -> Sequence[Result]:
    """The values in a list or tuple. Raises UnsupportedProgram for a list that the program makes."""
    if isinstance(value, Expr) and isinstance(value.type, TupleType):
        return tuple(value)
    if not isinstance(value, Sequence):
        raise UnsupportedProgram("a list that is made while the program runs")
    return value


def row_of(grown: Grown, value: Result) -> Expr:
    """A value as an element of a list that grows."""
    if not isinstance(value, Expr | Computed | bool | int | float):
        raise UnsupportedProgram("a list whose length the program decides holds tensors or numbers")
    return as_tensor(value, grown.expr.dtype)


def lengthened(grown: Grown, values: Sequence[Result], *, whole: bool = False) -> Grown:
    """A list with more elements at its end; ``whole`` where these are another such list."""
    rows = [row_of(grown, value) for value in values]
    more = rows if whole else [op.expand_dims(row, axis=0) for row in rows]
    return Grown(op.concatenate([grown.expr, *more], axis=0), grown.computed) if more else grown


def entries(value: Result) -> Mapping[str, Result]:
    """The values in a mapping. Raises UnsupportedProgram for one that the program makes."""
    if not isinstance(value, Mapping):
        raise UnsupportedProgram("a mapping that is made while the program runs")
    return value


@torch_op("prim::ListUnpack.default", "prim::TupleUnpack.default")
def unpack(self: Result) -> Result:
    """Several values, one by one."""
    return tuple(elements(self))


@aten("len.t")
def length(a: Result) -> int | Computed:
    """How many values there are."""
    if isinstance(a, Grown):
        return extent(a.expr, 0)
    return len(elements(a))


@aten("len.Tensor")
def tensor_length(t: Expr) -> int | Computed:
    """The size of the first axis."""
    return size(t, 0)


@aten("slice.t")
def part(l: Result, start: int | None = None, end: int | None = None, step: int = 1) -> Result:  # noqa: E741 the schema's name
    """Some of several values."""
    return tuple(elements(l)[start:end:step])


@aten("add.t")
def joined_lists(a: Result, b: Result) -> Result:
    """Several values and several more."""
    if isinstance(a, Grown):
        return lengthened(a, (b.expr,) if isinstance(b, Grown) else elements(b), whole=isinstance(b, Grown))
    return (*elements(a), *elements(b))


@aten("mul.left_t")
def repeated_list(l: Result, n: int) -> Result:  # noqa: E741 the schema's name
    """Several values so many times."""
    return tuple(elements(l)) * n


@aten("list.t")
def same_list(l: Result) -> Result:  # noqa: E741 the schema's name
    """The values as they are: what writes to a list made another one before."""
    return tuple(elements(l))


@torch_op("prim::Uninitialized.default")
def unset() -> Blank:
    """What a variable is on a way on which the program leaves without setting it."""
    return BLANK
