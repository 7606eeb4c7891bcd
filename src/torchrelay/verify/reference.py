"""PyTorch's side of a comparison: what the model gives, what it holds afterwards, and every value inside."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

import numpy as np
import torch
from torch.utils._pytree import tree_leaves

from torchrelay.errors import UnsupportedProgram, WrongInput
from torchrelay.frontend import Imported, TorchNode, as_tensors, fast_attention_off, leaves_in_order, unchanged
from torchrelay.runtime import as_array
from torchrelay.verify.comparison import Choice
from torchrelay.verify.torch_values import torch_values

__all__ = ["Inside", "Results", "graph_inputs", "model_results", "values_inside"]


@dataclass(frozen=True, slots=True)
class Results:
    """What a model gives, flattened, without None, behind it what it leaves in its buffers; and what else it changed."""

    arrays: list[np.ndarray]
    changed: list[str]


def model_results(model: object, inputs: object, updates: Sequence[str]) -> Results:
    """What the model itself gives on the inputs, and what it leaves in the buffers named.

    The inputs are copied in case it writes to them, and the model is left as it was. PyTorch's fast path of attention is off:
    it leaves out what is padded, where the program that was captured has values.
    """
    run = model.module() if isinstance(model, torch.export.ExportedProgram) else model
    assert callable(run), "a model is callable"
    args, keywords = _arguments(model, copy.deepcopy(as_tensors(inputs)))
    with torch.no_grad(), unchanged(run) as rebound, fast_attention_off():
        result = run(*args, **keywords)
        left = [attrgetter(key)(run) for key in updates]
        leaves = [leaf for leaf in tree_leaves(result) if leaf is not None]
        arrays = [_array(leaf).copy() for leaf in [*leaves, *left]]
    return Results(arrays, rebound.attributes)


def _arguments(model: object, inputs: object) -> tuple[tuple[object, ...], dict[str, object]]:
    """The inputs as the model is called with them: an exported program keeps to the way it was exported."""
    named = isinstance(inputs, Mapping)
    values = list(inputs.values()) if isinstance(inputs, Mapping) else _as_tuple(inputs)
    if isinstance(model, torch.export.ExportedProgram) and model.call_spec.in_spec is not None:
        positional, keywords = model.call_spec.in_spec.children()
        keys = [str(key) for key in keywords.context or ()]
        if named:
            left = {key: value for key, value in inputs.items() if key not in keys}  # type: ignore[union-attr] a mapping
            return tuple(left.values()), {key: inputs[key] for key in keys if key in inputs}  # type: ignore[index]
        count = positional.num_children
        return tuple(values[:count]), dict(zip(keys, values[count:], strict=False))
    if isinstance(inputs, Mapping):
        return (), {str(name): value for name, value in inputs.items()}
    return tuple(values), {}


def _as_tuple(inputs: object) -> tuple[object, ...]:
    return tuple(inputs) if isinstance(inputs, list | tuple) else (inputs,)


def _array(leaf: object) -> np.ndarray:
    return np.asarray(leaf) if isinstance(leaf, bool | int | float) else as_array(leaf)


def graph_inputs(made: Imported, model: object, inputs: object) -> list[object]:
    """A value for each data input of the captured graph, in order. Raises WrongInput where the number does not fit."""
    inputs = as_tensors(inputs)
    graph = made.capture.graph
    by_argument = leaves_in_order(graph, getattr(model, "forward", None), inputs)
    if by_argument is not None:
        return by_argument
    parts = tuple(inputs.values()) if isinstance(inputs, Mapping) else _as_tuple(inputs)
    leaves: list[object] = [leaf for leaf in tree_leaves(parts) if leaf is not None]
    if len(leaves) != len(graph.inputs):
        # Numbers and texts are in the graph already: it was captured with these very inputs.
        leaves = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    if len(leaves) != len(graph.inputs):
        raise WrongInput(f"{len(leaves)} example inputs are given, the model takes {len(graph.inputs)}")
    return leaves


@dataclass(frozen=True, slots=True)
class Inside:
    """PyTorch's values by name, what the indices among them point into, and why there are none, where there are none."""

    values: dict[str, np.ndarray] = field(default_factory=dict)
    choices: dict[str, Choice] = field(default_factory=dict)
    skipped: str = ""
    quanta: dict[str, float] = field(default_factory=dict)
    """How far apart two neighbours are: of the integers of quantized tensors 1, of the real numbers that these stand for
    their scale."""


def values_inside(made: Imported, leaves: Sequence[object]) -> Inside:
    """The value of each node of the captured graph, for values of its data inputs."""
    found = Inside()
    try:
        for node, args, results in torch_values(made.capture.graph, copy.deepcopy(leaves)):
            for place, (output, result) in enumerate(zip(node.outputs, results, strict=True)):
                if isinstance(result, torch.Tensor):
                    found.values[output.name] = as_array(result)
                    quantum = _quantum(node, args, result)
                    if quantum is not None:
                        found.quanta[output.name] = quantum
                    choice = _choice(node, args, place)
                    if choice is not None:
                        found.choices[output.name] = choice
    except UnsupportedProgram as error:
        return Inside(skipped=error.message)
    return found


def _quantum(node: TorchNode, args: Mapping[str, object], result: torch.Tensor) -> float | None:
    if result.is_quantized:
        return 1.0
    source = args.get("self")
    if node.target != "aten::dequantize.self" or not isinstance(source, torch.Tensor) or not source.is_quantized:
        return None
    each = source.qscheme() in (torch.per_channel_affine, torch.per_channel_affine_float_qparams)
    return float(source.q_per_channel_scales().max()) if each else source.q_scale()


_CHOOSING: Mapping[str, tuple[int, bool]] = {
    "aten::topk.default": (1, True),
    "aten::sort.default": (1, True),
    "aten::argsort.default": (0, True),
    "aten::max.dim": (1, False),
    "aten::min.dim": (1, False),
    "aten::argmax.default": (0, False),
    "aten::argmin.default": (0, False),
    "aten::median.dim": (1, False),
    "aten::nanmedian.dim": (1, False),
    "aten::kthvalue.default": (1, False),
    "aten::mode.default": (1, False),
}
"""The operators that choose among equal elements as they like: which result has the indices, whether these are distinct."""


def _choice(node: TorchNode, args: Mapping[str, object], place: int) -> Choice | None:
    known = _CHOOSING.get(node.target)
    source, axis = args.get("self"), args.get("dim")
    if known is None or known[0] != place or not isinstance(source, torch.Tensor):
        return None
    return Choice(as_array(source), axis if isinstance(axis, int) else None, known[1])
