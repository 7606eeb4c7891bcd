"""One call for people: a module, its parameters and inputs in, a flat list of arrays out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

import numpy as np

from torchrelay.errors import WrongArgument, WrongInput, WrongUsage, expect
from torchrelay.ir import DType, Expr, Function, IRModule, TensorType, TupleType, Type, Var, shapes, uncollected
from torchrelay.runtime.machine import Machine
from torchrelay.runtime.sizes import check_sizes
from torchrelay.runtime.values import Value

__all__ = ["arguments", "as_array", "check_engine", "data_inputs", "evaluate", "flattened", "run"]


def evaluate(mod: IRModule, args: Sequence[Value], observe: Callable[[Expr, Value], None] | None = None) -> Value:
    """What ``main`` gives for one value for each parameter, as Relay has it: arrays, tuples, data types."""
    # The steps and values go when the last that needs them goes; only a function bound to itself is a cycle, and waits.
    with uncollected():
        return Machine(mod.functions, observe).call("main", args)


def data_inputs(function: Function, params: Mapping[str, np.ndarray]) -> list[Var]:
    """The parameters of the function that are not among ``params``, in order."""
    return [var for var in function.params if var.name not in params]


def run(
    mod: IRModule,
    params: Mapping[str, np.ndarray],
    inputs: object,
    engine: str = "reference",
) -> list[np.ndarray]:
    """The results of ``main``, flattened in order.

    ``inputs`` are arrays or torch tensors as the model takes them: a tuple or list in the order of the data inputs, a mapping
    by name, or one alone; nested ones are flattened, None is left out. Raises WrongInput for a wrong count, name, shape or
    dtype, WrongUsage for an engine that is not there or what is no module, ExecutionError where an operator fails.
    """
    check_engine(engine)
    expect(mod, IRModule, "run takes a module first")
    return flattened(evaluate(mod, arguments(mod["main"], params, inputs)))


def check_engine(engine: str) -> None:
    """Raises WrongUsage for the name of an engine that is not there."""
    if engine != "reference":
        raise WrongUsage(f"there is no engine {engine!r}", hint="engines: reference")


def flattened(value: Value) -> list[np.ndarray]:
    """The arrays in a value, left to right."""
    found: list[np.ndarray] = []
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple):
            stack.extend(reversed(part))
        elif isinstance(part, np.ndarray):
            found.append(part)
        else:
            raise WrongUsage(f"the result holds a {type(part).__name__}, which is no array; use evaluate")
    return found


def arguments(function: Function, params: Mapping[str, np.ndarray], inputs: object) -> list[Value]:
    """One value for each parameter of the function. Raises WrongInput, naming what the function wants."""
    if not isinstance(params, Mapping):
        hint = "run(mod, params, inputs) takes the parameters that the conversion gave"
        raise WrongInput(f"the parameters are a {type(params).__name__}, not arrays by name", hint=hint)
    wanted = data_inputs(function, params)
    given = _by_name(wanted, inputs)
    check_sizes(function, given)
    return [given[var.name] if var.name in given else _held(var, params) for var in function.params]


def _held(var: Var, params: Mapping[str, np.ndarray]) -> Value:
    value = params[var.name]
    return _checked(var.type, value, var.name, "parameter") if isinstance(var.type, TensorType) else value


def _described(wanted: Sequence[Var]) -> list[str]:
    return [f"it takes {var.name}: {var.type}" for var in wanted]


def _by_name(wanted: Sequence[Var], inputs: object) -> dict[str, Value]:
    if isinstance(inputs, Mapping):
        return _from_mapping(wanted, inputs)
    leaves = _leaves(inputs)
    count = sum(_leaf_count(var.type) for var in wanted)
    if len(leaves) != count:
        fixed = any(isinstance(leaf, bool | int | float | str) for leaf in leaves)
        hint = "numbers and texts are fixed by the capture and no inputs any more: give the tensors" if fixed else ""
        message = f"{_counted(len(leaves))} given, the function takes {count}"
        raise WrongInput(message, notes=_described(wanted), hint=hint)
    rest = iter(leaves)
    return {var.name: _filled(var.type, rest, var.name) for var in wanted}


def _counted(count: int) -> str:
    return "1 input is" if count == 1 else f"{count or 'no'} inputs are"


def _from_mapping(wanted: Sequence[Var], inputs: Mapping[object, object]) -> dict[str, Value]:
    """The values by the names of the parameters; a nested one may be given as a whole, under the first part of these names."""
    named = {str(name): value for name, value in inputs.items() if value is not None}
    known = {name for var in wanted for name in (var.name, var.name.partition(".")[0])}
    for name in named:
        if name not in known:
            raise WrongInput(f"there is no input {name!r}", notes=_described(wanted))
    made: dict[str, Value] = {}
    groups: dict[str, list[Var]] = {}
    for var in wanted:
        given = var.name if var.name in named else var.name.partition(".")[0]
        if given not in named:
            raise WrongInput(f"the input {var.name!r} is missing", notes=_described(wanted))
        groups.setdefault(given, []).append(var)
    for name, group in groups.items():
        made.update(_by_name(group, [named[name]]))
    return made


def _leaves(value: object) -> list[object]:
    """What is in a value, however nested, left to right, without None; a mapping counts by its values."""
    found: list[object] = []
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, Mapping):
            stack.extend(reversed(list(part.values())))
        elif isinstance(part, list | tuple):
            stack.extend(reversed(part))
        elif part is not None:
            found.append(part)
    return found


def _leaf_count(wanted: Type | None) -> int:
    return sum(map(_leaf_count, wanted.fields)) if isinstance(wanted, TupleType) else 1


def _filled(wanted: Type | None, leaves: Iterator[object], name: str) -> Value:
    if isinstance(wanted, TupleType):
        return tuple([_filled(part, leaves, name) for part in wanted.fields])
    value = next(leaves)
    return _checked(wanted, value, name) if isinstance(wanted, TensorType) else cast(Value, value)


def _checked(wanted: TensorType, value: object, name: str, what: str = "input") -> np.ndarray:
    array = as_array(value)
    fits = array.ndim == wanted.rank and all(map(shapes.dims_fit, wanted.shape, array.shape))
    if not fits:
        raise WrongInput(f"the {what} {name} has shape {array.shape}, the function takes {wanted}")
    if array.dtype != wanted.dtype.numpy:
        if isinstance(value, int | float | bool):
            return array.astype(wanted.dtype.numpy)
        raise WrongInput(f"the {what} {name} has dtype {_dtype_name(array)}, the function takes {wanted}")
    return array


def _dtype_name(array: np.ndarray) -> str:
    """Relay's name of the dtype, or NumPy's where Relay has none such."""
    try:
        return str(DType.of(array.dtype))
    except WrongArgument:
        return str(array.dtype)


def as_array(value: object) -> np.ndarray:
    """The array of an input: an array itself, a torch tensor's own storage, a number; of a quantized tensor its integers."""
    if isinstance(value, np.ndarray):
        return value
    detach = getattr(value, "detach", None)
    if detach is None:
        return np.asarray(value)
    import ml_dtypes

    tensor = detach().cpu()
    if tensor.is_quantized:
        return tensor.int_repr().numpy()
    tensor = tensor.resolve_conj().resolve_neg()
    narrow = getattr(ml_dtypes, str(tensor.dtype).removeprefix("torch."), None)
    if narrow is None:
        return tensor.numpy()
    # NumPy has none such: the bits go over as integers.
    import torch

    return tensor.view(torch.int16 if tensor.itemsize == 2 else torch.uint8).numpy().view(narrow)
