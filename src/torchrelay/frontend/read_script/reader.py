"""An inlined TorchScript graph, node by node, to TorchNodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import torch
from torch.jit._trace import TopLevelTracedModule

from torchrelay.errors import Place, UnsupportedProgram
from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode, TorchType, TorchValue
from torchrelay.frontend.parameters import ParameterTable
from torchrelay.frontend.read_script.folding import Unknown, known_result
from torchrelay.frontend.read_script.jit import (
    Block,
    Graph,
    Nested,
    Node,
    ScriptObject,
    Value,
    inputs_of,
    outputs_of,
)
from torchrelay.frontend.read_script.lists import written_lists
from torchrelay.frontend.read_script.packed import is_packed, unpacked
from torchrelay.frontend.read_script.places import Places
from torchrelay.frontend.read_script.types import literal, type_of
from torchrelay.frontend.schema import Schema, parse_schema

__all__ = ["Reader", "ScriptSource", "arguments_of", "is_traced"]

ScriptSource = torch.jit.ScriptModule | torch.jit.ScriptFunction

_UNPACKING = ("prim::TupleUnpack", "prim::ListUnpack")
_SILENT = frozenset({"prim::Print", "prim::RaiseException", "aten::warn", "prim::profile", "prim::AddStatValue"})
_BY_NUMBER = frozenset({"aten::add.Tensor", "aten::sub.Tensor", "aten::mul.Tensor", "aten::div.Tensor"})
"""What torch runs with a number where the second operand is a constant tensor without axes, as it optimizes a graph. A trace
made in this process still tells numbers and such tensors apart; a saved one does not.
"""
_CALLS = ("prim::CallMethod", "prim::CallFunction", "prim::fork", "prim::rpc_async")


def is_traced(source: ScriptSource) -> bool:
    """Whether it was traced in this process; a file does not say how what it holds was made."""
    return isinstance(source, TopLevelTracedModule)


@dataclass(frozen=True, slots=True)
class _Module:
    """A module of the model: its path in the state dict and torch's object for it."""

    path: str
    object: ScriptObject

    def below(self, name: str) -> str:
        """The path of an attribute."""
        return f"{self.path}.{name}" if self.path else name


class _Object(dict[str, Arg]):
    """The attributes of an object that the program makes; it writes to them only where it made the object.

    ``sealed``: a branch or a loop gives the object too, so that nothing may be written to it any more.
    """

    def __init__(self, depth: int) -> None:
        super().__init__()
        self.depth = depth
        self.sealed = False


def _sealed(arg: Arg) -> Arg:
    """The argument, the objects in it sealed."""
    parts = arg if isinstance(arg, tuple) else tuple(arg.values()) if isinstance(arg, Mapping) else ()
    if isinstance(arg, _Object):
        arg.sealed = True
    for part in parts:
        _sealed(part)
    return arg


@dataclass(slots=True)
class Reader:
    """Reads the nodes of one graph; what is known of each value so far stands under its name."""

    source: ScriptSource
    graph: Graph
    given: Sequence[object] | None = None
    """What is given for the model's arguments, nested as it is, where that is known; what a leaf is does not matter."""
    places: Places = field(init=False)
    written: set[str] = field(init=False)
    known: dict[str, Arg] = field(default_factory=dict)
    parameters: ParameterTable = field(default_factory=ParameterTable)
    writes: dict[str, Arg] = field(default_factory=dict)
    _modules: dict[str, _Module] = field(default_factory=dict)
    _attributes: dict[str, Arg] = field(default_factory=dict)
    _unreadable: dict[str, UnsupportedProgram] = field(default_factory=dict)
    _scalars: dict[str, int | float | bool] = field(default_factory=dict)
    """The constants without axes, for the operators that torch runs with the number in place of such a tensor."""
    _depth: int = 0
    _where: Place = field(default_factory=Place)

    def __post_init__(self) -> None:
        self.places = Places(self.source)
        self.written = written_lists(self.graph)

    def read(self) -> TorchGraph:
        """The TorchGraph of the whole graph."""
        values = list(self.graph.inputs())
        if isinstance(self.source, torch.jit.ScriptModule):
            self._modules[values[0].debugName()] = _Module("", self.source._c)
            values = values[1:]
        inputs: list[TorchValue] = []
        signature = self._inputs(values, inputs)
        nodes = tuple(self.nodes(self.graph))
        outputs = tuple([self.arg(value) for value in self.graph.outputs()])
        return TorchGraph(tuple(inputs), nodes, outputs, self.parameters.by_name, signature, tuple(self.writes.items()))

    def arg(self, value: Value) -> Arg:
        """What an argument is: a literal, a tuple, or a value.

        Raises UnsupportedProgram for a constant or an attribute that has no meaning as one of these.
        """
        name = value.debugName()
        found = self.known.get(name)
        if found is None and name in self._unreadable:
            raise self._unreadable[name]
        return found if found is not None else self.known[name]

    def bound(self, value: Value) -> TorchValue:
        """The value, entered under its name."""
        made = TorchValue(value.debugName(), type_of(value.type()))
        self.known[made.name] = made
        return made

    def _inputs(self, values: Sequence[Value], leaves: list[TorchValue]) -> dict[str, Arg]:
        """Enters the inputs; their values join ``leaves``. The model's own arguments by name."""
        arguments = arguments_of(self.source)[-len(values) :] if values else []
        given = self.given
        if given is not None and len(given) > len(arguments):
            given = None
        signature: dict[str, Arg] = {}
        for index, (argument, value) in enumerate(zip(arguments, values, strict=True)):
            name, kind = argument.name, type_of(value.type())
            leaf = TorchValue(value.debugName(), kind)
            if given is None or value.debugName() in self.written:
                found = _leaves(leaf, name, leaves, _UNKNOWN)
            elif index < len(given):
                found = _leaves(leaf, name, leaves, given[index])
            elif argument.has_default_value():
                found = literal(argument.default_value)
            else:
                found = _leaves(leaf, name, leaves, _UNKNOWN)
            signature[name] = self.known[value.debugName()] = found
        return signature

    def nodes(self, graph: Nested) -> Iterator[TorchNode]:
        """The nodes that compute something, in order; branches whose condition is known are taken at once."""
        for node in graph.nodes():
            kind = node.kind()
            if kind == "prim::Constant":
                self._constant(node)
            elif kind == "prim::GetAttr":
                self._attribute(node)
            elif kind == "prim::If":
                yield from self._branch(node)
            elif kind == "prim::SetAttr":
                self._set_attribute(node)
            elif kind == "prim::CreateObject":
                self.known[node.output().debugName()] = _Object(self._depth)
            elif kind not in _SILENT and not self._constructed(node, kind):
                made = self._node(node, kind)
                if made is not None:
                    yield made

    def _constant(self, node: Node) -> None:
        output = node.output()
        name = output.debugName()
        value = output.toIValue()
        if isinstance(value, torch.Tensor):
            self.known[name] = self.parameters.value(f"constant_{name}", value, name, constant=True)
            if not value.ndim and not is_traced(self.source):
                self._scalars[name] = value.item()
        else:
            self._enter(name, lambda: literal(value))

    def _enter(self, name: str, read: Callable[[], Arg]) -> None:
        """Enters what is read under the name; why it cannot be, where it cannot: only its use is an error."""
        try:
            self.known[name] = read()
        except UnsupportedProgram as error:
            self._unreadable[name] = error

    def _attribute(self, node: Node) -> None:
        made = self.known.get(node.input().debugName())
        if isinstance(made, _Object) and node.s("name") in made:
            self.known[node.output().debugName()] = made[node.s("name")]
            return
        owner = self._owner(node.input(), node)
        attribute = node.s("name")
        path = owner.below(attribute)
        output = node.output()
        name = output.debugName()
        if path in self._attributes:
            self.known[name] = self._attributes[path]
            return
        held = owner.object
        # an object of a scripted class that a module holds is one of Python's
        value = held.getattr(attribute) if hasattr(held, "getattr") else getattr(held, attribute)
        if output.type().kind() in ("ClassType", "InterfaceType") and not is_packed(output.type()):
            self._modules[name] = _Module(path, cast("ScriptObject", value))
            return
        self._enter(name, lambda: self._held(value, path, name))
        if name in self.known:
            self._attributes[path] = self.known[name]

    def _held(self, value: object, path: str, name: str) -> Arg:
        """What a module holds in an attribute: a tensor, a packed parameter, a number, or several of these."""
        if isinstance(value, torch.Tensor):
            return self.parameters.value(path, value, name)
        if isinstance(value, torch._C.ScriptObject):
            return unpacked(
                value,
                path,
                lambda part, tensor, scales: self.parameters.value(
                    f"{path}.{part}", tensor, f"{name}.{part}", scales=scales
                ),
            )
        if isinstance(value, list | tuple):
            return tuple([self._held(part, f"{path}.{i}", f"{name}.{i}") for i, part in enumerate(value)])
        if isinstance(value, dict):
            return {str(key): self._held(part, f"{path}.{key}", f"{name}.{key}") for key, part in value.items()}
        return literal(value)

    def _set_attribute(self, node: Node) -> None:
        """The attribute of a module, or of an object that the program has made, holds another value from here on."""
        made = self.known.get(node.inputsAt(0).debugName())
        if isinstance(made, _Object) and made.depth == self._depth and not made.sealed:
            made[node.s("name")] = self.arg(node.inputsAt(1))
            return
        owner = self._owner(node.inputsAt(0), node)
        path = owner.below(node.s("name"))
        if self._depth:
            raise UnsupportedProgram(f"{path} is set inside a branch or a loop", place=self.places.of(node))
        self._attributes[path] = self.writes[path] = self.arg(node.inputsAt(1))

    def _owner(self, value: Value, node: Node) -> _Module:
        """The module that a value is. Raises UnsupportedProgram for an object that the program hands on or changes."""
        found = self._modules.get(value.debugName())
        if found is None:
            message = f"{node.s('name')} of an object {value.type()}, which the program hands on or writes to"
            raise UnsupportedProgram(message, place=self.places.of(node), hint="use a tuple or a dict in its place")
        return found

    def _constructed(self, node: Node, kind: str) -> bool:
        """Enters what a node gives that only puts values together or takes them apart; False for any other node."""
        if kind in _UNPACKING:
            return self._unpacked(node)
        if kind == "prim::TupleConstruct":
            self.known[node.output().debugName()] = tuple([self.arg(value) for value in inputs_of(node)])
            return True
        if kind not in ("prim::ListConstruct", "prim::DictConstruct"):
            return False
        name = node.output().debugName()
        if name in self.written:
            return False
        parts = tuple([self.arg(value) for value in inputs_of(node)])
        if kind == "prim::ListConstruct":
            self.known[name] = parts
            return True
        keys, values = parts[::2], parts[1::2]
        if not all(isinstance(key, str) for key in keys):
            return False
        self.known[name] = {str(key): value for key, value in zip(keys, values, strict=True)}
        return True

    def _unpacked(self, node: Node) -> bool:
        whole = self.arg(node.input())
        if not isinstance(whole, tuple):
            return False
        for output, part in zip(outputs_of(node), whole, strict=True):
            self.known[output.debugName()] = part
        return True

    def _node(self, node: Node, kind: str) -> TorchNode | None:
        if kind in _CALLS:
            raise UnsupportedProgram(f"{kind} of what is not known before the program runs", place=self.places.of(node))
        inputs = [self.arg(value) for value in inputs_of(node)]
        text = node.schema()
        # the schema of a Python function takes anything, and calling it by that ends the process
        schema = parse_schema(text) if text.startswith(kind) and kind != "prim::PythonOp" else None
        if self._scalars and schema is not None and schema.target in _BY_NUMBER:
            inputs[1] = self._scalars.get(node.inputsAt(1).debugName(), inputs[1])
        known = known_result(node, schema, inputs)
        if not isinstance(known, Unknown):
            self.known[node.output().debugName()] = known
            return None
        target, args = _call(node, kind, schema, inputs)
        where = self._where = self._near(self.places.of(node))
        blocks = tuple([self._block(block) for block in node.blocks()]) if kind == "prim::Loop" else ()
        outputs = tuple([self.bound(value) for value in outputs_of(node)])
        return TorchNode(target, args, outputs, where, blocks)

    def _near(self, place: Place) -> Place:
        """The place; the line of the node before in the same module where it has none, as what tracing adds between has not."""
        before = self._where
        return before if not place.file and place.scope == before.scope else place

    def _branch(self, node: Node) -> Iterator[TorchNode]:
        """An If; where only one of its blocks can run, the nodes of that block."""
        condition = self.arg(node.inputsAt(0))
        taken, other = node.blocks()
        if isinstance(condition, TorchValue) and not _raises(taken) and not _raises(other):
            where = self.places.of(node)
            blocks = (self._block(taken), self._block(other))
            outputs = tuple([self.bound(value) for value in outputs_of(node)])
            yield TorchNode("prim::If.default", {"condition": condition}, outputs, where, blocks)
            return
        if _raises(taken) if isinstance(condition, TorchValue) else not condition:
            taken = other
        yield from self.nodes(taken)
        for output, value in zip(outputs_of(node), taken.outputs(), strict=True):
            self.known[output.debugName()] = self.arg(value)

    def _block(self, block: Block) -> TorchGraph:
        self._depth += 1
        inputs = tuple([self.bound(value) for value in block.inputs()])
        nodes = tuple(self.nodes(block))
        self._depth -= 1
        return TorchGraph(inputs, nodes, tuple([_sealed(self.arg(value)) for value in block.outputs()]))


def _raises(block: Block) -> bool:
    """Whether the block ends in an exception."""
    return any(node.kind() == "prim::RaiseException" for node in block.nodes())


def _call(node: Node, kind: str, schema: Schema | None, inputs: Sequence[Arg]) -> tuple[str, Mapping[str, Arg]]:
    """Target and arguments of a node."""
    if kind in _UNPACKING:
        return f"{kind}.default", {"self": inputs[0]}
    if schema is not None:
        return schema.target, schema.bind(inputs)
    if kind == "prim::PythonOp":
        rest = iter(inputs)
        scalars = iter(node.scalar_args())
        args = [next(rest) if letter == "d" else _inert(next(scalars)) for letter in node.cconv()]
        return f"python::{node.pyname()}.default", _numbered(args)
    target = f"{kind}.default"
    if kind == "prim::Loop":
        return target, {"trip_count": inputs[0], "condition": inputs[1], "carried": tuple(inputs[2:])}
    if kind == "prim::ListConstruct":
        return target, {"elements": tuple(inputs)}
    if kind == "prim::DictConstruct":
        return target, {"keys": tuple(inputs[::2]), "values": tuple(inputs[1::2])}
    if len(inputs) == 1 and not list(node.attributeNames()):
        return target, {"self": inputs[0]}
    return target, {**_numbered(inputs), **_node_attributes(node)}


def _numbered(args: Sequence[Arg]) -> dict[str, Arg]:
    return {f"arg{index}": arg for index, arg in enumerate(args)}


def _inert(value: object) -> Arg:
    """An argument of a Python function that is no tensor; a text of it where it is no number either."""
    try:
        return literal(value)
    except UnsupportedProgram:
        return repr(value)


def _node_attributes(node: Node) -> dict[str, Arg]:
    """The attributes of a node without schema that are texts or numbers."""
    read = {"s": node.s, "i": node.i, "f": node.f}
    return {name: read[node.kindOf(name)](name) for name in node.attributeNames() if node.kindOf(name) in read}


_UNKNOWN = object()
"""Stands for what is given where nothing is known of it."""


def arguments_of(source: ScriptSource) -> Sequence[torch._C.Argument]:
    """The arguments of the model as its source has them."""
    method = source._c._get_method("forward") if isinstance(source, torch.jit.ScriptModule) else source
    return cast("torch._C.FunctionSchema", method.schema).arguments


def _leaves(value: TorchValue, name: str, leaves: list[TorchValue], given: object) -> Arg:
    """The value as one more leaf; its parts as leaves, ``x[0]`` or ``x[key]``, where it is a tuple, or a list or mapping of
    which all parts are given; a literal where None or a text is given.
    """
    kind = value.type
    if kind.kind == "Optional" and given is not _UNKNOWN:
        kind = kind.elements[0]
        value = TorchValue(value.name, kind)
    if given is None or isinstance(given, str):
        return given
    parts: Sequence[object] = list(given) if isinstance(given, list | tuple) else []
    if kind.kind == "Tuple":
        parts = parts if len(parts) == len(kind.elements) else [_UNKNOWN] * len(kind.elements)
        return tuple([_leaf(name, i, *part, leaves) for i, part in enumerate(zip(kind.elements, parts, strict=True))])
    if kind.kind == "List" and isinstance(given, list | tuple):
        return tuple([_leaf(name, i, kind.elements[0], part, leaves) for i, part in enumerate(parts)])
    if kind.kind == "Dict" and isinstance(given, Mapping) and kind.elements[0].kind == "str":
        return {str(key): _leaf(name, key, kind.elements[1], part, leaves) for key, part in given.items()}
    leaves.append(value)
    return value


def _leaf(name: str, key: object, kind: TorchType, given: object, leaves: list[TorchValue]) -> Arg:
    path = f"{name}[{key}]"
    return _leaves(TorchValue(path, kind), path, leaves, given)
