"""The language in the interpreter: functions, closures, recursion, branches, references, data types."""

from __future__ import annotations

import numpy as np
import pytest

from torchrelay import op
from torchrelay.errors import ExecutionError, WrongInput
from torchrelay.ir import (
    Call,
    Clause,
    Constructor,
    Expr,
    Function,
    FuncType,
    GlobalTypeVar,
    GlobalVar,
    If,
    IRModule,
    Let,
    Match,
    PatternConstructor,
    PatternVar,
    RefCreate,
    RefRead,
    RefType,
    RefWrite,
    TensorType,
    TupleType,
    TypeCall,
    TypeVar,
    Var,
    const,
)
from torchrelay.runtime import evaluate, run

INT = TensorType.of((), "int32")


def value_of(expr: Expr) -> object:
    return evaluate(IRModule.from_expr(expr), [])


def test_a_loop_of_100_000_turns_by_recursion() -> None:
    i, loop = Var("i", INT), GlobalVar("loop")
    body = If(op.less(i, const(100_000)), Call(loop, (op.add(i, const(1)),)), i)
    mod = IRModule({"loop": Function((i,), body, INT), "main": Function((), Call(loop, (const(0),)), INT)})
    assert evaluate(mod, []) == 100_000


def test_recursion_that_is_not_in_tail_position() -> None:
    n, total = Var("n", INT), GlobalVar("total")
    rest = Call(total, (op.subtract(n, const(1)),))
    body = If(op.equal(n, const(0)), const(0), op.add(n, rest))
    mod = IRModule({"total": Function((n,), body, INT), "main": Function((), Call(total, (const(5000),)), INT)})
    assert evaluate(mod, []) == 5000 * 5001 // 2


def test_closures_keep_what_they_were_made_with() -> None:
    x, y, add = Var("x", INT), Var("y", INT), Var("add", FuncType((INT,), INT))
    closure = Let(x, const(4), Let(add, Function((y,), op.add(x, y)), Call(add, (const(3),))))
    assert value_of(closure) == 7


def test_only_the_taken_branch_runs() -> None:
    zero = const(np.zeros((0,), "float32"))
    failing = op.cast(op.argmax(zero), dtype="int32")
    assert value_of(If(const(True), const(1), failing)) == 1
    with pytest.raises(ExecutionError, match="argmax failed"):
        value_of(If(const(False), const(1), failing))


def test_references() -> None:
    cell, ignored = Var("cell", RefType(INT)), Var("_", TupleType(()))
    program = Let(cell, RefCreate(const(1)), Let(ignored, RefWrite(cell, const(7)), RefRead(cell)))
    assert value_of(program) == 7


def test_data_types_and_matches() -> None:
    list_of = GlobalTypeVar("List")
    a = TypeVar("A")
    nil = Constructor("Nil", (), list_of, 1, (a,))
    cons = Constructor("Cons", (a, TypeCall(list_of, (a,))), list_of, 0, (a,))
    ints = TypeCall(list_of, (INT,))
    xs, head, tail, total = Var("xs", ints), Var("h", INT), Var("t", ints), GlobalVar("sum")
    clauses = (
        Clause(PatternConstructor(nil), const(0)),
        Clause(PatternConstructor(cons, (PatternVar(head), PatternVar(tail))), op.add(head, Call(total, (tail,)))),
    )
    made: Expr = Call(nil, ())
    for number in range(2000):
        made = Call(cons, (const(number), made))
    mod = IRModule({"sum": Function((xs,), Match(xs, clauses), INT), "main": Function((), Call(total, (made,)), INT)})
    assert evaluate(mod, []) == sum(range(2000))


def test_inputs_are_checked_and_named() -> None:
    x, w = Var("x", TensorType.of((2, 3))), Var("w", TensorType.of((3,)))
    mod = IRModule.from_expr(Function((x, w), op.add(x, w)))
    params = {"w": np.ones(3, "float32")}
    good = np.zeros((2, 3), "float32")
    np.testing.assert_array_equal(run(mod, params, {"x": good})[0], np.ones((2, 3)))
    with pytest.raises(WrongInput, match="2 inputs are given, the function takes 1"):
        run(mod, params, [good, good])
    with pytest.raises(WrongInput, match=r"the input x has shape \(2, 4\)"):
        run(mod, params, [np.zeros((2, 4), "float32")])
    with pytest.raises(WrongInput, match="the input x has dtype float64"):
        run(mod, params, [good.astype("float64")])
    with pytest.raises(WrongInput, match="there is no input 'y'"):
        run(mod, params, {"y": good})
    with pytest.raises(WrongInput, match="the input 'x' is missing"):
        run(mod, params, {})


def test_a_chain_of_100_000_runs() -> None:
    x = Var("x", TensorType.of((2,)))
    chain: Expr = x
    for _ in range(100_000):
        chain = op.nn.relu(chain)
    (result,) = run(IRModule.from_expr(chain), {}, [np.float32([-1, 2])])
    np.testing.assert_array_equal(result, [0, 2])
