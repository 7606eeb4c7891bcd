"""Runs programs: one loop over frames, so that recursion in a program needs none in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from torchrelay.errors import ExecutionError, TorchRelayError
from torchrelay.ir import (
    Call,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    If,
    Match,
    Operator,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    Var,
)
from torchrelay.runtime.program import Block, Program, Step, compiled
from torchrelay.runtime.values import Cell, Closure, Data, Value

__all__ = ["Machine"]

Observer = Callable[[Expr, Value], None]


@dataclass(slots=True)
class _Frame:
    block: Block
    slots: list[Value]
    at: int
    output: int
    """The slot of the frame below that gets the value."""


class Machine:
    """Runs the functions of a module. ``observe`` is told every value that an operator, tuple or projection gives."""

    def __init__(self, functions: Mapping[str, Function], observe: Observer | None = None) -> None:
        self._functions = functions
        self._programs: dict[str, Program] = {}
        self._observe = observe

    def program(self, name: str) -> Program:
        """The program of a function of the module, compiled at first use."""
        if name not in self._programs:
            if name not in self._functions:
                raise ExecutionError(f"the module has no function @{name}")
            self._programs[name] = compiled(self._functions[name])
        return self._programs[name]

    def call(self, name: str, args: Sequence[Value]) -> Value:
        """What the function gives for the arguments. Raises ExecutionError where an operator fails on its values."""
        # Infinities and NaN are values like others here; NumPy need not report them.
        with np.errstate(all="ignore"):
            return self._called(name, args)

    def _called(self, name: str, args: Sequence[Value]) -> Value:
        bottom: list[Value] = [()]
        stack = [_entered(Closure(self.program(name), {}), args, 0)]
        while stack:
            frame = stack[-1]
            if frame.at == len(frame.block.steps):
                stack.pop()
                below = stack[-1].slots if stack else bottom
                below[frame.output] = frame.slots[frame.block.result]
                continue
            step = frame.block.steps[frame.at]
            frame.at += 1
            entered = self._run(step, frame.slots)
            if entered is not None:
                entered.output = _tail_output(stack, entered.output)
                stack.append(entered)
            for slot in step.dead if entered is None else ():
                frame.slots[slot] = ()
        return bottom[0]

    def _run(self, step: Step, slots: list[Value]) -> _Frame | None:
        """Does the step; gives the frame to run where it is a call or a branch."""
        expr = step.expr
        if type(expr) is Call:
            if isinstance(expr.op, Operator):
                slots[step.output] = self._operate(expr, expr.op, [slots[i] for i in step.inputs])
                return None
            return self._apply(step, expr, slots)
        if isinstance(expr, If):
            taken = step.blocks[0 if _truth(slots[step.inputs[0]], expr) else 1]
            return _Frame(taken, slots, 0, step.output)
        if isinstance(expr, Match):
            return _matching(step, expr, slots)
        value = self._simple(step, expr, slots)
        slots[step.output] = value
        if isinstance(value, Closure):
            # The closure may capture itself, through the slot it was just put into.
            captured = {inner: slots[outer] for inner, outer in step.captured}
            value.captured.update(captured)  # type: ignore[attr-defined] the mapping was made below as a dict
        elif self._observe is not None:
            self._observe(expr, value)
        return None

    def _simple(self, step: Step, expr: Expr, slots: list[Value]) -> Value:
        inputs = step.inputs
        match expr:
            case Tuple():
                return tuple([slots[i] for i in inputs])
            case TupleGetItem(index=index):
                return slots[inputs[0]][index]  # type: ignore[index] the value was typed as a tuple
            case GlobalVar(name=name):
                return Closure(self.program(name), {})
            case Function():
                assert step.program is not None, "a function's step has its program"
                return Closure(step.program, {})
            case RefCreate():
                return Cell(slots[inputs[0]])
            case RefRead():
                return _cell(slots[inputs[0]]).value
            case RefWrite():
                _cell(slots[inputs[0]]).value = slots[inputs[1]]
                return ()
            case _:
                raise ExecutionError(f"a {type(expr).__name__} cannot be run", place=expr.place)

    def _operate(self, call: Call, operator: Operator[...], args: list[Value]) -> Value:
        try:
            value = operator.meaning(*args) if operator.record is None else operator.meaning(*args, call.attrs)
        except (ValueError, IndexError, TypeError, KeyError, ArithmeticError) as error:
            raise _failure(call, operator, args, error) from error
        if not isinstance(value, np.ndarray | tuple):
            value = np.asarray(value)
        if self._observe is not None:
            self._observe(call, value)
        return value

    def _apply(self, step: Step, call: Call, slots: list[Value]) -> _Frame | None:
        if isinstance(call.op, Constructor):
            slots[step.output] = Data(call.op, tuple([slots[i] for i in step.inputs]))
            return None
        callee, *args = (slots[i] for i in step.inputs)
        if isinstance(callee, Closure):
            return _entered(callee, args, step.output)
        if isinstance(callee, Constructor):
            slots[step.output] = Data(callee, tuple(args))
            return None
        if isinstance(callee, Operator):
            slots[step.output] = self._operate(call, callee, args)
            return None
        raise ExecutionError("what is called is no function", place=call.place)


def _tail_output(stack: list[_Frame], output: int) -> int:
    """Takes off the frames that have nothing left to do but hand on the value of the frame to come.

    Gives the slot that this value goes to in the frame that is then on top.
    """
    while len(stack) > 1:
        top = stack[-1]
        if top.at != len(top.block.steps) or top.block.result != output:
            break
        output = top.output
        stack.pop()
    return output


def _entered(closure: Closure, args: Sequence[Value], output: int) -> _Frame:
    program = closure.program
    slots: list[Value] = [()] * program.slots
    for slot, value in program.constants:
        slots[slot] = value  # type: ignore[assignment] a constant is an array or a callable
    for slot, value in closure.captured.items():
        slots[slot] = value
    if len(args) != len(program.params):
        raise ExecutionError(f"a function of {len(program.params)} parameters is called with {len(args)} arguments")
    for slot, value in zip(program.params, args, strict=True):
        slots[slot] = value
    return _Frame(program.block, slots, 0, output)


def _truth(value: Value, expr: Expr) -> bool:
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return bool(value)
    raise ExecutionError("the condition of an if must be a bool of rank 0", place=expr.place)


def _cell(value: Value) -> Cell:
    if isinstance(value, Cell):
        return value
    raise ExecutionError("only a reference can be read or written")


def _matching(step: Step, expr: Match, slots: list[Value]) -> _Frame:
    value = slots[step.inputs[0]]
    for clause in step.clauses:
        found: dict[Var, Value] = {}
        if _matches(clause.pattern, value, found):
            for var, part in found.items():
                slots[clause.slots[var]] = part
            return _Frame(clause.block, slots, 0, step.output)
    raise ExecutionError("no clause of the match fits the value", place=expr.place)


def _matches(pattern: Pattern, value: Value, found: dict[Var, Value]) -> bool:
    stack = [(pattern, value)]
    while stack:
        form, part = stack.pop()
        if isinstance(form, PatternVar):
            found[form.var] = part
        elif isinstance(form, PatternConstructor):
            if not isinstance(part, Data) or part.constructor.name != form.constructor.name:
                return False
            stack.extend(zip(form.patterns, part.fields, strict=True))
        elif isinstance(form, PatternTuple):
            if not isinstance(part, tuple):
                return False
            stack.extend(zip(form.patterns, part, strict=True))
    return True


def _failure(call: Call, operator: Operator[...], args: list[Value], error: Exception) -> ExecutionError:
    message = error.message if isinstance(error, TorchRelayError) else str(error) or type(error).__name__
    shown = [
        f"{declared.name}: {arg.dtype}{list(arg.shape)}" if isinstance(arg, np.ndarray) else f"{declared.name}: a value"
        for declared, arg in zip(operator.inputs, args, strict=False)
    ]
    return ExecutionError(f"{operator.name} failed: {message}", place=call.place, notes=shown)
