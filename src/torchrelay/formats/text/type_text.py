"""Types as they are printed."""

from __future__ import annotations

from collections.abc import Callable

from torchrelay.ir import Any, Dim, FuncType, Int64, RefType, SizeVar, TensorType, TupleType, Type, TypeCall

__all__ = ["type_text"]

SizeText = Callable[[SizeVar], str]


def type_text(t: Type | None, size_text: SizeText) -> str:
    """The text of a type; ``size_text`` gives that of a size with a name, which stands in the metadata section."""
    match t:
        case TensorType(shape, dtype):
            dims = ", ".join([_dim(dim, size_text) for dim in shape])
            return f"Tensor[({dims}), {dtype}]" if shape else str(dtype)
        case TupleType(fields):
            return f"({_list(fields, size_text)}{',' if len(fields) == 1 else ''})"
        case FuncType(arg_types, ret_type, type_params):
            params = f"[{', '.join(map(str, type_params))}]" if type_params else ""
            return f"fn {params}({_list(arg_types, size_text)}) -> {type_text(ret_type, size_text)}"
        case TypeCall(func, args):
            return f"{func}[{_list(args, size_text)}]"
        case RefType(value):
            return f"ref({type_text(value, size_text)})"
        case _:
            return str(t)


def _list(types: tuple[Type, ...], size_text: SizeText) -> str:
    return ", ".join([type_text(part, size_text) for part in types])


def _dim(dim: Dim, size_text: SizeText) -> str:
    if isinstance(dim, SizeVar):
        return size_text(dim)
    if isinstance(dim, Any):
        return "?"
    return f"{dim}i64" if isinstance(dim, Int64) or not -(2**31) <= dim < 2**31 else str(dim)
