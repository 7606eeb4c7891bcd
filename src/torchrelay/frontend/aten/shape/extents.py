"""Sizes of tensors as a program has them: numbers where they are known, computed where only running it tells."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from functools import reduce

import numpy as np

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.promote import INT64, Computed, as_tensor
from torchrelay.frontend.sizes import alone, at_hand, with_names, with_sizes
from torchrelay.ir import Call, Constant, Dim, Expr, Shape, Symbolic, Tuple, const, parse_size, shapes

__all__ = [
    "Extent",
    "Extents",
    "as_dims",
    "element_count",
    "extent",
    "extents",
    "filled",
    "is_extent",
    "sized",
    "vector",
    "with_extents",
]

Extent = int | Computed
Extents = Sequence[Extent]
"""Sizes for axes, which the program may compute."""


def extent(data: Expr, axis: int) -> Extent:
    """The size of an axis: a number where it is known."""
    found = data.shape[axis]
    if isinstance(found, int):
        return found
    place = const(shapes.normal_axis(axis, data.tensor.rank))
    return Computed(op.take(op.shape_of(data, dtype=INT64), place, axis=0), found)


def is_extent(size: Computed, data: Expr, axis: int) -> bool:
    """Whether the program computes the number as the size of that axis."""
    match size.expr:
        case Call(args=(Call(op=op.shape_of, args=(source,)), Constant(data=place))):
            return source is data and place.item() == axis
        case _:
            return False


def extents(data: Expr) -> tuple[Extent, ...]:
    """The size of every axis."""
    return tuple([extent(data, axis) for axis in range(data.tensor.rank)])


def as_dims(sizes: Extents) -> Shape:
    """What is known of the sizes."""
    return tuple([size.size if isinstance(size, Computed) else size for size in sizes])


def element_count(data: Expr) -> Extent:
    """The number of elements."""
    size = shapes.product(data.shape)
    return size if isinstance(size, int) else Computed(op.ndarray_size(data, dtype=INT64), size)


def vector(sizes: Extents) -> Expr:
    """The sizes as a vector of int64."""
    parts: list[Expr] = []
    for computed, group in itertools.groupby(sizes, lambda size: isinstance(size, Computed)):
        row = list(group)
        if computed:
            parts.append(op.stack(Tuple(tuple([as_tensor(size, INT64) for size in row])), axis=0))
        else:
            parts.append(const(np.array(row, "int64")))
    if not parts:
        return const(np.zeros(0, "int64"))
    return op.concatenate(parts, axis=0) if len(parts) > 1 else parts[0]


def with_extents(value: Expr, sizes: Extents) -> Expr:
    """The value with what is known of its sizes in its type; it is one of these sizes."""
    known = as_dims(sizes)
    return with_names(with_sizes(value, known), known)


def filled(value: Expr, sizes: Extents) -> Expr:
    """One value everywhere in a shape."""
    numbers = [size for size in sizes if isinstance(size, int)]
    if len(numbers) == len(sizes):
        return op.full(value, shape=tuple(numbers), dtype=value.dtype)
    return with_extents(op.dyn.full(value, vector(sizes), shape=None, dtype=value.dtype), sizes)


def sized(shape: Sequence[Dim | Computed], *sources: Expr) -> tuple[Extent, ...]:
    """The sizes of a shape: those that are known by name from the tensors that have them.

    Raises UnsupportedProgram for a size of which nothing is known, and for a name that no tensor has.
    """
    return tuple([size if isinstance(size, int | Computed) else _found(size, sources) for size in shape])


def _found(size: Dim, sources: Sequence[Expr]) -> Extent:
    axes = [(source, axis, have) for source in sources for axis, have in enumerate(source.shape)]
    for source, axis, have in axes:
        if shapes.same(have, size):
            return extent(source, axis)
    value = _valued(size, {name: (source, axis) for source, axis, have in axes for name in alone(have)})
    if value is not None:
        return Computed(value, size)
    raise UnsupportedProgram(f"a size of {size} in a new shape, which only running the program tells")


_FLOORED = re.compile(r"\((?:\(([^()]+)\)|(\w+))//(\d+)\)")
"""The name of a size that is another divided by a number, and floored."""


def _valued(size: Dim, names: Mapping[str, tuple[Expr, int]]) -> Expr | None:
    """The size from those that tensors have by name; None where one is missing."""
    if not isinstance(size, Symbolic):
        return const(size, INT64) if isinstance(size, int) else None
    values: dict[str, Expr] = {}
    for name in size.names:
        axis, floored = names.get(name) or at_hand(name), _FLOORED.fullmatch(name)
        if axis is not None:
            values[name] = as_tensor(extent(*axis), INT64)
        elif floored is not None:
            whole = _valued(parse_size(floored[1] or floored[2]), names)
            if whole is None:
                return None
            values[name] = op.floor_divide(whole, const(int(floored[3]), INT64))
        else:
            return None
    parts = [
        reduce(op.multiply, [values[name] for name in product], const(factor, INT64)) for product, factor in size.terms
    ]
    return reduce(op.add, parts)
