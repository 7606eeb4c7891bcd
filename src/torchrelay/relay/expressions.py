"""The classes of tvm.relay: each makes an expression, pattern or type of torchrelay's IR from what Relay's own takes.

``isinstance`` with one of them asks for the IR's class; the IR's own classes do as well in new code.
"""

from __future__ import annotations

import inspect
import operator
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import cast

import numpy as np

from torchrelay import ir
from torchrelay.errors import Place, WrongArgument
from torchrelay.ir import ANY, AttrValue, DType, Type
from torchrelay.relay.functions import as_expr

__all__ = [
    "Any",
    "Call",
    "Clause",
    "Constant",
    "Constructor",
    "FuncType",
    "Function",
    "GlobalTypeVar",
    "GlobalVar",
    "If",
    "IncompleteType",
    "Let",
    "Match",
    "PatternConstructor",
    "PatternTuple",
    "PatternVar",
    "PatternWildcard",
    "RefCreate",
    "RefRead",
    "RefType",
    "RefWrite",
    "ShapeVar",
    "TensorType",
    "Tuple",
    "TupleGetItem",
    "TupleType",
    "TypeCall",
    "TypeData",
    "TypeVar",
    "Var",
    "const",
    "scalar_type",
    "var",
]


class _Facade(type):
    """The class of classes that make instances of another: ``of`` is that other, ``make`` makes one."""

    of: type
    make: Callable[..., object]

    def __call__(cls, *args: object, **kwargs: object) -> object:
        """An instance of the IR's class. Raises WrongArgument for arguments that ``make`` does not take."""
        try:
            bound = inspect.signature(cls.make).bind(*args, **kwargs)
        except TypeError as error:
            raise WrongArgument(
                f"{cls.__name__}: {error}", notes=[f"{cls.__name__}{inspect.signature(cls.make)}"]
            ) from None
        return cls.make(*bound.args, **bound.kwargs)

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.of)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, cls.of)

    @property
    def __signature__(cls) -> inspect.Signature:
        return inspect.signature(cls.make)

    def __getattr__(cls, name: str) -> object:
        return getattr(cls.of, name)


def _facade(of: type) -> Callable[[Callable[..., object]], typing.Any]:
    """Declares a function that makes instances of a class as the class of its own name."""

    def declare(make: Callable[..., object]) -> typing.Any:
        made = _Facade(make.__name__, (), {"of": of, "make": staticmethod(make), "__doc__": of.__doc__})
        made.__module__ = make.__module__
        return made

    return declare


def _all(values: Sequence[object], name: str) -> tuple[ir.Expr, ...]:
    return tuple([as_expr(value, name) for value in values])


def _size(size: object) -> ir.Dim:
    """A size as the IR keeps it. Raises WrongArgument for what is none."""
    if isinstance(size, ir.Any):
        return size
    try:
        return operator.index(cast("int", size))
    except TypeError:
        raise WrongArgument(f"a size of a shape is {size!r}, but must be an integer or relay.Any()") from None


def _int(kind: object) -> int:
    return int(cast("int", kind))


# Expressions


@_facade(ir.Var)
def Var(name_hint: str, type_annotation: Type | str | None = None, span: Place | None = None) -> ir.Var:
    kind = scalar_type(type_annotation) if isinstance(type_annotation, str) else type_annotation
    return ir.Var(name_hint, kind, place=span)


@_facade(ir.GlobalVar)
def GlobalVar(name_hint: str, type_annot: Type | None = None) -> ir.GlobalVar:
    made = ir.GlobalVar(name_hint)
    return made if type_annot is None else ir.with_type(made, type_annot)


@_facade(ir.Constant)
def Constant(data: np.ndarray, span: Place | None = None) -> ir.Constant:
    return ir.Constant(np.asarray(data), place=span)


@_facade(ir.Tuple)
def Tuple(fields: Sequence[ir.Expr], span: Place | None = None) -> ir.Tuple:
    return ir.Tuple(_all(fields, "fields"), place=span)


@_facade(ir.TupleGetItem)
def TupleGetItem(tuple_value: ir.Expr, index: int, span: Place | None = None) -> ir.TupleGetItem:
    return ir.TupleGetItem(as_expr(tuple_value, "tuple_value"), int(index), place=span)


@_facade(ir.Call)
def Call(
    op: ir.Expr,
    args: Sequence[ir.Expr],
    attrs: ir.Attrs | None = None,
    type_args: Sequence[Type] | None = None,
    span: Place | None = None,
) -> ir.Call:
    return ir.Call(op, _all(args, "args"), attrs, tuple(type_args or ()), place=span)


@_facade(ir.Let)
def Let(variable: ir.Var, value: ir.Expr, body: ir.Expr, span: Place | None = None) -> ir.Let:
    return ir.Let(variable, as_expr(value, "value"), as_expr(body, "body"), place=span)


@_facade(ir.If)
def If(cond: ir.Expr, true_branch: ir.Expr, false_branch: ir.Expr, span: Place | None = None) -> ir.If:
    return ir.If(*_all((cond, true_branch, false_branch), "a part of If"), place=span)


@_facade(ir.Function)
def Function(
    params: Sequence[ir.Var],
    body: ir.Expr,
    ret_type: Type | None = None,
    type_params: Sequence[ir.TypeVar] | None = None,
    attrs: Mapping[str, AttrValue] | None = None,
    span: Place | None = None,
) -> ir.Function:
    given = dict(attrs or {})
    return ir.Function(tuple(params), as_expr(body, "body"), ret_type, tuple(type_params or ()), given, place=span)


@_facade(ir.RefCreate)
def RefCreate(value: ir.Expr, span: Place | None = None) -> ir.RefCreate:
    return ir.RefCreate(as_expr(value, "value"), place=span)


@_facade(ir.RefRead)
def RefRead(ref: ir.Expr, span: Place | None = None) -> ir.RefRead:
    return ir.RefRead(as_expr(ref, "ref"), place=span)


@_facade(ir.RefWrite)
def RefWrite(ref: ir.Expr, value: ir.Expr, span: Place | None = None) -> ir.RefWrite:
    return ir.RefWrite(as_expr(ref, "ref"), as_expr(value, "value"), place=span)


@_facade(ir.Match)
def Match(data: ir.Expr, clauses: Sequence[ir.Clause], complete: bool = True) -> ir.Match:
    return ir.Match(as_expr(data, "data"), tuple(clauses), bool(complete))


@_facade(ir.Clause)
def Clause(lhs: ir.Pattern, rhs: ir.Expr) -> ir.Clause:
    return ir.Clause(lhs, as_expr(rhs, "rhs"))


@_facade(ir.PatternWildcard)
def PatternWildcard() -> ir.PatternWildcard:
    return ir.PatternWildcard()


@_facade(ir.PatternVar)
def PatternVar(var: ir.Var) -> ir.PatternVar:
    return ir.PatternVar(var)


@_facade(ir.PatternTuple)
def PatternTuple(patterns: Sequence[ir.Pattern] | None = None) -> ir.PatternTuple:
    return ir.PatternTuple(tuple(patterns or ()))


@_facade(ir.PatternConstructor)
def PatternConstructor(
    constructor: ir.Constructor, patterns: Sequence[ir.Pattern] | None = None
) -> ir.PatternConstructor:
    return ir.PatternConstructor(constructor, tuple(patterns or ()))


# Types


@_facade(ir.TensorType)
def TensorType(shape: Sequence[ir.Dim], dtype: str = "float32") -> ir.TensorType:
    return ir.TensorType(tuple([_size(size) for size in shape]), DType.parse(dtype))


@_facade(ir.TupleType)
def TupleType(fields: Sequence[Type]) -> ir.TupleType:
    return ir.TupleType(tuple(fields))


@_facade(ir.FuncType)
def FuncType(
    arg_types: Sequence[Type],
    ret_type: Type,
    type_params: Sequence[ir.TypeVar] | None = None,
    type_constraints: Sequence[Type] | None = None,
) -> ir.FuncType:
    return ir.FuncType(tuple(arg_types), ret_type, tuple(type_params or ()), tuple(type_constraints or ()))


@_facade(ir.RefType)
def RefType(value: Type) -> ir.RefType:
    return ir.RefType(value)


@_facade(ir.TypeVar)
def TypeVar(name_hint: str, kind: int = 0) -> ir.TypeVar:
    return ir.TypeVar(name_hint, _int(kind))


@_facade(ir.GlobalTypeVar)
def GlobalTypeVar(name_hint: str, kind: int = 5) -> ir.GlobalTypeVar:
    return ir.GlobalTypeVar(name_hint, _int(kind))


@_facade(ir.IncompleteType)
def IncompleteType(kind: int = 0) -> ir.IncompleteType:
    return ir.IncompleteType(_int(kind))


@_facade(ir.TypeCall)
def TypeCall(func: Type, args: Sequence[Type]) -> ir.TypeCall:
    return ir.TypeCall(func, tuple(args))


@_facade(ir.Constructor)
def Constructor(name_hint: str, inputs: Sequence[Type], belong_to: ir.GlobalTypeVar) -> ir.Constructor:
    return ir.Constructor(name_hint, tuple(inputs), belong_to)


@_facade(ir.TypeData)
def TypeData(
    header: ir.GlobalTypeVar, type_vars: Sequence[ir.TypeVar], constructors: Sequence[ir.Constructor]
) -> ir.TypeData:
    variables = tuple(type_vars)
    made = [ir.Constructor(c.name, c.inputs, header, index, variables) for index, c in enumerate(constructors)]
    return ir.TypeData(header, variables, tuple(made))


# Shorter ways


def scalar_type(dtype: str) -> ir.TensorType:
    """The type of a tensor of rank 0."""
    return ir.TensorType((), DType.parse(dtype))


def var(
    name_hint: str,
    type_annotation: Type | str | None = None,
    shape: Sequence[ir.Dim] | None = None,
    dtype: str = "float32",
    span: Place | None = None,
) -> ir.Var:
    """A variable with a type, or with the shape and dtype of a tensor. Raises WrongArgument where both are given."""
    if type_annotation is not None and shape is not None:
        raise WrongArgument("var: a type and a shape are given; give one of the two")
    if shape is not None:
        return ir.Var(name_hint, TensorType(shape, dtype), place=span)
    return Var(name_hint, type_annotation, span)


def const(value: object, dtype: str | None = None, span: Place | None = None) -> ir.Constant:
    """A constant: bool, int32 and float32 for Python's numbers and lists, an array's own dtype narrowed to these likewise."""
    made = ir.const(cast("float", value), dtype)
    return ir.Constant(made.data, place=span) if span is not None else made


def Any() -> ir.Any:
    """A dimension whose size is known only when the program runs."""
    return ANY


def ShapeVar(name: str) -> ir.TypeVar:
    """A type variable that stands for a shape."""
    return ir.TypeVar(name, 1)
