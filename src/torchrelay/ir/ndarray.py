"""Arrays under the names that tvm.nd users know."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["NDArray"]


class NDArray(np.ndarray[Any, np.dtype[Any]]):
    """A NumPy array that also answers to ``numpy()`` and ``asnumpy()``; it shares the memory of what it was made from."""

    def numpy(self) -> np.ndarray[Any, np.dtype[Any]]:
        """The plain array over the same memory."""
        return self.view(np.ndarray)

    def asnumpy(self) -> np.ndarray[Any, np.dtype[Any]]:
        """The plain array over the same memory; tvm.nd's older name of ``numpy``."""
        return self.view(np.ndarray)

    def copyto(self, target: np.ndarray[Any, np.dtype[Any]]) -> np.ndarray[Any, np.dtype[Any]]:
        """Writes the values into another array, which comes back."""
        np.copyto(target, self)
        return target
