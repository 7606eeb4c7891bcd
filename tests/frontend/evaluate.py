"""Runs a TorchGraph with PyTorch's own operators: what a graph means, apart from how it converts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch

from torchrelay.frontend import Arg, TorchGraph, TorchNode, TorchValue
from torchrelay.frontend.schema import schema_for
from torchrelay.ir import DType

__all__ = ["evaluate", "evaluate_writes"]

Values = dict[str, object]


def evaluate(graph: TorchGraph, *inputs: object) -> object:
    """What the program returns for the inputs (leaves, in order)."""
    return _run(graph, inputs)[0]


def evaluate_writes(graph: TorchGraph, *inputs: object) -> dict[str, object]:
    """What the program leaves in its inputs and parameters, by name or key."""
    values = _run(graph, inputs)[1]
    return {name: _value(arg, values) for name, arg in graph.writes}


def _run(graph: TorchGraph, inputs: Sequence[object]) -> tuple[object, Values]:
    values: Values = {name: parameter.tensor.detach() for name, parameter in graph.parameters.items()}
    values.update(zip([value.name for value in graph.inputs], inputs, strict=True))
    with torch.no_grad():
        _nodes(graph.nodes, values)
    (result,) = graph.outputs
    return _value(result, values), values


def _nodes(nodes: Sequence[TorchNode], values: Values) -> None:
    for node in nodes:
        args = {name: _value(arg, values) for name, arg in node.args.items()}
        if node.target == "prim::If.default":
            results = _block(node.blocks[0 if args["condition"] else 1], (), values)
        elif node.target == "prim::Loop.default":
            results = _loop(node, args, values)
        else:
            results = _call(node, args)
        for output, result in zip(node.outputs, results, strict=True):
            values[output.name] = result


def _block(block: TorchGraph, inputs: Sequence[object], values: Values) -> list[object]:
    inner = {**values, **dict(zip([value.name for value in block.inputs], inputs, strict=True))}
    _nodes(block.nodes, inner)
    return [_value(output, inner) for output in block.outputs]


def _loop(node: TorchNode, args: Mapping[str, object], values: Values) -> list[object]:
    carried, condition, turn = list(args["carried"]), args["condition"], 0
    while condition and turn < args["trip_count"]:
        condition, *carried = _block(node.blocks[0], (turn, *carried), values)
        turn += 1
    return carried


def _value(arg: Arg, values: Values) -> object:
    if isinstance(arg, TorchValue):
        return values[arg.name]
    if isinstance(arg, DType):
        return getattr(torch, str(arg))
    if isinstance(arg, tuple):
        return [_value(part, values) for part in arg]
    if isinstance(arg, Mapping):
        return {key: _value(part, values) for key, part in arg.items()}
    return arg


def _call(node: TorchNode, args: Mapping[str, object]) -> Sequence[object]:
    known = _LISTS.get(node.target)
    if known is not None:
        return known(*args.values())
    schema = schema_for(node.target)
    assert schema is not None, node.target
    assert not schema.mutates, f"{node.target} writes"
    overload = node.target.rpartition(".")[2]
    operation = torch._C._get_operation_overload(schema.name, "" if overload == "default" else overload)[0]
    positional, keywords = [], {}
    for argument in schema.arguments:
        value = args[argument.name]
        if isinstance(value, str) and argument.type.rstrip("?") == "ScalarType":
            value = getattr(torch, value)
        if isinstance(value, str) and argument.type.rstrip("?") in ("Layout", "MemoryFormat"):
            value = getattr(torch, value)
        if argument.keyword:
            keywords[argument.name] = value
        else:
            positional.append(value)
    result = operation(*positional, **keywords)
    return [result] if len(node.outputs) == 1 else result


def _element(whole: list[object], index: int) -> Sequence[object]:
    return [whole[index]]


def _set_item(whole: list[object], index: int, element: object) -> Sequence[object]:
    made = list(whole)
    made[index] = element
    return [made]


def _insert(whole: list[object], index: int, element: object) -> Sequence[object]:
    made = list(whole)
    made.insert(index, element)
    return [made]


def _popped(whole: list[object], index: int) -> Sequence[object]:
    made = list(whole)
    element = made.pop(index)
    return [element, made]


def _set_entry(whole: dict[str, object], key: str, value: object) -> Sequence[object]:
    return [{**whole, key: value}]


_LISTS: Mapping[str, Callable[..., Sequence[object]]] = {
    "prim::ListConstruct.default": lambda elements: [list(elements)],
    "prim::DictConstruct.default": lambda keys, values: [dict(zip(keys, values, strict=True))],
    "prim::ListUnpack.default": list,
    "prim::TupleUnpack.default": list,
    "prim::TupleIndex.default": _element,
    "aten::__getitem__.t": _element,
    "aten::__getitem__.Dict_str": _element,
    "aten::append.t": lambda whole, element: [[*whole, element]],
    "aten::extend.t": lambda whole, other: [[*whole, *other]],
    "aten::add_.t": lambda whole, other: [[*whole, *other]],
    "aten::insert.t": _insert,
    "aten::pop.t": _popped,
    "aten::clear.t": lambda whole: [[]],
    "aten::reverse.t": lambda whole: [list(reversed(whole))],
    "aten::_set_item.t": _set_item,
    "aten::_set_item.str": _set_entry,
    "aten::__is__.default": lambda one, other: [one is other],
    "aten::__isnot__.default": lambda one, other: [one is not other],
    "aten::tensor.default": lambda data, dtype, device, requires_grad: [torch.tensor(data, dtype=dtype)],
    "aten::len.t": lambda whole: [len(whole)],
    "aten::add.t": lambda one, other: [[*one, *other]],
    "aten::slice.t": lambda whole, start, end, step: [whole[start:end:step]],
    "aten::fill_diagonal_.default": lambda whole, value, wrap: [whole.clone().fill_diagonal_(value, wrap)],
}
"""Operators on lists, and those without a functional form, as the functional graph means them: the results that are none of
the written arguments, then what each written argument is afterwards."""
