"""Sums, products, broadcasts and windows of dims: known, known by name, or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir.symbolic import Symbolic, floored, multiplied, quotient, total
from torchrelay.ir.types import ANY, Any, Dim, Shape

__all__ = [
    "add",
    "broadcast",
    "ceil_div",
    "dims_fit",
    "floor_div",
    "is_static",
    "known",
    "multiply",
    "normal_axes",
    "normal_axis",
    "product",
    "same",
    "static",
    "subtract",
    "window",
]


def is_static(shape: Iterable[Dim]) -> bool:
    """Whether every dim is a size."""
    return not any(isinstance(dim, Any) for dim in shape)


def static(shape: Iterable[Dim], what: str) -> tuple[int, ...]:
    """The shape as sizes. Raises TypeMismatch, naming ``what``, where a dim is unknown."""
    sizes = tuple(shape)
    if not is_static(sizes):
        raise TypeMismatch(f"{what} needs known sizes, but the shape is ({', '.join(map(str, sizes))})")
    return sizes  # pyright: ignore[reportReturnType] no dim is Any


def _whole(left: Dim, right: Dim) -> tuple[int | Symbolic, int | Symbolic] | None:
    """The two where both are known, if only by name."""
    if isinstance(left, int | Symbolic) and isinstance(right, int | Symbolic):
        return left, right
    return None


def same(left: Dim, right: Dim) -> bool:
    """Whether the two are one size whatever their names stand for; two of which nothing is known are not."""
    pair = _whole(left, right)
    return (
        pair is not None and total(*pair, -1) == 0 if isinstance(left, Any) or isinstance(right, Any) else left == right
    )


def add(left: Dim, right: Dim) -> Dim:
    """Left + right."""
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    pair = _whole(left, right)
    return ANY if pair is None else total(*pair)


def subtract(left: Dim, right: Dim) -> Dim:
    """Left - right."""
    if isinstance(left, int) and isinstance(right, int):
        return left - right
    pair = _whole(left, right)
    return ANY if pair is None else total(*pair, -1)


def multiply(left: Dim, right: Dim) -> Dim:
    """Left * right; 0 where either is 0."""
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    if left == 0 or right == 0:
        return 0
    pair = _whole(left, right)
    return ANY if pair is None else multiplied(*pair)


def floor_div(left: Dim, right: Dim) -> Dim:
    """Left // right."""
    if isinstance(left, int) and isinstance(right, int):
        return left // right
    pair = _whole(left, right)
    if pair is None or right == 0:
        return ANY
    found = quotient(*pair)
    if found is None and isinstance(right, int) and right > 0:
        found = floored(pair[0], right)
    return ANY if found is None else found


def ceil_div(left: Dim, right: Dim) -> Dim:
    """Left / right, rounded up."""
    return subtract(0, floor_div(subtract(0, left), right))


def product(shape: Iterable[Dim]) -> Dim:
    """The number of elements."""
    total: Dim = 1
    for dim in shape:
        total = multiply(total, dim)
    return total


def dims_fit(left: Dim, right: Dim) -> bool:
    """Whether the two can be the same size: equal, or one of them unknown."""
    return isinstance(left, Any) or isinstance(right, Any) or left == right


def known(left: Dim, right: Dim) -> Dim:
    """The size that two dims which fit have in common: that of either which is known, by name at least."""
    return right if isinstance(left, Any) and (isinstance(right, int) or left is ANY) else left


def _broadcast_dim(left: Dim, right: Dim) -> Dim | None:
    if left == 1:
        return right
    if right == 1:
        return left
    if isinstance(left, int) and isinstance(right, int):
        return left if left == right else None
    if isinstance(left, Symbolic) and isinstance(right, Symbolic):
        return left if same(left, right) else ANY
    return known(left, right)


def broadcast(left: Shape, right: Shape) -> Shape:
    """The shape both broadcast to. Raises TypeMismatch where they do not."""
    if left is right or (left == right and is_static(left)):
        return left
    rank = max(len(left), len(right))
    lhs, rhs = (1,) * (rank - len(left)) + left, (1,) * (rank - len(right)) + right
    dims = [_broadcast_dim(a, b) for a, b in zip(lhs, rhs, strict=True)]
    if None in dims:
        raise TypeMismatch(f"the shapes {left} and {right} do not broadcast")
    return tuple([dim for dim in dims if dim is not None])


def normal_axis(axis: int, rank: int) -> int:
    """The axis counted from the front. Raises WrongArgument where a value of that rank does not have it."""
    if not -rank <= axis < rank:
        raise WrongArgument(f"axis {axis} is outside a value of rank {rank}")
    return axis % rank


def normal_axes(axes: Sequence[int] | None, rank: int) -> tuple[int, ...]:
    """The axes counted from the front, all of them for None. Raises WrongArgument for one outside, or named twice."""
    if axes is None:
        return tuple(range(rank))
    found = tuple([normal_axis(axis, rank) for axis in axes])
    if len(set(found)) != len(found):
        raise WrongArgument(f"the axes {tuple(axes)} name an axis twice")
    return found


def window(size: Dim, kernel: Dim, stride: int, dilation: int, padding: Dim, *, ceil_mode: bool = False) -> Dim:
    """The number of places a window of ``kernel`` taps takes along ``size``; ``padding`` is both sides together."""
    reach = add(multiply(subtract(kernel, 1), dilation), 1)
    free = subtract(add(size, padding), reach)
    return add(ceil_div(free, stride) if ceil_mode else floor_div(free, stride), 1)
