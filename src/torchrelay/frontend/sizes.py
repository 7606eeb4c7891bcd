"""What torch knows of the sizes of a value that Relay's own type relations do not tell, and of the sizes of the inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from torchrelay import op
from torchrelay.frontend.graph import TorchType
from torchrelay.frontend.promote import Computed
from torchrelay.frontend.registry import Result
from torchrelay.ir import Any, Call, Dim, Expr, Symbolic, TensorType, TupleGetItem, Var, shapes, with_type

__all__ = ["alone", "at_hand", "refined", "size_attributes", "sizes_at_hand", "with_names", "with_sizes"]


_AT_HAND: ContextVar[Mapping[str, tuple[Var, int]]] = ContextVar("sizes at hand", default={})  # noqa: B039 nobody writes to it


@contextmanager
def sizes_at_hand(inputs: Iterable[Var]) -> Iterator[None]:
    """Inside, the sizes that inputs have by name can be had from them."""
    axes = [
        (var, axis, size) for var in inputs if isinstance(var.type, TensorType) for axis, size in enumerate(var.shape)
    ]
    token = _AT_HAND.set({name: (var, axis) for var, axis, size in axes for name in alone(size)})
    try:
        yield
    finally:
        _AT_HAND.reset(token)


def at_hand(name: str) -> tuple[Var, int] | None:
    """The input and the axis of it that has the size of that name."""
    return _AT_HAND.get().get(name)


def alone(size: Dim) -> Iterator[str]:
    """The name that the size is, where it is one."""
    if isinstance(size, Symbolic) and size.terms[0][1] == 1 and len(size.terms) == len(size.terms[0][0]) == 1:
        yield from size.names


def refined(kind: TorchType, value: Result) -> Result:
    """The value with the sizes that torch knows: numbers where Relay knows none, names where it has none."""
    if kind.size is not None:
        if isinstance(kind.size, int):
            return kind.size
        return replace(value, size=kind.size) if isinstance(value, Computed) else value
    if not kind.exact or not isinstance(value, Call | TupleGetItem) or not isinstance(value.type, TensorType):
        return value
    known = kind.shape
    if known is None or len(known) != len(value.shape) or shapes.is_static(value.shape):
        return value
    return with_names(with_sizes(value, known), known)


def with_sizes(value: Expr, known: Sequence[Dim]) -> Expr:
    """The value with numbers in its type that are known of it; it is one of that shape."""
    if all(isinstance(have, int) or not isinstance(size, int) for have, size in zip(value.shape, known, strict=True)):
        return value
    if 0 in value.shape or 0 in known:
        return value  # 0 in a new shape is no size
    shape = tuple([size if isinstance(size, int) else 0 for size in known])
    return op.reshape(value, newshape=shape)


def with_names(value: Expr, known: Sequence[Dim]) -> Expr:
    """The value with sizes in its type that are known by name; it is one of that shape."""
    shape = tuple([_better(have, size) for have, size in zip(value.shape, known, strict=True)])
    if all(one is other for one, other in zip(shape, value.shape, strict=True)):
        return value
    return with_type(value, TensorType(shape, value.dtype))


def _better(have: Dim, known: Dim) -> Dim:
    """What is known by name of an unknown size; torch's form of it where both have one."""
    if not isinstance(have, Any) or not isinstance(known, Symbolic):
        return have
    return have if shapes.same(have, known) else known


def size_attributes(inputs: Sequence[Var], bounds: Mapping[str, tuple[int, int | None]]) -> dict[str, str]:
    """The attributes of a function that say which sizes its inputs may have.

    ``input_sizes`` is a text such as ``x[0] = batch; y[1] = 2*length + 1``, ``size_bounds`` one such as ``batch: 1..64;
    2*length + 1: 3..``.
    """
    known: list[str] = []
    limits: dict[str, str] = {}
    for var in inputs:
        shape = var.type.shape if isinstance(var.type, TensorType) else ()
        for axis, dim in enumerate(shape):
            if isinstance(dim, Symbolic) and all(name.isidentifier() for name in dim.names):
                known.append(f"{var.name}[{axis}] = {dim}")
                least, most = bounds.get(str(dim), (0, None))
                limits[str(dim)] = f"{dim}: {least}..{'' if most is None else most}"
    return {"input_sizes": "; ".join(known), "size_bounds": "; ".join(limits.values())} if known else {}
