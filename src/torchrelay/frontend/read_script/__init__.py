"""TorchScript, traced or scripted, to a TorchGraph; the only folder that knows TorchScript."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TypeGuard, cast

import torch
from torch.utils._pytree import tree_map_only

from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.graph import TorchGraph
from torchrelay.frontend.read_script.jit import Graph
from torchrelay.frontend.read_script.reader import Reader, ScriptSource

__all__ = ["ScriptSource", "inlined_graph", "is_script", "read_script", "script", "script_argument_names", "trace"]


def trace(model: torch.nn.Module, example_inputs: Sequence[object]) -> torch.jit.ScriptModule:
    """The model traced on the inputs, not run a second time to compare. Inputs and buffers are what they were before."""
    inputs = tree_map_only(torch.Tensor, torch.clone, tuple(example_inputs))
    buffers = [(buffer, buffer._version, buffer.clone()) for buffer in model.buffers()]
    with warnings.catch_warnings():
        # Whether tracing fits the model is for verification to say; that it is deprecated is torch's own news.
        warnings.simplefilter("ignore")
        traced = torch.jit.trace(model, inputs, check_trace=False, strict=False)
    with torch.no_grad():
        for buffer, version, before in buffers:
            if buffer._version != version:
                buffer.copy_(before)
    return cast("torch.jit.ScriptModule", traced)


def script(model: torch.nn.Module) -> torch.jit.ScriptModule:
    """The model scripted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.jit.script(model)


def script_argument_names(source: ScriptSource) -> list[str]:
    """The names of the arguments that the program takes."""
    schema = getattr(getattr(source, "forward", source), "schema", None)
    return [argument.name for argument in schema.arguments if argument.name != "self"] if schema is not None else []


def is_script(model: object) -> TypeGuard[ScriptSource]:
    """Whether it is TorchScript already."""
    return isinstance(model, ScriptSource)


def inlined_graph(source: ScriptSource) -> Graph:
    """A copy of the graph with every call inlined; the module is left as it is.

    Dead code stays: torch takes a write through an alias that no schema tells of for dead.
    """
    graph = source.graph.copy()
    torch._C._jit_pass_inline(graph)
    torch._C._jit_pass_inline_fork_wait(graph)
    return cast("Graph", graph)


def read_script(source: ScriptSource) -> TorchGraph:
    """The TorchGraph of a traced or scripted module, or of a function.

    Calls are inlined, constants, lists and tuples folded into arguments, branches on what is known taken, attribute chains
    resolved to state-dict keys. Raises UnsupportedProgram, with the place, for a construct that has no meaning as values.
    """
    if isinstance(source, torch.jit.ScriptModule) and not source._c._has_method("forward"):
        raise UnsupportedProgram(f"the module {source.original_name} has no forward")
    return Reader(source, inlined_graph(source)).read()
