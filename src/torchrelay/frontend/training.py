"""Whether a model in training mode means something else than in eval mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import CodeType

import torch
from torch import nn

from torchrelay.errors import WrongUsage
from torchrelay.frontend.graph import TorchGraph, walk_nodes

__all__ = ["depends_on_training", "refuse_training", "refuse_training_graph"]


def depends_on_training(model: object) -> list[str]:
    """The modules in training mode whose meaning that changes, by path and class; empty for a model that is the same in both."""
    if not isinstance(model, nn.Module):
        return []
    return [
        f"{name} ({type(module).__name__})" if name else type(module).__name__
        for name, module in model.named_modules()
        if module.training and _depends(module)
    ]


def refuse_training(model: object) -> None:
    """Raises WrongUsage, naming the modules, where the model is in training mode and that matters."""
    found = depends_on_training(model)
    if found:
        rest = f" and {len(found) - 3} more" if len(found) > 3 else ""
        message = f"the model is in training mode, in which {', '.join(found[:3])}{rest} is not what it is in inference"
        raise WrongUsage(message, hint="call model.eval() first")


def refuse_training_graph(graph: TorchGraph) -> None:
    """Raises WrongUsage, with the place, where a program was captured in training mode and that shows in it."""
    for node in walk_nodes(graph):
        if any(node.args.get(name) is True for name in ("train", "training")):
            message = f"the model was captured in training mode: {node.target} is not what it is in inference"
            raise WrongUsage(message, place=node.where, hint="call model.eval() first, then capture it")


_Module = nn.modules
_RULES: Mapping[type[nn.Module], Callable[[nn.Module], bool]] = {
    _Module.batchnorm._BatchNorm: lambda module: getattr(module, "running_mean", None) is not None,
    _Module.instancenorm._InstanceNorm: lambda module: bool(getattr(module, "track_running_stats", True)),
    _Module.dropout._DropoutNd: lambda module: getattr(module, "p", 1) > 0,
    nn.RNNBase: lambda module: getattr(module, "dropout", 1) > 0,
    nn.MultiheadAttention: lambda module: getattr(module, "dropout", 1) > 0,
    nn.RReLU: lambda module: True,
}
"""The modules of torch that read their mode, and when that matters."""


def _depends(module: nn.Module) -> bool:
    if isinstance(module, torch.jit.ScriptModule):
        return 'name="training"' in str(getattr(module, "graph", ""))
    own = [base for base in type(module).__mro__ if not base.__module__.startswith(("torch.nn.", "builtins"))]
    if any(_reads_mode(base) for base in own):
        return True
    return any(isinstance(module, kind) and matters(module) for kind, matters in _RULES.items())


_NOT_RUN = ("__init__", "__repr__", "eval", "extra_repr", "train")


def _reads_mode(kind: type) -> bool:
    """Whether a method of the class itself reads an attribute ``training``."""
    for name, member in vars(kind).items():
        code = getattr(getattr(member, "__func__", member), "__code__", None)
        if name not in _NOT_RUN and isinstance(code, CodeType) and any("training" in c.co_names for c in _codes(code)):
            return True
    return False


def _codes(code: CodeType) -> Iterator[CodeType]:
    stack = [code]
    while stack:
        part = stack.pop()
        yield part
        stack.extend(constant for constant in part.co_consts if isinstance(constant, CodeType))
