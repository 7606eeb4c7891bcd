"""TorchScript, traced or scripted, to a TorchGraph; the only folder that knows TorchScript."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

import torch
from torch.jit._trace import TracerWarning
from torch.utils._pytree import tree_leaves, tree_map_only

from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.graph import TorchGraph
from torchrelay.frontend.read_script.jit import Graph
from torchrelay.frontend.read_script.reader import Reader, ScriptSource, arguments_of, is_traced
from torchrelay.frontend.read_script.renamed import renamed_text
from torchrelay.frontend.state import quiet, unchanged

__all__ = [
    "ScriptSource",
    "Traced",
    "argument_names",
    "inlined_graph",
    "is_traceable",
    "is_traced",
    "read_script",
    "renamed_text",
    "script",
    "trace",
    "traced",
]


def is_traceable(example: object) -> bool:
    """Whether tracing takes the example as an input: it holds tensors and nothing else. Any other is fixed in the trace."""
    leaves = tree_leaves(example)
    return bool(leaves) and all(isinstance(leaf, torch.Tensor) for leaf in leaves)


@dataclass(frozen=True, slots=True)
class Traced:
    """A traced module, and the places where the trace holds what was a question about values, by the tracer's own word."""

    module: torch.jit.ScriptModule
    fixed: tuple[str, ...]


def trace(model: torch.nn.Module, example_inputs: Sequence[object]) -> torch.jit.ScriptModule:
    """The model traced on the inputs, without the places; see ``traced``."""
    return traced(model, example_inputs).module


def traced(model: torch.nn.Module, example_inputs: Sequence[object]) -> Traced:
    """The model traced on the inputs, not run a second time to compare; it takes those that are traceable.

    Inputs and model are left as they are. Raises UnsupportedProgram where a buffer is not written to but replaced.
    """
    inputs = tree_map_only(torch.Tensor, torch.clone, tuple(example_inputs))
    with unchanged(model) as rebound, quiet() as warned, _fixed(model, inputs) as taken:
        made = torch.jit.trace(model, taken, check_trace=False, strict=False)
    if rebound.buffers:
        message = (
            f"forward puts another tensor in the place of the buffer {rebound.buffers[0]}, which tracing cannot see"
        )
        raise UnsupportedProgram(message, hint="try via='export', or write to the buffer in place")
    fixed = [f"{w.filename}:{w.lineno}" for w in warned if issubclass(w.category, TracerWarning)]
    return Traced(cast("torch.jit.ScriptModule", made), tuple(dict.fromkeys(fixed)))


@contextmanager
def _fixed(model: torch.nn.Module, inputs: tuple[object, ...]) -> Iterator[tuple[object, ...]]:
    """The inputs that are traceable, while the model takes only these and finds the others in their places."""
    places = [place for place, value in enumerate(inputs) if is_traceable(value)]
    if len(places) == len(inputs):
        yield inputs
        return
    forward = model.forward
    parameters = list(inspect.signature(forward).parameters.values())

    def with_the_rest(*taken: object) -> object:
        given = list(inputs)
        for place, value in zip(places, taken, strict=True):
            given[place] = value
        return forward(*given)

    if len(parameters) >= len(inputs):
        kept = [parameters[place] for place in places]
        with_the_rest.__signature__ = inspect.Signature(kept)  # pyright: ignore[reportFunctionMemberAccess] how inspect is told
    own = vars(model).get("forward")
    model.forward = with_the_rest
    try:
        yield tuple([inputs[place] for place in places])
    finally:
        del model.forward
        if own is not None:
            model.forward = own


def script(model: torch.nn.Module) -> torch.jit.ScriptModule:
    """The model scripted."""
    with quiet():
        return torch.jit.script(model)


def argument_names(source: ScriptSource) -> list[str]:
    """The names of the arguments that the module or function takes."""
    return [argument.name for argument in arguments_of(source) if argument.name != "self"]


_INLINED = ("prim::CallMethod", "prim::CallFunction", "aten::wait")
"""What stands for the nodes of another graph."""


def inlined_graph(source: ScriptSource) -> Graph:
    """The graph with every call inlined, in a copy where there is any; the module is left as it is.

    Dead code stays: torch takes a write through an alias that no schema tells of for dead.
    """
    graph = cast("Graph", source.graph)
    if not any(graph.findAllNodes(kind, True) for kind in _INLINED):
        return graph
    graph = source.graph.copy()
    torch._C._jit_pass_inline(graph)
    torch._C._jit_pass_inline_fork_wait(graph)
    return cast("Graph", graph)


def read_script(source: ScriptSource, given: Sequence[object] | None = None) -> TorchGraph:
    """The TorchGraph of a traced or scripted module, or of a function.

    ``given`` is what is given for its arguments, where that is known: only how it nests matters, which arguments are None, and
    which are left to their defaults.

    Calls are inlined, constants, lists and tuples folded into arguments, branches on what is known taken, attribute chains
    resolved to state-dict keys. Raises UnsupportedProgram, with the place, for a construct that has no meaning as values.
    """
    if isinstance(source, torch.jit.ScriptModule) and not source._c._has_method("forward"):
        raise UnsupportedProgram(f"the module {source.original_name} has no forward")
    return Reader(source, inlined_graph(source), given).read()
