"""The higher-order operators of exported programs as branches and loops, or as the body that they wrap."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, cast

import torch

from torchrelay.errors import Place, UnsupportedProgram
from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode, TorchType, TorchValue
from torchrelay.frontend.parameters import tensor_type
from torchrelay.frontend.read_export.places import place_of
from torchrelay.ir import Any

__all__ = ["BodyReader", "read_higher_order"]


class BodyReader(Protocol):
    """What reading a higher-order operator needs of the reader of the program around it."""

    known: dict[torch.fx.Node, Arg]

    def arg(self, part: object) -> Arg:
        """What an argument of a node is."""
        ...

    def body(
        self, module: torch.fx.GraphModule, operands: Sequence[Arg], prefix: str
    ) -> tuple[list[TorchNode], tuple[Arg, ...]]:
        """The nodes of a graph within the program on these operands, and its results."""
        ...


def read_higher_order(reader: BodyReader, node: torch.fx.Node, prefix: str) -> Iterator[TorchNode]:
    """The nodes that mean the same as one call of a higher-order operator; a call that is not known as one node."""
    name = getattr(node.target, "__name__", "")
    read = _READERS.get(name)
    if read is not None:
        yield from read(reader, node, prefix)
        return
    output = TorchValue(prefix + node.name, TorchType("Tensor"))
    reader.known[node] = output
    args = {f"arg{i}": reader.arg(part) for i, part in enumerate(node.args) if not _is_graph(part)}
    yield TorchNode(f"higher_order::{name}.default", args, (output,), place_of(node))


def _is_graph(part: object) -> bool:
    return isinstance(part, torch.fx.Node) and part.op == "get_attr"


def _graph(part: object) -> torch.fx.GraphModule:
    """The graph within the program that an argument names."""
    node = cast("torch.fx.Node", part)
    return cast("torch.fx.GraphModule", getattr(node.graph.owning_module, str(node.target)))


def _values(reader: BodyReader, parts: object) -> tuple[Arg, ...]:
    return tuple([reader.arg(part) for part in cast("Sequence[object]", parts)])


def _types(node: torch.fx.Node) -> list[TorchType]:
    """The types of the results."""
    found = node.meta["val"]
    return [_type(part) for part in (found if isinstance(found, list | tuple) else [found])]


def _type(value: object) -> TorchType:
    return tensor_type(value) if isinstance(value, torch.Tensor) else TorchType(_PLAIN.get(type(value), "None"))


_PLAIN = {torch.SymInt: "int", int: "int", torch.SymFloat: "float", float: "float", torch.SymBool: "bool", bool: "bool"}


def _truth(value: Arg, name: str, where: Place) -> tuple[list[TorchNode], Arg]:
    """The value as a Python truth value: a tensor read out, anything else itself."""
    if not isinstance(value, TorchValue) or value.type.kind != "Tensor":
        return [], value
    output = TorchValue(name, TorchType("bool"))
    return [TorchNode("aten::Bool.Tensor", {"a": value}, (output,), where)], output


def _wrapped(graph: int, first: int) -> Callable[[BodyReader, torch.fx.Node, str], Iterator[TorchNode]]:
    """A reader of an operator that runs its graph, argument ``graph``, on the arguments from ``first`` on."""

    def read(reader: BodyReader, node: torch.fx.Node, prefix: str) -> Iterator[TorchNode]:
        operands = _values(reader, node.args[first:])
        nodes, results = reader.body(_graph(node.args[graph]), operands, f"{prefix}{node.name}.")
        reader.known[node] = results
        yield from nodes

    return read


def _autocast(reader: BodyReader, node: torch.fx.Node, prefix: str) -> Iterator[TorchNode]:
    if node.args[2]:
        raise UnsupportedProgram(
            "an autocast region casts where the captured program does not say so",
            place=place_of(node),
            hint="export the model outside autocast, or cast it to the dtype that is meant",
        )
    yield from _wrapped(4, 5)(reader, node, prefix)


def _cond(reader: BodyReader, node: torch.fx.Node, prefix: str) -> Iterator[TorchNode]:
    where, name = place_of(node), prefix + node.name
    predicate, *_, operands = cast("Sequence[object]", node.args)
    operands = _values(reader, operands)
    test, condition = _truth(reader.arg(predicate), f"{name}.condition", where)
    yield from test
    blocks: list[TorchGraph] = []
    for part, branch in zip(node.args[1:3], ("true", "false"), strict=True):
        nodes, results = reader.body(_graph(part), operands, f"{name}.{branch}.")
        blocks.append(TorchGraph((), tuple(nodes), results))
    outputs = tuple([TorchValue(f"{name}[{i}]", kind) for i, kind in enumerate(_types(node))])
    reader.known[node] = outputs
    yield TorchNode("prim::If.default", {"condition": condition}, outputs, where, tuple(blocks))


def _while(reader: BodyReader, node: torch.fx.Node, prefix: str) -> Iterator[TorchNode]:
    where, name = place_of(node), prefix + node.name
    test, turn = _graph(node.args[0]), _graph(node.args[1])
    carried, rest = _values(reader, node.args[2]), _values(reader, node.args[3])
    before, (decided,) = reader.body(test, (*carried, *rest), f"{name}.before.")
    yield from before
    truth, condition = _truth(decided, f"{name}.condition", where)
    yield from truth
    types = _types(node)
    inputs = tuple([TorchValue(f"{name}.carried[{i}]", kind) for i, kind in enumerate(types)])
    nodes, results = reader.body(turn, (*inputs, *rest), f"{name}.body.")
    again, (decided,) = reader.body(test, (*results, *rest), f"{name}.again.")
    truth, after = _truth(decided, f"{name}.again", where)
    index = TorchValue(f"{name}.index", TorchType("int"))
    body = TorchGraph((index, *inputs), (*nodes, *again, *truth), (after, *results))
    yield from _loop(reader, node, prefix, sys.maxsize, condition, carried, body)


def _loop(
    reader: BodyReader,
    node: torch.fx.Node,
    prefix: str,
    count: Arg,
    condition: Arg,
    carried: Sequence[Arg],
    body: TorchGraph,
) -> Iterator[TorchNode]:
    """The loop itself; its last values are those of the node."""
    types = [value.type for value in body.inputs[1:]]
    outputs = tuple([TorchValue(f"{prefix}{node.name}[{i}]", kind) for i, kind in enumerate(types)])
    reader.known[node] = outputs
    args: dict[str, Arg] = {"trip_count": count, "condition": condition, "carried": tuple(carried)}
    yield TorchNode("prim::Loop.default", args, outputs, place_of(node), (body,))


def _map(reader: BodyReader, node: torch.fx.Node, prefix: str) -> Iterator[TorchNode]:
    yield from _scanned(reader, node, prefix, (), _values(reader, node.args[1]), _values(reader, node.args[2]))


def _scan(reader: BodyReader, node: torch.fx.Node, prefix: str) -> Iterator[TorchNode]:
    initial, rows, rest = (_values(reader, part) for part in node.args[1:4])
    yield from _scanned(reader, node, prefix, initial, rows, rest)


def _scanned(
    reader: BodyReader,
    node: torch.fx.Node,
    prefix: str,
    initial: tuple[Arg, ...],
    rows: tuple[Arg, ...],
    rest: tuple[Arg, ...],
) -> Iterator[TorchNode]:
    """A loop over the rows of tensors that carries ``initial`` on and writes the other results into rows of their own."""
    where, name = place_of(node), prefix + node.name
    types = _types(node)
    made = [_zeros(kind, f"{name}.rows[{i}]", where) for i, kind in enumerate(types[len(initial) :])]
    yield from made
    index = TorchValue(f"{name}.index", TorchType("int"))
    inputs = tuple([TorchValue(f"{name}.carried[{i}]", kind) for i, kind in enumerate(types)])
    taken = [_row(row, index, f"{name}.row[{i}]", where) for i, row in enumerate(rows)]
    states, stacks = inputs[: len(initial)], inputs[len(initial) :]
    operands = (*states, *(part.outputs[0] for part in taken), *rest)
    nodes, results = reader.body(_graph(node.args[0]), operands, f"{name}.body.")
    after, put = results[: len(initial)], []
    for stack, row in zip(stacks, results[len(initial) :], strict=True):
        put.append(_with_row(stack, row, index, f"{stack.name}.put", where))
    body = TorchGraph((index, *inputs), (*taken, *nodes, *put), (True, *after, *(part.outputs[0] for part in put)))
    count = _length(rows[0], where)
    carried = (*initial, *(part.outputs[0] for part in made))
    yield from _loop(reader, node, prefix, count, True, carried, body)


def _associative(reader: BodyReader, node: torch.fx.Node, prefix: str) -> Iterator[TorchNode]:
    """A loop that combines each row with what the rows before it gave."""
    where, name = place_of(node), prefix + node.name
    _, rows, rest = cast("Sequence[object]", node.args)
    rows, rest = _values(reader, rows), _values(reader, rest)
    first = [_row(row, 0, f"{name}.first[{i}]", where) for i, row in enumerate(rows)]
    yield from first
    types = _types(node)
    index, next_index = (TorchValue(f"{name}.{part}", TorchType("int")) for part in ("index", "next"))
    count = TorchNode("aten::add.int", {"a": index, "b": 1}, (next_index,), where)
    states = tuple([TorchValue(f"{name}.state[{i}]", part.outputs[0].type) for i, part in enumerate(first)])
    stacks = tuple([TorchValue(f"{name}.carried[{i}]", kind) for i, kind in enumerate(types)])
    taken = [_row(row, next_index, f"{name}.row[{i}]", where) for i, row in enumerate(rows)]
    operands = (*states, *(part.outputs[0] for part in taken), *rest)
    nodes, results = reader.body(_graph(node.args[0]), operands, f"{name}.body.")
    put = [
        _with_row(stack, row, next_index, f"{stack.name}.put", where)
        for stack, row in zip(stacks, results, strict=True)
    ]
    body = TorchGraph(
        (index, *stacks, *states),
        (count, *taken, *nodes, *put),
        (True, *(part.outputs[0] for part in put), *results),
    )
    length = _length(rows[0], where)
    carried = (*rows, *(part.outputs[0] for part in first))
    yield from _loop(reader, node, prefix, length - 1, True, carried, body)
    outputs = reader.known[node]
    assert isinstance(outputs, tuple), "a loop gives a tuple"
    reader.known[node] = outputs[: len(rows)]


def _length(rows: Arg, where: Place) -> int:
    shape = rows.type.shape if isinstance(rows, TorchValue) else None
    if not shape or isinstance(shape[0], Any):
        raise UnsupportedProgram("a loop over the rows of a tensor whose number is not known", place=where)
    return shape[0]


def _zeros(kind: TorchType, name: str, where: Place) -> TorchNode:
    if kind.shape is None or any(isinstance(dim, Any) for dim in kind.shape):
        raise UnsupportedProgram("a loop whose results have sizes that are not known", place=where)
    size = tuple([dim for dim in kind.shape if isinstance(dim, int)])
    args: dict[str, Arg] = {"size": size, "dtype": kind.dtype, "layout": None, "device": None, "pin_memory": None}
    return TorchNode("aten::zeros.default", args, (TorchValue(name, kind),), where)


def _row(rows: Arg, index: Arg, name: str, where: Place) -> TorchNode:
    assert isinstance(rows, TorchValue), "the operator takes tensors"
    shape = None if rows.type.shape is None else rows.type.shape[1:]
    output = TorchValue(name, TorchType("Tensor", shape, rows.type.dtype))
    return TorchNode("aten::select.int", {"self": rows, "dim": 0, "index": index}, (output,), where)


def _with_row(stack: TorchValue, row: Arg, index: Arg, name: str, where: Place) -> TorchNode:
    args: dict[str, Arg] = {"self": stack, "src": row, "dim": 0, "index": index}
    return TorchNode("aten::select_scatter.default", args, (TorchValue(name, stack.type),), where)


_READERS: Mapping[str, Callable[[BodyReader, torch.fx.Node, str], Iterator[TorchNode]]] = {
    "associative_scan": _associative,
    "cond": _cond,
    "map_impl": _map,
    "scan": _scan,
    "tag_activation_checkpoint": _wrapped(0, 1),
    "while_loop": _while,
    "wrap": _wrapped(0, 1),
    "wrap_activation_checkpoint": _wrapped(0, 1),
    "wrap_with_autocast": _autocast,
    "wrap_with_set_grad_enabled": _wrapped(1, 2),
}
