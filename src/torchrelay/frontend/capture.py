"""From whatever the user has to a TorchGraph and the variables of its inputs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from torchrelay.errors import WrongInput, WrongUsage
from torchrelay.frontend.convert import input_type
from torchrelay.frontend.files import load_saved
from torchrelay.frontend.functionalize import functionalize
from torchrelay.frontend.graph import TorchGraph, TorchType, TorchValue
from torchrelay.frontend.read_export import export, read_export
from torchrelay.frontend.read_script import (
    ScriptSource,
    inlined_graph,
    is_script,
    read_script,
    script,
    script_argument_names,
    trace,
)
from torchrelay.frontend.schema import dtype_of
from torchrelay.ir import ANY, Any, DType, TensorType, TupleType, Type, Var, shapes

__all__ = ["Capture", "InputInfos", "Model", "capture", "captured_texts"]

Model = torch.nn.Module | torch.jit.ScriptFunction | torch.export.ExportedProgram | str | Path
InputInfos = Sequence[object]
"""As Relay users give them: (name, shape) or (name, (shape, dtype)) for each input, in order."""

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


def capture(
    model: Model,
    example_inputs: Sequence[object] | None = None,
    *,
    input_infos: InputInfos | None = None,
    dynamic_shapes: object = None,
    via: str = "auto",
    default_dtype: str = "float32",
) -> Capture:
    """The model read into a graph.

    A module is traced on the example inputs (``via="export"``: exported). Shapes and dtypes of the inputs come from
    ``input_infos``, else from the example inputs, else from the capture. Raises BadFile, WrongUsage, WrongInput.
    """
    if via not in ROUTES:
        raise WrongUsage(f"via is {via!r}, but must be one of {', '.join(ROUTES)}")
    source = load_saved(Path(model)) if isinstance(model, str | Path) else model
    examples = _as_tuple(example_inputs)
    route, captured = _captured(source, examples, input_infos, dynamic_shapes, via)
    graph = read_export(captured) if isinstance(captured, torch.export.ExportedProgram) else read_script(captured)
    names = _argument_names(source)
    variables = _variables(graph.inputs, names, input_infos, examples, DType.parse(default_dtype))
    return Capture(functionalize(graph), variables, route, captured)


def captured_texts(source: object) -> tuple[str, str]:
    """The captured program as torch prints it: as it was captured, and as the reader takes it."""
    if isinstance(source, torch.export.ExportedProgram):
        return str(source.graph_module.code), str(source.graph)
    return (str(source.graph), str(inlined_graph(source))) if is_script(source) else ("", "")


def _as_tuple(example_inputs: Sequence[object] | None) -> tuple[object, ...] | None:
    if example_inputs is None or isinstance(example_inputs, tuple):
        return example_inputs
    return tuple(example_inputs) if isinstance(example_inputs, list) else (example_inputs,)


def _captured(
    source: object,
    examples: tuple[object, ...] | None,
    input_infos: InputInfos | None,
    dynamic_shapes: object,
    via: str,
) -> tuple[str, ScriptSource | torch.export.ExportedProgram]:
    if isinstance(source, torch.export.ExportedProgram):
        return "export", source
    if is_script(source):
        return "script", source
    if not isinstance(source, torch.nn.Module):
        raise WrongUsage(f"a {type(source).__name__} is no model: a torch.nn.Module, TorchScript or ExportedProgram is")
    if source.training:
        raise WrongUsage(
            "the model is in training mode, where dropout and norms mean something else", hint="call model.eval() first"
        )
    if via == "script":
        return "script", script(source)
    if examples is None and input_infos is not None:
        examples = _examples_of(input_infos)
    if examples is None:
        wanted = ", ".join(_argument_names(source)) or "no names known"
        raise WrongInput(f"example inputs are needed to capture the model; it takes: {wanted}")
    if via == "export" or dynamic_shapes is not None:
        return "export", export(source, examples, dynamic_shapes)
    return "trace", trace(source, examples)


def _examples_of(input_infos: InputInfos) -> tuple[object, ...]:
    made = []
    for info in input_infos:
        name, kind = _info(info, DType.parse("float32"))
        if not isinstance(kind, TensorType) or any(isinstance(dim, Any) for dim in kind.shape):
            raise WrongInput(f"example inputs are needed: {info!r} does not say one shape")
        made.append(torch.zeros(shapes.static(kind.shape, name), dtype=getattr(torch, str(kind.dtype))))
    return tuple(made)


def _argument_names(source: object) -> list[str]:
    if is_script(source):
        return script_argument_names(source)
    if isinstance(source, torch.nn.Module):
        return list(inspect.signature(source.forward).parameters)
    return []


def _plain(name: str) -> str:
    """The name of a value without the number that TorchScript puts behind it."""
    return re.sub(r"\.\d+$", "", name)


def _variables(
    values: Sequence[TorchValue],
    names: Sequence[str],
    input_infos: InputInfos | None,
    examples: tuple[object, ...] | None,
    default_dtype: DType,
) -> dict[str, Var]:
    if input_infos is not None:
        return _from_infos(values, input_infos, default_dtype)
    if examples is not None and len(examples) != len(values):
        examples = None
    made: dict[str, Var] = {}
    for index, value in enumerate(values):
        name = names[index] if index < len(names) and len(names) == len(values) else _plain(value.name)
        kind = _example_type(examples[index]) if examples is not None and index < len(examples) else None
        made[value.name] = Var(name, kind or _known_type(value, values), place=None)
    return made


def _known_type(value: TorchValue, values: Sequence[TorchValue]) -> Type:
    if value.type.kind == "Tensor" and (value.type.shape is None or value.type.dtype is None):
        wanted = ", ".join(_plain(v.name) for v in values)
        raise WrongInput(
            f"the capture does not know the shape of the input {_plain(value.name)}; the model takes: {wanted}",
            hint='give input_infos=[("x", (1, 3, 224, 224))], or --input x:1x3x224x224:float32',
        )
    return input_type(value.type)


def _example_type(example: object) -> Type | None:
    if isinstance(example, torch.Tensor):
        dtype = dtype_of(example.dtype)
        return TensorType(tuple(example.shape), dtype) if isinstance(dtype, DType) else None
    if isinstance(example, list | tuple):
        parts = [_example_type(part) for part in example]
        return None if None in parts else TupleType(tuple([part for part in parts if part is not None]))
    kinds = {bool: "bool", int: "int64", float: "float64"}
    return TensorType.of((), kinds[type(example)]) if type(example) in kinds else None


def _from_infos(values: Sequence[TorchValue], input_infos: InputInfos, default_dtype: DType) -> dict[str, Var]:
    if len(input_infos) != len(values):
        wanted = [f"{_plain(value.name)}: {_shown(value.type)}" for value in values]
        raise WrongInput(f"input_infos names {len(input_infos)} inputs, the model takes {len(values)}", notes=wanted)
    made: dict[str, Var] = {}
    taken: set[str] = set()
    for value, info in zip(values, input_infos, strict=True):
        name, kind = _info(info, value.type.dtype or default_dtype)
        if name in taken:
            raise WrongInput(f"input_infos names {name!r} twice")
        taken.add(name)
        _check_fits(name, kind, value)
        made[value.name] = Var(name, kind, place=None)
    return made


def _shown(kind: TorchType) -> str:
    if kind.kind != "Tensor":
        return kind.kind
    return f"Tensor{list(kind.shape) if kind.shape is not None else ''} {kind.dtype or ''}".strip()


def _check_fits(name: str, kind: Type, value: TorchValue) -> None:
    known = value.type
    if not isinstance(kind, TensorType) or known.kind != "Tensor":
        return
    if known.dtype is not None and kind.dtype != known.dtype:
        raise WrongInput(
            f"input_infos gives {name} the dtype {kind.dtype}, the model was captured with {_shown(known)}"
        )
    if known.shape is not None and len(known.shape) != kind.rank:
        raise WrongInput(
            f"input_infos gives {name} the shape {kind.shape}, the model was captured with {_shown(known)}"
        )


def _info(info: object, default_dtype: DType) -> tuple[str, Type]:
    """Name and type of one entry. Raises WrongInput for what has not that form."""
    form = '("x", (1, 3, 224, 224)) or ("x", ((1, 3, 224, 224), "float32"))'
    if not isinstance(info, Sequence) or len(info) != 2 or not isinstance(info[0], str):
        raise WrongInput(f"input_infos holds {info!r}, which is no input", hint=form)
    name, what = info
    return name, _info_type(what, default_dtype, info, form)


_TORCH_NAMES = {"float": "float32", "int": "int32", "double": "float64", "long": "int64"}
"""What TorchScript calls some dtypes."""


def _info_type(what: object, default_dtype: DType, info: object, form: str) -> Type:
    if isinstance(what, TensorType | TupleType):
        return what
    if not isinstance(what, list | tuple | torch.Size):
        raise WrongInput(f"input_infos holds {info!r}, whose shape is no list of sizes", hint=form)
    sizes: Sequence[object] = what
    dtype = default_dtype
    if len(sizes) == 2:
        first, second = sizes
        if isinstance(first, Sequence) and isinstance(second, str):
            dtype = DType.parse(_TORCH_NAMES.get(second, second))
            sizes = list(first)
    if any(isinstance(part, list | tuple) for part in sizes):
        return TupleType(tuple([_info_type(part, default_dtype, info, form) for part in sizes]))
    for size in sizes:
        if not isinstance(size, int | Any) or (isinstance(size, int) and size < 0):
            raise WrongInput(f"input_infos holds {info!r}: {size!r} is no size", hint=form)
    return TensorType(tuple([size if isinstance(size, int) else ANY for size in sizes]), dtype)
