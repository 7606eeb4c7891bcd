"""PyTorch's rules for the dtype of a result: which of several arguments decides.

Semantics: torch.result_type. A tensor with dims decides over one without, and both over a Python number, unless the lesser
is of a higher category (bool < integer < float).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import wraps
from typing import TypeVar, cast

from torchrelay import op
from torchrelay.errors import TypeMismatch
from torchrelay.ir import ANY, Constant, Dim, DType, Expr, TensorType, const

__all__ = [
    "BLANK",
    "BOOL",
    "DEFAULT_FLOAT",
    "FLOAT64",
    "INT32",
    "INT64",
    "Blank",
    "Computed",
    "Grown",
    "Number",
    "Operand",
    "Promote",
    "Quantized",
    "as_dtype",
    "as_tensor",
    "promoted",
    "result_dtype",
]

Number = int | float | bool
INT32, INT64 = DType.parse("int32"), DType.parse("int64")
DEFAULT_FLOAT = DType.parse("float32")
BOOL, FLOAT64 = DType.parse("bool"), DType.parse("float64")


@dataclass(frozen=True, slots=True)
class Computed:
    """A number of Python's that the program computes: an expression of rank 0, promoted as the number it stands for.

    ``size`` is the size that it is, where that is known by name.
    """

    expr: Expr
    size: Dim = ANY


@dataclass(frozen=True, slots=True)
class Grown:
    """A list of which the program decides how long it is: its elements along the first axis of one tensor.

    ``computed`` where they are numbers.
    """

    expr: Expr
    computed: bool


@dataclass(frozen=True, slots=True)
class Quantized:
    """A quantized tensor: integers ``expr``, each of which stands for ``scale * (integer - zero_point)``.

    ``scale`` is float32 and ``zero_point`` int32, of rank 0, or vectors along ``axis``.
    """

    expr: Expr
    scale: Expr
    zero_point: Expr
    axis: int | None = None


class Blank:
    """A value that is never read: what a variable is on the way on which the program does not set it."""


BLANK = Blank()
Operand = Expr | Number | Computed
"""A tensor, or a number that is known or computed."""


class Promote(Enum):
    """How a converter wants its tensor and number arguments."""

    NONE = "as they are"
    SAME = "all in the dtype that decides"
    INT_TO_FLOAT = "all in the dtype that decides; the default float type where that is no float"
    BOOL_TO_LONG = "all in the dtype that decides; int64 where that is bool"


def _category(dtype: DType) -> int:
    return 0 if dtype.is_bool else 1 if dtype.is_int else 2


def _number_dtype(value: Number | Computed) -> DType:
    """The dtype that a number counts as: a float as torch's default one, whatever its own is."""
    if isinstance(value, Computed):
        return DEFAULT_FLOAT if value.expr.dtype.is_float else value.expr.dtype
    if isinstance(value, bool):
        return BOOL
    return INT64 if isinstance(value, int) else DEFAULT_FLOAT


_FLOATS = ("float16", "bfloat16", "float32", "float64")


def _wider(left: DType, right: DType) -> DType:
    """The dtype of two tensors of equal standing."""
    if left == right:
        return left
    if _category(left) != _category(right):
        return left if _category(left) > _category(right) else right
    if left.is_float:
        if {left, right} == {"float16", "bfloat16"}:
            return DEFAULT_FLOAT
        return max(left, right, key=lambda dtype: _FLOATS.index(dtype) if dtype in _FLOATS else -1)
    if left.code == right.code:
        return left if left.bits >= right.bits else right
    signed, unsigned = (left, right) if left.code == "int" else (right, left)
    if signed.bits > unsigned.bits:
        return signed
    if unsigned.bits >= 64:
        raise TypeMismatch(f"no integer type holds both {left} and {right}")
    return DType.parse(f"int{unsigned.bits * 2}")


def _widest(dtypes: Iterable[DType]) -> DType | None:
    found: DType | None = None
    for dtype in dtypes:
        found = dtype if found is None else _wider(found, dtype)
    return found


def result_dtype(values: Sequence[Operand]) -> DType:
    """The dtype that torch gives to a result of these tensors and numbers."""
    with_dims: list[DType] = []
    without: list[DType] = []
    for value in values:
        if isinstance(value, Expr) and isinstance(value.type, TensorType):
            (with_dims if value.type.shape else without).append(value.type.dtype)
    result = _widest(with_dims)
    numbers = _widest([_number_dtype(value) for value in values if not isinstance(value, Expr)])
    for lesser in (_widest(without), numbers):
        if lesser is not None and (result is None or _category(lesser) > _category(result)):
            result = lesser
    assert result is not None, "there is at least one value"
    return result


def as_dtype(value: Expr, dtype: DType | None) -> Expr:
    """The value in that dtype; itself where it has it already or none is wanted. A constant scalar is cast at once."""
    if dtype is None or value.dtype == dtype:
        return value
    if isinstance(value, Constant) and value.data.ndim == 0:
        return Constant(value.data.astype(dtype.numpy))
    if dtype.is_bool:
        return op.not_equal(value, const(0, value.dtype))
    return op.cast(value, dtype=dtype)


def as_tensor(value: Operand, dtype: DType | None = None) -> Expr:
    """A number as a tensor of rank 0; a tensor itself; both in ``dtype`` where it is given."""
    if isinstance(value, Computed):
        return as_dtype(value.expr, dtype)
    if isinstance(value, Expr):
        return as_dtype(value, dtype)
    return const(_held(value, dtype), dtype or _number_dtype(value))


def _held(value: Number, dtype: DType | None) -> Number:
    """The number as a C cast to the dtype makes it, where the dtype is an integer."""
    if dtype is None or not dtype.is_int or isinstance(value, bool):
        return value
    whole, span = int(value), 1 << dtype.bits
    wrapped = whole % span
    return wrapped - span if dtype.code == "int" and wrapped >= span >> 1 else wrapped


_HALF = ("float16", "bfloat16")
F = TypeVar("F", bound=Callable[..., object])


def rounded_once(converter: F) -> F:
    """The converter of a function that torch computes in float32 where it is given half floats, and rounds once.

    For one that is said with several operators, each of which would round.
    """

    @wraps(converter)
    def once(*args: object, **keywords: object) -> object:
        given = [value for value in (*args, *keywords.values()) if isinstance(value, Expr)]
        floats = {value.dtype for value in given if isinstance(value.type, TensorType) and value.dtype.is_float}
        if len(floats) != 1 or not floats <= {*_HALF}:
            return converter(*args, **keywords)
        (half,) = floats
        wide = [_widened(value) for value in args]
        result = converter(*wide, **{name: _widened(value) for name, value in keywords.items()})
        return as_dtype(result, half) if isinstance(result, Expr) and result.dtype.is_float else result

    return cast("F", once)


def _widened(value: object) -> object:
    if isinstance(value, Expr) and isinstance(value.type, TensorType) and value.dtype in _HALF:
        return as_dtype(value, DEFAULT_FLOAT)
    return value


def promoted(values: Sequence[Operand], how: Promote) -> list[Expr]:
    """The values as tensors of one dtype."""
    dtype = result_dtype(values)
    if how is Promote.INT_TO_FLOAT and not dtype.is_float:
        dtype = DEFAULT_FLOAT
    if how is Promote.BOOL_TO_LONG and dtype.is_bool:
        dtype = INT64
    return [as_tensor(value, dtype) for value in values]
