"""The same program without writes, node by node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from torchrelay.errors import Place, UnsupportedProgram
from torchrelay.frontend.functionalize.aliases import Aliases, has_memory
from torchrelay.frontend.functionalize.memory import Memory
from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode, TorchType, TorchValue, values_in
from torchrelay.frontend.schema import Schema, Twin, functional_twin, schema_for

__all__ = ["rewritten"]

_WITHOUT_EFFECT = frozenset(
    {"aten::requires_grad_.default", "aten::retain_grad.default", "aten::record_stream.default"}
)
_TRUTHS = frozenset(
    [
        "aten::eq",
        "aten::ne",
        "aten::lt",
        "aten::le",
        "aten::gt",
        "aten::ge",
        "aten::less",
        "aten::less_equal",
        "aten::greater",
        "aten::greater_equal",
        "aten::not_equal",
        "aten::logical_and",
        "aten::logical_or",
        "aten::logical_xor",
        "aten::logical_not",
    ]
)
"""Operators that give truth values whatever they are given."""
_KEEP_DTYPE = frozenset(
    ["aten::copy", "aten::fill", "aten::zero", "aten::masked_fill", "aten::index_put", "aten::_to_copy"]
)
"""Operators whose result has the dtype of the tensor that is written to, whatever the others have."""


def rewritten(graph: TorchGraph, aliases: Aliases) -> TorchGraph:
    """The whole program without writes."""
    memory = Memory(aliases)
    memory.note_made([*(aliases.values[name] for name in graph.parameters), *graph.inputs])
    for node in graph.nodes:
        _rewrite(memory, node)
    outputs = tuple([memory.read_all(output, Place()) for output in graph.outputs])
    names = [*graph.parameters, *(value.name for value in graph.inputs)]
    writes: dict[str, Arg] = {}
    for name in names:
        key = _key(graph, name)
        if key is not None and memory.is_written(name):
            writes[key] = memory.current(name, Place())
    writes.update({key: memory.read_all(value, Place()) for key, value in graph.writes})
    return replace(graph, nodes=tuple(memory.nodes), outputs=outputs, writes=tuple(writes.items()))


def _key(graph: TorchGraph, name: str) -> str | None:
    """The name that a parameter or an input is known by; None for a constant, which nobody can see written to."""
    parameter = graph.parameters.get(name)
    if parameter is None:
        return name
    return None if parameter.constant else parameter.key


def _rewrite(memory: Memory, node: TorchNode) -> None:
    if node.target == "prim::If.default":
        _rewrite_branch(memory, node)
        return
    if node.target == "prim::Loop.default":
        _rewrite_loop(memory, node)
        return
    schema = schema_for(node.target)
    if node.target in _WITHOUT_EFFECT:
        return
    if schema is not None and schema.mutates:
        _rewrite_write(memory, node, schema)
        return
    args = memory.read_args(node)
    memory.emit(node if args is node.args else replace(node, args=args))
    memory.note_made(node.outputs)
    if node.target in ("prim::ListConstruct.default", "prim::DictConstruct.default"):
        memory.note_stored(tuple(node.args.values()), node.outputs[0].name)


def _rewrite_write(memory: Memory, node: TorchNode, schema: Schema) -> None:
    args = memory.read_args(node)
    twin = functional_twin(schema)
    if twin is None or not all(schema.source_of(index) for index in range(len(schema.results))):
        _write_kept(memory, node, schema, args)
    elif twin.schema.views:
        _reshape_in_place(memory, node, schema, twin, args)
    else:
        _write_by_twin(memory, node, schema, twin, args)


def _write_kept(memory: Memory, node: TorchNode, schema: Schema, args: Mapping[str, Arg]) -> None:
    """An operator without a functional twin: it then gives what each written argument is afterwards behind its results."""
    apart = [output for index, output in enumerate(node.outputs) if schema.source_of(index) not in schema.written]
    values = [_written_value(node, name) for name in schema.written]
    after = [memory.fresh(value) for value in values]
    memory.emit(replace(node, args=args, outputs=(*apart, *after)))
    memory.note_made(apart)
    for value, new in zip(values, after, strict=True):
        if value.type.kind in ("List", "Dict"):
            memory.note_stored(tuple(arg for name, arg in node.args.items() if name not in schema.written), value.name)
        memory.write(value, new, node)


def _written_value(node: TorchNode, name: str) -> TorchValue:
    value = node.args[name]
    if not isinstance(value, TorchValue):
        raise UnsupportedProgram(f"{node.target} writes to {name}, which is no one value", place=node.where)
    return value


def _reshape_in_place(memory: Memory, node: TorchNode, schema: Schema, twin: Twin, args: Mapping[str, Arg]) -> None:
    """An operator such as ``unsqueeze_``: no element changes, but the tensor is from now on a view of what it was."""
    value = _written_value(node, schema.written[0])
    (output,) = node.outputs
    memory.reshape(value, output, TorchNode(twin.schema.target, twin.args(args), (output,), node.where))


def _write_by_twin(memory: Memory, node: TorchNode, schema: Schema, twin: Twin, args: Mapping[str, Arg]) -> None:
    values = [node.args[name] for name in schema.written]
    if any(value is None for value in values):
        raise UnsupportedProgram(f"{node.target} writes to an argument that is not given", place=node.where)
    results = [_result(memory, value) for value in values]
    memory.emit(TorchNode(twin.schema.target, twin.args(args), tuple(results), node.where))
    for name, value, result in zip(schema.written, values, results, strict=True):
        if isinstance(value, TorchValue):
            memory.write(value, _cast_back(memory, node, schema, name, result), node)
        else:
            _write_each(memory, node, value, result)


def _result(memory: Memory, value: Arg) -> TorchValue:
    return memory.fresh(value if isinstance(value, TorchValue) else TorchValue("written", TorchType("List")))


def _write_each(memory: Memory, node: TorchNode, values: Arg, whole: TorchValue) -> None:
    """Writes the elements of a list that an operator on lists of tensors gave."""
    targets = list(values_in(values))
    parts = tuple([memory.fresh(value) for value in targets])
    memory.emit(TorchNode("prim::ListUnpack.default", {"self": whole}, parts, node.where))
    for target, part in zip(targets, parts, strict=True):
        memory.write(target, part, node)


def _cast_back(memory: Memory, node: TorchNode, schema: Schema, name: str, result: TorchValue) -> TorchValue:
    """The result in the dtype of what it is written to, where the functional operator may give another."""
    value = node.args[name]
    assert isinstance(value, TorchValue), "the caller looked"
    if value.type.kind != "Tensor":
        return result
    base = schema.name.rstrip("_")
    out = next(argument.out for argument in schema.arguments if argument.name == name)
    others = [
        other for key, arg in node.args.items() if key != name for other in values_in(arg) if has_memory(other.type)
    ]
    alike = value.type.dtype is not None and all(other.type.dtype == value.type.dtype for other in others)
    if base in _KEEP_DTYPE or (not out and base not in _TRUTHS and (alike or not others)):
        return result
    cast = memory.fresh(value)
    like = memory.current(value.name, node.where)
    memory.emit(TorchNode("aten::type_as.default", {"self": result, "other": like}, (cast,), node.where))
    return cast


def _rewrite_branch(memory: Memory, node: TorchNode) -> None:
    args = memory.read_args(node)
    written = memory.written_outside(node.blocks)
    blocks: list[TorchGraph] = []
    for block in node.blocks:
        with memory.inside() as nodes:
            for inner in block.nodes:
                _rewrite(memory, inner)
            outputs = [memory.read_all(output, node.where) for output in block.outputs]
            outputs.extend(memory.current(name, node.where) for name in written)
        blocks.append(replace(block, nodes=tuple(nodes), outputs=tuple(outputs)))
    after = tuple([memory.fresh(memory.value(name)) for name in written])
    memory.emit(replace(node, args=args, outputs=(*node.outputs, *after), blocks=tuple(blocks)))
    memory.note_made(node.outputs)
    memory.replace_roots(written, after)
    memory.mark_left()


def _rewrite_loop(memory: Memory, node: TorchNode) -> None:
    (body,) = node.blocks
    args = memory.read_args(node)
    written = memory.written_outside(node.blocks)
    before = [memory.current(name, node.where) for name in written]
    memory.mark_touched(node, written)
    inputs = tuple([memory.fresh(memory.value(name)) for name in written])
    with memory.inside() as nodes:
        memory.replace_roots(written, inputs)
        memory.note_made(body.inputs)
        for inner in body.nodes:
            _rewrite(memory, inner)
        outputs = [memory.read_all(output, node.where) for output in body.outputs]
        outputs.extend(memory.current(name, node.where) for name in written)
    carried = args["carried"]
    assert isinstance(carried, tuple), "a loop carries a tuple"
    after = tuple([memory.fresh(memory.value(name)) for name in written])
    turned = replace(body, inputs=(*body.inputs, *inputs), nodes=tuple(nodes), outputs=tuple(outputs))
    made = {**args, "carried": (*carried, *before)}
    memory.emit(replace(node, args=made, outputs=(*node.outputs, *after), blocks=(turned,)))
    memory.note_made(node.outputs)
    memory.replace_roots(written, after)
    memory.mark_left()
