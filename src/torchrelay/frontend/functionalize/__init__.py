"""Writes through aliases become values: a TorchGraph in, one without mutation out."""

from __future__ import annotations

from torchrelay.frontend.functionalize.aliases import find_aliases
from torchrelay.frontend.functionalize.prune import pruned
from torchrelay.frontend.functionalize.rewrite import rewritten
from torchrelay.frontend.graph import TorchGraph, walk_nodes
from torchrelay.frontend.schema import schema_for

__all__ = ["functionalize"]


def functionalize(graph: TorchGraph) -> TorchGraph:
    """The same program without writes, and without what its results do not need.

    An in-place operator or one with ``out`` is its functional twin; whatever shows the memory that it wrote shows the new
    value from then on, through any chain of views, in and after branches and loops. What the program leaves in its inputs,
    parameters and buffers is in ``writes``. An operator on a list or mapping, or any other without a twin, keeps its target
    and gives, behind its results, what each written argument is afterwards.

    The alias sets of the schemas decide. Linear in the number of nodes. Raises UnsupportedProgram with the place where only
    running the program can tell what a write reaches, or a view shows an element more than once.
    """
    if any(_writes(node.target) for node in walk_nodes(graph)):
        graph = rewritten(graph, find_aliases(graph))
    return pruned(graph)


def _writes(target: str) -> bool:
    schema = schema_for(target)
    return schema is not None and schema.mutates
