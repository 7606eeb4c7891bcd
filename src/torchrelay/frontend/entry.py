"""From PyTorch to Relay in one call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np
import torch

from torchrelay.errors import Place, WrongUsage
from torchrelay.formats import atomic_folder, write_atomically
from torchrelay.frontend.capture import Capture, Model, capture, read_model, refuse_unlike, routes_for
from torchrelay.frontend.convert import Conversion, convert, missing_operators
from torchrelay.frontend.graph import TorchGraph
from torchrelay.frontend.inputs import InputInfos, parse_infos
from torchrelay.frontend.names import plain_inputs
from torchrelay.frontend.options import CustomConverter, Options
from torchrelay.frontend.read_script import ScriptSource, inlined_graph, renamed_text
from torchrelay.frontend.registry import find_converter
from torchrelay.frontend.routes import AUTO, Attempt, first_that_works
from torchrelay.ir import IRModule, uncollected

__all__ = ["Coverage", "Imported", "coverage", "from_exported_program", "from_pytorch", "from_torch", "imported"]


@dataclass(frozen=True, slots=True)
class Imported:
    """A captured and converted model with the record of both."""

    capture: Capture
    conversion: Conversion
    tried: tuple[Attempt, ...] = ()
    """The ways of capturing that were tried before, and what each refused."""

    @property
    def notes(self) -> list[str]:
        """What a user should know of how the model was captured."""
        notes = [f"tried before {self.capture.route}: {attempt}" for attempt in self.tried]
        if self.capture.fixed:
            places = ", ".join(self.capture.fixed[:5])
            notes.append(f"the trace holds for inputs like the examples: it fixed what they answered at {places}")
        return notes

    @property
    def mod(self) -> IRModule:
        """The module, whose ``main`` is the model."""
        return IRModule({"main": self.conversion.function})

    @property
    def params(self) -> dict[str, np.ndarray]:
        """The parameters by name: views of the model's own storage."""
        return dict(self.conversion.params)


def imported(
    model: Model,
    example_inputs: object = None,
    *,
    input_infos: InputInfos | None = None,
    dynamic_shapes: object = None,
    via: str = "auto",
    custom_convert_map: Mapping[str, CustomConverter] | None = None,
    default_dtype: str = "float32",
    unroll_loops: bool = False,
    plain_names: bool = False,
    scopes_only: bool = False,
    keep_quantized_weight: bool = True,
    order: Sequence[str] = AUTO,
) -> Imported:
    """The model converted, with all that is known of how; see ``from_torch``. ``order`` is what ``via="auto"`` tries.

    With ``plain_names`` names have no dots, with ``scopes_only`` places are module paths alone.
    """
    custom = _checked(custom_convert_map or {})
    options = Options(custom, unroll_loops, plain_names, scopes_only, keep_quantized_weight)
    given = [] if input_infos is None else [info.name for info in parse_infos(input_infos)]

    def once(route: str, tried: Sequence[Attempt]) -> Imported:
        captured = capture(
            model,
            example_inputs,
            input_infos=input_infos,
            dynamic_shapes=dynamic_shapes,
            via=route,
            default_dtype=default_dtype,
            converts=lambda target: target.rpartition(".")[0] in custom or find_converter(target) is not None,
        )
        refuse_unlike(captured, model, example_inputs, tried)
        variables = plain_inputs(captured.input_vars, given) if plain_names else captured.input_vars
        return Imported(captured, convert(captured.graph, variables, options), tuple(tried))

    with uncollected():
        return first_that_works(routes_for(model, via, dynamic_shapes, order), once)


def _checked(custom: Mapping[str, CustomConverter]) -> Mapping[str, CustomConverter]:
    hint = 'custom_convert_map={"aten::foo": lambda inputs, types: ...}'
    if not isinstance(custom, Mapping):
        raise WrongUsage(f"custom_convert_map is a {type(custom).__name__}, not functions by name", hint=hint)
    for name, converter in custom.items():
        if not isinstance(name, str) or not callable(converter):
            raise WrongUsage(f"custom_convert_map has {converter!r} for {name!r}, which is no function", hint=hint)
    return custom


def from_torch(
    model: Model,
    example_inputs: object = None,
    *,
    input_infos: InputInfos | None = None,
    dynamic_shapes: object = None,
    via: str = "auto",
    custom_convert_map: Mapping[str, CustomConverter] | None = None,
    use_parser_friendly_name: bool = False,
    unroll_loops: bool = False,
) -> tuple[IRModule, dict[str, np.ndarray]]:
    """The model as a Relay module and its parameters.

    ``model`` is a torch.nn.Module in eval mode, TorchScript, an ExportedProgram, or the path of a saved one. A module is captured
    on ``example_inputs``, which are what its forward takes: a tuple, a mapping by name, or one argument alone. ``via`` says how:
    ``export``, ``trace``, ``script``, or ``auto``, which tries these in that order. ``input_infos`` names the inputs: ``[("x", (1, 3, 224, 224))]`` or
    ``[("ids", ((1, 16), "int64"))]``. ``custom_convert_map`` maps names such as ``"aten::foo"`` to functions of the inputs and
    their types. A loop becomes a recursive function; with ``unroll_loops`` one whose number of turns is known is written out.
    The function's parameters are the data inputs, then the parameters under their state-dict keys; the arrays
    share the model's memory. With ``use_parser_friendly_name`` names have underscores for dots, as readers of Relay text want it.

    Raises UnsupportedOperators, UnsupportedProgram, TypeMismatch, WrongInput, WrongUsage, BadFile.
    """
    made = imported(
        model,
        example_inputs,
        input_infos=input_infos,
        dynamic_shapes=dynamic_shapes,
        via=via,
        custom_convert_map=custom_convert_map,
        unroll_loops=unroll_loops,
        plain_names=use_parser_friendly_name,
    )
    return made.mod, made.params


def from_pytorch(
    script_module: torch.jit.ScriptModule,
    input_infos: InputInfos,
    custom_convert_map: Mapping[str, CustomConverter] | None = None,
    default_dtype: str = "float32",
    use_parser_friendly_name: bool = False,  # noqa: FBT001, FBT002 Relay's signature
    keep_quantized_weight: bool = False,  # noqa: FBT001, FBT002 Relay's signature
    export_renamed_c_graph_path: str | Path | None = None,
    preserve_pytorch_scopes: bool = False,  # noqa: FBT001, FBT002 Relay's signature
) -> tuple[IRModule, dict[str, np.ndarray]]:
    """The TorchScript module as a Relay module and its parameters, under the name and arguments that Relay users know.

    ``use_parser_friendly_name`` puts underscores in the place of the dots in the names of parameters, where two would become
    one with a number behind. ``preserve_pytorch_scopes`` makes the path of its module, and no file and line, the span of each
    expression. ``export_renamed_c_graph_path`` is where the inlined graph goes as a text whose values are named after their
    operators (``aten::relu_0_0``): a file where the path has a suffix, else a folder, in which the file has the time in its
    name. Raises CannotWrite where that cannot be written, and what ``from_torch`` raises.

    The weights of quantized modules are float32 parameters that the module quantizes; with ``keep_quantized_weight`` the
    integers themselves.
    """
    made = imported(
        script_module,
        input_infos=input_infos,
        custom_convert_map=custom_convert_map,
        default_dtype=default_dtype,
        plain_names=use_parser_friendly_name,
        scopes_only=preserve_pytorch_scopes,
        keep_quantized_weight=keep_quantized_weight,
    )
    if export_renamed_c_graph_path is not None and isinstance(made.capture.source, ScriptSource):
        _write_renamed(made.capture.source, Path(export_renamed_c_graph_path))
    return made.mod, made.params


def _write_renamed(source: ScriptSource, path: Path) -> None:
    text = renamed_text(inlined_graph(source)).encode()
    if path.suffix and not path.is_dir():
        write_atomically(path, [text])
        return
    with atomic_folder(path) as folder:
        (folder / f"tvm_exported_c_graph_{datetime.now():%m_%d_%Y_%H_%M_%S}.txt").write_bytes(text)


def from_exported_program(
    program: torch.export.ExportedProgram,
    *,
    input_infos: InputInfos | None = None,
    custom_convert_map: Mapping[str, CustomConverter] | None = None,
    use_parser_friendly_name: bool = False,
) -> tuple[IRModule, dict[str, np.ndarray]]:
    """The exported program as a Relay module and its parameters; see ``from_torch``."""
    made = imported(
        program,
        input_infos=input_infos,
        custom_convert_map=custom_convert_map,
        plain_names=use_parser_friendly_name,
    )
    return made.mod, made.params


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which operators of a model convert: how often each is used, and where those without a converter are."""

    used: Mapping[str, int]
    missing: Mapping[str, Sequence[Place]]

    @property
    def complete(self) -> bool:
        """Whether every operator has a converter."""
        return not self.missing


def coverage(
    model: Model | TorchGraph,
    example_inputs: object = None,
    *,
    via: str = "auto",
    custom_convert_map: Mapping[str, CustomConverter] | None = None,
) -> Coverage:
    """Which operators of the model convert, found without converting. Raises what capturing the model raises."""
    graph = model if isinstance(model, TorchGraph) else read_model(model, example_inputs, via=via)
    used: Counter[str] = Counter()
    stack = [graph]
    while stack:
        part = stack.pop()
        for node in part.nodes:
            used[node.target] += 1
            stack.extend(node.blocks)
    return Coverage(dict(sorted(used.items())), missing_operators(graph, custom_convert_map or {}))
