"""The one view of a captured PyTorch program that the rest of the importer knows, whichever reader made it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from torchrelay.errors import Place
from torchrelay.ir import DType, Shape

if TYPE_CHECKING:
    import torch

__all__ = ["Arg", "TorchGraph", "TorchNode", "TorchParameter", "TorchType", "TorchValue", "values_in"]


@dataclass(frozen=True, slots=True)
class TorchType:
    """The type of a torch value: ``kind`` is Tensor, int, float, bool, complex, str, None, Device, List, Tuple, Dict,
    Optional, Object, or another TorchScript type by its name.

    ``shape`` and ``dtype`` are those of a tensor where the capture knows them; ``elements`` are the types inside.
    """

    kind: str
    shape: Shape | None = None
    dtype: DType | None = None
    elements: tuple[TorchType, ...] = ()


@dataclass(frozen=True, slots=True)
class TorchValue:
    """One value of the program: a name, unique in its graph and the graphs nested in it, and its type."""

    name: str
    type: TorchType


Arg = TorchValue | int | float | bool | complex | str | DType | None | tuple["Arg", ...] | Mapping[str, "Arg"]
"""An argument of a node: a value, a literal, or a (nested) tuple of these. TorchScript lists and tuples are both tuples."""


@dataclass(frozen=True, slots=True)
class TorchNode:
    """One operator call. ``target`` is the qualified name with the overload: ``aten::mean.dim``; an overload without a
    name is ``default``. ``args`` is complete: every argument of the schema by its name, defaults filled in.
    """

    target: str
    args: Mapping[str, Arg]
    outputs: tuple[TorchValue, ...]
    where: Place
    blocks: tuple[TorchGraph, ...] = ()


@dataclass(frozen=True, slots=True)
class TorchParameter:
    """A parameter, buffer or constant tensor: its state-dict key (or a name made for a constant) and the very tensor."""

    key: str
    tensor: torch.Tensor = field(repr=False)


@dataclass(frozen=True, slots=True)
class TorchGraph:
    """A program: data inputs, nodes in order of execution, results.

    ``parameters`` maps the name of a value to the parameter that it is. ``outputs`` and ``inputs`` hold nested tuples and
    mappings as the model returns and takes them. ``node_kinds`` of the raw capture are what the record shows.
    """

    inputs: tuple[TorchValue, ...]
    nodes: tuple[TorchNode, ...]
    outputs: tuple[Arg, ...]
    parameters: Mapping[str, TorchParameter] = field(default_factory=dict)


def values_in(arg: Arg) -> Iterator[TorchValue]:
    """The values in an argument, however deep in tuples and mappings, left to right."""
    stack = [arg]
    while stack:
        part = stack.pop()
        if isinstance(part, TorchValue):
            yield part
        elif isinstance(part, tuple):
            stack.extend(reversed(part))
        elif isinstance(part, Mapping):
            stack.extend(reversed(list(part.values())))
