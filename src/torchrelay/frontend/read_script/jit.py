"""What torch's graphs offer, as the type checker needs it: torch's own stubs leave most of it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import torch

__all__ = ["Block", "Graph", "Nested", "Node", "ScriptObject", "Type", "Use", "Value", "inputs_of", "outputs_of"]


class Type(Protocol):
    """A type of TorchScript's; what is inside it stands in the method of its kind."""

    def kind(self) -> str: ...
    def dtype(self) -> torch.dtype | None: ...
    def sizes(self) -> Sequence[int | None] | None: ...
    def strides(self) -> Sequence[int | None] | None: ...
    def elements(self) -> Sequence[Type]: ...
    def getElementType(self) -> Type: ...  # noqa: N802
    def getKeyType(self) -> Type: ...  # noqa: N802
    def getValueType(self) -> Type: ...  # noqa: N802


class Use(Protocol):
    """An input of a node that a value is."""

    @property
    def user(self) -> Node: ...
    @property
    def offset(self) -> int: ...


class Value(Protocol):
    """A value of a graph."""

    def debugName(self) -> str: ...  # noqa: N802
    def node(self) -> Node: ...
    def offset(self) -> int: ...
    def setDebugName(self, name: str) -> None: ...  # noqa: N802
    def toIValue(self) -> object: ...  # noqa: N802
    def type(self) -> Type: ...
    def uses(self) -> Sequence[Use]: ...


class Nested(Protocol):
    """A graph, or the body of a node."""

    def inputs(self) -> Iterator[Value]: ...
    def nodes(self) -> Iterator[Node]: ...
    def outputs(self) -> Iterator[Value]: ...


class Block(Nested, Protocol):
    """The body of a node."""

    def owningNode(self) -> Node | None: ...  # noqa: N802


class Graph(Nested, Protocol):
    """A whole graph."""

    def copy(self) -> Graph: ...
    def findAllNodes(self, kind: str, recurse: bool) -> Sequence[Node]: ...  # noqa: FBT001, N802


class Node(Protocol):
    """A node of a graph."""

    def attributeNames(self) -> Sequence[str]: ...  # noqa: N802
    def blocks(self) -> Iterator[Block]: ...
    def cconv(self) -> str: ...
    def f(self, name: str) -> float: ...
    def getModuleHierarchy(self) -> str: ...  # noqa: N802
    def i(self, name: str) -> int: ...
    def input(self) -> Value: ...
    def inputs(self) -> Iterator[Value]: ...
    def inputsAt(self, index: int) -> Value: ...  # noqa: N802
    def inputsSize(self) -> int: ...  # noqa: N802
    def kind(self) -> str: ...
    def kindOf(self, name: str) -> str: ...  # noqa: N802
    def output(self) -> Value: ...
    def outputs(self) -> Iterator[Value]: ...
    def outputsAt(self, index: int) -> Value: ...  # noqa: N802
    def outputsSize(self) -> int: ...  # noqa: N802
    def owningBlock(self) -> Block: ...  # noqa: N802
    def pyname(self) -> str: ...
    def s(self, name: str) -> str: ...
    def scalar_args(self) -> Sequence[object]: ...
    def schema(self) -> str: ...
    def scopeName(self) -> str: ...  # noqa: N802
    def sourceRange(self) -> str: ...  # noqa: N802
    def tys(self, name: str) -> Sequence[Type]: ...


class ScriptObject(Protocol):
    """A module, or a value of a class of its own."""

    def getattr(self, name: str) -> object: ...


def inputs_of(node: Node) -> list[Value]:
    """The inputs of the node; its own iterator of them takes ten times as long to end as an input to get."""
    return [node.inputsAt(index) for index in range(node.inputsSize())]


def outputs_of(node: Node) -> list[Value]:
    """The outputs of the node."""
    return [node.outputsAt(index) for index in range(node.outputsSize())]
