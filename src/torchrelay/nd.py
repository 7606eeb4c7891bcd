"""Arrays under the names of tvm.nd."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from torchrelay.ir import DType, NDArray, VirtualDevice

__all__ = ["NDArray", "array", "cpu", "device", "empty"]


def cpu(dev_id: int = 0) -> VirtualDevice:
    """The CPU of that number."""
    return VirtualDevice(1, dev_id)


def device(dev_type: str, dev_id: int = 0) -> VirtualDevice:
    """The device of that type, ``cpu`` or ``cuda``, and number. Arrays live on the CPU, whatever is asked for."""
    return VirtualDevice({"cuda": 2, "gpu": 2}.get(dev_type, 1), dev_id)


def array(arr: ArrayLike, device: VirtualDevice | None = None, mem_scope: str | None = None) -> NDArray:
    """The array, copied as tvm.nd does, float32 for a list of Python's floats."""
    made = np.array(arr)
    if not isinstance(arr, np.ndarray | np.generic) and made.dtype == np.float64:
        made = made.astype(np.float32)
    return made.view(NDArray)


def empty(
    shape: tuple[int, ...], dtype: str = "float32", device: VirtualDevice | None = None, mem_scope: str | None = None
) -> NDArray:
    """An array of that shape and dtype, its values not set."""
    return np.empty(shape, DType.parse(dtype).numpy).view(NDArray)
