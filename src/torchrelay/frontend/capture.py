"""From whatever the user has to a TorchGraph and the variables of its inputs."""

from __future__ import annotations

import copy
import inspect
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import torch
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter
from torch.utils._pytree import tree_leaves

from torchrelay.errors import Place, TorchRelayError, UnsupportedProgram, WrongInput, WrongUsage
from torchrelay.frontend.files import load_saved
from torchrelay.frontend.functionalize import functionalize
from torchrelay.frontend.graph import TorchGraph, walk_nodes
from torchrelay.frontend.inputs import (
    InputInfo,
    InputInfos,
    as_tensors,
    examples_of,
    input_variables,
    parse_infos,
    positional,
)
from torchrelay.frontend.read_export import decomposed, export, exported_names, read_export
from torchrelay.frontend.read_script import (
    ScriptSource,
    argument_names,
    inlined_graph,
    is_traceable,
    is_traced,
    read_script,
    script,
    traced,
)
from torchrelay.frontend.routes import AUTO, ROUTES, Attempt, first_that_works
from torchrelay.frontend.state import fast_attention_off, quiet, unchanged
from torchrelay.frontend.training import refuse_training, refuse_training_graph
from torchrelay.ir import DType, TupleType, Type, Var

__all__ = ["Capture", "Model", "capture", "captured_texts", "input_names", "read_model", "refuse_unlike", "routes_for"]

Model = torch.nn.Module | torch.jit.ScriptFunction | torch.export.ExportedProgram | str | Path
_Captured = ScriptSource | torch.export.ExportedProgram


@dataclass(frozen=True, slots=True)
class Capture:
    """A captured model: the functional graph, a variable for each data input by the name of its value, what captured it,
    and the captured form itself.
    """

    graph: TorchGraph
    input_vars: Mapping[str, Var]
    route: str
    source: object
    fixed: tuple[str, ...] = ()
    """The lines of the user's at which a trace fixed what the example inputs answered."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was read of a model: its graph as captured, the route, the captured form, the example inputs in order."""

    graph: TorchGraph
    route: str
    source: _Captured
    examples: tuple[object, ...] | None
    infos: Sequence[InputInfo] | None
    fixed: tuple[str, ...]


def routes_for(model: object, via: str, dynamic_shapes: object = None, order: Sequence[str] = AUTO) -> tuple[str, ...]:
    """The ways of capturing to try for the model; ``order`` is what ``auto`` means for a module that is not captured yet.

    Raises WrongUsage for a way that does not exist.
    """
    if via not in ROUTES:
        raise WrongUsage(f"via is {via!r}, but must be one of {', '.join(ROUTES)}")
    if via != "auto" or isinstance(model, _Captured | str | Path):
        return (via,)
    return tuple(order) if dynamic_shapes is None else ("export",)


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

    A module is captured as ``via`` says: ``auto`` exports it, traces it where that is refused, and scripts it where that is
    refused too. Example inputs are a tuple, a mapping by argument name or, of one argument, alone. Shapes and dtypes of the
    inputs come from ``input_infos``, else from the example inputs, else from the capture. What ``converts`` says no to is
    decomposed by torch's own tables, where the program was exported. The model, its buffers and the example inputs are left
    as they are.

    Raises BadFile for a file that holds no program, WrongUsage for what is no model in eval mode, WrongInput, naming what the
    model wants, for inputs that do not fit it, UnsupportedProgram for what torch cannot capture.
    """
    dtype = DType.parse(default_dtype)

    def once(route: str, tried: Sequence[Attempt]) -> Capture:
        made = _read(model, example_inputs, input_infos, dynamic_shapes, route, dtype)
        refuse_unlike(made, model, example_inputs, tried)
        variables = input_variables(made.graph, made.infos, made.examples, dtype)
        graph = functionalize(made.graph)
        _refuse_unclear(made.graph, graph)
        if converts is not None and isinstance(made.source, torch.export.ExportedProgram):
            graph = _decomposed(graph, made.source, converts)
        return Capture(graph, variables, made.route, made.source, made.fixed)

    return first_that_works(routes_for(model, via, dynamic_shapes), once)


def refuse_unlike(made: Capture | _Reading, model: object, example_inputs: object, tried: Sequence[Attempt]) -> None:
    """Raises UnsupportedProgram for what ``auto`` has come to, where that is not the model.

    A trace holds the answer to a question about values, which an export has said that there is; a scripted module leaves out
    what torch does not compile.
    """
    if made.route == "trace" and made.fixed and any("data-dependent" in attempt.error.message for attempt in tried):
        message = "tracing would fix what depends on the values of the inputs"
        raise UnsupportedProgram(message, notes=[f"at {place}" for place in made.fixed])
    scripted = made.source
    if made.route != "script" or not tried or not isinstance(scripted, torch.nn.Module) or example_inputs is None:
        return
    assert isinstance(model, torch.nn.Module), "only a module is captured in several ways"
    examples = positional(model.forward, example_inputs)
    if not _alike(_results(model, examples), _results(scripted, examples)):
        raise UnsupportedProgram("the scripted module gives other results on the example inputs than the model")


def _results(model: torch.nn.Module, examples: tuple[object, ...]) -> Sequence[object]:
    with torch.no_grad(), unchanged(model), fast_attention_off(), quiet():
        return [copy.deepcopy(leaf) for leaf in tree_leaves(model(*copy.deepcopy(examples)))]


def _alike(left: Sequence[object], right: Sequence[object]) -> bool:
    try:
        torch.testing.assert_close(left, right, equal_nan=True)
    except (AssertionError, TypeError):
        return False
    return True


def _refuse_unclear(before: TorchGraph, graph: TorchGraph) -> None:
    """Raises UnsupportedProgram where a write goes to the name of an input that is that of a buffer too."""
    shared = {parameter.key for parameter in before.parameters.values()} & {value.name for value in before.inputs}
    for name, _ in graph.writes:
        if name in shared:
            message = f"the model writes to {name}, and both an input and a buffer have that name"
            raise UnsupportedProgram(message, hint="rename the argument of forward")


_FEW = 4
"""Of how many operators that do not convert each is tried alone: every try decomposes the whole program."""


def _decomposed(
    graph: TorchGraph, program: torch.export.ExportedProgram, converts: Callable[[str], bool]
) -> TorchGraph:
    """The graph, read again with what does not convert decomposed, if there is any: not what decomposes into more of it."""

    def missing(found: TorchGraph) -> set[str]:
        return {node.target for node in walk_nodes(found) if not converts(node.target)}

    def without(targets: set[str]) -> TorchGraph:
        try:
            with quiet():
                other = decomposed(program, targets)
        except _FAILURES:  # torch's tables do not take every program; what is missing is then told as it is
            return graph
        return graph if other is program else functionalize(read_export(other))

    wanted = missing(graph)
    whole = without(wanted) if wanted else graph
    if missing(whole) <= wanted:
        return whole
    if len(wanted) > _FEW:
        return graph
    helps = {target for target in wanted if missing(without({target})) < wanted}
    return without(helps) if helps else graph


def read_model(model: Model, example_inputs: object = None, *, via: str = "auto") -> TorchGraph:
    """The functional graph of the model, whether or not the shapes of its inputs are known; raises what ``capture`` raises."""
    dtype = DType.parse("float32")

    def once(route: str, tried: Sequence[Attempt]) -> TorchGraph:
        made = _read(model, example_inputs, None, None, route, dtype)
        refuse_unlike(made, model, example_inputs, tried)
        return functionalize(made.graph)

    return first_that_works(routes_for(model, via), once)


def _read(
    model: Model,
    example_inputs: object,
    input_infos: InputInfos | None,
    dynamic_shapes: object,
    via: str,
    dtype: DType,
) -> _Reading:
    source = load_saved(Path(model)) if isinstance(model, str | Path) else model
    infos = None if input_infos is None else parse_infos(input_infos)
    fixed: tuple[str, ...] = ()
    if isinstance(source, _Captured):
        route, captured = _route_of(source, via), source
        examples = None if example_inputs is None else _in_order(source, example_inputs)
    else:
        if example_inputs is None and infos is not None and via != "script":
            example_inputs = examples_of(infos, dtype)
        route, captured, examples, fixed = _captured(source, example_inputs, dynamic_shapes, via)
    if isinstance(captured, torch.export.ExportedProgram):
        graph = read_export(captured)
    else:
        graph = read_script(captured, examples if infos is None else [_nested(info.type) for info in infos])
    if route == "trace" and getattr(captured, "training", False):
        refuse_training_graph(graph)
    return _Reading(graph, route, captured, examples, infos, fixed)


def captured_texts(source: object) -> tuple[str, str]:
    """The captured program as torch prints it: as it was captured, and as the reader takes it."""
    if isinstance(source, torch.export.ExportedProgram):
        return str(source.graph_module.code), str(source.graph)
    return (str(source.graph), str(inlined_graph(source))) if isinstance(source, ScriptSource) else ("", "")


def _in_order(source: _Captured, example_inputs: object) -> tuple[object, ...]:
    """Example inputs of a captured model in the order of its arguments. Raises WrongInput for a name that it does not take."""
    example_inputs = as_tensors(example_inputs)
    if not isinstance(example_inputs, Mapping):
        return tuple(example_inputs) if isinstance(example_inputs, list | tuple) else (example_inputs,)
    names = _argument_names(source)
    unknown = [str(name) for name in example_inputs if name not in names]
    if unknown:
        raise WrongInput(f"the model has no input {unknown[0]!r}", notes=[f"it takes {', '.join(names)}"])
    given = [example_inputs.get(name) for name in names]
    while given and given[-1] is None:
        given.pop()
    return tuple(given)


def _argument_names(source: _Captured) -> list[str]:
    return exported_names(source) if isinstance(source, torch.export.ExportedProgram) else argument_names(source)


def input_names(model: object) -> list[str] | None:
    """The names of the arguments that the model takes; None where it takes any number of them."""
    if isinstance(model, _Captured):
        return _argument_names(model)
    if not isinstance(model, torch.nn.Module):
        return None
    parameters = inspect.signature(model.forward).parameters.values()
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return None
    return [parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]


def _nested(kind: Type) -> object:
    return tuple([_nested(part) for part in kind.fields]) if isinstance(kind, TupleType) else kind


def _route_of(source: _Captured, via: str) -> str:
    """How a model that is captured already was."""
    if isinstance(source, torch.export.ExportedProgram):
        route = "export"
    else:
        route = "trace" if is_traced(source) else "script"
        if route == "script":
            refuse_training(source)
    if via == "export" != route or (via != "export" and via != "auto" and route == "export"):
        raise WrongUsage(f"via={via!r} is for a torch.nn.Module; this model is captured already, by {route}")
    return route


def _captured(
    model: object, example_inputs: object, dynamic_shapes: object, via: str
) -> tuple[str, _Captured, tuple[object, ...] | None, tuple[str, ...]]:
    """The route taken, the captured form, the example inputs in order, the lines at which a trace fixed something."""
    if not isinstance(model, torch.nn.Module):
        what = "a state dict, weights without a program" if isinstance(model, Mapping) else f"a {type(model).__name__}"
        raise WrongUsage(
            f"{what}, is no model", hint="give a torch.nn.Module, TorchScript, an ExportedProgram or a path"
        )
    refuse_training(model)
    _refuse_uninitialised(model)
    if via == "script":
        examples = None if example_inputs is None else positional(model.forward, example_inputs)
        return "script", _made(_TOOLS["script"], lambda: script(model), model, None), examples, ()
    if example_inputs is None:
        names = ", ".join(str(parameter) for parameter in inspect.signature(model.forward).parameters.values())
        raise WrongInput(f"example inputs are needed to capture the model; it takes ({names})")
    examples = positional(model.forward, example_inputs)
    if via == "export" or dynamic_shapes is not None:
        made = _made(_TOOLS["export"], lambda: export(model, examples, dynamic_shapes), model, examples)
        return "export", made, examples, ()
    made = _made(_TOOLS["trace"], lambda: traced(model, examples), model, examples)
    return "trace", made.module, tuple([example for example in examples if is_traceable(example)]), made.fixed


def _refuse_uninitialised(model: torch.nn.Module) -> None:
    for name, tensor in (*model.named_parameters(), *model.named_buffers()):
        if isinstance(tensor, UninitializedBuffer | UninitializedParameter):
            message = f"{name} has no shape yet: a lazy module gets it when it runs first"
            raise WrongUsage(message, hint="call the model once, model(*inputs)")


_FAILURES = (Exception,)
"""What torch and the model itself raise while a model is captured: a model's own code may raise anything."""

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
            f"{tool} cannot capture the model: {_first_line(error)}", place=_place_in_model(error), hint=f"try {others}"
        ) from error


_TOOLS = {"trace": "torch.jit.trace", "script": "torch.jit.script", "export": "torch.export.export"}


def _refuse_unrunnable(model: torch.nn.Module, examples: tuple[object, ...]) -> None:
    try:
        with torch.no_grad(), unchanged(model):
            model(*copy.deepcopy(examples))
    except _FAILURES as error:
        message = f"the model does not run on the example inputs: {_first_line(error)}"
        raise WrongInput(message, place=_place_in_model(error)) from error


_OWN = (str(Path(torch.__file__).parent), str(Path(__file__).parent))


def _place_in_model(error: Exception) -> Place | None:
    """The innermost line of the user's own that led to the error."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith((*_OWN, "<"))]
    return Place(own[-1].filename, own[-1].lineno or 0) if own else None


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
