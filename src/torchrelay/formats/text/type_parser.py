"""Relay types in text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from torchrelay.errors import WrongArgument
from torchrelay.formats.text.scanner import Scanner
from torchrelay.formats.text.type_text import DTYPE_STARTS
from torchrelay.ir import (
    ANY,
    Any,
    Dim,
    DType,
    FuncType,
    GlobalTypeVar,
    IncompleteType,
    Int64,
    RefType,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeVar,
)

__all__ = ["TypeParser"]

Scope = Mapping[str, TypeVar]


@lru_cache(4096)
def _whole_tensor(text: str) -> TensorType:
    """The type of a text such as ``Tensor[(2, ?), float32]``. Raises WrongArgument for a dtype there is none of."""
    dims, _, dtype = text.removeprefix("Tensor[(").removesuffix("]").partition("), ")
    shape = tuple([ANY if dim == "?" else _size(int(dim), wide=False) for dim in dims.split(", ")])
    return TensorType(shape, DType.parse(dtype))


def _size(value: int, *, wide: bool) -> Dim:
    return Int64(value) if wide and -(2**31) <= value < 2**31 else value


class TypeParser:
    """Reads types from a scanner; ``meta`` gives what a word ``meta[...][...]`` stands for.

    ``names_data`` says that one of them named a data type, which must then be there.
    """

    __slots__ = ("_meta", "_scanner", "names_data")

    def __init__(self, scanner: Scanner, meta: Mapping[str, object]) -> None:
        self._scanner, self._meta = scanner, meta
        self.names_data = False

    def type(self, scope: Scope) -> Type:
        """The type that comes next; ``scope`` are the type variables there."""
        scanner = self._scanner
        if scanner.kind == "tensor":
            return self._known_tensor()
        if scanner.kind == "meta" and scanner.text.startswith("meta[IncompleteType]"):
            scanner.take()
            return IncompleteType()
        if scanner.accept("("):
            return TupleType(self._list(")", scope))
        return self._worded(scope)

    def parameters(self) -> tuple[TypeVar, ...]:
        """``[A, B]`` where it comes next."""
        scanner = self._scanner
        if not scanner.accept("["):
            return ()
        return tuple([TypeVar(scanner.expect_word("a type variable")) for _ in scanner.separated("]")])

    def _known_tensor(self) -> TensorType:
        try:
            found = _whole_tensor(self._scanner.text)
        except WrongArgument as error:
            self._scanner.fail(error.message)
        self._scanner.take()
        return found

    def _list(self, end: str, scope: Scope) -> tuple[Type, ...]:
        with self._scanner.deeper():
            return tuple([self.type(scope) for _ in self._scanner.separated(end)])

    def _worded(self, scope: Scope) -> Type:
        scanner = self._scanner
        index = scanner.index
        if scanner.kind != "word" or "." in scanner.text:
            scanner.unexpected("a type")
        word = scanner.take()
        match word:
            case "_":
                return IncompleteType()
            case "Tensor" if scanner.at_sign("["):
                return self._tensor()
            case "fn":
                return self._function(scope)
            case "ref" if scanner.accept("("):
                inside = self._list(")", scope)
                if len(inside) != 1:
                    scanner.fail("a reference holds one value", index)
                return RefType(inside[0])
            case _ if word in scope:
                return scope[word]
            case _ if word.startswith(DTYPE_STARTS):
                return TensorType((), self._dtype(word, index))
            case _:
                self.names_data = True
                args = self._list("]", scope) if scanner.accept("[") else ()
                return TypeCall(GlobalTypeVar(word), args)

    def _dtype(self, word: str, index: int) -> DType:
        try:
            return DType.parse(word)
        except WrongArgument as error:
            self._scanner.fail(error.message, index)

    def _tensor(self) -> TensorType:
        scanner = self._scanner
        scanner.expect("[")
        scanner.expect("(")
        dims = tuple([self._dim() for _ in scanner.separated(")")])
        scanner.expect(",")
        index = scanner.index
        dtype = self._dtype(scanner.expect_word("a dtype"), index)
        scanner.expect("]")
        return TensorType(dims, dtype)

    def _dim(self) -> Dim:
        scanner = self._scanner
        if scanner.accept("?"):
            return ANY
        if scanner.kind == "meta":
            found = self._meta.get(scanner.text)
            if not isinstance(found, Any):
                scanner.fail(f"{scanner.text} is no size")
            scanner.take()
            return found
        digits, _, width = scanner.text.partition("i")
        if (
            scanner.kind != "number"
            or len(digits) > 19
            or not digits.removeprefix("-").isdecimal()
            or width not in ("", "32", "64")
        ):
            scanner.unexpected("a size or ?")
        scanner.take()
        return _size(int(digits), wide=width == "64")

    def _function(self, scope: Scope) -> FuncType:
        params = self.parameters()
        inside = {**scope, **{param.name: param for param in params}}
        self._scanner.expect("(")
        args = self._list(")", inside)
        self._scanner.expect("->")
        with self._scanner.deeper():
            return FuncType(args, self.type(inside), params)
