"""Types as they are printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from torchrelay.ir import Any, Dim, DType, FuncType, Int64, RefType, SizeVar, TensorType, TupleType, Type, TypeCall

__all__ = ["DTYPE_STARTS", "TypeTexts", "scalar_word", "written_scalar"]

DTYPE_STARTS = ("int", "uint", "float", "bool")
"""How words begin that are dtypes, and so types of rank 0."""


def scalar_word(dtype: DType) -> str:
    """A type of rank 0 as TVM prints it."""
    return str(dtype)


def written_scalar(dtype: DType) -> str:
    """A type of rank 0 as the reader takes it, for whom other words, such as bfloat16, are data types."""
    return str(dtype) if dtype.startswith(DTYPE_STARTS) else f"Tensor[(), {dtype}]"


@dataclass(slots=True)
class TypeTexts:
    """The texts of types. ``size`` gives that of a size with a name, which stands in the metadata section; ``scalar`` that of
    a type of rank 0.
    """

    size: Callable[[SizeVar], str]
    scalar: Callable[[DType], str]
    known: dict[int, tuple[str, Type]] = field(default_factory=dict[int, tuple[str, Type]])
    """The text of each type, by its id: equal types may differ in text."""

    def __call__(self, t: Type) -> str:
        """The text of a type, made once."""
        found = self.known.get(id(t))
        if found is None:
            found = self.known[id(t)] = (self._made(t), t)
        return found[0]

    def _made(self, t: Type) -> str:
        match t:
            case TensorType(shape, dtype):
                dims = ", ".join([self._dim(dim) for dim in shape])
                return f"Tensor[({dims}), {dtype}]" if shape else self.scalar(dtype)
            case TupleType(fields):
                return f"({self._list(fields)}{',' if len(fields) == 1 else ''})"
            case FuncType(arg_types, ret_type, type_params):
                params = f"[{', '.join(map(str, type_params))}]" if type_params else ""
                return f"fn {params}({self._list(arg_types)}) -> {self._made(ret_type)}"
            case TypeCall(func, args):
                return f"{func}[{self._list(args)}]"
            case RefType(value):
                return f"ref({self._made(value)})"
            case _:
                return str(t)

    def _list(self, types: tuple[Type, ...]) -> str:
        return ", ".join([self._made(part) for part in types])

    def _dim(self, dim: Dim) -> str:
        if isinstance(dim, SizeVar):
            return self.size(dim)
        if isinstance(dim, Any):
            return "?"
        return f"{dim}i64" if isinstance(dim, Int64) or not -(2**31) <= dim < 2**31 else str(dim)
