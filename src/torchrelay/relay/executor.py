"""Programs run from Python: ``create_executor`` and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from torchrelay import ir
from torchrelay.errors import WrongInput, WrongUsage
from torchrelay.ir import Expr, Function, GlobalVar, IRModule, NDArray
from torchrelay.relay.functions import as_expr
from torchrelay.runtime import Machine, Value, as_array

__all__ = ["Executor", "create_executor"]

_KINDS = ("debug", "graph", "vm", "aot")


@dataclass(frozen=True, slots=True)
class Executor:
    """Runs expressions and the functions of a module in the interpreter, whatever kind was asked for."""

    mod: IRModule
    params: Mapping[str, np.ndarray] = field(default_factory=dict[str, np.ndarray])

    def evaluate(self, expr: Expr | None = None, binds: Mapping[ir.Var | str, object] | None = None) -> object:
        """The value of an expression; for a function, or for ``main`` where nothing is given, one that calls it.

        ``binds`` gives values for free variables. Arrays come back as NDArray, tuples as tuples of values. Raises IllFormed
        for a variable without a value, TypeMismatch for what does not fit, ExecutionError where an operator fails.
        """
        wanted = self._main() if expr is None else as_expr(expr, "expr")
        if binds:
            wanted = ir.bind(wanted, _constants(wanted, binds))
        if isinstance(wanted, GlobalVar):
            wanted = self.mod[wanted]
        if isinstance(wanted, Function):
            return self._callable(wanted)
        return _shown(self._machine(Function((), wanted)).call("the expression", ()))

    def _main(self) -> Function:
        if "main" not in self.mod:
            raise WrongUsage("there is nothing to evaluate: give an expression, or a module with a function main")
        return self.mod["main"]

    def _machine(self, function: Function) -> Machine:
        program = self.mod.with_functions({"the expression": function})
        return Machine(ir.infer_types(program).functions)

    def _callable(self, function: Function) -> Callable[..., object]:
        machine = self._machine(function)
        names = [param.name for param in function.params]

        def called(*args: object, **kwargs: object) -> object:
            """The value of the function. Raises WrongInput for a missing argument, one too many, or an unknown name."""
            given: dict[str, object] = {**self.params, **kwargs}
            rest = [name for name in names if name not in given]
            if len(args) > len(rest) or any(name not in names for name in kwargs):
                raise WrongInput(f"the function takes {', '.join(names) or 'nothing'}")
            given.update(zip(rest, args, strict=False))
            if missing := [name for name in names if name not in given]:
                raise WrongInput(f"there is no value for {', '.join(missing)}")
            return _shown(machine.call("the expression", [_value(given[name]) for name in names]))

        return called


def create_executor(
    kind: str = "debug",
    mod: IRModule | None = None,
    device: object = None,
    target: object = "llvm",
    params: Mapping[str, np.ndarray] | None = None,
) -> Executor:
    """An executor over a module. Raises WrongUsage for a kind that tvm.relay has not; all kinds run in the interpreter.

    ``device`` and ``target`` are taken and not used: the interpreter runs on the CPU.
    """
    if kind not in _KINDS:
        raise WrongUsage(f"there is no executor {kind!r}", hint=f"kinds: {', '.join(_KINDS)}")
    return Executor(mod if mod is not None else IRModule(), dict(params or {}))


def _constants(expr: Expr, binds: Mapping[ir.Var | str, object]) -> dict[ir.Var, Expr]:
    """The constants that stand for variables, which are given themselves or by name."""
    inside = [node for node in ir.post_order(expr) if isinstance(node, ir.Var)]
    found: dict[ir.Var, Expr] = {}
    for key, value in binds.items():
        made = value if isinstance(value, Expr) else ir.Constant(as_array(value))
        found.update({var: made for var in inside if var is key or var.name == key})
    return found


def _value(value: object) -> Value:
    if isinstance(value, tuple | list):
        return tuple([_value(part) for part in cast("Sequence[object]", value)])
    return (
        as_array(value)
        if isinstance(value, int | float | bool | np.ndarray) or hasattr(value, "detach")
        else cast("Value", value)
    )


def _shown(value: Value) -> object:
    if isinstance(value, tuple):
        return tuple([_shown(part) for part in value])
    return np.asarray(value).view(NDArray) if isinstance(value, np.ndarray | np.generic) else value
