"""The graph of a TorchScript program as text, each value named after the operator that gives it."""

from __future__ import annotations

from collections import Counter

from torchrelay.frontend.read_script.jit import Graph, Node, outputs_of

__all__ = ["renamed_text"]


def renamed_text(graph: Graph) -> str:
    """The graph as torch prints it, in a copy whose values are ``aten::relu_0_0``: operator, its number among those of its
    kind in order of execution, and which of its results. Attributes of modules keep their names.
    """
    copied = graph.copy()
    seen: Counter[str] = Counter()
    stack = [copied.nodes()]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            continue
        _rename(node, seen)
        stack.extend(block.nodes() for block in reversed(list(node.blocks())))
    return str(copied)


def _rename(node: Node, seen: Counter[str]) -> None:
    kind = node.kind()
    if kind == "prim::GetAttr" or not node.outputsSize():
        return
    for index, output in enumerate(outputs_of(node)):
        output.setDebugName(f"{kind}_{seen[kind]}_{index}")
    seen[kind] += 1
