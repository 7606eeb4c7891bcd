"""tvm.relay's functions for the operators without a family: arithmetic, shapes, reductions.

Written by ``python -m torchrelay.relay.stubs``.
"""

from collections.abc import Sequence

from torchrelay.ir import Call, Expr, Tuple
from torchrelay.relay.functions import Made, TupleWrapper

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "adv_index",
    "all",
    "any",
    "arange",
    "argmax",
    "argmin",
    "argsort",
    "argwhere",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "broadcast_to",
    "broadcast_to_like",
    "cast",
    "cast_like",
    "ceil",
    "clip",
    "collapse_sum_like",
    "collapse_sum_to",
    "concatenate",
    "copy",
    "cos",
    "cosh",
    "cumprod",
    "cumsum",
    "device_copy",
    "dft",
    "divide",
    "einsum",
    "equal",
    "erf",
    "exp",
    "expand_dims",
    "fixed_point_multiply",
    "floor",
    "floor_divide",
    "floor_mod",
    "full",
    "full_like",
    "gather",
    "gather_nd",
    "greater",
    "greater_equal",
    "invert_permutation",
    "isfinite",
    "isinf",
    "isnan",
    "layout_transform",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log2",
    "log10",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "logsumexp",
    "matrix_set_diag",
    "max",
    "maximum",
    "mean",
    "mean_std",
    "mean_variance",
    "meshgrid",
    "min",
    "minimum",
    "mod",
    "multiply",
    "ndarray_size",
    "negative",
    "not_equal",
    "one_hot",
    "ones",
    "ones_like",
    "power",
    "prod",
    "reinterpret",
    "repeat",
    "reshape",
    "reshape_like",
    "reverse",
    "reverse_reshape",
    "reverse_sequence",
    "right_shift",
    "round",
    "rsqrt",
    "scatter_elements",
    "scatter_nd",
    "searchsorted",
    "sequence_mask",
    "shape_of",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "slice_like",
    "sliding_window",
    "sort",
    "sparse_fill_empty_rows",
    "sparse_reshape",
    "sparse_to_dense",
    "split",
    "sqrt",
    "squeeze",
    "stack",
    "std",
    "stft",
    "strided_set",
    "strided_slice",
    "subtract",
    "sum",
    "take",
    "tan",
    "tanh",
    "tile",
    "topk",
    "transpose",
    "trilu",
    "trunc",
    "trunc_divide",
    "trunc_mod",
    "unique",
    "unravel_index",
    "variance",
    "where",
    "zeros",
    "zeros_like",
]
Operand = Expr | TupleWrapper | Sequence[Expr]

def abs(data: Operand) -> Made:
    """The absolute value."""

def acos(data: Operand) -> Made:
    """The angle whose cosine is the element."""

def acosh(data: Operand) -> Made:
    """The inverse hyperbolic cosine."""

def add(lhs: Operand, rhs: Operand) -> Made:
    """The sum."""

def adv_index(inputs: Operand) -> Made:
    """The parts of the first tensor at the places that the others, broadcast to one shape, name along its first axes."""

def all(data: Operand, axis: Sequence[int] | int | None = None, keepdims: bool = False, exclude: bool = False) -> Made:
    """Whether all elements over axes are true, in the dtype of the data."""

def any(data: Operand, axis: Sequence[int] | int | None = None, keepdims: bool = False, exclude: bool = False) -> Made:
    """Whether one element over axes is true, in the dtype of the data."""

def arange(start: Expr, stop: Expr | None = None, step: Expr | None = None, dtype: str = "float32") -> Call:
    """The numbers from ``start`` on, before ``stop``, by ``step``; with one argument, from 0 before that."""

def argmax(
    data: Operand,
    axis: Sequence[int] | int | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    select_last_index: bool = False,
) -> Made:
    """Where the largest element over axes is, as an index into these axes flattened."""

def argmin(
    data: Operand,
    axis: Sequence[int] | int | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    select_last_index: bool = False,
) -> Made:
    """Where the smallest element over axes is, as an index into these axes flattened."""

def argsort(data: Operand, axis: int = -1, is_ascend: bool | int = 1, dtype: str = "int32") -> Made:
    """Where the elements along an axis are, by size."""

def argwhere(condition: Operand) -> Made:
    """The coordinates of every element that is true (not 0), one row each."""

def asin(data: Operand) -> Made:
    """The angle whose sine is the element."""

def asinh(data: Operand) -> Made:
    """The inverse hyperbolic sine."""

def atan(data: Operand) -> Made:
    """The angle whose tangent is the element."""

def atanh(data: Operand) -> Made:
    """The inverse hyperbolic tangent."""

def bitwise_and(lhs: Operand, rhs: Operand) -> Made:
    """The bits that both have."""

def bitwise_not(data: Operand) -> Made:
    """Every bit turned over."""

def bitwise_or(lhs: Operand, rhs: Operand) -> Made:
    """The bits that either has."""

def bitwise_xor(lhs: Operand, rhs: Operand) -> Made:
    """The bits that only one has."""

def broadcast_to(data: Expr, shape: Sequence[int] | Expr) -> Call:
    """The data in another shape, its sizes of 1 repeated."""

def broadcast_to_like(data: Operand, broadcast_type: Operand) -> Made:
    """The data repeated up to the shape of another tensor of its dtype."""

def cast(data: Operand, dtype: str) -> Made:
    """The elements in another dtype; floats lose their fraction on the way to integers."""

def cast_like(data: Operand, dtype_like: Operand) -> Made:
    """The elements in the dtype of another tensor."""

def ceil(data: Operand) -> Made:
    """The smallest whole number not below the element."""

def clip(a: Operand, a_min: float, a_max: float) -> Made:
    """Each element, or the bound it is beyond; NaN stays. Bounds of integers lose their fraction and fit the dtype."""

def collapse_sum_like(data: Operand, collapse_type: Operand) -> Made:
    """The sum over the axes along which the shape of another tensor of the dtype broadcasts to that of the data."""

def collapse_sum_to(data: Expr, shape: Sequence[int] | Expr) -> Call:
    """The data summed to a shape that broadcasts to its own."""

def concatenate(data: Operand, axis: int) -> Made:
    """Tensors joined along an axis that they have."""

def copy(data: Operand) -> Made:
    """The data itself."""

def cos(data: Operand) -> Made:
    """The cosine of an angle in radians."""

def cosh(data: Operand) -> Made:
    """The hyperbolic cosine."""

def cumprod(data: Operand, axis: int | None = None, dtype: str | None = None, exclusive: bool | None = None) -> Made:
    """The product of all elements up to each one."""

def cumsum(data: Operand, axis: int | None = None, dtype: str | None = None, exclusive: bool | None = None) -> Made:
    """The sum of all elements up to each one."""

def device_copy(data: Expr, src_device: object, dst_device: object) -> Call:
    """The data on another device."""

def dft(re_data: Operand, im_data: Operand, inverse: bool = False) -> Made:
    """The discrete Fourier transform along the last axis, as real and imaginary part."""

def divide(lhs: Operand, rhs: Operand) -> Made:
    """The quotient; that of integers is rounded toward zero."""

def einsum(data: Operand, equation: str) -> Made:
    """The sum of products of elements of the tensors over all axes that the result has not."""

def equal(lhs: Operand, rhs: Operand) -> Made:
    """Whether the two are equal."""

def erf(data: Operand) -> Made:
    """The error function."""

def exp(data: Operand) -> Made:
    """The exponential."""

def expand_dims(data: Expr, axis: int | Expr, num_newaxis: int = 1) -> Call:
    """The data with axes of size 1 put in."""

def fixed_point_multiply(data: Operand, multiplier: int, shift: int) -> Made:
    """Each int32 times a fixed-point factor, rounded to nearest with halves up."""

def floor(data: Operand) -> Made:
    """The largest whole number not above the element."""

def floor_divide(lhs: Operand, rhs: Operand) -> Made:
    """The quotient rounded down."""

def floor_mod(lhs: Operand, rhs: Operand) -> Made:
    """The remainder with the sign of the divisor."""

def full(fill_value: Expr, shape: Sequence[int] | Expr = (), dtype: str = "") -> Call:
    """A tensor of one value."""

def full_like(data: Operand, fill_value: Operand) -> Made:
    """A tensor of the type of ``data`` with one value everywhere."""

def gather(data: Operand, axis: int | None, indices: Operand) -> Made:
    """For each index the element at its own place, but with that index along ``axis``."""

def gather_nd(data: Operand, indices: Operand, batch_dims: int = 0, index_rank: int | None = None) -> Made:
    """The parts of the data at the places whose coordinates stand along the first axis of the indices."""

def greater(lhs: Operand, rhs: Operand) -> Made:
    """Whether the first is larger."""

def greater_equal(lhs: Operand, rhs: Operand) -> Made:
    """Whether the first is not smaller."""

def invert_permutation(data: Operand) -> Made:
    """The permutation that undoes this one."""

def isfinite(data: Operand) -> Made:
    """Whether the element is not infinite or NaN."""

def isinf(data: Operand) -> Made:
    """Whether the element is infinite."""

def isnan(data: Operand) -> Made:
    """Whether the element is NaN."""

def layout_transform(data: Operand, src_layout: str, dst_layout: str) -> Made:
    """The data in another layout; a block that the data does not fill is filled with zeros."""

def left_shift(lhs: Operand, rhs: Operand) -> Made:
    """The bits moved toward the high end."""

def less(lhs: Operand, rhs: Operand) -> Made:
    """Whether the first is smaller."""

def less_equal(lhs: Operand, rhs: Operand) -> Made:
    """Whether the first is not larger."""

def log(data: Operand) -> Made:
    """The natural logarithm."""

def log10(data: Operand) -> Made:
    """The logarithm to base 10."""

def log2(data: Operand) -> Made:
    """The logarithm to base 2."""

def logical_and(lhs: Operand, rhs: Operand) -> Made:
    """Whether both are true, in their dtype."""

def logical_not(data: Operand) -> Made:
    """Whether the element is false, in the dtype of the data."""

def logical_or(lhs: Operand, rhs: Operand) -> Made:
    """Whether one is true, in their dtype."""

def logical_xor(lhs: Operand, rhs: Operand) -> Made:
    """Whether only one is true, in their dtype."""

def logsumexp(data: Expr, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Call:
    """The logarithm of the sum of exponentials over axes."""

def matrix_set_diag(data: Expr, diagonal: Expr, k: int | tuple[int, int] = 0, align: str = "RIGHT_LEFT") -> Call:
    """Matrices with the diagonals from ``k[0]`` to ``k[1]`` replaced."""

def max(data: Operand, axis: Sequence[int] | int | None = None, keepdims: bool = False, exclude: bool = False) -> Made:
    """The largest element over axes."""

def maximum(lhs: Operand, rhs: Operand) -> Made:
    """The larger of the two; NaN where either is NaN."""

def mean(data: Operand, axis: Sequence[int] | int | None = None, keepdims: bool = False, exclude: bool = False) -> Made:
    """The mean over axes; that of integers is rounded toward zero."""

def mean_std(
    data: Expr, axis: int | Sequence[int] | None = None, keepdims: bool = False, exclude: bool = False
) -> TupleWrapper:
    """Mean and standard deviation over axes."""

def mean_variance(
    data: Expr,
    axis: int | Sequence[int] | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    unbiased: bool = False,
) -> TupleWrapper:
    """Mean and variance over axes."""

def meshgrid(data: Expr | Sequence[Expr], indexing: str = "ij") -> TupleWrapper:
    """The coordinates of a grid over these axes, one tensor for each."""

def min(data: Operand, axis: Sequence[int] | int | None = None, keepdims: bool = False, exclude: bool = False) -> Made:
    """The smallest element over axes."""

def minimum(lhs: Operand, rhs: Operand) -> Made:
    """The smaller of the two; NaN where either is NaN."""

def mod(lhs: Operand, rhs: Operand) -> Made:
    """The remainder with the sign of the dividend."""

def multiply(lhs: Operand, rhs: Operand) -> Made:
    """The product."""

def ndarray_size(data: Operand, dtype: str = "int32") -> Made:
    """The number of elements."""

def negative(data: Operand) -> Made:
    """The element with the other sign."""

def not_equal(lhs: Operand, rhs: Operand) -> Made:
    """Whether the two differ."""

def one_hot(indices: Expr, on_value: Expr, off_value: Expr, depth: int | Expr, axis: int, dtype: str) -> Call:
    """``on_value`` where the new axis is at the index, ``off_value`` elsewhere."""

def ones(shape: Sequence[int] | Expr, dtype: str) -> Call:
    """A tensor of ones."""

def ones_like(data: Operand) -> Made:
    """Ones of the type of ``data``."""

def power(lhs: Operand, rhs: Operand) -> Made:
    """The first to the power of the second; a fraction of integers loses it."""

def prod(data: Operand, axis: Sequence[int] | int | None = None, keepdims: bool = False, exclude: bool = False) -> Made:
    """The product over axes."""

def reinterpret(data: Operand, dtype: str) -> Made:
    """The bits of each element read as another dtype of the same width."""

def repeat(data: Operand, repeats: int, axis: int | None) -> Made:
    """Each element several times, one after the other."""

def reshape(data: Expr, newshape: int | Sequence[int] | Expr, allowzero: bool = False) -> Call:
    """The data in another shape; 0 keeps a size (with ``allowzero`` it is 0), -1 takes what is left."""

def reshape_like(
    data: Operand,
    shape_like: Operand,
    lhs_begin: int = 0,
    lhs_end: int | None = None,
    rhs_begin: int = 0,
    rhs_end: int | None = None,
) -> Made:
    """The elements in the shape of another tensor, or with some dims replaced by some of the other's."""

def reverse(data: Operand, axis: int | None) -> Made:
    """The elements along an axis, the last one first."""

def reverse_reshape(data: Operand, newshape: Sequence[int] | int) -> Made:
    """The elements in the same order in another shape, whose entries refer to the dims from the last one on."""

def reverse_sequence(data: Operand, seq_lengths: Operand, seq_axis: int = 1, batch_axis: int = 0) -> Made:
    """The first ``seq_lengths[i]`` elements of each sequence i, the last of them first; the rest as it is."""

def right_shift(lhs: Operand, rhs: Operand) -> Made:
    """The bits moved toward the low end; the sign stays."""

def round(data: Operand) -> Made:
    """The nearest whole number, halves away from zero."""

def rsqrt(data: Operand) -> Made:
    """One over the square root."""

def scatter_elements(
    data: Operand, indices: Operand, updates: Operand, axis: int = 0, reduction: str = "update"
) -> Made:
    """The data with each update combined into its own place, but with its index along ``axis``."""

def scatter_nd(data: Operand, indices: Operand, updates: Operand, mode: str = "update") -> Made:
    """The data with updates combined in at the places whose coordinates stand along the first axis of the indices."""

def searchsorted(sorted_sequence: Operand, values: Operand, right: bool = False, dtype: str = "int32") -> Made:
    """Where each value goes in a sorted sequence: one for all values, or one for each of their rows."""

def sequence_mask(data: Operand, valid_length: Operand, mask_value: float = 0, axis: int = 0) -> Made:
    """The data with every element beyond the length of its sequence replaced."""

def shape_of(data: Operand, dtype: str = "int32") -> Made:
    """The shape as a tensor."""

def sigmoid(data: Operand) -> Made:
    """1 / (1 + exp(-x))."""

def sign(data: Operand) -> Made:
    """-1, 0 or 1 by the sign of the element."""

def sin(data: Operand) -> Made:
    """The sine of an angle in radians."""

def sinh(data: Operand) -> Made:
    """The hyperbolic sine."""

def slice_like(data: Operand, shape_like: Operand, axes: Sequence[int] | int | None = None) -> Made:
    """The first elements along axes, as many as another tensor has."""

def sliding_window(data: Operand, axis: int, window_shape: Sequence[int] | int, strides: Sequence[int] | int) -> Made:
    """The window at each of its places: axes before ``axis``, the places, then the window."""

def sort(data: Operand, axis: int = -1, is_ascend: bool | int = 1) -> Made:
    """The elements along an axis by size."""

def sparse_fill_empty_rows(sparse_indices: Expr, sparse_values: Expr, dense_shape: Expr, default_value: Expr) -> Tuple:
    """A sparse tensor with a value in each of its rows: indices, values, and which rows were empty."""

def sparse_reshape(sparse_indices: Operand, prev_shape: Operand, new_shape: Operand) -> Made:
    """The coordinates of the same elements in a tensor of another shape, and that shape without its -1."""

def sparse_to_dense(
    sparse_indices: Expr, output_shape: Sequence[int] | Expr, sparse_values: Expr, default_value: Expr | float = 0
) -> Call:
    """A dense tensor with these values at these indices."""

def split(data: Expr, indices_or_sections: int | Sequence[int], axis: int = 0) -> TupleWrapper:
    """The data cut along an axis: into so many equal parts, or before each index."""

def sqrt(data: Operand) -> Made:
    """The square root."""

def squeeze(data: Expr, axis: int | Sequence[int] | Expr | None = None) -> Call:
    """The data without axes of size 1: all of them, or those given."""

def stack(data: Operand, axis: int) -> Made:
    """Tensors of one shape joined along a new axis."""

def std(
    data: Expr,
    axis: int | Sequence[int] | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    unbiased: bool = False,
) -> Call:
    """The standard deviation over axes."""

def stft(
    data: Expr,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Expr | None = None,
    normalized: bool = False,
    onesided: bool = True,
) -> Call:
    """Fourier transforms of overlapping parts of the data."""

def strided_set(
    data: Expr,
    v: Expr,
    begin: Sequence[int] | Expr,
    end: Sequence[int] | Expr,
    strides: Sequence[int] | Expr | None = None,
) -> Call:
    """The data with a part of it replaced by ``v``."""

def strided_slice(
    data: Expr,
    begin: Sequence[int] | Expr,
    end: Sequence[int] | Expr,
    strides: Sequence[int] | Expr | None = None,
    axes: Sequence[int] | None = None,
    slice_mode: str = "end",
) -> Call:
    """A part of the data along its axes, or along ``axes``; bounds that are computed count from the end where negative."""

def subtract(lhs: Operand, rhs: Operand) -> Made:
    """The difference."""

def sum(data: Operand, axis: Sequence[int] | int | None = None, keepdims: bool = False, exclude: bool = False) -> Made:
    """The sum over axes."""

def take(data: Operand, indices: Operand, axis: int | None = None, batch_dims: int = 0, mode: str = "clip") -> Made:
    """The parts of the data along an axis that indices name."""

def tan(data: Operand) -> Made:
    """The tangent of an angle in radians."""

def tanh(data: Operand) -> Made:
    """The hyperbolic tangent."""

def tile(data: Expr, reps: Sequence[int] | Expr) -> Call:
    """The data repeated along its axes."""

def topk(
    data: Expr, k: int | Expr = 1, axis: int = -1, ret_type: str = "both", is_ascend: bool = False, dtype: str = "int32"
) -> Made:
    """The ``k`` largest (or smallest) values along an axis, their indices, or both."""

def transpose(data: Operand, axes: Sequence[int] | int | None = None) -> Made:
    """The axes in another order."""

def trilu(data: Expr, k: int | Expr, upper: bool = True) -> Call:
    """The part of matrices above (or below) a diagonal."""

def trunc(data: Operand) -> Made:
    """The element without its fraction."""

def trunc_divide(lhs: Operand, rhs: Operand) -> Made:
    """The quotient rounded toward zero."""

def trunc_mod(lhs: Operand, rhs: Operand) -> Made:
    """The remainder with the sign of the dividend."""

def unique(data: Expr, is_sorted: bool = True, return_counts: bool = False) -> TupleWrapper:
    """The different values, with the indices of their first places, inverse indices, their number, and their counts."""

def unravel_index(indices: Operand, shape: Operand) -> Made:
    """For each flat index its coordinates in a value of that shape, along a new first axis; indices wrap around."""

def variance(
    data: Expr,
    axis: int | Sequence[int] | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    unbiased: bool = False,
    with_mean: Expr | None = None,
) -> Call:
    """The variance over axes, about the mean or about ``with_mean``."""

def where(condition: Operand, x: Operand, y: Operand) -> Made:
    """The element of ``x`` where the condition is true (not 0), of ``y`` elsewhere."""

def zeros(shape: Sequence[int] | Expr, dtype: str) -> Call:
    """A tensor of zeros."""

def zeros_like(data: Operand) -> Made:
    """Zeros of the type of ``data``."""
