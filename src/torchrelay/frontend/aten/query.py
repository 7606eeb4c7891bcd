"""Converters of questions about a tensor: sizes, dtype, the number it holds."""

from __future__ import annotations

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.promote import (
    Number,
    as_tensor,
)
from torchrelay.frontend.registry import Result, aten, torch_op
from torchrelay.ir import Constant, DType, Expr, const, shapes

__all__: list[str] = []


@torch_op("prim::NumToTensor.Scalar", "prim::NumToTensor.bool")
def number_to_tensor(a: Number | Expr) -> Expr:
    """A number as a tensor without axes."""
    if isinstance(a, float):
        return as_tensor(a, DType.parse("float64"))
    return as_tensor(a)


def number_of(value: Expr | Number) -> Number:
    """The number that a tensor holds. Raises UnsupportedProgram where the program computes it."""
    if isinstance(value, Constant) and value.data.size == 1:
        return value.data.item()
    if isinstance(value, Expr):
        raise UnsupportedProgram("a number that the program computes from a tensor steers its structure")
    return value


@aten("Int.Tensor", "Int.Scalar", "Int.float", "Int.bool")
def to_int(a: Expr | Number) -> int:
    """The number that a tensor holds, as an integer."""
    return int(number_of(a))


@aten("Float.Tensor", "Float.Scalar", "Float.int", "Float.bool")
def to_float(a: Expr | Number) -> float:
    """The number that a tensor holds, as a float."""
    return float(number_of(a))


@aten("Bool.Tensor", "Bool.int", "Bool.float")
def to_bool(a: Expr | Number) -> bool:
    """The number that a tensor holds, as a truth value."""
    return bool(number_of(a))


@aten("ScalarImplicit.default", "IntImplicit.default", "FloatImplicit.default")
def implicit(a: Expr | Number) -> Number:
    """The number that a tensor holds."""
    return number_of(a)


@aten("item.default", "_local_scalar_dense.default")
def item(self: Expr) -> Result:
    """The number that a tensor holds; the tensor without axes where the program computes it."""
    return number_of(self) if isinstance(self, Constant) else op.reshape(self, newshape=())


@aten("size.int")
def size(self: Expr, dim: int) -> Result:
    """The size of an axis: a number where it is known."""
    axis = shapes.normal_axis(dim, self.tensor.rank)
    found = self.shape[axis]
    if isinstance(found, int):
        return found
    return op.take(op.shape_of(self, dtype=DType.parse("int64")), const(axis), axis=0)


@aten("size.default")
def sizes(self: Expr) -> Result:
    """The size of every axis."""
    return tuple([size(self, axis) for axis in range(self.tensor.rank)])


@aten("dim.default")
def dim(self: Expr) -> int:
    """The number of axes."""
    return self.tensor.rank


@aten("numel.default")
def numel(self: Expr) -> Result:
    """The number of elements."""
    count = shapes.product(self.shape)
    return count if isinstance(count, int) else op.ndarray_size(self, dtype=DType.parse("int64"))


@aten("is_floating_point.default")
def is_floating_point(self: Expr) -> bool:
    """Whether the elements are floats."""
    return self.dtype.is_float


@torch_op("prim::dtype.default")
def dtype_of(a: Expr) -> str:
    """The dtype of a tensor."""
    return a.dtype


@torch_op("prim::device.default")
def device(a: Expr) -> str:
    """Where a tensor lies: Relay decides that later."""
    return "cpu"


@aten(
    "_assert_tensor_metadata.default",
    "_assert_scalar.default",
    "_assert_async.msg",
    "sym_constrain_range_for_size.default",
    ignore=("a", "size", "stride", "dtype", "device", "layout", "self", "assert_msg", "min", "max"),
)
def assertion() -> None:
    """A check of the program's own, which conversion has no need of."""
