"""The data inputs of a model: what their names and types are, and whether what the user gives fits them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils._pytree import tree_map_only

from torchrelay.errors import WrongArgument, WrongInput
from torchrelay.frontend.graph import Arg, TorchGraph, TorchType, TorchValue
from torchrelay.frontend.schema import dtype_of
from torchrelay.ir import ANY, VOID, Any, DType, TensorType, TupleType, Type, Var

__all__ = [
    "InputInfo",
    "InputInfos",
    "as_tensors",
    "examples_of",
    "input_variables",
    "leaves_in_order",
    "parse_infos",
    "positional",
]

InputInfos = Sequence[object]
"""As Relay users give them: (name, shape) or (name, (shape, dtype)) for each input, in order; for a tuple, a tuple of these."""

_FORM = '("x", (1, 3, 224, 224)) or ("x", ((1, 3, 224, 224), "float32"))'
_OTHER_NAMES = {"float": "float32", "double": "float64", "half": "float16", "int": "int32", "long": "int64"}
_SCALARS = {"int": "int64", "float": "float64", "bool": "bool"}


@dataclass(frozen=True, slots=True)
class InputInfo:
    """One entry of ``input_infos``: a name and a type; the dtype is void where the entry does not say it."""

    name: str
    type: TensorType | TupleType


def parse_infos(infos: InputInfos) -> list[InputInfo]:
    """The entries as they are meant. Raises WrongInput for one of another form, or a name that stands twice."""
    made: dict[str, InputInfo] = {}
    if not isinstance(infos, list | tuple):
        raise WrongInput(f"input_infos is {infos!r}, but must be a list of inputs", hint=f"an input is {_FORM}")
    for info in infos:
        if not isinstance(info, Sequence) or len(info) != 2 or not isinstance(info[0], str):
            raise WrongInput(f"input_infos holds {info!r}, which is no input", hint=f"an input is {_FORM}")
        if info[0] in made:
            raise WrongInput(f"input_infos names {info[0]!r} twice")
        made[info[0]] = InputInfo(info[0], _info_type(info[1], info))
    return list(made.values())


def _is_shape(what: object) -> bool:
    return isinstance(what, list | tuple) and not any(isinstance(part, list | tuple | str) for part in what)


def _info_type(what: object, info: object) -> TensorType | TupleType:
    if isinstance(what, TensorType | TupleType):
        return what
    if _is_shape(what) and isinstance(what, list | tuple):
        return TensorType(tuple([_size(size, info) for size in what]), VOID)
    if isinstance(what, list | tuple) and len(what) == 2 and isinstance(what[1], str) and _is_shape(what[0]):
        return TensorType(tuple([_size(size, info) for size in what[0]]), _dtype(what[1], info))
    if isinstance(what, list | tuple):
        return TupleType(tuple([_info_type(part, info) for part in what]))
    raise WrongInput(f"input_infos holds {info!r}, whose shape is no list of sizes", hint=f"an input is {_FORM}")


def _size(size: object, info: object) -> int | Any:
    if isinstance(size, Any):
        return ANY
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise WrongInput(f"input_infos holds {info!r}: {size!r} is no size", hint=f"an input is {_FORM}")
    return size


def _dtype(text: str, info: object) -> DType:
    try:
        return DType.parse(_OTHER_NAMES.get(text, text))
    except WrongArgument as error:
        raise WrongInput(f"input_infos holds {info!r}: {error.message}", hint=f"an input is {_FORM}") from None


def examples_of(infos: Sequence[InputInfo], default_dtype: DType) -> tuple[object, ...]:
    """Inputs of zeros as the entries say. Raises WrongInput for a shape with a size that is not known."""
    return tuple([_zeros(info.type, info.name, default_dtype) for info in infos])


def _zeros(kind: Type, name: str, default_dtype: DType) -> object:
    if isinstance(kind, TupleType):
        return tuple([_zeros(part, name, default_dtype) for part in kind.fields])
    if not isinstance(kind, TensorType) or any(isinstance(dim, Any) for dim in kind.shape):
        raise WrongInput(f"example inputs are needed: input_infos does not say every size of {name}")
    sizes = [dim for dim in kind.shape if isinstance(dim, int)]
    return torch.zeros(sizes, dtype=getattr(torch, str(kind.dtype or default_dtype)))


def as_tensors(given: object) -> object:
    """What is given, with tensors in the place of arrays, however nested."""
    return tree_map_only(np.ndarray, torch.from_numpy, given)


def positional(function: Callable[..., object], examples: object) -> tuple[object, ...]:
    """Example inputs in the order of the function's arguments; they may be given as a tuple, a list, a mapping by name or, of
    one argument, alone. Raises WrongInput for a number or a name that the function does not take.
    """
    signature = inspect.signature(function)
    examples = as_tensors(examples)
    try:
        if isinstance(examples, Mapping) and all(isinstance(name, str) for name in examples):
            bound = signature.bind(**examples)
            bound.apply_defaults()
            if bound.kwargs:
                raise WrongInput(
                    f"the model takes {', '.join(bound.kwargs)} by keyword only, which no capture can name"
                )
            return bound.args
        given = tuple(examples) if isinstance(examples, list | tuple) else (examples,)
        return signature.bind(*given).args
    except TypeError as error:
        wanted = ", ".join(str(parameter) for parameter in signature.parameters.values())
        raise WrongInput(f"the example inputs do not fit the model: {error}", notes=[f"it takes ({wanted})"]) from None


def leaves_in_order(graph: TorchGraph, forward: object, given: object) -> list[object] | None:
    """A value for each data input of the graph, out of what ``forward`` is given: a tuple, a mapping by name, or one argument.

    None where what is given has not the names or the nesting of the graph's own arguments.
    """
    by_name = _by_name(graph, forward, given)
    found: dict[str, object] = {}
    for name, arg in graph.signature.items():
        found.update({value.name: example for _, value, example in _leaves(name, arg, by_name.get(name))})
    leaves = [found.get(value.name) for value in graph.inputs]
    return None if any(leaf is None for leaf in leaves) else leaves


def _by_name(graph: TorchGraph, forward: object, given: object) -> Mapping[str, object]:
    if isinstance(given, Mapping):
        return {str(name): value for name, value in given.items()}
    values = tuple(given) if isinstance(given, list | tuple) else (given,)
    if inspect.ismethod(forward) or inspect.isfunction(forward):
        try:
            return inspect.signature(forward).bind(*values).arguments
        except TypeError:
            return {}
    return dict(zip(graph.signature, values, strict=False))


def input_variables(
    graph: TorchGraph,
    infos: Sequence[InputInfo] | None,
    examples: tuple[object, ...] | None,
    default_dtype: DType,
) -> dict[str, Var]:
    """A variable for each data input, by the name of its value, in order.

    Names are those that ``infos`` gives, or those of the model's own arguments; an element of a nested one is ``x.0`` or
    ``x.key``, one that is called as a parameter is ``input.x``. Types come from ``infos``, else the examples, else the capture. Raises WrongInput, naming what the model wants,
    where these do not fit each other.
    """
    arguments = {name: arg for name, arg in graph.signature.items() if any(True for _ in _leaves(name, arg))}
    if infos is not None:
        return _from_infos(graph, arguments, infos, default_dtype)
    values = _by_argument(graph, examples)
    held = _keys(graph)
    made: dict[str, Var] = {}
    for name, arg in arguments.items():
        for path, value, example in _leaves(name, arg, values.get(name)):
            own = f"input.{path}" if path in held else path
            made[value.name] = Var(own, _type(graph, path, value, example), place=None)
    return made


def _keys(graph: TorchGraph) -> set[str]:
    """The names that the parameters and buffers have."""
    return {parameter.key for parameter in graph.parameters.values() if not parameter.constant}


def _by_argument(graph: TorchGraph, examples: tuple[object, ...] | None) -> dict[str, object]:
    return dict(zip(graph.signature, examples or (), strict=False))


def _leaves(path: str, arg: Arg, given: object = None) -> Iterator[tuple[str, TorchValue, object]]:
    """The values in an argument, each with a path to it and what was given for it, if anything."""
    if isinstance(arg, TorchValue):
        yield path, arg, given
        return
    parts: list[tuple[str, Arg]] = []
    if isinstance(arg, tuple):
        parts = [(str(index), part) for index, part in enumerate(arg)]
    elif isinstance(arg, Mapping):
        parts = list(arg.items())
    for index, (key, part) in enumerate(parts):
        yield from _leaves(f"{path}.{key}", part, _element(given, key, index))


def _element(given: object, key: str, index: int) -> object:
    if isinstance(given, TupleType):
        given = given.fields
    if isinstance(given, Mapping):
        return given.get(key)
    if isinstance(given, list | tuple) and index < len(given):
        return given[index]
    return getattr(given, key, None) if key.isidentifier() else None


def _type(graph: TorchGraph, path: str, value: TorchValue, example: object) -> Type:
    kind = value.type
    if isinstance(example, torch.Tensor):
        dtype = dtype_of(example.dtype)
        if isinstance(dtype, DType) and kind.kind == "Tensor":
            found = TensorType(tuple(example.shape), dtype)
            _check(graph, path, found, kind)
            return found if kind.shape is None or kind.dtype is None else TensorType(kind.shape, kind.dtype)
        if not isinstance(dtype, DType):
            raise WrongInput(
                f"the input {path} is of dtype {dtype}, which no tensor of Relay has",
                hint="give real and imaginary parts as two inputs" if example.is_complex() else "give another dtype",
            )
    if kind.kind == "Tensor" and kind.shape is not None and kind.dtype is not None:
        return TensorType(kind.shape, kind.dtype)
    if kind.kind in _SCALARS:
        return TensorType.of((), _SCALARS[kind.kind])
    what = "the shape of the input" if kind.kind == "Tensor" else f"what is in the {kind.kind}"
    raise WrongInput(
        f"the capture does not know {what} {path}",
        notes=_wanted(graph),
        hint='give input_infos=[("x", (1, 3, 224, 224))] or example inputs; on the command line --input x:1x3x224x224',
    )


def _from_infos(
    graph: TorchGraph, arguments: Mapping[str, Arg], infos: Sequence[InputInfo], default_dtype: DType
) -> dict[str, Var]:
    if len(infos) == len(graph.inputs):
        pairs = [(info, value) for info, value in zip(infos, graph.inputs, strict=True)]
    elif len(infos) == len(arguments):
        pairs = list(zip(infos, arguments.values(), strict=True))
    else:
        message = f"input_infos names {len(infos)} inputs, the model takes {len(arguments)}"
        raise WrongInput(message, notes=_wanted(graph))
    made: dict[str, Var] = {}
    for info, arg in pairs:
        if info.name in _keys(graph):
            raise WrongInput(f"input_infos names an input {info.name!r}, as a parameter of the model is called")
        for path, value, given in _leaves(info.name, arg, info.type):
            if not isinstance(given, TensorType):
                raise WrongInput(f"input_infos does not say the shape of {path}", notes=_wanted(graph))
            dtype = given.dtype or value.type.dtype or DType.parse(_SCALARS.get(value.type.kind, str(default_dtype)))
            found = TensorType(given.shape, dtype)
            _check(graph, path, found, value.type)
            made[value.name] = Var(path, found, place=None)
    return made


def _check(graph: TorchGraph, path: str, given: TensorType, known: TorchType) -> None:
    """Raises WrongInput where the capture has another dtype or rank."""
    wanted = _shown(known)
    if known.kind in _SCALARS and given.shape:
        raise WrongInput(f"{path} is a {known.kind}, which has no shape {given.shape}", notes=_wanted(graph))
    if known.dtype is not None and given.dtype != known.dtype:
        message = f"{path} is given the dtype {given.dtype}, the model was captured with {wanted}"
        raise WrongInput(message, notes=_wanted(graph))
    if known.shape is not None and len(known.shape) != given.rank:
        message = f"{path} is given the shape {given.shape}, the model was captured with {wanted}"
        raise WrongInput(message, notes=_wanted(graph))


def _wanted(graph: TorchGraph) -> list[str]:
    """A line for each input that the model takes."""
    return [
        f"the model takes {path}: {_shown(value.type)}"
        for name, arg in graph.signature.items()
        for path, value, _ in _leaves(name, arg)
    ]


def _shown(kind: TorchType) -> str:
    if kind.kind != "Tensor":
        inner = ", ".join(_shown(element) for element in kind.elements)
        return f"{kind.kind}[{inner}]" if inner else kind.kind
    if kind.shape is None:
        return f"Tensor of {kind.dtype}" if kind.dtype else "Tensor"
    return f"Tensor[{', '.join(map(str, kind.shape))}] of {kind.dtype}"
