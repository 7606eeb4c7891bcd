"""A TorchGraph run by PyTorch itself, node by node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import torch

from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend import (
    LIST_WRITERS,
    STRUCTURAL,
    Arg,
    Packed,
    TorchGraph,
    TorchNode,
    TorchValue,
    blocks_in,
    find_converter,
    schema_for,
    values_in,
    walk_nodes,
)
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
            results = _results(node, args, environment)
        for output, result in zip(node.outputs, results, strict=True):
            environment[output.name] = result
        yield node, args, results
        for name in last_use.get(index, ()):
            environment.pop(name, None)


def _results(node: TorchNode, args: Mapping[str, object], environment: Environment) -> tuple[object, ...]:
    if node.target == "prim::If.default":
        return _block(node.blocks[0 if args["condition"] else 1], environment)
    if node.target == "prim::Loop.default":
        return _loop(node, args, environment)
    return _run(node, args)


def _block(block: TorchGraph, environment: Environment) -> tuple[object, ...]:
    """What a branch, or a turn of a loop, gives; its values join the environment."""
    for node in block.nodes:
        args = {name: _value(arg, environment) for name, arg in node.args.items()}
        results = _results(node, args, environment)
        environment.update(zip([output.name for output in node.outputs], results, strict=True))
    return tuple([_value(output, environment) for output in block.outputs])


def _loop(node: TorchNode, args: Mapping[str, object], environment: Environment) -> tuple[object, ...]:
    (body,) = node.blocks
    count, goes_on, carried = args["trip_count"], args["condition"], args["carried"]
    assert isinstance(count, int), "the number of turns"
    assert isinstance(carried, list), "the values carried"
    names = [value.name for value in body.inputs]
    turn = 0
    while goes_on and turn < count:
        environment.update(zip(names, (turn, *carried), strict=True))
        goes_on, *carried = _block(body, environment)
        turn += 1
    return tuple(carried)


def _last_uses(graph: TorchGraph) -> Mapping[int, list[str]]:
    """For each node the values that nothing needs after it."""
    seen: dict[str, int] = {}
    for index, node in enumerate(graph.nodes):
        inside = [arg for block in node.blocks for part in walk_nodes(block) for arg in part.args.values()]
        results = [output for block in node.blocks for part in blocks_in(block) for output in part.outputs]
        for value in values_in((*node.args.values(), *inside, *results)):
            seen[value.name] = index
    last: dict[int, list[str]] = {}
    for name, index in seen.items():
        last.setdefault(index, []).append(name)
    return last


_STRUCTURE: Mapping[str, Callable[..., object]] = {
    "prim::Uninitialized.default": lambda: None,
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


def _frozen(value: object) -> object:
    """The value as operators on lists and mappings of the importer take it: lists as tuples."""
    if isinstance(value, list | tuple):
        return tuple([_frozen(part) for part in value])
    return {key: _frozen(part) for key, part in value.items()} if isinstance(value, dict) else value


_UNPACKING = ("prim::ListUnpack.default", "prim::TupleUnpack.default")


def _run(node: TorchNode, values: Mapping[str, object]) -> tuple[object, ...]:
    if node.target in _STRUCTURE:
        result = _STRUCTURE[node.target](**values)
    elif node.target in STRUCTURAL:
        result = STRUCTURAL[node.target]([_frozen(value) for value in values.values()])
    elif node.target in LIST_WRITERS:
        converter = find_converter(node.target)
        assert converter is not None, "it is one of the converters"
        result = converter({name: _frozen(value) for name, value in values.items()})
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


_QUANTIZED = ("quint8", "qint8", "qint32")
"""The dtypes that a graph has by their names."""


def _value(arg: Arg, environment: Environment) -> object:
    if isinstance(arg, TorchValue):
        return environment[arg.name]
    if isinstance(arg, DType) or arg in _QUANTIZED:
        return getattr(torch, str(arg))
    if isinstance(arg, Packed):
        return arg.packed
    if isinstance(arg, tuple):
        return [_value(part, environment) for part in arg]
    if isinstance(arg, Mapping):
        return {key: _value(part, environment) for key, part in arg.items()}
    return arg
