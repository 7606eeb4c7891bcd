"""The expressions of Relay. All are frozen, equal only to themselves, and carry type and place from construction on."""

from __future__ import annotations

import copy
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar as PyTypeVar

import numpy as np

from torchrelay.errors import Place, TypeMismatch, WrongArgument
from torchrelay.ir.device import VirtualDevice
from torchrelay.ir.ndarray import NDArray
from torchrelay.ir.tvm_names import Named, TvmNames
from torchrelay.ir.types import (
    DType,
    FuncType,
    GlobalTypeVar,
    RefType,
    Shape,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeVar,
    is_known,
)
from torchrelay.ir.unify import applied, joined

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from torchrelay.ir.attrs import Attrs, AttrValue

__all__ = [
    "Call",
    "Clause",
    "Constant",
    "Constructor",
    "Expr",
    "Function",
    "GlobalVar",
    "If",
    "Let",
    "Match",
    "Pattern",
    "PatternConstructor",
    "PatternTuple",
    "PatternVar",
    "PatternWildcard",
    "RefCreate",
    "RefRead",
    "RefWrite",
    "Tuple",
    "TupleGetItem",
    "Var",
    "at",
    "call_of_type",
    "const",
    "current_place",
    "fields_of",
    "with_type",
]

_place: ContextVar[Place | None] = ContextVar("place", default=None)
current_place = _place.get
_set = object.__setattr__


@contextmanager
def at(place: Place | None) -> Generator[None]:
    """Gives every expression built inside this place."""
    token = _place.set(place)
    try:
        yield
    finally:
        _place.reset(token)


@dataclass(frozen=True, slots=True, eq=False, repr=False, weakref_slot=True)
class Expr(TvmNames):
    """Base of every expression. ``type`` is None while it cannot be known from what the expression is made of."""

    type: Type | None = field(init=False, default=None)
    place: Place | None = field(kw_only=True, default_factory=current_place)

    def result_type(self, args: Sequence[Expr], attrs: Attrs | None) -> Type | None:
        """The type of a call of this expression; None while it is not known.

        Raises TypeMismatch where the arguments do not fit.
        """
        return applied(self.type, [arg.type for arg in args])

    @property
    def tensor(self) -> TensorType:
        """Its type as a tensor type. Raises TypeMismatch for any other, or an unknown one."""
        if not isinstance(self.type, TensorType):
            raise TypeMismatch(f"a tensor is needed here, not a value of type {self.type}", place=self.place)
        return self.type

    @property
    def shape(self) -> Shape:
        """The shape of a tensor-typed expression."""
        return self.tensor.shape

    @property
    def dtype(self) -> DType:
        """The dtype of a tensor-typed expression."""
        return self.tensor.dtype

    def __call__(self, *args: Expr) -> Call:
        """A call of this function, global function, constructor or function-typed value."""
        return Call(self, args)

    def __getitem__(self, index: int) -> Expr:
        return TupleGetItem(self, index)

    def __iter__(self) -> Iterator[Expr]:
        """The fields of a tuple-typed expression, each as a projection."""
        if not isinstance(self.type, TupleType):
            raise TypeMismatch(f"only a tuple has fields to take apart, not a value of type {self.type}")
        return iter([TupleGetItem(self, index) for index in range(len(self.type.fields))])

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.type}>"

    def __str__(self) -> str:
        from torchrelay.ir.printing import text_of

        return text_of(self)


E_ = PyTypeVar("E_", bound=Expr)


def with_type(expr: E_, type_: Type | None) -> E_:
    """The same expression with that type."""
    made = copy.copy(expr)
    _set(made, "type", type_)
    return made


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Var(Named, Expr):
    """A local variable. Two variables of the same name are different variables.

    ``virtual_device`` is where a parameter's value is to live, None where that is left open.
    """

    name: str
    type_annotation: Type | None = None
    virtual_device: VirtualDevice | None = field(kw_only=True, default=None)

    def __post_init__(self) -> None:
        if is_known(self.type_annotation):
            _set(self, "type", self.type_annotation)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GlobalVar(Named, Expr):
    """The name of a function of a module; equal to every other with that name."""

    name: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GlobalVar) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constant(Expr):
    """A tensor value; ``data`` is a view of the caller's own array, never a copy."""

    data: np.ndarray[Any, np.dtype[Any]]

    def __post_init__(self) -> None:
        _set(self, "data", self.data.view(NDArray))
        _set(self, "type", TensorType(self.data.shape, DType.of(self.data.dtype)))


def call_of_type(
    op: Expr, args: tuple[Expr, ...], attrs: Attrs | None, type_: Type | None, place: Place | None
) -> Call:
    """A call whose type is known already, or None where it is left to inference; its operator is not asked."""
    made = object.__new__(Call)
    fields = (("op", op), ("args", args), ("attrs", attrs), ("type_args", ()), ("type", type_), ("place", place))
    for name, value in fields:
        _set(made, name, value)
    return made


def const(value: ArrayLike, dtype: str | None = None) -> Constant:
    """A constant of that value: bool, int32 and float32 for Python's scalars and lists unless ``dtype`` says more.

    Raises WrongArgument where the dtype cannot hold the value.
    """
    array = np.asarray(value)
    if dtype is not None:
        wanted = DType.parse(dtype).numpy
    elif isinstance(value, np.ndarray | np.generic):
        wanted = array.dtype
    else:
        wanted = np.dtype({"f": "float32", "i": "int32", "b": "bool"}.get(array.dtype.kind, array.dtype))
    if wanted.kind in "iu" and array.dtype.kind in "iu" and array.size:
        bounds = np.iinfo(wanted)
        if int(array.min()) < bounds.min or int(array.max()) > bounds.max:
            raise WrongArgument(f"{value!r} does not fit dtype {DType.of(wanted)}")
    return Constant(array.astype(wanted, copy=False))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tuple(Expr):
    """Several values as one."""

    fields: tuple[Expr, ...]

    def __post_init__(self) -> None:
        types = [value.type for value in self.fields if value.type is not None]
        if len(types) == len(self.fields):
            _set(self, "type", TupleType(tuple(types)))

    def __len__(self) -> int:
        return len(self.fields)

    def __bool__(self) -> bool:
        return True  # an empty tuple is an expression too


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TupleGetItem(Expr):
    """One field of a tuple. Raises TypeMismatch for a value that is no tuple and an index outside of it."""

    tuple_value: Expr
    index: int

    def __post_init__(self) -> None:
        whole = self.tuple_value.type
        if not is_known(whole):
            return
        if not isinstance(whole, TupleType):
            raise TypeMismatch(f"only a tuple has fields, not a value of type {whole}", place=self.place)
        if not 0 <= self.index < len(whole.fields):
            raise TypeMismatch(f"field {self.index} of a tuple with {len(whole.fields)} fields", place=self.place)
        _set(self, "type", whole.fields[self.index])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Call(Expr):
    """A call of an operator, function, global function or constructor."""

    op: Expr
    args: tuple[Expr, ...]
    attrs: Attrs | None = None
    type_args: tuple[Type, ...] = ()

    def __post_init__(self) -> None:
        _set(self, "type", self.op.result_type(self.args, self.attrs))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Let(Expr):
    """``body`` with ``var`` bound to ``value``."""

    var: Var
    value: Expr
    body: Expr

    def __post_init__(self) -> None:
        _set(self, "type", self.body.type)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class If(Expr):
    """One of two branches, by a bool of rank 0. Raises TypeMismatch where the branches' types do not agree."""

    cond: Expr
    true_branch: Expr
    false_branch: Expr

    def __post_init__(self) -> None:
        _set(self, "type", joined(self.true_branch.type, self.false_branch.type))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Function(Expr):
    """A function value. ``attrs`` maps names such as Primitive and Compiler to their values."""

    params: tuple[Var, ...]
    body: Expr
    ret_type: Type | None = None
    type_params: tuple[TypeVar, ...] = ()
    attrs: Mapping[str, AttrValue] = field(default_factory=dict[str, "AttrValue"])

    def __post_init__(self) -> None:
        result = self.ret_type if is_known(self.ret_type) else self.body.type
        params = [param.type for param in self.params if param.type is not None]
        if result is not None and len(params) == len(self.params):
            _set(self, "type", FuncType(tuple(params), result, self.type_params))

    def with_attr(self, attr_key_or_dict: str | Mapping[str, AttrValue], attr_value: AttrValue = None) -> Function:
        """The function with an attribute more, or several."""
        more = {attr_key_or_dict: attr_value} if isinstance(attr_key_or_dict, str) else attr_key_or_dict
        return replace(self, attrs={**self.attrs, **more})

    def with_attrs(self, attr_map: Mapping[str, AttrValue]) -> Function:
        """The function with more attributes."""
        return replace(self, attrs={**self.attrs, **attr_map})

    def without_attr(self, attr_key: str) -> Function:
        """The function without an attribute."""
        return replace(self, attrs={key: value for key, value in self.attrs.items() if key != attr_key})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RefCreate(Expr):
    """A new mutable cell that holds ``value``."""

    value: Expr

    def __post_init__(self) -> None:
        if self.value.type is not None:
            _set(self, "type", RefType(self.value.type))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RefRead(Expr):
    """What a cell holds."""

    ref: Expr

    def __post_init__(self) -> None:
        if isinstance(self.ref.type, RefType):
            _set(self, "type", self.ref.type.value)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RefWrite(Expr):
    """Puts ``value`` into a cell; its own value is the empty tuple."""

    ref: Expr
    value: Expr

    def __post_init__(self) -> None:
        _set(self, "type", TupleType(()))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constructor(Named, Expr):
    """A constructor of a data type. ``tag`` is its index among the constructors of the type."""

    name: str
    inputs: tuple[Type, ...]
    belong_to: GlobalTypeVar
    tag: int = 0
    type_vars: tuple[TypeVar, ...] = ()

    def __post_init__(self) -> None:
        _set(self, "type", FuncType(self.inputs, TypeCall(self.belong_to, self.type_vars), self.type_vars))


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """Base of the patterns of ``match``."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternWildcard(Pattern):
    """Matches anything."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternVar(Pattern):
    """Matches anything and binds it."""

    var: Var


@dataclass(frozen=True, slots=True, eq=False)
class PatternConstructor(Pattern):
    """Matches a value made by ``constructor`` whose fields match ``patterns``."""

    constructor: Constructor
    patterns: tuple[Pattern, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class PatternTuple(Pattern):
    """Matches a tuple whose fields match ``patterns``."""

    patterns: tuple[Pattern, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One arm of a ``match``."""

    lhs: Pattern
    rhs: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Match(Expr):
    """The first clause whose pattern fits ``data``. ``complete``: the clauses cover every value."""

    data: Expr
    clauses: tuple[Clause, ...]
    complete: bool = True

    def __post_init__(self) -> None:
        known = [clause.rhs.type for clause in self.clauses if clause.rhs.type is not None]
        _set(self, "type", known[0] if known else None)


def fields_of(call: Call) -> Any:
    """The record of a call of an operator that has one; its fields are read by name, and their types are not checked."""
    assert call.attrs is not None, "the operator has a record"
    return call.attrs
