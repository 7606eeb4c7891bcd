"""What the values of a graph are in Relay, by name: in the program, in a branch, in the body of a loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.graph import Arg, TorchGraph, TorchParameter, TorchValue
from torchrelay.frontend.promote import Computed, Grown, Quantized
from torchrelay.frontend.registry import Result
from torchrelay.frontend.scales import integers_of, real_of, scale_parameters
from torchrelay.frontend.tensors import array_of
from torchrelay.ir import Constant, DType, Expr, TensorType, Var

__all__ = ["Captures", "Parameters", "Scope", "known", "plain"]


class Scope(dict[str, Result]):
    """What each value is, by name; one that is not there yet is asked of ``find`` once."""

    def __init__(self, inputs: Mapping[str, Result], find: Callable[[str], Result]) -> None:
        super().__init__(inputs)
        self._find = find

    def __missing__(self, name: str) -> Result:
        value = self[name] = self._find(name)
        return value


class Parameters:
    """Finds what is no value of a node: a parameter becomes a variable where it is first asked for.

    ``arrays`` are those of the parameters that were asked for, by the names of their variables: the state-dict keys, or what
    ``names`` has for them.
    """

    def __init__(
        self, graph: TorchGraph, names: Mapping[str, str] | None = None, *, keep_quantized_weight: bool = True
    ) -> None:
        self.arrays: dict[str, np.ndarray] = {}
        self._keep = keep_quantized_weight
        self._constant = scale_parameters(graph)
        self._graph = graph
        self._names = names or {}
        self._variables: dict[str, Expr] = {}

    def __call__(self, name: str) -> Result:
        """The parameter of that name in the graph. Raises UnsupportedProgram where there is none."""
        parameter = self._graph.parameters.get(name)
        if name in self._constant:
            return Constant(array_of(self._graph.parameters[name].tensor), place=None)
        if parameter is None:
            raise UnsupportedProgram(f"the value %{name} is used before it is made")
        return self._expr(parameter)

    def _expr(self, parameter: TorchParameter) -> Expr:
        """A variable named after the state-dict key, its array noted; a constant of the graph as itself."""
        key = parameter.key
        if parameter.constant:
            return Constant(array_of(parameter.tensor), place=None)
        if key not in self._variables:
            name = self._names.get(key, key)
            scales = None if self._keep else parameter.scales
            array = array_of(parameter.tensor)
            self.arrays[name] = array if scales is None else real_of(array, scales)
            var = Var(name, TensorType.of(array.shape, self.arrays[name].dtype.name), place=None)
            self._variables[key] = var if scales is None else integers_of(var, scales, DType.of(array.dtype))
        return self._variables[key]


class Captures:
    """Finds what the body of a loop takes from around it: an expression is a variable there, so that it is computed once.

    ``bound`` are the expressions with their variables, in the order in which the body asked for them.
    """

    def __init__(self, outer: Scope) -> None:
        self.bound: dict[Expr, Var] = {}
        self._outer = outer

    def __call__(self, name: str) -> Result:
        """What the value is in the body."""
        return self.of(self._outer[name], name)

    def of(self, value: Result, name: str) -> Result:
        """The value with variables in place of the expressions in it."""
        if isinstance(value, Computed):
            return Computed(self.expr(value.expr, name), value.size)
        if isinstance(value, Grown):
            return Grown(self.expr(value.expr, name), value.computed)
        if isinstance(value, Quantized):
            scale, zero_point = self.expr(value.scale, name), self.expr(value.zero_point, name)
            return Quantized(self.expr(value.expr, name), scale, zero_point, value.axis)
        if isinstance(value, Expr):
            return self.expr(value, name)
        if isinstance(value, tuple):
            return tuple([self.of(part, name) for part in value])
        if isinstance(value, Mapping):
            return {key: self.of(part, name) for key, part in value.items()}
        return value

    def expr(self, expr: Expr, name: str) -> Expr:
        """The variable that stands for the expression; itself where it is a variable or a constant."""
        if isinstance(expr, Var | Constant):
            return expr
        if expr not in self.bound:
            self.bound[expr] = Var(name, expr.type)
        return self.bound[expr]


def known(scope: Mapping[str, Result], arg: Arg) -> Result:
    """What an argument is in Relay."""
    if isinstance(arg, TorchValue):
        return scope[arg.name]
    if isinstance(arg, tuple):
        return tuple([known(scope, part) for part in arg])
    if isinstance(arg, Mapping):
        return {key: known(scope, part) for key, part in arg.items()}
    return arg  # pyright: ignore[reportReturnType] a literal is a result as it is


def plain(value: Result) -> Result:
    """The value with the expressions of computed numbers in their place."""
    if isinstance(value, Computed | Quantized):
        return value.expr
    return tuple([plain(part) for part in value]) if isinstance(value, tuple) else value
