"""The one view of a captured PyTorch program that the rest of the importer knows, whichever reader made it.

Every operator stands under its schema's own name and argument names. What has no schema in torch is spelled:

- ``prim::If.default(condition)``: two blocks without inputs, each with as many results as the node has outputs;
- ``prim::Loop.default(trip_count, condition, carried)``: one block, inputs ``(index, *carried)``, results
  ``(condition, *carried)``; the node's outputs are the carried values after the last turn;
- ``prim::ListUnpack.default(self)``, ``prim::TupleUnpack.default(self)``: the elements of a list or tuple, one output each;
- ``prim::ListConstruct.default(elements)``, ``prim::DictConstruct.default(keys, values)``: only where the list or mapping is
  written to later; every other one is a tuple or a mapping in the arguments that use it;
- ``python::NAME.default(arg0, arg1, ...)``: a function of Python's, such as one of ``torch.autograd.Function``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from torchrelay.errors import Place
from torchrelay.ir import Dim, DType, Shape

if TYPE_CHECKING:
    import torch

__all__ = [
    "Arg",
    "Packed",
    "Scales",
    "TorchGraph",
    "TorchNode",
    "TorchParameter",
    "TorchType",
    "TorchValue",
    "blocks_in",
    "values_in",
    "walk_nodes",
]


@dataclass(frozen=True, slots=True)
class TorchType:
    """The type of a torch value: ``kind`` is Tensor, int, float, bool, complex, str, None, Device, List, Tuple, Dict,
    Optional, Object, or another TorchScript type by its name.

    ``shape``, ``dtype`` and ``strides`` are those of a tensor where the capture knows them; ``elements`` are the types
    inside. ``exact`` says that the shape is that of every run, not only of the one that was captured; ``size`` is the size
    that an int is, if only by name. Neither tells two types apart.
    """

    kind: str
    shape: Shape | None = None
    dtype: DType | None = None
    elements: tuple[TorchType, ...] = ()
    strides: Shape | None = None
    exact: bool = field(default=False, compare=False)
    size: Dim | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TorchValue:
    """One value of the program: a name, unique in its graph and the graphs nested in it, and its type."""

    name: str
    type: TorchType


Arg = TorchValue | int | float | bool | complex | str | DType | None | tuple["Arg", ...] | Mapping[str, "Arg"]
"""An argument of a node: a value, a literal, or a (nested) tuple or mapping of these. Lists are tuples. A dtype is a DType, or
its name where Relay has none such (``complex64``, ``quint8``); a device, layout or memory format is a text."""


class Packed(Mapping[str, Arg]):
    """The parameters of a quantized module by name, and the object that torch's own kernels take in their place."""

    def __init__(self, fields: Mapping[str, Arg], packed: object) -> None:
        self.packed = packed
        self._fields = fields

    def __getitem__(self, name: str) -> Arg:
        """The parameter of that name."""
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)


@dataclass(frozen=True, slots=True)
class Scales:
    """By what the integers of a parameter stand for real numbers; tuples hold one number for each place along ``axis``."""

    scale: float | tuple[float, ...]
    zero_point: int | tuple[int, ...]
    axis: int | None = None


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
    """A parameter or buffer: its state-dict key and the very tensor. A ``constant`` of the program has no such key: a name
    made for it stands there, the same whenever the same program is read.
    """

    key: str
    tensor: torch.Tensor = field(repr=False)
    constant: bool = False
    scales: Scales | None = None
    """What the integers of a quantized weight stand for."""


@dataclass(frozen=True, slots=True)
class TorchGraph:
    """A program, or the body of a branch or a loop: data inputs, nodes in order of execution, results.

    ``inputs`` are the leaves of what the model takes, in order; ``signature`` shows them under the names of the model's own
    arguments, nested as the model takes them, with the literals that the capture fixed. ``outputs`` of a program is one
    result, nested as the model returns it; a block has as many as its node needs. ``parameters`` maps the name of a value to
    the parameter that it is. ``writes`` are pairs: the state-dict key of a parameter, or the name of an input, that the program
    writes to, and what it holds afterwards; a captured program has them only once ``functionalize`` has found them.
    ``bounds`` are the least and, unless there is none, the largest that a size known by name may be, by its text.
    """

    inputs: tuple[TorchValue, ...]
    nodes: tuple[TorchNode, ...]
    outputs: tuple[Arg, ...]
    parameters: Mapping[str, TorchParameter] = field(default_factory=dict)
    signature: Mapping[str, Arg] = field(default_factory=dict)
    writes: tuple[tuple[str, Arg], ...] = ()
    bounds: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)

    @property
    def updates(self) -> dict[str, Arg]:
        """The writes to parameters and buffers: what each holds afterwards, by state-dict key."""
        inputs = {value.name for value in self.inputs}
        return {key: value for key, value in self.writes if key not in inputs}


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


def walk_nodes(graph: TorchGraph) -> Iterator[TorchNode]:
    """Every node of the program in order, a node with blocks before the nodes in them."""
    stack = [iter(graph.nodes)]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            continue
        yield node
        stack.extend(iter(block.nodes) for block in reversed(node.blocks))


def blocks_in(graph: TorchGraph) -> Iterator[TorchGraph]:
    """The graph and every one nested in it, an outer one before those in it."""
    stack = [graph]
    while stack:
        found = stack.pop()
        yield found
        stack.extend(block for node in reversed(found.nodes) for block in reversed(node.blocks))
