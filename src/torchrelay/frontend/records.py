"""The record of a conversion: what became of every node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from torchrelay.frontend.graph import TorchNode
from torchrelay.frontend.registry import Result
from torchrelay.frontend.scope import known
from torchrelay.ir import Expr

__all__ = ["NodeRecord"]


@dataclass(frozen=True, slots=True)
class NodeRecord:
    """How one torch node was converted: the inputs it had, the Relay made of it."""

    node: TorchNode
    converter: str
    environment: Mapping[str, Result] = field(repr=False)
    results: tuple[Result, ...]
    decomposed: tuple[str, ...] = ()
    """The operators that PyTorch's tables make of the node, where it has no converter of its own."""
    nested: bool = False
    """Whether the node stands in a branch or a loop: its values exist only while that runs, or several times."""

    @property
    def inputs(self) -> dict[str, Result]:
        """The arguments of the node by name, as what they are in Relay."""
        return {name: known(self.environment, arg) for name, arg in self.node.args.items()}

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """The expressions among the results."""
        return tuple(result for result in self.results if isinstance(result, Expr))
