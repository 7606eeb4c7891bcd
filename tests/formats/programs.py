"""Small programs that use every construct of Relay; each is read and written by every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import ml_dtypes
import numpy as np

from torchrelay import op
from torchrelay.errors import Place
from torchrelay.ir import (
    ANY,
    Call,
    Clause,
    Constructor,
    DType,
    Function,
    FuncType,
    GlobalTypeVar,
    GlobalVar,
    If,
    IRModule,
    Let,
    Match,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    RefCreate,
    RefRead,
    RefWrite,
    TensorType,
    Tuple,
    TupleGetItem,
    TupleType,
    TypeCall,
    TypeData,
    TypeVar,
    Var,
    VirtualDevice,
    const,
)

T = TensorType.of((2, 3))


def calls() -> IRModule:
    x, w = Var("x", TensorType.of((1, 2, 5, 5))), Var("layer.0.weight", TensorType.of((4, 2, 3, 3)))
    y = op.nn.conv2d(x, w, padding=(1, 1, 1, 1), kernel_size=(3, 3), channels=4)
    return IRModule.from_expr(Function((x, w), op.add(op.nn.relu(y), y)))


def constants() -> IRModule:
    values = [1.5, True, np.int64(-3), np.float64(1 / 3), np.float16(2), np.array([], "float32"), np.float32("nan")]
    values += [np.ones((2, 2), ml_dtypes.bfloat16), np.arange(4, dtype="uint8"), np.array([True, False])]
    values += [np.array([-8, 7], ml_dtypes.int4), np.arange(6.0).reshape(2, 3).T]
    return IRModule.from_expr(Function((), Tuple(tuple(map(const, values)))))


def tuples() -> IRModule:
    x = Var("x", TupleType((T, TupleType((T,)), TupleType(()))))
    inner = TupleGetItem(TupleGetItem(x, 1), 0)
    return IRModule.from_expr(Function((x,), Tuple((op.exp(TupleGetItem(x, 0)), inner, Tuple(())))))


def lets() -> IRModule:
    x, v, w = Var("x", T), Var("v", T), Var("v", T)
    return IRModule.from_expr(Function((x,), Let(v, op.exp(x), Let(w, op.negative(v), op.add(v, w)))))


def branches() -> IRModule:
    c, x = Var("c", TensorType.of((), "bool")), Var("x", T)
    y = op.exp(x)
    return IRModule.from_expr(Function((c, x), op.add(If(c, op.log(y), op.sqrt(x)), y)))


def references() -> IRModule:
    x, r, done = Var("x", T), Var("r"), Var("done", TupleType(()))
    cell = RefCreate(x)
    body = Let(done, RefWrite(r, op.exp(x)), RefRead(r))
    return IRModule.from_expr(Function((x,), Let(r, cell, body), T))


def closures() -> IRModule:
    x, p, f = Var("x", T), Var("p", T), Var("f", FuncType((T,), T))
    inner = Function((p,), op.add(p, x), T, attrs={"Primitive": 1, "Compiler": "dnnl", "scales": (0.5, 2), "on": True})
    return IRModule.from_expr(Function((x,), Let(f, inner, Call(f, (Call(f, (x,)),)))))


def recursion() -> IRModule:
    n = Var("n", TensorType.of((), "int32"))
    count = GlobalVar("count")
    step = Call(count, (op.subtract(n, const(1)),))
    counted = Function((n,), If(op.less(n, const(1)), n, step), TensorType.of((), "int32"))
    m = Var("m", TensorType.of((), "int32"))
    return IRModule({"count": counted, "main": Function((m,), Call(GlobalVar("count"), (m,)), m.type)})


def data_types() -> IRModule:
    a, header = TypeVar("A"), GlobalTypeVar("List")
    list_of = TypeCall(header, (a,))
    cons = Constructor("Cons", (a, list_of), header, 0, (a,))
    nil = Constructor("Nil", (), header, 1, (a,))
    ints = TypeCall(header, (TensorType.of((), "int32"),))
    values, head, pair = Var("values", ints), Var("head", TensorType.of((), "int32")), Var("p")
    clauses = (
        Clause(PatternConstructor(cons, (PatternVar(head), PatternWildcard())), head),
        Clause(PatternConstructor(nil), const(0)),
    )
    first = Function((values,), Match(values, clauses), TensorType.of((), "int32"))
    made = Call(cons, (const(7), Call(nil, ())))
    taken = Match(Tuple((const(1), const(2))), (Clause(PatternTuple((PatternVar(pair), PatternWildcard())), pair),))
    main = Function((), Tuple((Call(GlobalVar("first"), (made,)), taken)))
    definitions = {"List": TypeData(header, (a,), (cons, nil))}
    return IRModule({"first": first, "main": main}, definitions)


def polymorphism() -> IRModule:
    a = TypeVar("A")
    z = Var("z", a)
    x = Var("x", T)
    return IRModule(
        {"id": Function((z,), z, a, (a,)), "main": Function((x,), Call(GlobalVar("id"), (x,), None, (T,)), T)}
    )


def unknown_sizes() -> IRModule:
    x = Var("x", TensorType((ANY, 3), DType.parse("float32")))
    y = op.arange(
        const(0.0), const(4.0), const(1.0), start=const(0.0), stop=const(4.0), step=const(1.0), dtype="float32"
    )
    return IRModule.from_expr(Function((x,), Tuple((op.nn.softmax(x), y))))


def places() -> IRModule:
    x = Var("x", T, place=Place("model.py", 3, 5))
    y = Call(op.exp, (x,), place=Place("model.py", 4, 1, 4, 9))
    return IRModule.from_expr(Function((x,), Call(op.log, (y,), place=Place("modèle.py", 5, 2)), place=None))


def devices() -> IRModule:
    x = Var("x", T)
    return IRModule.from_expr(
        Function(
            (x,),
            op.device_copy(x, src_virtual_device=VirtualDevice(), dst_virtual_device=VirtualDevice(1, 0, "global")),
        )
    )


def many_records() -> IRModule:
    x = Var("x", TensorType.of((2, 3, 4)))
    parts = op.split(op.cumsum(x, axis=1), indices_or_sections=(1,), axis=1)
    whole = op.strided_slice(x, begin=(0, 0), end=(1, 2), strides=(1, 1), axes=None)
    return IRModule.from_expr(
        Function(
            (x,), Tuple((TupleGetItem(parts, 0), whole, op.cast(x, dtype="int8"), op.clip(x, a_min=-1 / 3, a_max=1e30)))
        )
    )


PROGRAMS: Mapping[str, Callable[[], IRModule]] = {
    program.__name__: program
    for program in (
        calls,
        constants,
        tuples,
        lets,
        branches,
        references,
        closures,
        recursion,
        data_types,
        polymorphism,
        unknown_sizes,
        places,
        devices,
        many_records,
    )
}
