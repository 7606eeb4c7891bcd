"""The graph of an exported program, node by node, to TorchNodes."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch.export.graph_signature import ConstantArgument, InputKind, InputSpec, OutputKind

from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode, TorchType, TorchValue
from torchrelay.frontend.parameters import ParameterTable, tensor_type
from torchrelay.frontend.read_export.higher_order import read_higher_order
from torchrelay.frontend.read_export.places import place_of
from torchrelay.frontend.read_export.scalars import scalar_call
from torchrelay.frontend.read_export.sizes import bounds_of, size_of
from torchrelay.frontend.read_export.trees import leaf_paths, nested
from torchrelay.frontend.schema import Schema, dtype_of, schema_of

__all__ = ["NodeReader", "Reader", "type_of"]

_SIZES = {
    "aten::sym_size.int": "aten::size.int",
    "aten::sym_size.default": "aten::size.default",
    "aten::sym_numel.default": "aten::numel.default",
    "aten::sym_stride.int": "aten::stride.int",
    "aten::sym_stride.default": "aten::stride.default",
}
"""The operators that give sizes as symbols by those that give them as numbers."""


@dataclass(slots=True)
class NodeReader:
    """Reads the nodes of a graph; ``known`` holds what each of them is."""

    parameters: ParameterTable = field(default_factory=ParameterTable)
    known: dict[torch.fx.Node, Arg] = field(default_factory=dict)

    def nodes(self, graph: torch.fx.Graph, prefix: str = "") -> Iterator[TorchNode]:
        """The nodes that compute something, in order, their values named with ``prefix``."""
        for node in graph.nodes:
            if node.op == "call_function":
                yield from self._call(node, prefix)
            elif node.op == "get_attr":
                self._attribute(node, prefix)
            elif node.op not in ("placeholder", "output"):
                raise UnsupportedProgram(f"a node of kind {node.op} has no meaning here", place=place_of(node))

    def body(
        self, module: torch.fx.GraphModule, operands: Sequence[Arg], prefix: str
    ) -> tuple[list[TorchNode], tuple[Arg, ...]]:
        """The nodes of a graph within the program on these operands, and its results."""
        for node, operand in zip(module.graph.find_nodes(op="placeholder"), operands, strict=True):
            self.known[node] = operand
        nodes = list(self.nodes(module.graph, prefix))
        (output,) = module.graph.find_nodes(op="output")
        results = self.arg(output.args[0])
        return nodes, results if isinstance(results, tuple) else (results,)

    def _attribute(self, node: torch.fx.Node, prefix: str) -> None:
        owner = node.graph.owning_module
        value = getattr(owner, str(node.target), None)
        if isinstance(value, torch.Tensor):
            self.known[node] = self.parameters.value(str(node.target), value, prefix + node.name, constant=True)

    def _call(self, node: torch.fx.Node, prefix: str) -> Iterator[TorchNode]:
        if node.target is operator.getitem:
            whole, index = (self.arg(part) for part in node.args)
            if isinstance(whole, tuple) and isinstance(index, int):
                self.known[node] = whole[index]
                return
        if isinstance(node.target, torch._ops.OpOverload):
            yield from self._operator(node, schema_of(node.target), prefix)
        elif isinstance(node.target, torch._ops.HigherOrderOperator):
            yield from read_higher_order(self, node, prefix)
        else:
            yield self._function(node, prefix)

    def _operator(self, node: torch.fx.Node, schema: Schema, prefix: str) -> Iterator[TorchNode]:
        if not schema.results and not schema.mutates:
            self.known[node] = None  # a check that the capture did or that only tells of sizes
            return
        keywords = {name: self.arg(value) for name, value in node.kwargs.items()}
        args = schema.bind([self.arg(part) for part in node.args], keywords)
        where, value = place_of(node), node.meta.get("val")
        name, target = prefix + node.name, _SIZES.get(schema.target, schema.target)
        if len(schema.results) != 1:
            parts = value if isinstance(value, list | tuple) else [value] * len(schema.results)
            outputs = tuple([TorchValue(f"{name}[{i}]", type_of(part)) for i, part in enumerate(parts)])
            self.known[node] = outputs
            yield TorchNode(target, args, outputs, where)
            return
        output = TorchValue(name, type_of(value))
        self.known[node] = output
        yield TorchNode(target, args, (output,), where)
        if isinstance(value, list):
            parts = tuple([TorchValue(f"{name}[{i}]", type_of(part)) for i, part in enumerate(value)])
            self.known[node] = parts
            yield TorchNode("prim::ListUnpack.default", {"self": output}, parts, where)

    def _function(self, node: torch.fx.Node, prefix: str) -> TorchNode:
        """A call of a Python function: arithmetic on sizes, or one that nothing is known of."""
        output = TorchValue(prefix + node.name, type_of(node.meta.get("val")))
        args = [self.arg(part) for part in node.args]
        self.known[node] = output
        known = scalar_call(node.target, args)
        if known is None:
            name = getattr(node.target, "__name__", str(node.target))
            known = f"python::{name}.default", {f"arg{i}": arg for i, arg in enumerate(args)}
        return TorchNode(known[0], known[1], (output,), place_of(node))

    def arg(self, part: object) -> Arg:
        """What an argument is: a literal, a tuple or mapping, or a value."""
        if isinstance(part, torch.fx.Node):
            return self.known[part]
        if part is None or isinstance(part, bool | int | float | complex | str):
            return part
        if isinstance(part, list | tuple):
            return tuple([self.arg(element) for element in part])
        if isinstance(part, Mapping):
            return {str(key): self.arg(value) for key, value in part.items()}
        if isinstance(part, torch.dtype):
            return dtype_of(part)
        return str(part).removeprefix("torch.")


@dataclass(slots=True)
class Reader(NodeReader):
    """Reads one program."""

    program: torch.export.ExportedProgram = field(kw_only=True)
    _names: dict[str, str] = field(default_factory=dict)
    """The names of the inputs' values by the names that the program has for them."""

    def read(self) -> TorchGraph:
        """The TorchGraph of the program."""
        inputs: list[TorchValue] = []
        signature = self._inputs(inputs)
        nodes = tuple(self.nodes(self.program.graph))
        results, writes = self._outputs()
        return TorchGraph(
            tuple(inputs), nodes, (results,), self.parameters.by_name, signature, writes, bounds_of(self.program)
        )

    def _inputs(self, inputs: list[TorchValue]) -> dict[str, Arg]:
        """Enters every placeholder; the data inputs join ``inputs``. The model's own arguments by name."""
        specs = {spec.arg.name: spec for spec in self.program.graph_signature.input_specs}
        paths = iter(self._paths())
        leaves: list[Arg] = []
        for node in self.program.graph.find_nodes(op="placeholder"):
            spec = specs[node.name]
            if spec.kind is not InputKind.USER_INPUT:
                self.known[node] = self._held(spec, node)
            elif isinstance(spec.arg, ConstantArgument):
                next(paths)
                self.known[node] = self.arg(spec.arg.value)
                leaves.append(self.known[node])
            else:
                path = next(paths)
                value = self.known[node] = TorchValue(path if "[" in path else node.name, type_of(node.meta.get("val")))
                self._names[node.name] = value.name
                leaves.append(value)
                inputs.append(value)
        return self._signature(iter(leaves))

    def argument_names(self) -> list[str]:
        """The names of the model's arguments, positional ones first."""
        spec = self.program.call_spec.in_spec
        if spec is None:
            return []
        positional, keywords = spec.children()
        call = self.program.module_call_graph[0].signature if self.program.module_call_graph else None
        known = (call.forward_arg_names if call is not None else None) or []
        names = [known[i] if i < len(known) else f"arg{i}" for i in range(positional.num_children)]
        return [*names, *(str(key) for key in keywords.context or ())]

    def _paths(self) -> Iterator[str]:
        spec = self.program.call_spec.in_spec
        if spec is not None:
            arguments = [child for part in spec.children() for child in part.children()]
            for name, argument in zip(self.argument_names(), arguments, strict=True):
                yield from leaf_paths(argument, name)

    def _signature(self, leaves: Iterator[Arg]) -> dict[str, Arg]:
        spec = self.program.call_spec.in_spec
        if spec is None:
            return {}
        arguments = [child for part in spec.children() for child in part.children()]
        return {name: nested(argument, leaves) for name, argument in zip(self.argument_names(), arguments, strict=True)}

    def _held(self, spec: InputSpec, node: torch.fx.Node) -> Arg:
        """The tensor of the program that a placeholder stands for."""
        program = self.program
        key = spec.target or node.name
        stored = program.state_dict if key in program.state_dict else program.constants
        tensor = stored.get(key)
        if not isinstance(tensor, torch.Tensor):
            raise UnsupportedProgram(f"the program holds a {type(tensor).__name__} as {key}, and no tensor")
        return self.parameters.value(key, tensor, node.name, constant=spec.kind is InputKind.CONSTANT_TENSOR)

    def _outputs(self) -> tuple[Arg, tuple[tuple[str, Arg], ...]]:
        """What the model returns, nested as it returns it, and what it writes to its buffers and inputs."""
        (output,) = self.program.graph.find_nodes(op="output")
        results: list[Arg] = []
        writes: list[tuple[str, Arg]] = []
        for part, spec in zip(output.args[0], self.program.graph_signature.output_specs, strict=True):
            if spec.kind is OutputKind.USER_OUTPUT:
                results.append(self.arg(part))
            elif spec.target is not None:
                writes.append((self._names.get(spec.target, spec.target), self.arg(part)))
        spec = self.program.call_spec.out_spec
        return tuple(results) if spec is None else nested(spec, iter(results)), tuple(writes)


_KINDS = {torch.SymFloat: "float", torch.SymBool: "bool", type(None): "None"}


def type_of(value: object) -> TorchType:
    """The type of what a node gave while the program was captured."""
    if isinstance(value, torch.Tensor):
        return tensor_type(value, size_of)
    if isinstance(value, torch.SymInt):
        return TorchType("int", size=size_of(value))
    if isinstance(value, list | tuple):
        return TorchType("List" if isinstance(value, list) else "Tuple", elements=tuple(map(type_of, value)))
    return TorchType(_KINDS.get(type(value), type(value).__name__))
