"""Operators, each declared once: name, inputs, attributes, type relation, meaning, fusion class."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Concatenate, Generic, ParamSpec, TypeVar as PyTypeVar, cast, overload

from torchrelay.errors import TorchRelayError, TypeMismatch, WrongArgument
from torchrelay.ir.attrs import Attrs
from torchrelay.ir.expr import Call, Expr, Tuple, current_place
from torchrelay.ir.registry import register
from torchrelay.ir.tvm_names import OperatorNames
from torchrelay.ir.types import FuncType, TensorType, TupleType, Type, TypeVar, is_known

__all__ = ["Arg", "Fusion", "Input", "Operator", "operator"]

P = ParamSpec("P")
A = PyTypeVar("A", bound=Attrs)
F = PyTypeVar("F", bound=Callable[..., object])
T1 = PyTypeVar("T1", contravariant=True)
T2 = PyTypeVar("T2", contravariant=True)
T3 = PyTypeVar("T3", contravariant=True)

Arg = Expr | Sequence[Expr]
"""What a builder takes for an input: an expression, or several that become a tuple."""


class Fusion(IntEnum):
    """How an operator may be fused with its neighbours; the numbers are TVM's TOpPattern."""

    ELEMWISE = 0
    BROADCAST = 1
    INJECTIVE = 2
    COMM_REDUCE = 3
    OUT_ELEMWISE_FUSABLE = 4
    TUPLE = 7
    OPAQUE = 8


@dataclass(frozen=True, slots=True)
class Input:
    """One input of an operator: its name and the class of type it takes (TensorType, TupleType, FuncType, Type)."""

    name: str
    takes: type[Type]


_TAKES = {"TensorType": TensorType, "TupleType": TupleType, "FuncType": FuncType, "Type": Type}
_NOUN = {TensorType: "a tensor", TupleType: "a tuple", FuncType: "a function", Type: "a value"}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Operator(OperatorNames, Expr, Generic[P]):
    """A declared operator; calling it with expressions and attributes gives a typed call.

    ``relation`` is its type relation, ``meaning`` its NumPy semantics, ``kernels`` how engines do it, by engine.
    """

    name: str
    record: type[Attrs] | None
    fusion: Fusion | None
    relation: Callable[..., Type]
    inputs: tuple[Input, ...]
    stateful: bool = False
    level: int = 10
    data_dependent: tuple[bool, ...] = ()
    """For each input, whether the shape of the result depends on its values (TShapeDataDependent)."""
    keyed: bool = True
    """Whether TVM registers the record's type key with the operator; text shows a record without key as a whole."""
    slots: dict[str, Callable[..., object]] = field(default_factory=dict[str, Callable[..., object]])
    kernels: dict[str, Callable[..., object]] = field(default_factory=dict[str, Callable[..., object]])

    @property
    def doc(self) -> str:
        """What the operator computes."""
        return inspect.getdoc(self.relation) or ""

    @property
    def meaning(self) -> Callable[..., object]:
        """The NumPy semantics: arrays (a tuple of arrays for a tuple input) and the record, if there is one, in; array
        (or NumPy scalar, for rank 0) or tuple of them out. Inputs are never changed, a result may be a view of one, and
        NumPy's floating-point warnings are for the caller to silence.
        """
        return self.slots["reference"]

    def reference(self, function: F) -> F:
        """Declares the NumPy semantics."""
        return self._fill("reference", function)

    def completes(self, function: F) -> F:
        """Declares how unknown input types follow from known ones: takes the input types, None for each unknown one,
        and the record, gives the input types with those that follow filled in.
        """
        return self._fill("completes", function)

    def keeps_type(self) -> None:
        """Declares that the result has the type of the first input, so that inference has either from the other."""
        self._fill("keeps_type", self.relation)

    def _fill(self, slot: str, function: F) -> F:
        if slot in self.slots:
            raise WrongArgument(f"{self.name} has a {slot} already")
        self.slots[slot] = function
        return function

    def kernel(self, engine: str) -> Callable[[F], F]:
        """Declares how an engine does it."""

        def declare(function: F) -> F:
            if engine in self.kernels:
                raise WrongArgument(f"{self.name} has a kernel for {engine} already")
            self.kernels[engine] = function
            return function

        return declare

    def __call__(self, *args: P.args, **attributes: P.kwargs) -> Call:  # pyright: ignore[reportIncompatibleMethodOverride] an operator takes attributes too
        """A call with these inputs and attributes.

        Raises WrongArgument for a wrong attribute, TypeMismatch for inputs that the type relation does not allow.
        """
        inputs = tuple([arg if isinstance(arg, Expr) else self._tuple(arg) for arg in args])
        return Call(self, inputs, self.attributes(attributes))

    def _tuple(self, arg: object) -> Expr:
        parts = cast("Sequence[object]", arg) if isinstance(arg, Sequence) else [arg]
        fields = tuple([part for part in parts if isinstance(part, Expr)])
        if isinstance(arg, Sequence) and len(fields) == len(parts):
            return Tuple(fields)
        raise WrongArgument(f"{self.name}: an input is {arg!r}, but must be an expression", place=current_place())

    def attributes(self, values: Mapping[str, object]) -> Attrs | None:
        """The record made of these values; None for an operator without one. Raises WrongArgument for a wrong one."""
        if self.record is None:
            if values:
                raise WrongArgument(f"{self.name} has no attributes, but {next(iter(values))} was given")
            return None
        try:
            return self.record(**values)
        except WrongArgument as error:
            notes = error.diagnostics[0].notes
            raise WrongArgument(f"{self.name}: {error.message}", place=current_place(), notes=notes) from None

    def result_type(self, args: Sequence[Expr], attrs: Attrs | None) -> Type | None:
        """The type of a call, by the type relation."""
        types = [arg.type for arg in args]
        return self.infer(types, attrs)

    def infer(self, types: Sequence[Type | None], attrs: Attrs | None) -> Type | None:
        """The result type for input types; None while one of them is unknown.

        Raises TypeMismatch or WrongArgument, naming the operator, the input and what is allowed.
        """
        if len(types) != len(self.inputs):
            wanted = f"{len(self.inputs)} ({', '.join(i.name for i in self.inputs)})"
            raise TypeMismatch(f"{self.name}: {len(types)} inputs, but it takes {wanted}", place=current_place())
        for declared, given in zip(self.inputs, types, strict=True):
            if isinstance(given, declared.takes):
                if declared.takes is not TensorType and not is_known(given):
                    return None
                continue
            if not is_known(given) or isinstance(given, TypeVar):
                return None
            message = f"{self.name}: {declared.name} must be {_NOUN[declared.takes]}, not of type {given}"
            raise TypeMismatch(message, place=current_place())
        try:
            return self.relation(*types) if self.record is None else self.relation(*types, attrs)
        except TorchRelayError as error:
            raise self._located(error, types) from None

    def _located(self, error: TorchRelayError, types: Sequence[Type | None]) -> TorchRelayError:
        notes = [f"{i.name}: {t}" for i, t in zip(self.inputs, types, strict=True)]
        hint = error.diagnostics[0].hint
        return type(error)(f"{self.name}: {error.message}", place=current_place(), notes=notes, hint=hint)

    def __repr__(self) -> str:
        return f"<Operator {self.name}>"


class _Declaration(Generic[P, A]):
    """What ``@operator`` with a record waits for: the type relation, whose parameters are the inputs and the record."""

    def __init__(
        self, name: str, record: type[Attrs] | None, fusion: Fusion | None, options: Mapping[str, object]
    ) -> None:
        self._name, self._record, self._fusion, self._options = name, record, fusion, options

    @overload
    def __call__(self, relation: Callable[[A], Type]) -> Operator[P]: ...
    @overload
    def __call__(self, relation: Callable[[T1, A], Type]) -> Operator[Concatenate[Arg, P]]: ...
    @overload
    def __call__(self, relation: Callable[[T1, T2, A], Type]) -> Operator[Concatenate[Arg, Arg, P]]: ...
    @overload
    def __call__(self, relation: Callable[[T1, T2, T3, A], Type]) -> Operator[Concatenate[Arg, Arg, Arg, P]]: ...
    @overload
    def __call__(self, relation: Callable[..., Type]) -> Operator[...]: ...
    def __call__(self, relation: Callable[..., Type]) -> Operator[...]:
        return _declared(self._name, self._record, self._fusion, relation, self._options)


class _PlainDeclaration:
    """What ``@operator`` without a record waits for: the type relation, whose parameters are the inputs."""

    def __init__(self, name: str, fusion: Fusion | None, options: Mapping[str, object]) -> None:
        self._name, self._fusion, self._options = name, fusion, options

    @overload
    def __call__(self, relation: Callable[[T1], Type]) -> Operator[[Arg]]: ...
    @overload
    def __call__(self, relation: Callable[[T1, T2], Type]) -> Operator[[Arg, Arg]]: ...
    @overload
    def __call__(self, relation: Callable[[T1, T2, T3], Type]) -> Operator[[Arg, Arg, Arg]]: ...
    @overload
    def __call__(self, relation: Callable[..., Type]) -> Operator[...]: ...
    def __call__(self, relation: Callable[..., Type]) -> Operator[...]:
        return _declared(self._name, None, self._fusion, relation, self._options)


def _declared(
    name: str,
    record: type[Attrs] | None,
    fusion: Fusion | None,
    relation: Callable[..., Type],
    options: Mapping[str, object],
) -> Operator[...]:
    parameters = list(inspect.signature(relation).parameters.values())
    if record is not None:
        parameters = parameters[:-1]
    inputs = tuple(Input(p.name, _TAKES[str(p.annotation)]) for p in parameters)
    made = Operator(name, record, fusion, relation, inputs, place=None, **options)  # pyright: ignore[reportArgumentType] options are Operator's own fields
    register(name, made)
    return made


@overload
def operator(
    name: str,
    record: None,
    fusion: Fusion | None,
    *,
    stateful: bool = ...,
    level: int = ...,
    data_dependent: tuple[bool, ...] = ...,
    keyed: bool = ...,
) -> _PlainDeclaration: ...
@overload
def operator(
    name: str,
    record: Callable[P, A],
    fusion: Fusion | None,
    *,
    stateful: bool = ...,
    level: int = ...,
    data_dependent: tuple[bool, ...] = ...,
    keyed: bool = ...,
) -> _Declaration[P, A]: ...
def operator(
    name: str,
    record: Callable[P, A] | None,
    fusion: Fusion | None,
    *,
    stateful: bool = False,
    level: int = 10,
    data_dependent: tuple[bool, ...] = (),
    keyed: bool = True,
) -> _PlainDeclaration | _Declaration[P, A]:
    """Declares the decorated type relation as the operator of that name; what it leaves behind is the builder.

    The relation's parameters are the inputs (annotated TensorType, TupleType, FuncType or Type), then the record if there is
    one. It returns the type of the result or raises TypeMismatch or WrongArgument. ``fusion`` is None where TVM has none.
    """
    options = {"stateful": stateful, "level": level, "data_dependent": data_dependent, "keyed": keyed}
    if record is None:
        return _PlainDeclaration(name, fusion, options)
    assert isinstance(record, type)
    return _Declaration(name, record, fusion, options)
