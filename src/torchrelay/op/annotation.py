"""Marks on a value for the passes that read them; each is the value itself."""

from __future__ import annotations

from torchrelay.ir import Arg, Attrs, DType, Fusion, Operator, Type, attrs, operator
from torchrelay.op._numpy import unchanged

__all__ = [
    "bitpack_end",
    "bitpack_start",
    "cast_hint",
    "checkpoint",
    "compiler_begin",
    "compiler_end",
    "stop_fusion",
    "with_funcid",
]


def _mark(name: str, doc: str) -> Operator[[Arg]]:
    def relation(data: Type) -> Type:
        return data

    relation.__doc__ = doc
    made = operator(name, None, Fusion.OPAQUE)(relation)
    made.reference(unchanged)
    made.keeps_type()
    return made


bitpack_start = _mark("annotation.bitpack_start", "The data itself, from which on elements are packed into bits.")
bitpack_end = _mark("annotation.bitpack_end", "The data itself, from which on elements are no longer packed into bits.")
checkpoint = _mark("annotation.checkpoint", "The data itself, kept for the backward pass; what it is made of is not.")
stop_fusion = _mark("annotation.stop_fusion", "The data itself, computed before what uses it, in a kernel of its own.")


@attrs("relay.attrs.CastHintAttrs")
class CastHintAttrs(Attrs):
    dtype: DType
    """The dtype that the data may be kept in."""


@operator("annotation.cast_hint", CastHintAttrs, Fusion.OPAQUE, keyed=False)
def cast_hint(data: Type, attrs: CastHintAttrs) -> Type:
    """The data itself, which fits another dtype."""
    return data


@attrs("relay.attrs.CompilerAttrs")
class CompilerAttrs(Attrs):
    compiler: str
    """The name of the code generator."""


@operator("annotation.compiler_begin", CompilerAttrs, Fusion.OPAQUE, keyed=False)
def compiler_begin(data: Type, attrs: CompilerAttrs) -> Type:
    """The data itself, as an input of a region for a code generator."""
    return data


@operator("annotation.compiler_end", CompilerAttrs, Fusion.OPAQUE, keyed=False)
def compiler_end(data: Type, attrs: CompilerAttrs) -> Type:
    """The data itself, as a result of a region for a code generator."""
    return data


@attrs("relay.attrs.WithFuncIdAttrs")
class WithFuncIdAttrs(Attrs):
    fid: int = -1
    """The number of the function."""


@operator("annotation.with_funcid", WithFuncIdAttrs, None, keyed=False)
def with_funcid(func: Type, attrs: WithFuncIdAttrs) -> Type:
    """The function itself, with a number to know it by."""
    return func


def _itself(data: object, attrs: Attrs) -> object:
    return data


for _marked in (cast_hint, compiler_begin, compiler_end, with_funcid):
    _marked.reference(_itself)

for _marked in (compiler_begin, compiler_end, with_funcid):
    _marked.keeps_type()
