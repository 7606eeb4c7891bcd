"""Unification of types: what the unknown parts of two types must be for both to be the same type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from torchrelay.errors import TypeMismatch
from torchrelay.ir.expr import Expr
from torchrelay.ir.shapes import dims_fit
from torchrelay.ir.types import (
    ANY,
    FuncType,
    IncompleteType,
    RefType,
    Shape,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeVar,
    parts_of_type,
)
from torchrelay.ir.unify import substituted

__all__ = ["Solver"]


@dataclass(slots=True)
class Solver:
    """The unknown types of a program, what is known of them so far, and who waits for one to become known."""

    known: dict[IncompleteType, Type] = field(default_factory=dict[IncompleteType, Type])
    waiting: dict[IncompleteType, list[Expr]] = field(default_factory=dict[IncompleteType, list[Expr]])
    ready: list[Expr] = field(default_factory=list[Expr])
    """Those who waited for a type that has become known."""

    def head(self, t: Type) -> Type:
        """The type, with the outermost part known if it can be."""
        while isinstance(t, IncompleteType) and t in self.known:
            t = self.known[t]
        return t

    def opened(self, t: Type | None) -> Type:
        """The type with a fresh unknown for each part of it that is still to be inferred."""
        if t is None:
            return IncompleteType()
        unknown = {part for part in parts_of_type(t) if isinstance(part, IncompleteType)}
        return substituted(t, {part: IncompleteType(part.kind) for part in unknown})

    def resolved(self, t: Type) -> Type:
        """The type with all that is known of its parts."""
        whole = self.head(t)
        if isinstance(whole, TensorType | TypeVar | IncompleteType):
            return whole
        unknown = {part for part in parts_of_type(whole) if isinstance(part, IncompleteType) and part in self.known}
        if not unknown:
            return whole
        return substituted(whole, {part: self.resolved(part) for part in unknown})

    def unknown_part(self, t: Type) -> IncompleteType | None:
        """A part of the type that nothing is known of, or None."""
        for part in parts_of_type(self.resolved(t)):
            if isinstance(part, IncompleteType):
                return part
        return None

    def wait(self, who: Expr, unknown: IncompleteType) -> None:
        """Puts ``who`` among the ready ones once the unknown is known."""
        self.waiting.setdefault(unknown, []).append(who)

    def instantiated(self, function: FuncType, given: Sequence[Type] = ()) -> tuple[FuncType, tuple[Type, ...]]:
        """The function's type for the type arguments given, or else for a choice of them that is still to be found.

        The choice comes second.
        """
        if not function.type_params:
            return function, ()
        choice: dict[Type, Type] = {param: IncompleteType(param.kind) for param in function.type_params}
        if len(given) == len(choice):
            choice = dict(zip(function.type_params, map(self.opened, given), strict=True))
        whole = substituted(FuncType(function.arg_types, function.ret_type), choice)
        assert isinstance(whole, FuncType), "a function's type stays one"
        return whole, tuple(choice.values())

    def unify(self, left: Type, right: Type) -> Type:
        """The type both are; a dim that either does not know is unknown in it.

        Raises TypeMismatch with the two parts that cannot be the same.
        """
        left_end, right_end = self._end(left), self._end(right)
        if left_end is not None:
            return self._bound(left_end, right)
        if right_end is not None:
            return self._bound(right_end, left)
        one, other = self.head(left), self.head(right)
        merged = one if one is other else self._merged(one, other)
        for t in (left, right):
            if isinstance(t, IncompleteType):
                self._widen(t, merged)
        return merged

    def _end(self, t: Type) -> IncompleteType | None:
        """The unknown that the type is, if nothing is known of it."""
        whole = self.head(t)
        return whole if isinstance(whole, IncompleteType) else None

    def _bound(self, unknown: IncompleteType, t: Type) -> Type:
        whole = self.head(t)
        if whole is unknown:
            return whole
        if unknown in parts_of_type(self.resolved(whole)):
            raise TypeMismatch(f"a type would have to hold itself: {self.resolved(whole)}")
        self.known[unknown] = t if isinstance(t, IncompleteType) else whole
        waiting = self.waiting.pop(unknown, [])
        if isinstance(whole, IncompleteType):
            self.waiting.setdefault(whole, []).extend(waiting)
        else:
            self.ready.extend(waiting)
        return whole

    def _widen(self, unknown: IncompleteType, merged: Type) -> None:
        """What is known of it becomes the merged type: a size may have become unknown."""
        while True:
            below = self.known[unknown]
            if not isinstance(below, IncompleteType):
                self.known[unknown] = merged
                return
            unknown = below

    def _merged(self, left: Type, right: Type) -> Type:
        match left, right:
            case TensorType(shape, dtype), TensorType(others, other_dtype):
                if dtype != other_dtype or len(shape) != len(others):
                    raise self._mismatch(left, right)
                return TensorType(self._dims(left, right), dtype)
            case TupleType(fields), TupleType(others):
                return TupleType(self._all(left, right, fields, others))
            case RefType(value), RefType(other):
                return RefType(self.unify(value, other))
            case TypeCall(func, args), TypeCall(other, others):
                return TypeCall(self.unify(func, other), self._all(left, right, args, others))
            case FuncType(), FuncType():
                return self._functions(left, right)
            case _:
                if left != right:
                    raise self._mismatch(left, right)
                return left

    def _mismatch(self, left: Type, right: Type) -> TypeMismatch:
        return TypeMismatch(f"the types {self.resolved(left)} and {self.resolved(right)} do not match")

    def _dims(self, left: TensorType, right: TensorType) -> Shape:
        pairs = list(zip(left.shape, right.shape, strict=True))
        if not all(dims_fit(one, other) for one, other in pairs):
            raise self._mismatch(left, right)
        return tuple([one if one == other else ANY for one, other in pairs])

    def _all(self, left: Type, right: Type, parts: tuple[Type, ...], others: tuple[Type, ...]) -> tuple[Type, ...]:
        if len(parts) != len(others):
            raise self._mismatch(left, right)
        return tuple([self.unify(one, other) for one, other in zip(parts, others, strict=True)])

    def _functions(self, left: FuncType, right: FuncType) -> Type:
        params, others = left.type_params, right.type_params
        if len(params) != len(others):
            (left, _), (right, _), params = self.instantiated(left), self.instantiated(right), ()
        else:
            same: Mapping[Type, Type] = dict(zip(others, params, strict=True))
            whole = substituted(FuncType(right.arg_types, right.ret_type), same)
            assert isinstance(whole, FuncType), "a function's type stays one"
            right = whole
        args = self._all(left, right, left.arg_types, right.arg_types)
        return FuncType(args, self.unify(left.ret_type, right.ret_type), params)
