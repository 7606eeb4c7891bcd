"""One operator call by PyTorch's own decompositions: the graph of simpler operators that compute the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

import torch
from torch._decomp import global_decomposition_table
from torch._prims import __all__ as primitives_of_torch
from torch._subclasses import FakeTensorMode

from torchrelay.errors import TorchRelayError, UnsupportedOperators, UnsupportedProgram
from torchrelay.frontend.functionalize import functionalize
from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode, TorchType, TorchValue
from torchrelay.frontend.promote import Computed
from torchrelay.frontend.read_export import read_call
from torchrelay.frontend.registry import Result, find_converter
from torchrelay.frontend.schema import schema_of
from torchrelay.ir import DType, Expr, TensorType

__all__ = ["Decomposed", "can_decompose", "decompose", "leads_nowhere"]

_TABLE = cast("Mapping[torch._ops.OpOverload, Callable[..., Any]]", global_decomposition_table["post_autograd"])


@dataclass(frozen=True, slots=True)
class Decomposed:
    """The graph that an operator call decomposes into, and what each of its inputs is."""

    graph: TorchGraph
    inputs: Mapping[str, Expr | TorchValue]


def _overload_of(target: str) -> torch._ops.OpOverload | None:
    name, _, overload = target.rpartition(".")
    space, _, base = name.partition("::")
    packet = getattr(getattr(torch.ops, space, None), base, None)
    return getattr(packet, overload, None)


@cache
def can_decompose(target: str) -> bool:
    """Whether PyTorch's tables, or its own implementation, say the operator by others."""
    overload = _overload_of(target)
    if overload is None or overload._schema.is_mutable:
        return False
    try:
        return overload in _TABLE or overload._can_decompose()
    except RuntimeError:  # an operator that only TorchScript's own interpreter has
        return False


@cache
def _rules() -> Mapping[torch._ops.OpOverload, Callable[..., Any]]:
    """The decompositions of what has no converter, torch's primitives by the operators they are made of."""
    rules = {
        overload: rule
        for overload, rule in _TABLE.items()
        if isinstance(overload, torch._ops.OpOverload) and find_converter(schema_of(overload).target) is None
    }
    primitives = [getattr(torch.ops.prims, name).default for name in primitives_of_torch if _is_primitive(name)]
    return {**rules, **{primitive: primitive.impl_aten for primitive in primitives}}


def _is_primitive(name: str) -> bool:
    return hasattr(getattr(getattr(torch.ops.prims, name, None), "default", None), "impl_aten")


_Argument = Callable[[Sequence[torch.Tensor]], object]
"""An argument of a call, given the tensors of the call."""


@dataclass(slots=True)
class _Arguments:
    """The arguments of a call as torch takes them, tensors without data in the place of expressions."""

    tensors: list[torch.Tensor] = field(default_factory=list)
    values: list[Expr | TorchValue] = field(default_factory=list)

    def stands_for(self, value: Result | Arg) -> _Argument:
        """A function from the tensors of the call to the argument."""
        if isinstance(value, Expr | TorchValue):
            index = len(self.values)
            self.values.append(value)
            self.tensors.append(_without_data(value))
            return lambda tensors: tensors[index]
        if isinstance(value, Computed):
            raise UnsupportedProgram("a number is computed while the program runs, but must be known here")
        if isinstance(value, tuple | list):
            parts = [self.stands_for(part) for part in value]
            return lambda tensors: [part(tensors) for part in parts]
        known = getattr(torch, value) if isinstance(value, DType) else value
        return lambda _: known


def _without_data(value: Expr | TorchValue) -> torch.Tensor:
    kind = value.type
    if isinstance(kind, TensorType | TorchType) and kind.shape is not None and kind.dtype is not None:
        sizes = [size for size in kind.shape if isinstance(size, int)]
        if len(sizes) == len(kind.shape):
            return torch.empty(sizes, dtype=getattr(torch, str(kind.dtype)))
    raise UnsupportedProgram(f"PyTorch's decomposition needs sizes that are known, but {kind} has others")


def _in_torch(overload: torch._ops.OpOverload, name: str, value: Any) -> Any:
    """A layout or memory format, which a graph has as a text, as torch takes it."""
    if not isinstance(value, str) or isinstance(value, DType):
        return value
    kind = next((str(argument.real_type) for argument in overload._schema.arguments if argument.name == name), "")
    meant = {"Layout": torch, "MemoryFormat": torch}
    owner = meant.get(kind.removeprefix("Optional[").rstrip("]"))
    return getattr(owner, value) if owner is not None else value


def decompose(target: str, args: Mapping[str, Result | Arg]) -> Decomposed:
    """The call by PyTorch's own tables, traced with the types that its arguments have.

    Raises UnsupportedProgram where a size is not known or the decomposition asks for values, UnsupportedOperators where it
    leads to what has no converter.
    """
    overload = _overload_of(target)
    assert overload is not None, "what can be decomposed is torch's"
    with FakeTensorMode():
        arguments = _Arguments()
        parts = {name: arguments.stands_for(_in_torch(overload, name, value)) for name, value in args.items()}
        graph = _graph_of(overload, parts, arguments.tensors)
    graph = functionalize(graph)
    rest = sorted({node.target for node in graph.nodes if find_converter(node.target) is None})
    if rest:
        raise UnsupportedOperators(f"{target} has no converter; PyTorch decomposes it into {', '.join(rest)}")
    return Decomposed(graph, {value.name: expr for value, expr in zip(graph.inputs, arguments.values, strict=True)})


def _graph_of(
    overload: torch._ops.OpOverload, parts: Mapping[str, _Argument], tensors: Sequence[torch.Tensor]
) -> TorchGraph:
    positional = [argument.name for argument in overload._schema.arguments if not argument.kwarg_only]

    def call(*given: torch.Tensor) -> object:
        made = {name: part(given) for name, part in parts.items()}
        first = [made.pop(name) for name in positional]
        return overload(*first, **made)

    try:
        return read_call(call, tensors, _rules(), "decomposed_")
    except TorchRelayError:
        raise
    except RecursionError as error:
        raise UnsupportedOperators(f"{schema_of(overload).target} has no converter") from error
    except Exception as error:  # torch's decompositions raise anything where they do not apply
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise UnsupportedProgram(f"has no converter, and PyTorch cannot decompose it: {reason}") from error


def leads_nowhere(node: TorchNode) -> bool:
    """Whether what PyTorch makes of the node, with the types that it was captured with, has no converter either."""
    try:
        decompose(node.target, node.args)
    except UnsupportedOperators:
        return True
    except UnsupportedProgram:
        return False  # it is another use of the operator, or types that are not known yet, that decides
    return False
