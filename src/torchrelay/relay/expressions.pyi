"""The classes of tvm.relay: each makes an expression, pattern or type of torchrelay's IR from what Relay's own takes.

``isinstance`` with one of them asks for the IR's class; the IR's own classes do as well in new code.

Written by ``python -m torchrelay.relay.stubs``.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from torchrelay import ir
from torchrelay.errors import Place
from torchrelay.ir import AttrValue, Type

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

def Any() -> ir.Any:
    """A dimension whose size is known only when the program runs."""

class Call(ir.Call):
    def __new__(
        cls,
        op: ir.Expr,
        args: Sequence[ir.Expr],
        attrs: ir.Attrs | None = None,
        type_args: Sequence[Type] | None = None,
        span: Place | None = None,
    ) -> Call: ...

class Clause(ir.Clause):
    def __new__(cls, lhs: ir.Pattern, rhs: ir.Expr) -> Clause: ...

class Constant(ir.Constant):
    def __new__(cls, data: np.ndarray, span: Place | None = None) -> Constant: ...

class Constructor(ir.Constructor):
    def __new__(cls, name_hint: str, inputs: Sequence[Type], belong_to: ir.GlobalTypeVar) -> Constructor: ...

class FuncType(ir.FuncType):
    def __new__(
        cls,
        arg_types: Sequence[Type],
        ret_type: Type,
        type_params: Sequence[ir.TypeVar] | None = None,
        type_constraints: Sequence[Type] | None = None,
    ) -> FuncType: ...

class Function(ir.Function):
    def __new__(
        cls,
        params: Sequence[ir.Var],
        body: ir.Expr,
        ret_type: Type | None = None,
        type_params: Sequence[ir.TypeVar] | None = None,
        attrs: Mapping[str, AttrValue] | None = None,
        span: Place | None = None,
    ) -> Function: ...

class GlobalTypeVar(ir.GlobalTypeVar):
    def __new__(cls, name_hint: str, kind: int = 5) -> GlobalTypeVar: ...

class GlobalVar(ir.GlobalVar):
    def __new__(cls, name_hint: str, type_annot: Type | None = None) -> GlobalVar: ...

class If(ir.If):
    def __new__(cls, cond: ir.Expr, true_branch: ir.Expr, false_branch: ir.Expr, span: Place | None = None) -> If: ...

class IncompleteType(ir.IncompleteType):
    def __new__(cls, kind: int = 0) -> IncompleteType: ...

class Let(ir.Let):
    def __new__(cls, variable: ir.Var, value: ir.Expr, body: ir.Expr, span: Place | None = None) -> Let: ...

class Match(ir.Match):
    def __new__(cls, data: ir.Expr, clauses: Sequence[ir.Clause], complete: bool = True) -> Match: ...

class PatternConstructor(ir.PatternConstructor):
    def __new__(
        cls, constructor: ir.Constructor, patterns: Sequence[ir.Pattern] | None = None
    ) -> PatternConstructor: ...

class PatternTuple(ir.PatternTuple):
    def __new__(cls, patterns: Sequence[ir.Pattern] | None = None) -> PatternTuple: ...

class PatternVar(ir.PatternVar):
    def __new__(cls, var: ir.Var) -> PatternVar: ...

class PatternWildcard(ir.PatternWildcard):
    def __new__(cls) -> PatternWildcard: ...

class RefCreate(ir.RefCreate):
    def __new__(cls, value: ir.Expr, span: Place | None = None) -> RefCreate: ...

class RefRead(ir.RefRead):
    def __new__(cls, ref: ir.Expr, span: Place | None = None) -> RefRead: ...

class RefType(ir.RefType):
    def __new__(cls, value: Type) -> RefType: ...

class RefWrite(ir.RefWrite):
    def __new__(cls, ref: ir.Expr, value: ir.Expr, span: Place | None = None) -> RefWrite: ...

def ShapeVar(name: str) -> ir.TypeVar:
    """A type variable that stands for a shape."""

class TensorType(ir.TensorType):
    def __new__(cls, shape: Sequence[ir.Dim], dtype: str = "float32") -> TensorType: ...

class Tuple(ir.Tuple):
    def __new__(cls, fields: Sequence[ir.Expr], span: Place | None = None) -> Tuple: ...

class TupleGetItem(ir.TupleGetItem):
    def __new__(cls, tuple_value: ir.Expr, index: int, span: Place | None = None) -> TupleGetItem: ...

class TupleType(ir.TupleType):
    def __new__(cls, fields: Sequence[Type]) -> TupleType: ...

class TypeCall(ir.TypeCall):
    def __new__(cls, func: Type, args: Sequence[Type]) -> TypeCall: ...

class TypeData(ir.TypeData):
    def __new__(
        cls, header: ir.GlobalTypeVar, type_vars: Sequence[ir.TypeVar], constructors: Sequence[ir.Constructor]
    ) -> TypeData: ...

class TypeVar(ir.TypeVar):
    def __new__(cls, name_hint: str, kind: int = 0) -> TypeVar: ...

class Var(ir.Var):
    def __new__(cls, name_hint: str, type_annotation: Type | str | None = None, span: Place | None = None) -> Var: ...

def const(value: object, dtype: str | None = None, span: Place | None = None) -> ir.Constant:
    """A constant: bool, int32 and float32 for Python's numbers and lists, an array's own dtype narrowed to these likewise."""

def scalar_type(dtype: str) -> ir.TensorType:
    """The type of a tensor of rank 0."""

def var(
    name_hint: str,
    type_annotation: Type | str | None = None,
    shape: Sequence[ir.Dim] | None = None,
    dtype: str = "float32",
    span: Place | None = None,
) -> ir.Var:
    """A variable with a type, or with the shape and dtype of a tensor. Raises WrongArgument where both are given."""
