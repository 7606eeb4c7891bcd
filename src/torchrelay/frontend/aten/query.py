"""Converters of questions about a tensor: sizes, dtype, the number it holds."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.aten.shape.extents import element_count, extent
from torchrelay.frontend.promote import (
    BOOL,
    FLOAT64,
    INT64,
    Computed,
    Number,
    Operand,
    as_dtype,
    as_tensor,
)
from torchrelay.frontend.registry import Result, aten, torch_op
from torchrelay.ir import Constant, DType, Expr, shapes

__all__: list[str] = []


@torch_op("prim::NumToTensor.Scalar")
def number_to_tensor(a: Operand) -> Expr:
    """A number as a tensor without axes."""
    return as_tensor(a, FLOAT64 if isinstance(a, float) else None)


def number_of(value: Operand, dtype: DType | None = None) -> Number | Computed:
    """The number that a tensor or another number is, as one of that dtype; known where it is constant."""
    if isinstance(value, Constant) and value.data.size == 1:
        value = value.data.item()
    if isinstance(value, bool | int | float):
        return value if dtype is None else _PYTHON[str(dtype)](value)
    expr = value.expr if isinstance(value, Computed) else _without_axes(value)
    return Computed(as_dtype(expr, dtype))


def _without_axes(value: Expr) -> Expr:
    return op.reshape(value, newshape=()) if value.tensor.rank else value


_PYTHON = {"int64": int, "float64": float, "bool": bool}


@aten("Int.Tensor", "Int.Scalar", "Int.float", "Int.bool")
def to_int(a: Operand) -> Number | Computed:
    """The number that a tensor holds, as an integer."""
    return number_of(a, INT64)


@aten("Float.Tensor", "Float.Scalar", "Float.bool")
def to_float(a: Operand) -> Number | Computed:
    """The number that a tensor holds, as a float."""
    return number_of(a, FLOAT64)


@aten("Bool.Tensor", "Bool.int", "Bool.float")
def to_bool(a: Operand) -> Number | Computed:
    """The number that a tensor holds, as a truth value."""
    return number_of(a, BOOL)


@aten("ScalarImplicit.default", "IntImplicit.default", "FloatImplicit.default")
def implicit(a: Operand) -> Number | Computed:
    """The number that a tensor holds."""
    return number_of(a)


@aten("item.default", "_local_scalar_dense.default")
def item(self: Expr) -> Number | Computed:
    """The number that a tensor holds."""
    return number_of(self)


@aten("size.int")
def size(self: Expr, dim: int) -> int | Computed:
    """The size of an axis: a number where it is known."""
    return extent(self, shapes.normal_axis(dim, self.tensor.rank))


@aten("size.default")
def sizes(self: Expr) -> Result:
    """The size of every axis."""
    return tuple([size(self, axis) for axis in range(self.tensor.rank)])


@aten("dim.default")
def dim(self: Expr) -> int:
    """The number of axes."""
    return self.tensor.rank


@aten("numel.default")
def numel(self: Expr) -> int | Computed:
    """The number of elements."""
    return element_count(self)


@aten("is_complex.default")
def is_complex(self: Expr) -> bool:
    """Whether the elements are complex, which no tensor of Relay is."""
    return False


@aten("is_contiguous.default", ignore=("memory_format",))
def is_contiguous(self: Expr) -> bool:
    """Whether the elements lie in order, as every tensor of Relay does."""
    return True


@aten("is_floating_point.default")
def is_floating_point(self: Expr) -> bool:
    """Whether the elements are floats."""
    return self.dtype.is_float


@torch_op("prim::dtype.default")
def dtype_of(a: Expr) -> DType:
    """The dtype of a tensor."""
    return a.dtype
