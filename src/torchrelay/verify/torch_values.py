"""A TorchGraph run by PyTorch itself, node by node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import torch

from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend import Arg, TorchGraph, TorchNode, TorchValue, schema_for, values_in
from torchrelay.ir import DType

__all__ = ["torch_values"]

Environment = dict[str, object]


def torch_values(
    graph: TorchGraph, inputs: Sequence[object]
) -> Iterator[tuple[TorchNode, Mapping[str, object], tuple[object, ...]]]:
    """Each node of the graph with its arguments and what PyTorch gives for its outputs, in order.

    ``inputs`` are values for the graph's data inputs. Raises UnsupportedProgram for a node that PyTorch has no operator for.
    """
    environment: Environment = {name: parameter.tensor for name, parameter in graph.parameters.items()}
    environment.update(zip([value.name for value in graph.inputs], inputs, strict=True))
    last_use = _last_uses(graph)
    for index, node in enumerate(graph.nodes):
        args = {name: _value(arg, environment) for name, arg in node.args.items()}
        with torch.no_grad():
            results = _run(node, args)
        for output, result in zip(node.outputs, results, strict=True):
            environment[output.name] = result
        yield node, args, results
        for name in last_use.get(index, ()):
            environment.pop(name, None)


def _last_uses(graph: TorchGraph) -> Mapping[int, list[str]]:
    """For each node the values that nothing needs after it."""
    seen: dict[str, int] = {}
    for index, node in enumerate(graph.nodes):
        for value in values_in(tuple(node.args.values())):
            seen[value.name] = index
    last: dict[int, list[str]] = {}
    for name, index in seen.items():
        last.setdefault(index, []).append(name)
    return last


_STRUCTURE: Mapping[str, Callable[..., object]] = {
    "aten::__getitem__.t": lambda list, idx: list[idx],
    "prim::ListUnpack.default": lambda self: self,
    "prim::TupleUnpack.default": lambda self: self,
    "prim::NumToTensor.Scalar": lambda a: torch.tensor(a),
    "prim::NumToTensor.bool": lambda a: torch.tensor(a),
    "prim::unchecked_cast.default": lambda self: self,
    "prim::device.default": lambda a: "cpu",
    "prim::min.int": lambda a, b: min(a, b),
    "prim::max.int": lambda a, b: max(a, b),
}


_UNPACKING = ("prim::ListUnpack.default", "prim::TupleUnpack.default")


def _run(node: TorchNode, values: Mapping[str, object]) -> tuple[object, ...]:
    if node.target in _STRUCTURE:
        result = _STRUCTURE[node.target](**values)
    else:
        result = _by_operator(node, values)
    if len(node.outputs) == 1 and node.target not in _UNPACKING:
        return (result,)
    return tuple(result) if isinstance(result, list | tuple) else ()


def _by_operator(node: TorchNode, values: Mapping[str, object]) -> object:
    operator = _operator(node)
    try:
        return operator(**_accepted(node, values))
    except (RuntimeError, TypeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise UnsupportedProgram(f"PyTorch does not run {node.target} alone: {reason}", place=node.where) from error


@cache
def _found(target: str) -> Callable[..., object] | None:
    namespace, _, rest = target.partition("::")
    name, _, overload = rest.rpartition(".")
    packet = getattr(getattr(torch.ops, namespace), name, None)
    return getattr(packet, overload, None)


def _operator(node: TorchNode) -> Callable[..., object]:
    found = _found(node.target)
    if found is None:
        raise UnsupportedProgram(f"PyTorch has no operator {node.target} to compare with", place=node.where)
    return found


def _accepted(node: TorchNode, values: Mapping[str, object]) -> dict[str, object]:
    """The arguments as PyTorch takes them, without what says where and how a tensor lies."""
    schema = schema_for(node.target)
    kept: dict[str, object] = {}
    for argument in schema.arguments if schema is not None else ():
        if argument.type.startswith(("Layout", "MemoryFormat", "Generator")):
            continue
        if not argument.type.startswith("Device"):
            kept[argument.name] = values[argument.name]
        elif not argument.keyword:
            kept[argument.name] = torch.device("cpu")
    return kept


def _value(arg: Arg, environment: Environment) -> object:
    if isinstance(arg, TorchValue):
        return environment[arg.name]
    if isinstance(arg, DType):
        return getattr(torch, str(arg))
    if isinstance(arg, tuple):
        return [_value(part, environment) for part in arg]
    if isinstance(arg, Mapping):
        return {key: _value(part, environment) for key, part in arg.items()}
    return arg
