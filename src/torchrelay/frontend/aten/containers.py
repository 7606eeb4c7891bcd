"""Converters of operators on lists and tuples."""

from __future__ import annotations

from collections.abc import Sequence

from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.registry import Result, aten, torch_op
from torchrelay.ir import Expr, TupleType

__all__: list[str] = []


@torch_op("aten::__getitem__.t")
def list_element(list: Result, idx: int) -> Result:
    """One of the values of a list."""
    return getitem(list, idx)


@torch_op("prim::getitem.default")
def getitem(self: Result, index: int) -> Result:
    """One of several values."""
    if isinstance(self, Expr):
        assert isinstance(self.type, TupleType), "only a tuple is indexed here"
        return self[index % len(self.type.fields)]
    assert isinstance(self, Sequence), "only several values are indexed"
    return self[index]


@torch_op("prim::ListUnpack.default", "prim::TupleUnpack.default")
def unpack(self: Result) -> Result:
    """Several values, one by one."""
    return self


@aten("len.t", "len.Tensor")
def length(a: Result = None, t: Result = None) -> int:
    """How many values there are; the size of the first axis of a tensor."""
    value = a if a is not None else t
    if isinstance(value, Expr):
        (first, *_) = value.shape
        if not isinstance(first, int):
            raise UnsupportedProgram("the length of a tensor whose first axis has an unknown size")
        return first
    return len(value)  # pyright: ignore[reportArgumentType] the schema says a list or a tensor
