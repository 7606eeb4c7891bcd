"""Converters of window functions, which are known before the program runs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from torchrelay.frontend.aten.create import INERT, real
from torchrelay.frontend.promote import DEFAULT_FLOAT
from torchrelay.frontend.registry import aten
from torchrelay.ir import DType, Expr, const

__all__: list[str] = []


def _cosines(*weights: float) -> Callable[[np.ndarray], np.ndarray]:
    """The sum of cosines of multiples of an angle, with those weights."""
    return lambda angle: np.sum([weight * np.cos(order * angle) for order, weight in enumerate(weights)], axis=0)


def _window(name: str, shape: Callable[[np.ndarray], np.ndarray]) -> None:
    def values(length: int, dtype: DType | None, *, periodic: bool) -> Expr:
        span = max(length if periodic else length - 1, 1)
        angles = 2 * np.pi * np.arange(length) / span
        return const(shape(angles) if length > 1 else np.ones(length), real(dtype, DEFAULT_FLOAT))

    def of_length(window_length: int, *, dtype: DType | None = None) -> Expr:
        return values(window_length, dtype, periodic=True)

    def of_period(window_length: int, periodic: bool, *, dtype: DType | None = None) -> Expr:
        return values(window_length, dtype, periodic=periodic)

    of_length.__doc__ = f"The {name}, as one period."
    of_period.__doc__ = f"The {name}, as one period or symmetric."
    aten(f"{name}.default", ignore=INERT)(of_length)
    aten(f"{name}.periodic", ignore=INERT)(of_period)


_window("hann_window", _cosines(0.5, -0.5))
_window("hamming_window", _cosines(0.54, -0.46))
_window("blackman_window", _cosines(0.42, -0.5, 0.08))
