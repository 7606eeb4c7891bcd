"""Types against types: what a function gives for arguments of given types, and what two branches have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torchrelay.errors import TypeMismatch
from torchrelay.ir.types import (
    ANY,
    Any,
    Dim,
    FuncType,
    IncompleteType,
    RefType,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeVar,
    is_known,
)

__all__ = ["applied", "joined", "matched", "substituted"]

Binding = Mapping[Type, Type]


def substituted(t: Type, binding: Binding) -> Type:
    """The type with each bound variable replaced by what it is bound to."""
    if isinstance(t, TensorType) or not binding:
        return t
    if t in binding:
        return binding[t]
    match t:
        case TupleType(fields):
            return TupleType(tuple([substituted(part, binding) for part in fields]))
        case RefType(value):
            return RefType(substituted(value, binding))
        case TypeCall(func, args):
            return TypeCall(func, tuple([substituted(part, binding) for part in args]))
        case FuncType(arg_types, ret_type, type_params, constraints):
            args = tuple([substituted(part, binding) for part in arg_types])
            return FuncType(args, substituted(ret_type, binding), type_params, constraints)
        case _:
            return t


def _dims_fit(wanted: Dim, given: Dim) -> bool:
    return wanted == given or isinstance(wanted, Any) or isinstance(given, Any)


def _parts_of(wanted: Type, given: Type) -> list[tuple[Type, Type]] | None:
    """The pairs of parts that must fit in turn; None where the two types do not fit by themselves."""
    match wanted, given:
        case TensorType(shape, dtype), TensorType(other_shape, other_dtype):
            fits = dtype == other_dtype and len(shape) == len(other_shape)
            return [] if fits and all(map(_dims_fit, shape, other_shape)) else None
        case (TupleType(fields), TupleType(others)) if len(fields) == len(others):
            return list(zip(fields, others, strict=True))
        case RefType(value), RefType(other):
            return [(value, other)]
        case (TypeCall(func, args), TypeCall(other_func, others)) if func == other_func and len(args) == len(others):
            return list(zip(args, others, strict=True))
        case (FuncType(args, ret, _, _), FuncType(others, other_ret, params, _)) if len(args) == len(others):
            # A polymorphic function fits for some choice of its parameters, which is not made here.
            open_params: dict[Type, Type] = {param: IncompleteType() for param in params}
            pairs = [*zip(args, others, strict=True), (ret, other_ret)]
            return [(left, substituted(right, open_params)) for left, right in pairs]
        case _:
            return [] if wanted == given else None


def matched(wanted: Type, given: Type, binding: dict[Type, Type], free: Sequence[TypeVar] = ()) -> bool:
    """Whether ``given`` fits ``wanted``, with the variables in ``free`` bound on the way; unknown parts fit anything."""
    stack = [(wanted, given)]
    while stack:
        left, right = stack.pop()
        if isinstance(left, IncompleteType) or isinstance(right, IncompleteType):
            continue
        if isinstance(left, TypeVar) and left in free:
            if left not in binding:
                binding[left] = right
                continue
            left = binding[left]
        parts = _parts_of(left, right)
        if parts is None:
            return False
        stack.extend(parts)
    return True


def applied(function: Type | None, args: Sequence[Type | None]) -> Type | None:
    """The type of a call of a value of type ``function``; None while it is not known.

    Raises TypeMismatch for a callee that is no function, a wrong number of arguments, and one that does not fit.
    """
    if function is None or isinstance(function, IncompleteType):
        return None
    if not isinstance(function, FuncType):
        raise TypeMismatch(f"only a function can be called, not a value of type {function}")
    if len(args) != len(function.arg_types):
        raise TypeMismatch(f"a function of {len(function.arg_types)} parameters is called with {len(args)} arguments")
    binding: dict[Type, Type] = {}
    for index, (wanted, given) in enumerate(zip(function.arg_types, args, strict=True)):
        if given is not None and not matched(wanted, given, binding, function.type_params):
            raise TypeMismatch(f"argument {index} has type {given}, the function takes {substituted(wanted, binding)}")
    if any(param not in binding for param in function.type_params):
        return None
    result = substituted(function.ret_type, binding)
    return result if is_known(result) else None


def _joined_dims(left: TensorType, right: TensorType) -> TensorType:
    shape = tuple([a if a == b else ANY for a, b in zip(left.shape, right.shape, strict=True)])
    return TensorType(shape, left.dtype)


def joined(left: Type | None, right: Type | None) -> Type | None:
    """The type that values of both types have: dims that differ become Any. The known one where the other is unknown.

    Raises TypeMismatch where rank, dtype or structure differ.
    """
    if left is None or right is None or left == right:
        return left if left is not None else right
    match left, right:
        case (TensorType(), TensorType()) if left.rank == right.rank and left.dtype == right.dtype:
            return _joined_dims(left, right)
        case (TupleType(fields), TupleType(others)) if len(fields) == len(others):
            parts = [joined(a, b) for a, b in zip(fields, others, strict=True)]
            return TupleType(tuple([part for part in parts if part is not None]))
        case _:
            if matched(left, right, {}):
                return left
            if matched(right, left, {}):
                return right
            raise TypeMismatch(f"the branches have the types {left} and {right}, which have no type in common")
