"""How samples are made: arrays by dtype and shape, the same in every run, and the row they stand in."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from torchrelay.ir import Attrs, Operator

Array = np.ndarray
Value = Array | tuple["Value", ...]


@dataclass(frozen=True)
class Sample:
    """Inputs and attributes of one call, and an independent way to its result, in torch or in NumPy."""

    inputs: tuple[Value, ...]
    attributes: Mapping[str, Any]
    torch: Callable[..., Any] | None = None
    numpy: Callable[..., Any] | None = None
    rtol: float | None = None
    atol: float | None = None
    known_dims: bool = False

    def attrs(self, operator: Operator[...]) -> Attrs | None:
        """The record of the call."""
        return operator.attributes(self.attributes)


def sample(
    *inputs: Value,
    torch: Callable[..., Any] | None = None,
    numpy: Callable[..., Any] | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    known_dims: bool = False,
    **attributes: Any,
) -> Sample:
    """A row for an operator. ``torch`` or ``numpy`` gets the inputs and gives the same result by another way.

    ``known_dims``: the type relation cannot do with unknown dims.
    """
    return Sample(inputs, attributes, torch, numpy, rtol, atol, known_dims)


def _floats(shape: tuple[int, ...], low: float, high: float, seed: int) -> Array:
    return np.random.default_rng([seed, *shape]).uniform(low, high, shape)


def f32(*shape: int, low: float = -2.0, high: float = 2.0, seed: int = 0) -> Array:
    """float32 between ``low`` and ``high``."""
    return _floats(shape, low, high, seed).astype(np.float32)


def f64(*shape: int, low: float = -2.0, high: float = 2.0, seed: int = 0) -> Array:
    """float64 between ``low`` and ``high``."""
    return _floats(shape, low, high, seed)


def f16(*shape: int, low: float = -2.0, high: float = 2.0, seed: int = 0) -> Array:
    """float16 between ``low`` and ``high``."""
    return _floats(shape, low, high, seed).astype(np.float16)


def ints(dtype: str, *shape: int, low: int, high: int, seed: int = 0) -> Array:
    """Integers of that dtype from ``low`` up to, not including, ``high``."""
    return np.random.default_rng([seed, *shape]).integers(low, high, shape).astype(dtype)


def i32(*shape: int, low: int = -9, high: int = 10, seed: int = 0) -> Array:
    """int32 from ``low`` up to, not including, ``high``."""
    return ints("int32", *shape, low=low, high=high, seed=seed)


def i64(*shape: int, low: int = -9, high: int = 10, seed: int = 0) -> Array:
    """int64 from ``low`` up to, not including, ``high``."""
    return ints("int64", *shape, low=low, high=high, seed=seed)


def i8(*shape: int, low: int = -128, high: int = 128, seed: int = 0) -> Array:
    """int8 from ``low`` up to, not including, ``high``."""
    return ints("int8", *shape, low=low, high=high, seed=seed)


def u8(*shape: int, low: int = 0, high: int = 256, seed: int = 0) -> Array:
    """uint8 from ``low`` up to, not including, ``high``."""
    return ints("uint8", *shape, low=low, high=high, seed=seed)


def bools(*shape: int, seed: int = 0) -> Array:
    """Truth values."""
    return np.random.default_rng([seed, *shape]).integers(0, 2, shape).astype(bool)


def array(values: Any, dtype: str = "float32") -> Array:
    """These values."""
    return np.array(values, dtype)


def _families() -> Iterator[Mapping[Operator[...], list[Sample]]]:
    import tests.samples as package

    for family in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        rows = getattr(importlib.import_module(family.name), "ROWS", None)
        if rows is not None:
            yield rows


def all_rows() -> dict[Operator[...], list[Sample]]:
    """Every row of every family, by operator."""
    rows: dict[Operator[...], list[Sample]] = {}
    for family in _families():
        for operator, samples in family.items():
            rows.setdefault(operator, []).extend(samples)
    return rows
