"""Random well-typed modules over every operator and every construct of the language, for properties that hold of all."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

import torchrelay.op  # noqa: F401 declares the operators
from tests.samples import Sample, all_rows
from torchrelay.errors import Place
from torchrelay.ir import (
    Attrs,
    Call,
    Clause,
    Constant,
    Constructor,
    DType,
    Expr,
    Function,
    FuncType,
    GlobalTypeVar,
    GlobalVar,
    If,
    IRModule,
    Let,
    Match,
    Operator,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    RefCreate,
    RefRead,
    RefType,
    RefWrite,
    TensorType,
    Tuple,
    TupleGetItem,
    TupleType,
    Type,
    TypeCall,
    TypeData,
    TypeVar,
    Var,
    free_vars,
    with_type,
)

__all__ = ["modules"]

ROWS = [(operator, row) for operator, rows in all_rows().items() for row in rows]
ODD_NAMES = [
    "x",
    "layer.0.weight",
    "aten::add",
    "x:0",
    "a-b",
    "a/b",
    "0",
    "_",
    "let",
    "inff",
    "a b",
    "é",
    'q"',
    "b\\n",
    "x1",
]
NAMES = st.one_of(st.sampled_from(ODD_NAMES), st.text(st.characters(codec="utf-8"), max_size=4))
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint64", "float16", "float32", "float64"]
ELEMENT = TypeVar("A")
LIST = GlobalTypeVar("List")
LIST_OF = TypeCall(LIST, (ELEMENT,))
CONS = Constructor("Cons", (ELEMENT, LIST_OF), LIST, 0, (ELEMENT,))
NIL = Constructor("Nil", (), LIST, 1, (ELEMENT,))
DEFINITIONS = {"List": TypeData(LIST, (ELEMENT,), (CONS, NIL))}
Nodes = list[Expr]
Step = Callable[[st.DrawFn, Nodes], Expr]


@st.composite
def constants(draw: st.DrawFn) -> Constant:
    """A constant of any bits: infinities, NaNs of any payload and denormals among them."""
    dtype = draw(st.sampled_from([*map(np.dtype, DTYPES), np.dtype(ml_dtypes.bfloat16)]))
    shape = draw(st.sampled_from([(), (), (1,), (2, 2), (0,)]))
    count = int(np.prod(shape, dtype=int))
    if dtype.kind == "b":
        data = np.array(draw(st.lists(st.booleans(), min_size=count, max_size=count)), bool)
    else:
        size = count * dtype.itemsize
        data = np.frombuffer(draw(st.binary(min_size=size, max_size=size)), dtype)
    return Constant(data.reshape(shape))


def _value(draw: st.DrawFn, nodes: Nodes, value: object) -> Expr:
    """An expression of the type of a sample's input: one that is there, a parameter, or the input itself."""
    if isinstance(value, tuple):
        return Tuple(tuple([_value(draw, nodes, part) for part in value]))
    array = np.asarray(value)
    wanted = TensorType(array.shape, DType.of(array.dtype))
    fitting = [node for node in nodes if node.type == wanted]
    choice = draw(st.integers(0, 2))
    if choice == 0 and fitting:
        return draw(st.sampled_from(fitting))
    return Var(draw(NAMES), wanted) if choice == 1 else Constant(array)


def _operator_call(draw: st.DrawFn, nodes: Nodes) -> Expr:
    row: tuple[Operator[...], Sample] = draw(st.sampled_from(ROWS))
    operator, given = row
    args = tuple([_value(draw, nodes, value) for value in given.inputs])
    place = Place("model.py", draw(st.integers(1, 99)), draw(st.integers(1, 9))) if draw(st.booleans()) else None
    return Call(operator, args, _with_operands(operator, given.attrs(operator), args), place=place)


def _with_operands(operator: Operator[...], attrs: Attrs | None, args: tuple[Expr, ...]) -> Attrs | None:
    """The record, with the operands themselves where it holds them too: the bounds of a range."""
    if attrs is None:
        return None
    names = [field.name for field in attrs.fields if field.kind.name == "expr"]
    return attrs.replace(**dict(zip(names, args, strict=True))) if names else attrs


def _any(draw: st.DrawFn, nodes: Nodes) -> Expr:
    return draw(st.sampled_from(nodes))


def _typed(draw: st.DrawFn, nodes: Nodes) -> tuple[Expr, Type]:
    node = _any(draw, nodes)
    assert node.type is not None
    return node, node.type


def _constant(draw: st.DrawFn, nodes: Nodes) -> Expr:
    return draw(constants())


def _let(draw: st.DrawFn, nodes: Nodes) -> Expr:
    value, type_ = _typed(draw, nodes)
    var = Var(draw(NAMES), type_)
    return Let(var, value, Tuple((var, _any(draw, nodes), var)))


def _if(draw: st.DrawFn, nodes: Nodes) -> Expr:
    value, type_ = _typed(draw, nodes)
    cond = Var(draw(NAMES), TensorType.of((), "bool"))
    var = Var(draw(NAMES), type_)
    return If(cond, value, Let(var, value, var))


def _tuple(draw: st.DrawFn, nodes: Nodes) -> Expr:
    fields = tuple([_any(draw, nodes) for _ in range(draw(st.integers(1, 3)))])
    whole = Tuple(fields)
    return TupleGetItem(whole, draw(st.integers(0, len(fields) - 1))) if draw(st.booleans()) else whole


def _closure(draw: st.DrawFn, nodes: Nodes) -> Expr:
    arg, type_ = _typed(draw, nodes)
    param = Var(draw(NAMES), type_)
    body = Tuple((param, _any(draw, nodes)))
    attrs = draw(st.dictionaries(st.sampled_from(["Primitive", "Compiler", "scale", "sizes"]), _ATTRIBUTES, max_size=2))
    function = Function((param,), body, body.type, attrs=attrs)
    if draw(st.booleans()):
        return Call(function, (arg,))
    name = Var(draw(NAMES), FuncType((type_,), body.type) if body.type is not None else None)
    return Let(name, function, Call(name, (arg,)))


_ATTRIBUTES = st.recursive(
    st.one_of(
        st.integers(-(2**63) + 1, 2**63 - 1),
        st.floats(),
        st.text(st.characters(codec="utf-8")),
        st.booleans(),
        st.none(),
    ),
    lambda inner: st.lists(inner, max_size=2).map(tuple),
    max_leaves=3,
)


def _reference(draw: st.DrawFn, nodes: Nodes) -> Expr:
    value, type_ = _typed(draw, nodes)
    cell, done = Var(draw(NAMES), RefType(type_)), Var(draw(NAMES), TupleType(()))
    return Let(cell, RefCreate(value), Let(done, RefWrite(cell, value), RefRead(cell)))


def _match(draw: st.DrawFn, nodes: Nodes) -> Expr:
    value, type_ = _typed(draw, nodes)
    items = with_type(Call(CONS, (value, Call(NIL, ()))), TypeCall(LIST, (type_,)))
    head, other = Var(draw(NAMES), type_), Var(draw(NAMES), type_)
    pair = Match(Tuple((value, value)), (Clause(PatternTuple((PatternVar(other), PatternWildcard())), other),))
    first = Clause(PatternConstructor(CONS, (PatternVar(head), PatternWildcard())), head)
    return Match(items, (first, Clause(PatternConstructor(NIL), pair)))


_STEPS: list[Step] = [
    _operator_call,
    _operator_call,
    _operator_call,
    _constant,
    _let,
    _if,
    _tuple,
    _closure,
    _reference,
    _match,
]


def _body(draw: st.DrawFn) -> Expr:
    nodes: Nodes = [draw(constants()), Var(draw(NAMES), TensorType.of((2, 3)))]
    for step in draw(st.lists(st.sampled_from(_STEPS), min_size=1, max_size=7)):
        nodes.append(step(draw, nodes))
    return Tuple((nodes[-1], _any(draw, nodes)))


def _function(body: Expr) -> Function:
    return Function(free_vars(body), body, body.type, place=None)


@st.composite
def modules(draw: st.DrawFn) -> IRModule:
    """A module of a main function, which calls a second one of any name, and the data type List."""
    other = _function(_body(draw))
    name = draw(NAMES.filter(lambda text: text not in ("", "main")))
    args = tuple([Var(draw(NAMES), param.type) for param in other.params])
    call = Call(with_type(GlobalVar(name), other.type), args)
    return IRModule({"main": _function(Tuple((_body(draw), call))), name: other}, DEFINITIONS)
