"""An ExportedProgram to a TorchGraph; the only folder that knows torch.export."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import make_fx

from torchrelay.frontend.graph import TorchGraph, TorchValue
from torchrelay.frontend.read_export.reader import NodeReader, Reader, type_of
from torchrelay.frontend.schema import schema_of
from torchrelay.frontend.state import quiet, unchanged

__all__ = ["decomposed", "export", "exported_names", "read_call", "read_export"]


def export(
    model: torch.nn.Module, example_inputs: Sequence[object], dynamic_shapes: object = None
) -> torch.export.ExportedProgram:
    """The model exported on the inputs; it is left as it is."""
    with unchanged(model), quiet():
        return torch.export.export(model, tuple(example_inputs), dynamic_shapes=dynamic_shapes, strict=False)


def exported_names(program: torch.export.ExportedProgram) -> list[str]:
    """The names of the arguments that the program takes."""
    return Reader(program=program).argument_names()


def decomposed(program: torch.export.ExportedProgram, targets: Collection[str]) -> torch.export.ExportedProgram:
    """The program with the operators of these targets decomposed by torch's own tables, as far as these reach, and no other."""
    table = torch.export.default_decompositions().materialize()
    wanted: dict[torch._ops.OperatorBase, Callable[..., object]] = {
        overload: rule
        for overload, rule in table.items()
        if isinstance(overload, torch._ops.OpOverload) and schema_of(overload).target in targets
    }
    return program.run_decompositions(wanted) if wanted else program


def read_export(program: torch.export.ExportedProgram) -> TorchGraph:
    """The TorchGraph of an exported program, as captured or decomposed.

    Parameters, buffers and constants carry their state-dict keys; what the program writes to buffers and inputs is in
    ``writes``. Branches and loops have the form that TorchScript gives them. Raises UnsupportedProgram, with the place, for
    what has no meaning as values.
    """
    if any(_maps_over_a_batch(node) for node in program.graph.nodes):
        # torch captures vmap as calls that turn a batch dimension on and off; this takes them out and keeps all else
        program = program.run_decompositions({})
    return Reader(program=program).read()


def read_call(
    call: Callable[..., object],
    tensors: Sequence[torch.Tensor],
    rules: Mapping[torch._ops.OpOverload, Callable[..., Any]],
    prefix: str,
) -> TorchGraph:
    """The TorchGraph of a function of tensors, traced with these decompositions; the names of its values begin with ``prefix``.

    Raises whatever the function raises.
    """
    with torch.no_grad(), quiet():
        module = make_fx(call, decomposition_table=dict(rules))(*tensors)
    inputs = tuple([TorchValue(f"{prefix}{index}", type_of(tensor)) for index, tensor in enumerate(tensors)])
    reader = NodeReader()
    nodes, results = reader.body(module, inputs, prefix)
    return TorchGraph(inputs, tuple(nodes), results, reader.parameters.by_name)


def _maps_over_a_batch(node: torch.fx.Node) -> bool:
    return node.op == "call_function" and getattr(node.target, "__module__", "") == "torch._functorch.predispatch"
