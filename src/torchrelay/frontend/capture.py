"""From whatever the user has to a TorchGraph and the variables of its inputs."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import torch

from torchrelay.errors import TorchRelayError, UnsupportedProgram, WrongInput, WrongUsage
from torchrelay.frontend.files import load_saved
from torchrelay.frontend.functionalize import functionalize
from torchrelay.frontend.graph import TorchGraph, walk_nodes
from torchrelay.frontend.inputs import InputInfo, InputInfos, examples_of, input_variables, parse_infos, positional
from torchrelay.frontend.read_export import decomposed, export, read_export
from torchrelay.frontend.read_script import (
    ScriptSource,
    inlined_graph,
    is_traceable,
    is_traced,
    read_script,
    script,
    trace,
)
from torchrelay.frontend.state import fast_attention_off, unchanged
from torchrelay.ir import DType, TupleType, Type, Var

__all__ = ["Capture", "Model", "capture", "captured_texts", "read_model"]

Model = torch.nn.Module | torch.jit.ScriptFunction | torch.export.ExportedProgram | str | Path
_Captured = ScriptSource | torch.export.ExportedProgram

ROUTES = ("auto", "trace", "script", "export")


@dataclass(frozen=True, slots=True)
class Capture:
    """A captured model: the functional graph, a variable for each data input by the name of its value, what captured it,
    and the captured form itself.
    """

    graph: TorchGraph
    input_vars: Mapping[str, Var]
    route: str
    source: object


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was read of a model: its graph as captured, the route, the captured form, the example inputs in order."""

    graph: TorchGraph
    route: str
    source: _Captured
    examples: tuple[object, ...] | None
    infos: Sequence[InputInfo] | None


def capture(
    model: Model,
    example_inputs: object = None,
    *,
    input_infos: InputInfos | None = None,
    dynamic_shapes: object = None,
    via: str = "auto",
    default_dtype: str = "float32",
    converts: Callable[[str], bool] | None = None,
) -> Capture:
    """The model read into a functional graph, and a variable for each of its data inputs.

    A module is traced on the example inputs (``via="export"``, or with ``dynamic_shapes``: exported); these are a tuple, a
    mapping by argument name or, of one argument, alone. Shapes and dtypes of the inputs come from ``input_infos``, else from
    the example inputs, else from the capture. What ``converts`` says no to is decomposed by torch's own tables, where the
    program was exported. The model, its buffers and the example inputs are left as they are.

    Raises BadFile for a file that holds no program, WrongUsage for what is no model in eval mode, WrongInput, naming what the
    model wants, for inputs that do not fit it, UnsupportedProgram for what torch cannot capture.
    """
    dtype = DType.parse(default_dtype)
    made = _read(model, example_inputs, input_infos, dynamic_shapes, via, dtype)
    variables = input_variables(made.graph, made.infos, made.examples, dtype)
    graph = functionalize(made.graph)
    _refuse_unclear(made.graph, graph)
    if converts is not None and isinstance(made.source, torch.export.ExportedProgram):
        graph = _decomposed(graph, made.source, converts)
    return Capture(graph, variables, made.route, made.source)


def _refuse_unclear(before: TorchGraph, graph: TorchGraph) -> None:
    """Raises UnsupportedProgram where a write goes to the name of an input that is that of a buffer too."""
    shared = {parameter.key for parameter in before.parameters.values()} & {value.name for value in before.inputs}
    for name, _ in graph.writes:
        if name in shared:
            message = f"the model writes to {name}, and both an input and a buffer have that name"
            raise UnsupportedProgram(message, hint="rename the argument of forward")


def _decomposed(
    graph: TorchGraph, program: torch.export.ExportedProgram, converts: Callable[[str], bool]
) -> TorchGraph:
    """The graph, read again with what does not convert decomposed, if there is any."""
    missing = {node.target for node in walk_nodes(graph) if not converts(node.target)}
    if not missing:
        return graph
    other = decomposed(program, missing)
    return graph if other is program else functionalize(read_export(other))


def read_model(model: Model, example_inputs: object = None, *, via: str = "auto") -> TorchGraph:
    """The functional graph of the model, whether or not the shapes of its inputs are known; raises what ``capture`` raises."""
    return functionalize(_read(model, example_inputs, None, None, via, DType.parse("float32")).graph)


def _read(
    model: Model,
    example_inputs: object,
    input_infos: InputInfos | None,
    dynamic_shapes: object,
    via: str,
    dtype: DType,
) -> _Reading:
    if via not in ROUTES:
        raise WrongUsage(f"via is {via!r}, but must be one of {', '.join(ROUTES)}")
    source = load_saved(Path(model)) if isinstance(model, str | Path) else model
    infos = None if input_infos is None else parse_infos(input_infos)
    if isinstance(source, _Captured):
        route, captured = _route_of(source, via), source
        examples = None if example_inputs is None else _as_tuple(example_inputs)
    else:
        if example_inputs is None and infos is not None and via != "script":
            example_inputs = examples_of(infos, dtype)
        route, captured, examples = _captured(source, example_inputs, dynamic_shapes, via)
    if isinstance(captured, torch.export.ExportedProgram):
        graph = read_export(captured)
    else:
        graph = read_script(captured, examples if infos is None else [_nested(info.type) for info in infos])
    return _Reading(graph, route, captured, examples, infos)


def captured_texts(source: object) -> tuple[str, str]:
    """The captured program as torch prints it: as it was captured, and as the reader takes it."""
    if isinstance(source, torch.export.ExportedProgram):
        return str(source.graph_module.code), str(source.graph)
    return (str(source.graph), str(inlined_graph(source))) if isinstance(source, ScriptSource) else ("", "")


def _as_tuple(example_inputs: object) -> tuple[object, ...]:
    return tuple(example_inputs) if isinstance(example_inputs, list | tuple) else (example_inputs,)


def _nested(kind: Type) -> object:
    return tuple([_nested(part) for part in kind.fields]) if isinstance(kind, TupleType) else kind


def _route_of(source: _Captured, via: str) -> str:
    """How a model that is captured already was."""
    if isinstance(source, torch.export.ExportedProgram):
        route = "export"
    else:
        route = "trace" if is_traced(source) else "script"
        _refuse_training(source)
    if via == "export" != route or (via != "export" and via != "auto" and route == "export"):
        raise WrongUsage(f"via={via!r} is for a torch.nn.Module; this model is captured already, by {route}")
    return route


def _refuse_training(model: object) -> None:
    if getattr(model, "training", False):
        message = "the model is in training mode, where dropout and norms mean something else"
        raise WrongUsage(message, hint="call model.eval() first")


def _captured(
    model: object, example_inputs: object, dynamic_shapes: object, via: str
) -> tuple[str, _Captured, tuple[object, ...] | None]:
    """The route taken, the captured form, the example inputs in order."""
    if not isinstance(model, torch.nn.Module):
        what = "a state dict, weights without a program" if isinstance(model, Mapping) else f"a {type(model).__name__}"
        raise WrongUsage(
            f"{what}, is no model", hint="give a torch.nn.Module, TorchScript, an ExportedProgram or a path"
        )
    _refuse_training(model)
    if via == "script":
        examples = None if example_inputs is None else positional(model.forward, example_inputs)
        return "script", _made(_TOOLS["script"], lambda: script(model), model, None), examples
    if example_inputs is None:
        names = ", ".join(str(parameter) for parameter in inspect.signature(model.forward).parameters.values())
        raise WrongInput(f"example inputs are needed to capture the model; it takes ({names})")
    examples = positional(model.forward, example_inputs)
    if via == "export" or dynamic_shapes is not None:
        made = _made(_TOOLS["export"], lambda: export(model, examples, dynamic_shapes), model, examples)
        return "export", made, examples
    traced = _made(_TOOLS["trace"], lambda: trace(model, examples), model, examples)
    return "trace", traced, tuple([example for example in examples if is_traceable(example)])


_FAILURES = (RuntimeError, TypeError, ValueError, AttributeError, LookupError, AssertionError)
"""What torch and the model itself raise while a model is captured."""

_C = TypeVar("_C")


def _made(tool: str, make: Callable[[], _C], model: torch.nn.Module, examples: tuple[object, ...] | None) -> _C:
    """What the tool makes of the model.

    Raises WrongInput where the model does not run on the examples at all, UnsupportedProgram where only the tool fails.
    """
    try:
        with fast_attention_off():
            return make()
    except TorchRelayError:
        raise
    except _FAILURES as error:
        if examples is not None:
            _refuse_unrunnable(model, examples)
        others = " or ".join(f"via={route!r}" for route, name in _TOOLS.items() if name != tool)
        raise UnsupportedProgram(
            f"{tool} cannot capture the model: {_first_line(error)}", hint=f"try {others}"
        ) from error


_TOOLS = {"trace": "torch.jit.trace", "script": "torch.jit.script", "export": "torch.export.export"}


def _refuse_unrunnable(model: torch.nn.Module, examples: tuple[object, ...]) -> None:
    try:
        with torch.no_grad(), unchanged(model):
            model(*copy.deepcopy(examples))
    except _FAILURES as error:
        raise WrongInput(f"the model does not run on the example inputs: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
