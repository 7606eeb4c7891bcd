"""tvm.relay's functions for operators that say how a program is to be compiled.

Written by ``python -m torchrelay.relay.stubs``.
"""

from collections.abc import Sequence

from torchrelay.ir import Call, Expr
from torchrelay.relay.functions import Made, TupleWrapper

__all__ = [
    "bitpack_end",
    "bitpack_start",
    "cast_hint",
    "checkpoint",
    "compiler_begin",
    "compiler_end",
    "on_device",
    "stop_fusion",
    "with_funcid",
]
Operand = Expr | TupleWrapper | Sequence[Expr]

def bitpack_end(data: Operand) -> Made:
    """The data itself, from which on elements are no longer packed into bits."""

def bitpack_start(data: Operand) -> Made:
    """The data itself, from which on elements are packed into bits."""

def cast_hint(data: Operand, dtype: str) -> Made:
    """The data itself, which fits another dtype."""

def checkpoint(data: Operand) -> Made:
    """The data itself, kept for the backward pass; what it is made of is not."""

def compiler_begin(data: Operand, compiler: str) -> Made:
    """The data itself, as an input of a region for a code generator."""

def compiler_end(data: Operand, compiler: str) -> Made:
    """The data itself, as a result of a region for a code generator."""

def on_device(body: Expr, device: object, constrain_result: bool = False, constrain_body: bool = True) -> Call:
    """The expression, computed on that device."""

def stop_fusion(data: Operand) -> Made:
    """The data itself, computed before what uses it, in a kernel of its own."""

def with_funcid(func: Operand, fid: int = -1) -> Made:
    """The function itself, with a number to know it by."""
