"""What ``--input`` says: a name, a shape, a dtype; and values made to fit it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from torchrelay.errors import BadFile, WrongArgument, WrongUsage
from torchrelay.ir import DType

__all__ = ["InputSpec", "example_arrays", "load_arrays", "nested", "parse_input"]

_FORM = "NAME:SHAPE[:DTYPE[:LOW..HIGH]], such as x:1x3x224x224:float32 or ids:1x16:int64:0..99"


@dataclass(frozen=True, slots=True)
class InputSpec:
    """One data input. ``bounds`` are the lowest and highest integer to fill it with."""

    name: str
    shape: tuple[int, ...]
    dtype: DType
    bounds: tuple[int, int] = (0, 9)


def parse_input(text: str) -> InputSpec:
    """The input that ``NAME:SHAPE[:DTYPE[:LOW..HIGH]]`` describes; an empty shape is a scalar.

    Raises WrongUsage for any other form.
    """
    name, *rest = text.split(":")
    if not name or not 1 <= len(rest) <= 3:
        raise WrongUsage(f"--input {text!r} is not an input", hint=_FORM)
    if re.fullmatch(r"(\d+(x\d+)*)?", rest[0]) is None:
        raise WrongUsage(f"--input {text!r}: the shape {rest[0]!r} is not sizes joined by x", hint=_FORM)
    shape = tuple(int(size) for size in rest[0].split("x") if size)
    try:
        dtype = DType.parse(rest[1] if len(rest) > 1 else "float32")
        held = dtype.numpy.name
    except WrongArgument as error:
        raise WrongUsage(f"--input {text!r}: {error.message}", hint=_FORM) from None
    if held != dtype:
        raise WrongUsage(f"--input {text!r}: no array has elements of dtype {dtype}", hint=_FORM)
    return InputSpec(name, shape, dtype, _bounds(rest[2], text) if len(rest) > 2 else (0, 9))


def _bounds(text: str, whole: str) -> tuple[int, int]:
    found = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", text)
    if found is None or int(found.group(1)) > int(found.group(2)):
        raise WrongUsage(f"--input {whole!r}: {text!r} is not a range", hint=_FORM)
    return int(found.group(1)), int(found.group(2))


def example_arrays(specs: Sequence[InputSpec], seed: int = 0) -> list[np.ndarray]:
    """Values for the inputs, the same for the same seed: normal for floats, even in the bounds for integers."""
    random = np.random.default_rng(seed)
    return [_example(spec, random) for spec in specs]


def _example(spec: InputSpec, random: np.random.Generator) -> np.ndarray:
    if spec.dtype.is_bool:
        return random.integers(0, 2, spec.shape).astype(bool)
    if spec.dtype.is_float:
        return np.asarray(random.standard_normal(spec.shape)).astype(spec.dtype.numpy)
    low, high = spec.bounds
    return random.integers(low, high, spec.shape, endpoint=True).astype(spec.dtype.numpy)


def load_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an ``.npz`` file by name, or that of an ``.npy`` file under the name of the file.

    Raises BadFile for anything else; nothing pickled is read.
    """
    if not path.exists():
        raise BadFile(f"there is no file {path}")
    try:
        loaded = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise BadFile(f"{path} holds no arrays: {error}", hint="save them with numpy.savez") from None
    return {path.stem: loaded} if isinstance(loaded, np.ndarray) else dict(loaded.items())


def nested(named: Mapping[str, object], whole: Sequence[str]) -> dict[str, object]:
    """Values called ``x.0``, ``x.key`` as a tuple or a mapping called ``x``; a name among ``whole`` is not taken apart."""
    tree: dict[str, object] = {}
    for name, value in named.items():
        head, _, rest = (name, "", "") if name in whole else name.partition(".")
        if not rest:
            tree[head] = value
            continue
        inner = tree.setdefault(head, {})
        if isinstance(inner, dict):
            inner[rest] = value
    return {head: _grown(value) for head, value in tree.items()}


def _grown(value: object) -> object:
    if not isinstance(value, dict):
        return value
    parts = nested(value, ())
    return tuple(parts.values()) if all(key.isdigit() for key in parts) else parts
