"""What convolutions and pools have in common: values for each axis, data without a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.ir import Expr

__all__ = ["batched", "each", "unbatched"]

V = TypeVar("V")


def each(value: V | Sequence[V], rank: int) -> tuple[V, ...]:
    """One value for each axis."""
    values: tuple[V, ...] = tuple(value) if isinstance(value, list | tuple) else (value,)  # pyright: ignore[reportAssignmentType] a V is no sequence
    return values * rank if len(values) == 1 else values


def batched(data: Expr, rank: int) -> tuple[Expr, bool]:
    """The data with an axis for the batch, and whether it was added."""
    if data.tensor.rank == rank + 2:
        return data, False
    if data.tensor.rank == rank + 1:
        return op.expand_dims(data, axis=0), True
    raise UnsupportedProgram(f"a window over {rank} axes of a value of rank {data.tensor.rank}")


def unbatched(data: Expr, added: bool) -> Expr:
    """The data without the axis that was added for the batch."""
    return op.squeeze(data, axis=(0,)) if added else data
