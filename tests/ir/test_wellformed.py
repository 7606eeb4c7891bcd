"""Scopes of variables and type variables, names, kinds, and matches that leave nothing out."""

from __future__ import annotations

import pytest

from torchrelay import op
from torchrelay.errors import IllFormed, TypeMismatch
from torchrelay.formats import parse
from torchrelay.ir import (
    Call,
    Clause,
    Function,
    GlobalVar,
    IRModule,
    Let,
    Match,
    PatternConstructor,
    TensorType,
    Tuple,
    TypeVar,
    Var,
    check_well_formed,
    const,
)

T = TensorType.of((2, 3))


def test_well_formed() -> None:
    x, v = Var("x", T), Var("v", T)
    check_well_formed(Function((x,), Let(v, op.exp(x), op.add(v, x))))
    with pytest.raises(IllFormed, match="the variable %v is used where it is not bound"):
        check_well_formed(Function((x,), op.add(Let(v, op.exp(x), v), v)))
    with pytest.raises(IllFormed, match="the variable %v is bound twice"):
        check_well_formed(Function((x,), Let(v, x, Let(v, x, v))))
    with pytest.raises(IllFormed, match="the module has no function @f"):
        check_well_formed(IRModule({"main": Function((), Call(GlobalVar("f"), ()))}))


def test_type_variables() -> None:
    a = TypeVar("A")
    x, y = Var("x", a), Var("y", a)
    check_well_formed(Function((x,), Let(y, x, y), a, (a,)))
    with pytest.raises(IllFormed, match="the type variable A is used where it is not bound"):
        check_well_formed(Function((x,), x, a))
    with pytest.raises(IllFormed, match="the type variable A is bound twice"):
        check_well_formed(Function((x,), Call(Function((y,), y, a, (a,)), (x,)), a, (a,)))


def test_branches_and_clauses_have_scopes_of_their_own() -> None:
    x, v = Var("x", T), Var("v", T)
    shared = op.exp(x)
    check_well_formed(Function((x,), Tuple((shared, Let(v, shared, op.add(v, shared))))))
    with pytest.raises(IllFormed, match="the variable %v is used where it is not bound"):
        check_well_formed(Function((x,), Tuple((Let(v, shared, v), op.exp(v)))))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def @main(%l: List[int32, int32]) { %l }", "the data type List has 2 arguments, but takes 1"),
        ("def @main(%l: List) { %l }", "the data type List has 0 arguments, but takes 1"),
        ("def @main(%l: Other) { %l }", "the module has no data type Other"),
        ("def @main(%l: List[int32]) { match (%l) { Cons(%x, _) => %x } }", "the match leaves out the case Nil"),
        ("def @main(%x: int32) { @f(%x) }", "there is no function @f"),
        ("type Bad { Made(List[int32, int32]), } def @main() { 1 }", "the data type List has 2 arguments, but takes 1"),
    ],
)
def test_names_and_kinds(body: str, message: str) -> None:
    text = "type List[A] { Cons(A, List[A]), Nil, }"
    with pytest.raises((IllFormed, TypeMismatch), match=message):
        check_well_formed(parse(f'#[version = "0.0.5"]\n{text}\n{body}'))


def test_constructors_of_another_module() -> None:
    text = '#[version = "0.0.5"]\ntype List[A] { Cons(A, List[A]), Nil, }\ndef @main() { Cons(1, Nil) }'
    module = parse(text)
    check_well_formed(module)
    with pytest.raises(IllFormed, match="the module has no constructor"):
        check_well_formed(IRModule(module.functions))
    nil, cons = module.constructor("List", "Nil"), module.constructor("List", "Cons")
    clauses = (Clause(PatternConstructor(cons), const(1)), Clause(PatternConstructor(nil), const(2)))
    wrong = Function((), Match(Call(nil, ()), clauses))
    with pytest.raises(IllFormed, match="the constructor Cons has 0 fields, but takes 2"):
        check_well_formed(module.with_functions({"main": wrong}))
