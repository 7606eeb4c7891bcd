"""One call for people: a module, its parameters and inputs in, a flat list of arrays out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

import numpy as np

from torchrelay.errors import WrongInput, WrongUsage
from torchrelay.ir import DType, Expr, Function, IRModule, TensorType, TupleType, Type, Var, shapes
from torchrelay.runtime.machine import Machine
from torchrelay.runtime.values import Value

__all__ = ["arguments", "as_array", "data_inputs", "evaluate", "flattened", "run"]

Inputs = Sequence[object] | Mapping[str, object]


def evaluate(mod: IRModule, args: Sequence[Value], observe: Callable[[Expr, Value], None] | None = None) -> Value:
    """What ``main`` gives for one value for each parameter, as Relay has it: arrays, tuples, data types."""
    return Machine(mod.functions, observe).call("main", args)


def data_inputs(function: Function, params: Mapping[str, np.ndarray]) -> list[Var]:
    """The parameters of the function that are not among ``params``, in order."""
    return [var for var in function.params if var.name not in params]


def run(
    mod: IRModule,
    params: Mapping[str, np.ndarray],
    inputs: Inputs,
    engine: str = "reference",
) -> list[np.ndarray]:
    """The results of ``main``, flattened in order.

    ``inputs`` are arrays (or torch tensors) in the order of the data inputs, nested ones flattened, or a mapping by name.
    Raises WrongInput for a wrong count, name, shape or dtype, WrongUsage for an engine that is not there, ExecutionError
    where an operator fails.
    """
    if engine != "reference":
        raise WrongUsage(f"there is no engine {engine!r}", hint="engines: reference")
    return flattened(evaluate(mod, arguments(mod["main"], params, inputs)))


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


def arguments(function: Function, params: Mapping[str, np.ndarray], inputs: Inputs) -> list[Value]:
    """One value for each parameter of the function. Raises WrongInput, naming what the function wants."""
    wanted = data_inputs(function, params)
    given = _by_name(wanted, inputs)
    return [given[var.name] if var.name in given else params[var.name] for var in function.params]


def _described(wanted: Sequence[Var]) -> list[str]:
    return [f"{var.name}: {var.type}" for var in wanted]


def _by_name(wanted: Sequence[Var], inputs: Inputs) -> dict[str, Value]:
    if isinstance(inputs, Mapping):
        return _from_mapping(wanted, inputs)
    leaves = [leaf for value in inputs for leaf in _leaves(value)]
    count = sum(_leaf_count(var.type) for var in wanted)
    if len(leaves) != count:
        notes = _described(wanted)
        raise WrongInput(f"{len(leaves)} inputs are given, the function takes {count}", notes=notes)
    rest = iter(leaves)
    return {var.name: _filled(var.type, rest, var.name) for var in wanted}


def _from_mapping(wanted: Sequence[Var], inputs: Mapping[str, object]) -> dict[str, Value]:
    names = [var.name for var in wanted]
    for name in inputs:
        if name not in names:
            raise WrongInput(f"there is no input {name!r}", notes=_described(wanted))
    missing = [name for name in names if name not in inputs]
    if missing:
        raise WrongInput(f"the input {missing[0]!r} is missing", notes=_described(wanted))
    return {var.name: _filled(var.type, iter(_leaves(inputs[var.name])), var.name) for var in wanted}


def _leaves(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return [leaf for part in value.values() for leaf in _leaves(part)]
    if isinstance(value, list | tuple):
        return [leaf for part in value for leaf in _leaves(part)]
    return [value]


def _leaf_count(wanted: Type | None) -> int:
    return sum(map(_leaf_count, wanted.fields)) if isinstance(wanted, TupleType) else 1


def _filled(wanted: Type | None, leaves: Iterator[object], name: str) -> Value:
    if isinstance(wanted, TupleType):
        return tuple([_filled(part, leaves, name) for part in wanted.fields])
    value = next(leaves)
    return _checked(wanted, value, name) if isinstance(wanted, TensorType) else cast(Value, value)


def _checked(wanted: TensorType, value: object, name: str) -> np.ndarray:
    array = as_array(value)
    fits = array.ndim == wanted.rank and all(map(shapes.dims_fit, wanted.shape, array.shape))
    if not fits:
        raise WrongInput(f"the input {name} has shape {array.shape}, the function takes {wanted}")
    if DType.of(array.dtype) != wanted.dtype:
        if isinstance(value, int | float | bool):
            return array.astype(wanted.dtype.numpy)
        raise WrongInput(f"the input {name} has dtype {DType.of(array.dtype)}, the function takes {wanted}")
    return array


def as_array(value: object) -> np.ndarray:
    """The array of an input: an array itself, a torch tensor's own storage, a number."""
    if isinstance(value, np.ndarray):
        return value
    detach = getattr(value, "detach", None)
    if detach is None:
        return np.asarray(value)
    tensor = detach().cpu().resolve_conj().resolve_neg()
    if str(tensor.dtype) == "torch.bfloat16":
        import ml_dtypes
        import torch

        return tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()
