"""An ExportedProgram to a TorchGraph; the only file that knows torch.export."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import torch
from torch.export.graph_signature import InputKind, OutputKind

from torchrelay.errors import Place, UnsupportedProgram
from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode, TorchParameter, TorchType, TorchValue
from torchrelay.frontend.schema import dtype_of, schema_of
from torchrelay.ir import ANY, DType

__all__ = ["export", "read_export"]


def export(
    model: torch.nn.Module, example_inputs: Sequence[object], dynamic_shapes: object = None
) -> torch.export.ExportedProgram:
    """The model exported on the inputs."""
    return torch.export.export(model, tuple(example_inputs), dynamic_shapes=dynamic_shapes, strict=False)


def read_export(program: torch.export.ExportedProgram) -> TorchGraph:
    """The TorchGraph of an exported program.

    Parameters, buffers and lifted constants carry their state-dict keys; what a program writes to its buffers is left out
    of the results. Raises UnsupportedProgram for a node that is no call of an operator.
    """
    reader = _Reader(program)
    inputs = tuple(reader.inputs())
    nodes = tuple(reader.nodes())
    return TorchGraph(inputs, nodes, tuple(reader.outputs()), reader.parameters)


@dataclass(slots=True)
class _Reader:
    program: torch.export.ExportedProgram
    known: dict[torch.fx.Node, Arg] = field(default_factory=dict)
    parameters: dict[str, TorchParameter] = field(default_factory=dict)

    def inputs(self) -> Iterator[TorchValue]:
        """The data inputs; every other placeholder becomes a parameter or a literal."""
        specs = {spec.arg.name: spec for spec in self.program.graph_signature.input_specs}
        for node in self.program.graph.nodes:
            if node.op != "placeholder":
                continue
            spec = specs[node.name]
            value = TorchValue(node.name, _type_of(node.meta.get("val")))
            self.known[node] = value
            if spec.kind is InputKind.USER_INPUT:
                if hasattr(spec.arg, "value"):
                    self.known[node] = spec.arg.value
                yield value
            else:
                self.parameters[node.name] = TorchParameter(spec.target, self._tensor(spec))

    def _tensor(self, spec: torch.export.graph_signature.InputSpec) -> torch.Tensor:
        program = self.program
        stored = program.state_dict if spec.target in program.state_dict else program.constants
        if spec.target not in stored:
            raise UnsupportedProgram(f"the program holds no tensor {spec.target}")
        return stored[spec.target].detach()

    def nodes(self) -> Iterator[TorchNode]:
        """The nodes that compute something, in order."""
        for node in self.program.graph.nodes:
            if node.op == "call_function":
                made = self._node(node)
                if made is not None:
                    yield made
            elif node.op == "get_attr":
                self._attribute(node)
            elif node.op not in ("placeholder", "output"):
                raise UnsupportedProgram(f"a node of kind {node.op} has no meaning here", place=_place(node))

    def _attribute(self, node: torch.fx.Node) -> None:
        value = getattr(self.program.graph_module, str(node.target))
        if isinstance(value, torch.Tensor):
            self.known[node] = TorchValue(node.name, _type_of(value))
            self.parameters[node.name] = TorchParameter(str(node.target), value.detach())

    def _node(self, node: torch.fx.Node) -> TorchNode | None:
        outputs = (TorchValue(node.name, _type_of(node.meta.get("val"))),)
        if isinstance(node.target, torch._ops.OpOverload):
            schema = schema_of(node.target)
            args = schema.bind([self.arg(part) for part in node.args], {k: self.arg(v) for k, v in node.kwargs.items()})
            target = schema.target
        elif getattr(node.target, "__name__", "") == "getitem":
            whole, index = (self.arg(part) for part in node.args)
            target, args = "prim::getitem.default", {"self": whole, "index": index}
        else:
            args = {str(i): self.arg(part) for i, part in enumerate(node.args)}
            target = f"python::{getattr(node.target, '__name__', node.target)}.default"
        self.known[node] = outputs[0]
        return TorchNode(target, args, outputs, _place(node))

    def arg(self, part: object) -> Arg:
        """What an argument is: a literal, a tuple, or a value."""
        if isinstance(part, torch.fx.Node):
            return self.known[part]
        if part is None or isinstance(part, bool | int | float | complex | str):
            return part
        if isinstance(part, list | tuple):
            return tuple([self.arg(element) for element in part])
        if isinstance(part, torch.dtype):
            return dtype_of(part)
        return str(part)

    def outputs(self) -> Iterator[Arg]:
        """The results of the model, nested as it returns them; without what it writes to buffers."""
        (output,) = (node for node in self.program.graph.nodes if node.op == "output")
        specs = self.program.graph_signature.output_specs
        results = [
            self.arg(part)
            for part, spec in zip(output.args[0], specs, strict=True)
            if spec.kind is OutputKind.USER_OUTPUT
        ]
        yield _nested(self.program.call_spec.out_spec, iter(results))


def _nested(spec: torch.utils._pytree.TreeSpec, leaves: Iterator[Arg]) -> Arg:
    """The leaves as the structure that the model returns, mappings as such and all other containers as tuples."""
    if spec.is_leaf():
        return next(leaves)
    parts = tuple([_nested(child, leaves) for child in spec.children()])
    keys = _keys(spec)
    return parts if keys is None else dict(zip(keys, parts, strict=True))


def _keys(spec: torch.utils._pytree.TreeSpec) -> list[str] | None:
    context = spec.context
    if spec.type in (dict, Mapping) or (isinstance(spec.type, type) and issubclass(spec.type, Mapping)):
        return [str(key) for key in (context[1] if isinstance(context, tuple) else context)]
    if isinstance(context, list) and len(context) == spec.num_children and all(isinstance(k, str) for k in context):
        return list(context)
    return None


def _type_of(value: object) -> TorchType:
    if isinstance(value, torch.Tensor):
        shape = tuple([size if isinstance(size, int) else ANY for size in value.shape])
        dtype = dtype_of(value.dtype)
        return TorchType("Tensor", shape, dtype if isinstance(dtype, DType) else None)
    if isinstance(value, list | tuple):
        return TorchType("List" if isinstance(value, list) else "Tuple", elements=tuple(map(_type_of, value)))
    names = {torch.SymInt: "int", torch.SymFloat: "float", torch.SymBool: "bool", type(None): "None"}
    return TorchType(names.get(type(value), type(value).__name__))


def _place(node: torch.fx.Node) -> Place:
    file, line = _source(node.meta.get("stack_trace") or "")
    stack = node.meta.get("nn_module_stack") or {}
    scope, owner = next(reversed(stack.values()), ("", "")) if stack else ("", "")
    name = owner if isinstance(owner, str) else owner.__name__
    return Place(file, line, scope=scope, scope_class=name.rpartition(".")[2])


_LIBRARY = re.compile(r"[\\/]torch[\\/](?:nn|_|jit|functional|utils|ao|fx)")


@lru_cache(maxsize=16384)
def _source(trace: str) -> tuple[str, int]:
    """File and line of the innermost frame that is not inside torch itself; of the innermost one where all are."""
    frames = [(file, int(line)) for file, line in re.findall(r"File \"(.+?)\", line (\d+)", trace)]
    own = [frame for frame in frames if not _LIBRARY.search(frame[0])]
    return (own or frames or [("", 0)])[-1]
