"""Products of matrices and the sums in them: exact for integers, and as fast as BLAS wherever it can be."""

from __future__ import annotations

import numpy as np

from torchrelay.op._numpy import Array

__all__ = ["narrowed", "product", "summing_dtype"]


def summing_dtype(left: Array, right: Array, terms: int, out: np.dtype) -> np.dtype:
    """The dtype in which to sum ``terms`` products for a result of dtype ``out``.

    float32 for narrower floats; for integers a float that holds every sum exactly, or else ``out`` itself.
    """
    if out.kind not in "iub":
        return np.dtype(np.float32) if out.itemsize < 4 else out
    if left.dtype.kind not in "iub" or right.dtype.kind not in "iub":
        return np.result_type(left, right)
    bound = _peak(left) * _peak(right) * terms
    if bound < 2**24:
        return np.dtype(np.float32)
    return np.dtype(np.float64) if bound < 2**53 else out


def _peak(data: Array) -> int:
    if data.dtype.kind == "b" or not data.size:
        return 1
    if data.dtype.itemsize == 1:
        return 256 if data.dtype.kind == "u" else 128
    return max(abs(int(data.min())), abs(int(data.max())))


def narrowed(result: Array, out: np.dtype) -> Array:
    """The sums as ``out``, which wraps around where it is an integer too narrow for them."""
    if out.kind in "iu" and result.dtype.kind == "f":
        result = result.astype(np.int64)
    return result.astype(out, copy=False)


def product(left: Array, right: Array, out: np.dtype) -> Array:
    """The product of two stacks of matrices as ``out``."""
    dtype = summing_dtype(left, right, left.shape[-1], out)
    return narrowed(np.matmul(left.astype(dtype, copy=False), right.astype(dtype, copy=False)), out)
