"""Whether the sizes of the inputs are ones that a function was made for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from torchrelay.errors import WrongInput
from torchrelay.ir import Function, Symbolic, parse_size
from torchrelay.runtime.values import Value

__all__ = ["check_sizes"]

_SIZE = re.compile(r"(.+?)\[(\d+)\] = ([^;]+)(?:; |\Z)")
_BOUND = re.compile(r"([^:;]+): (\d+)\.\.(\d*)(?:; |\Z)")


@dataclass(frozen=True, slots=True)
class _Axis:
    """One axis of one input: the size that it has, and the one that it must have."""

    name: str
    axis: int
    have: int
    want: Symbolic

    def __str__(self) -> str:
        return f"axis {self.axis} of the input {self.name}"


def check_sizes(function: Function, values: Mapping[str, Value]) -> None:
    """Raises WrongInput, with the name of the size and what it may be, for inputs outside of the function's attributes
    ``input_sizes`` and ``size_bounds``.
    """
    text = function.attrs.get("input_sizes")
    if not isinstance(text, str):
        return
    axes = list(_axes(text, values))
    bounds = function.attrs.get("size_bounds")
    limits = {
        size: (int(least), most) for size, least, most in _BOUND.findall(bounds if isinstance(bounds, str) else "")
    }
    for axis in axes:
        least, most = limits.get(str(axis.want), (0, ""))
        if not least <= axis.have <= int(most or axis.have):
            allowed = f"{least} to {most}" if most else f"{least} or more"
            raise WrongInput(f"{axis} has size {axis.have}, but {axis.want} must be {allowed}")
    found = _names(axes)
    for axis in axes:
        if not axis.want.names <= found.keys():
            continue
        wanted = axis.want.at({name: size for name, (size, _) in found.items()})
        if wanted != axis.have:
            where = ", ".join(f"{name} is {found[name][0]} by {found[name][1]}" for name in sorted(axis.want.names))
            raise WrongInput(f"{axis} has size {axis.have}, but {axis.want} is {wanted}: {where}")


def _axes(text: str, values: Mapping[str, Value]) -> Iterator[_Axis]:
    for name, axis, size in _SIZE.findall(text):
        value, want = values.get(name), parse_size(size)
        if isinstance(value, np.ndarray) and int(axis) < value.ndim and isinstance(want, Symbolic):
            yield _Axis(name, int(axis), value.shape[int(axis)], want)


def _names(axes: list[_Axis]) -> dict[str, tuple[int, _Axis]]:
    """The size that each name stands for, and the axis that tells it: the plainest one in which it is."""
    found: dict[str, tuple[int, _Axis]] = {}
    for axis in sorted(axes, key=lambda axis: len(axis.want.terms)):
        factors = dict(axis.want.terms)
        (name, *others) = sorted(axis.want.names)
        factor = factors.pop((name,), 0)
        offset = factors.pop((), 0)
        if name in found or others or factors or not factor:
            continue
        size, rest = divmod(axis.have - offset, factor)
        if rest:
            raise WrongInput(f"{axis} has size {axis.have}, which is {axis.want} for no {name}")
        found[name] = size, axis
    return found
