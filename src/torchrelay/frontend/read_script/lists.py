"""Which lists and mappings of a TorchScript graph are written to after they are made."""

from __future__ import annotations

from collections.abc import Iterator

from torchrelay.frontend.read_script.jit import Graph, Node, Value

__all__ = ["LIST_WRITERS", "written_lists"]

LIST_WRITERS = (
    "aten::Delete",
    "aten::_set_item",
    "aten::add_",
    "aten::append",
    "aten::clear",
    "aten::extend",
    "aten::insert",
    "aten::mul_",
    "aten::pop",
    "aten::popitem",
    "aten::remove",
    "aten::reverse",
    "aten::setdefault",
    "aten::sort",
    "aten::update",
)
"""Every operator of which an overload writes to a list or a mapping; a test holds it to the schemas of the torch at hand."""


def written_lists(graph: Graph) -> set[str]:
    """The names of all values that may be a list or mapping that the program writes to: those written to, and through
    branches and loops all that they may be the same as.
    """
    found: dict[str, Value] = {}
    todo: list[Value] = []
    for kind in LIST_WRITERS:
        for node in graph.findAllNodes(kind, True):
            value = node.inputsAt(0)
            if value.type().kind() in ("ListType", "DictType"):
                todo.append(value)
    while todo:
        value = todo.pop()
        if value.debugName() not in found:
            found[value.debugName()] = value
            todo.extend(_same(value))
    return set(found)


def _same(value: Value) -> Iterator[Value]:
    """What the value may be the same as because a branch or a loop hands it on."""
    node, offset = value.node(), value.offset()
    if node.kind() == "prim::Loop":
        yield from _carried(node, offset)
    elif node.kind() == "prim::If":
        yield from _branches(node, offset)
    else:
        yield from _at_border(node, offset)
    for use in value.uses():
        if use.user.kind() == "prim::Loop":
            yield from _carried(use.user, use.offset - 2)
        else:
            yield from _at_border(use.user, use.offset)


def _at_border(node: Node, offset: int) -> Iterator[Value]:
    """All values of the same place in a branch or a loop, where the node is the parameters or the results of its body."""
    if node.kind() in ("prim::Param", "prim::Return"):
        owner = node.owningBlock().owningNode()
        if owner is not None and owner.kind() == "prim::If":
            yield from _branches(owner, offset)
        elif owner is not None and offset > 0:
            yield from _carried(owner, offset - 1)


def _branches(node: Node, position: int) -> Iterator[Value]:
    yield node.outputsAt(position)
    for block in node.blocks():
        yield list(block.outputs())[position]


def _carried(loop: Node, position: int) -> Iterator[Value]:
    """The values of one place that the loop carries: before it, in its body, after it."""
    (body,) = loop.blocks()
    yield loop.inputsAt(position + 2)
    yield list(body.inputs())[position + 1]
    yield list(body.outputs())[position + 1]
    yield loop.outputsAt(position)
