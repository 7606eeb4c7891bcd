"""The nodes of a functional program that its results do not need, left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode, values_in

__all__ = ["pruned"]


def pruned(graph: TorchGraph) -> TorchGraph:
    """The same program with only the nodes and parameters that its results and what it writes need; its inputs all stay."""
    needed = _names([*graph.outputs, *(value for _, value in graph.writes)])
    nodes = _kept(graph.nodes, needed)
    parameters = {name: parameter for name, parameter in graph.parameters.items() if name in needed}
    return replace(graph, nodes=nodes, parameters=parameters)


def _names(args: Iterable[Arg]) -> set[str]:
    return {value.name for arg in args for value in values_in(arg)}


def _kept(nodes: tuple[TorchNode, ...], needed: set[str]) -> tuple[TorchNode, ...]:
    """The nodes that give a value in ``needed``, which grows by what they need themselves."""
    kept: list[TorchNode] = []
    for node in reversed(nodes):
        if not any(output.name in needed for output in node.outputs):
            continue
        node = _trimmed(node, needed)
        for arg in node.args.values():
            needed.update(value.name for value in values_in(arg))
        kept.append(node)
    return tuple(reversed(kept))


def _trimmed(node: TorchNode, needed: set[str]) -> TorchNode:
    """The node with only the results that are needed, where it has blocks; what the blocks need joins ``needed``."""
    if not node.blocks:
        return node
    if node.target == "prim::If.default":
        places = [place for place, output in enumerate(node.outputs) if output.name in needed]
        blocks = [replace(block, outputs=tuple([block.outputs[place] for place in places])) for block in node.blocks]
        outputs = tuple([node.outputs[place] for place in places])
        return replace(node, outputs=outputs, blocks=tuple([_block(block, needed) for block in blocks]))
    return _trimmed_loop(node, needed)


def _block(block: TorchGraph, needed: set[str]) -> TorchGraph:
    needed |= _names(block.outputs)
    return replace(block, nodes=_kept(block.nodes, needed))


def _trimmed_loop(node: TorchNode, needed: set[str]) -> TorchNode:
    """The loop without the places that it carries and neither it nor what follows reads."""
    (body,) = node.blocks
    inner = _names(body.outputs)
    nodes = _kept(body.nodes, inner)
    read = _names(arg for made in nodes for arg in made.args.values()) | _read_in_blocks(nodes)
    read |= _names(body.outputs[:1])
    carried = node.args["carried"]
    assert isinstance(carried, tuple), "a loop carries a tuple"
    places = [
        place
        for place, (output, value) in enumerate(zip(node.outputs, body.inputs[1:], strict=True))
        if output.name in needed or value.name in read or _is_read_elsewhere(body, place, value.name)
    ]
    kept = replace(
        body,
        inputs=(body.inputs[0], *(body.inputs[place + 1] for place in places)),
        outputs=(body.outputs[0], *(body.outputs[place + 1] for place in places)),
    )
    args = {**node.args, "carried": tuple([carried[place] for place in places])}
    outputs = tuple([node.outputs[place] for place in places])
    return replace(node, args=args, outputs=outputs, blocks=(_block(kept, needed),))


def _is_read_elsewhere(body: TorchGraph, place: int, name: str) -> bool:
    """Whether another place of the body gives the value on."""
    return any(name in _names([output]) for index, output in enumerate(body.outputs[1:]) if index != place)


def _read_in_blocks(nodes: tuple[TorchNode, ...]) -> set[str]:
    found: set[str] = set()
    stack = [block for node in nodes for block in node.blocks]
    while stack:
        block = stack.pop()
        found |= _names(block.outputs)
        for node in block.nodes:
            found |= _names(node.args.values())
            stack.extend(node.blocks)
    return found
