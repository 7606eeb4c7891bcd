"""TorchScript, traced or scripted, to a TorchGraph; the only file that knows TorchScript."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import torch

from torchrelay.errors import Place, UnsupportedProgram
from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode, TorchParameter, TorchType, TorchValue
from torchrelay.frontend.schema import dtype_of, parse_schema
from torchrelay.ir import ANY

__all__ = ["ScriptSource", "inlined_graph", "is_script", "read_script", "script", "trace"]

ScriptSource = torch.jit.ScriptModule | torch.jit.ScriptFunction

_SEQUENCES = ("prim::ListConstruct", "prim::TupleConstruct")
_UNPACKING = ("prim::TupleUnpack", "prim::ListUnpack")


def trace(model: torch.nn.Module, example_inputs: Sequence[object]) -> torch.jit.ScriptModule:
    """The model traced on the inputs, not run a second time to compare."""
    with warnings.catch_warnings():
        # Whether tracing fits the model is for verification to say; that it is deprecated is torch's own news.
        warnings.simplefilter("ignore")
        return torch.jit.trace(model, tuple(example_inputs), check_trace=False, strict=False)


def script(model: torch.nn.Module) -> torch.jit.ScriptModule:
    """The model scripted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.jit.script(model)


def is_script(model: object) -> bool:
    """Whether it is TorchScript already."""
    return isinstance(model, ScriptSource)


def inlined_graph(source: ScriptSource) -> torch._C.Graph:
    """A copy of the graph with every call inlined and dead code gone; the module is left as it is."""
    graph = source.graph.copy()
    torch._C._jit_pass_inline(graph)
    torch._C._jit_pass_dce(graph)
    return graph


def read_script(source: ScriptSource) -> TorchGraph:
    """The TorchGraph of a traced or scripted module, or of a function.

    Calls are inlined, constants, lists and tuples folded into arguments, attribute chains resolved to state-dict keys.
    Raises UnsupportedProgram for an attribute that is no tensor, list or number.
    """
    graph = inlined_graph(source)
    reader = _Reader(source, _module_classes(source))
    inputs = list(graph.inputs())
    if isinstance(source, torch.jit.ScriptModule) and inputs:
        reader.paths[inputs[0].debugName()] = ""
        inputs = inputs[1:]
    values = tuple([reader.bound(value) for value in inputs])
    nodes = tuple(reader.nodes(graph))
    outputs = tuple([reader.arg(value) for value in graph.outputs()])
    return TorchGraph(values, nodes, outputs, reader.parameters)


def _module_classes(source: ScriptSource) -> Mapping[str, str]:
    if not isinstance(source, torch.jit.ScriptModule):
        return {}
    return {name: getattr(module, "original_name", "") for name, module in source.named_modules()}


@dataclass(slots=True)
class _Reader:
    """What is known of the values seen so far, by their name in the graph."""

    source: ScriptSource
    classes: Mapping[str, str]
    paths: dict[str, str] = field(default_factory=dict)
    known: dict[str, Arg] = field(default_factory=dict)
    parameters: dict[str, TorchParameter] = field(default_factory=dict)
    by_key: dict[str, TorchValue] = field(default_factory=dict)

    def arg(self, value: torch._C.Value) -> Arg:
        """What an argument is: a literal, a tuple, or a value."""
        return self.known[value.debugName()]

    def bound(self, value: torch._C.Value) -> TorchValue:
        """The value, entered under its name."""
        made = TorchValue(value.debugName(), type_of(value.type()))
        self.known[made.name] = made
        return made

    def nodes(self, graph: torch._C.Graph | torch._C.Block) -> Iterator[TorchNode]:
        """The nodes that compute something, in order."""
        for node in graph.nodes():
            kind = node.kind()
            if kind == "prim::Constant":
                self._constant(node)
            elif kind == "prim::GetAttr":
                self._attribute(node)
            elif kind in _SEQUENCES:
                self.known[node.output().debugName()] = tuple([self.arg(value) for value in node.inputs()])
            elif kind == "prim::DictConstruct":
                self._dict(node)
            elif kind in _UNPACKING and self._unpacked(node):
                continue
            else:
                yield self._node(node, kind)

    def _constant(self, node: torch._C.Node) -> None:
        output = node.output()
        name = output.debugName()
        value = output.toIValue()
        if isinstance(value, torch.Tensor):
            self.parameters[name] = TorchParameter("", value)
            self.bound(output)
        else:
            self.known[name] = _literal(value)

    def _attribute(self, node: torch._C.Node) -> None:
        owner = self.paths[node.input().debugName()]
        attribute = node.s("name")
        path = f"{owner}.{attribute}" if owner else attribute
        output = node.output()
        name = output.debugName()
        if isinstance(output.type(), torch._C.ClassType) and not _is_packed(output.type()):
            self.paths[name] = path
            return
        value = _attribute_value(self.source, path)
        if not isinstance(value, torch.Tensor):
            self.known[name] = _literal(value)
            return
        if path not in self.by_key:
            self.by_key[path] = self.bound(output)
            self.parameters[name] = TorchParameter(path, value.detach())
        self.known[name] = self.by_key[path]

    def _dict(self, node: torch._C.Node) -> None:
        parts = [self.arg(value) for value in node.inputs()]
        keys, values = parts[::2], parts[1::2]
        self.known[node.output().debugName()] = {str(key): value for key, value in zip(keys, values, strict=True)}

    def _unpacked(self, node: torch._C.Node) -> bool:
        whole = self.arg(node.input())
        if not isinstance(whole, tuple):
            return False
        for output, part in zip(node.outputs(), whole, strict=True):
            self.known[output.debugName()] = part
        return True

    def _node(self, node: torch._C.Node, kind: str) -> TorchNode:
        inputs = [self.arg(value) for value in node.inputs()]
        schema_text = node.schema()
        if schema_text.startswith(kind):
            schema = parse_schema(schema_text)
            target, args = schema.target, schema.bind(inputs)
        else:
            target, args = (
                f"{kind}.default",
                dict(zip(["self", *(f"arg{i}" for i in range(1, len(inputs)))], inputs, strict=False)),
            )
            args.update(_node_attributes(node))
        where = self._place(node)
        blocks = tuple([self._block(block) for block in node.blocks()])
        outputs = tuple([self.bound(value) for value in node.outputs()])
        return TorchNode(target, args, outputs, where, blocks)

    def _block(self, block: torch._C.Block) -> TorchGraph:
        inputs = tuple([self.bound(value) for value in block.inputs()])
        nodes = tuple(self.nodes(block))
        return TorchGraph(inputs, nodes, tuple([self.arg(value) for value in block.outputs()]))

    def _place(self, node: torch._C.Node) -> Place:
        file, line = _source(node.sourceRange())
        scope = _scope(node.scopeName())
        return Place(file, line, scope=scope, scope_class=self.classes.get(scope, ""))


def _is_packed(t: torch._C.ClassType) -> bool:
    return "PackedParamsBase" in str(t)


def _attribute_value(source: ScriptSource, path: str) -> object:
    value: object = source
    for part in path.split("."):
        value = getattr(value, part)
    return value


def _literal(value: object) -> Arg:
    if value is None or isinstance(value, bool | int | float | complex | str):
        return value
    if isinstance(value, list | tuple):
        return tuple([_literal(part) for part in value])
    if isinstance(value, dict):
        return {str(key): _literal(part) for key, part in value.items()}
    if isinstance(value, torch.dtype):
        return dtype_of(value)
    if isinstance(value, torch.device):
        return str(value)
    raise UnsupportedProgram(f"a constant of type {type(value).__name__} has no meaning in Relay")


def _node_attributes(node: torch._C.Node) -> dict[str, Arg]:
    """The attributes of a node without schema that are texts or numbers."""
    read = {"s": node.s, "i": node.i, "f": node.f}
    found: dict[str, Arg] = {}
    for name in node.attributeNames():
        kind = node.kindOf(name)
        if kind in read:
            found[name] = read[kind](name)
    return found


@lru_cache(maxsize=4096)
def _scope(text: str) -> str:
    """``__module.layer1/__module.layer1.0`` as ``layer1.0``."""
    last = text.rsplit("/", 1)[-1]
    return last.removeprefix("__module").removeprefix(".") if last.startswith("__module") else ""


_TRACING = re.compile(r"[\\/]torch[\\/]jit[\\/]_trace\.py")
_LIBRARY = re.compile(r"[\\/]torch[\\/](?:nn|_|jit|functional|utils|ao|fx)")


@lru_cache(maxsize=16384)
def _source(text: str) -> tuple[str, int]:
    """File and line of the innermost frame of the model that is not inside torch; of the innermost one where all are."""
    first: tuple[str, int] | None = None
    for frame in text.splitlines():
        # "file.py(12): forward" in a traced graph; 'File "file.py", line 12, in forward' in a scripted one.
        found = re.match(r"\s*File \"(.+?)\", line (\d+)", frame) or re.match(r"(\S.*?)\((\d+)\)", frame)
        if found is None:
            continue
        place = (found.group(1), int(found.group(2)))
        if _TRACING.search(place[0]):
            break
        if not _LIBRARY.search(place[0]):
            return place
        first = first or place
    return first or ("", 0)


_TENSOR = TorchType("Tensor")


def type_of(t: torch._C.Type) -> TorchType:
    """The type of a value, with shape and dtype where the capture knows them."""
    kind = t.kind()
    if kind == "TensorType":
        return _tensor_type(t)
    if kind in ("ListType", "OptionalType"):
        return TorchType(kind.removesuffix("Type"), elements=(type_of(t.getElementType()),))
    if kind == "TupleType":
        return TorchType("Tuple", elements=tuple([type_of(part) for part in t.elements()]))
    if kind == "DictType":
        return TorchType("Dict", elements=(type_of(t.getKeyType()), type_of(t.getValueType())))
    return TorchType(str(t))


def _tensor_type(t: torch._C.TensorType) -> TorchType:
    dtype, sizes = t.dtype(), t.sizes()
    if dtype is None and sizes is None:
        return _TENSOR
    shape = None if sizes is None else tuple([ANY if size is None else size for size in sizes])
    known = None if dtype is None else dtype_of(dtype)
    return TorchType("Tensor", shape, known if not isinstance(known, str) or hasattr(known, "bits") else None)
