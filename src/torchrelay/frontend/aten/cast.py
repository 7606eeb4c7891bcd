"""Converters that change the dtype of a tensor, or copy it."""

from __future__ import annotations

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.create import INERT, real
from torchrelay.frontend.promote import (
    Operand,
    as_dtype,
    as_tensor,
)
from torchrelay.frontend.registry import aten
from torchrelay.ir import DType, Expr, shapes

__all__: list[str] = []


@aten("to.dtype", "to.dtype_layout", "to.device", "to.prim_Device", "_to_copy.default", ignore=INERT)
def to(self: Operand, dtype: DType | None = None) -> Expr:
    """The tensor in another dtype."""
    value = as_tensor(self) if not isinstance(self, Expr) else self
    return as_dtype(value, real(dtype, value.dtype))


@aten("to.other", ignore=INERT)
def to_other(self: Expr, other: Expr) -> Expr:
    """The tensor in the dtype of another."""
    return as_dtype(self, other.dtype)


@aten("type_as.default")
def type_as(self: Expr, other: Expr) -> Expr:
    """The tensor in the dtype of another."""
    return as_dtype(self, other.dtype)


@aten("copy.default", ignore=INERT)
def copy(self: Expr, src: Expr) -> Expr:
    """The second tensor in the shape and the dtype of the first."""
    value = as_dtype(src, self.dtype)
    if value.shape == self.shape and shapes.is_static(self.shape):
        return value
    if not shapes.is_static(self.shape):
        return op.broadcast_to_like(value, self)
    return op.broadcast_to(value, shape=shapes.static(self.shape, "a copy"))


@aten(
    "alias.default",
    "detach.default",
    "lift_fresh.default",
    "lift_fresh_copy.default",
    "positive.default",
    "resolve_conj.default",
    "resolve_neg.default",
    "real.default",
    "conj_physical.default",
)
def itself(self: Expr) -> Expr:
    """The tensor itself: sharing memory and gradients have no meaning in Relay."""
    return self


@aten("clone.default", "contiguous.default", ignore=("memory_format",))
def same_values(self: Expr) -> Expr:
    """The tensor itself: where it lies in memory has no meaning in Relay."""
    return self


@aten("view.dtype")
def view_dtype(self: Expr, dtype: DType) -> Expr:
    """The bits of each element as another dtype of the same width."""
    if dtype.bits != self.dtype.bits:
        raise UnsupportedProgram(f"bits of {self.dtype} as {dtype}, which is of another width")
    return op.reinterpret(self, dtype=dtype)
