"""What tvm.relay's expressions can do in Python: arithmetic, calls, and the names of their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from torchrelay.errors import TypeMismatch

if TYPE_CHECKING:
    from torchrelay.errors import Place
    from torchrelay.ir.expr import Call, Expr
    from torchrelay.ir.types import Type

__all__ = ["Named", "TvmNames"]


class TvmNames:
    """The part of an expression that scripts written for tvm.relay use. Nothing else in torchrelay does."""

    __slots__ = ()

    @property
    def checked_type(self) -> Type:
        """The type. Raises TypeMismatch while it is not known."""
        kind = self._itself.type
        if kind is None:
            raise TypeMismatch(
                "the type is not known yet", place=self.span, hint="relay.transform.InferType() finds it"
            )
        return kind

    @property
    def span(self) -> Place | None:
        """Where it comes from."""
        return self._itself.place

    def astext(self, show_meta_data: bool = True) -> str:  # noqa: FBT001, FBT002 TVM's signature
        """Relay text with the version line, as ``IRModule.astext`` gives it."""
        from torchrelay.ir.printing import text_of

        return text_of(self._itself, header=True, show_meta_data=show_meta_data)

    def astype(self, dtype: str) -> Call:
        """The same values in another dtype."""
        return _call("cast", self, dtype=dtype)

    def same_as(self, other: object) -> bool:
        """Whether it is the very same expression."""
        return self is other

    @property
    def _itself(self) -> Expr:
        return cast("Expr", self)

    def __neg__(self) -> Call:
        return _call("negative", self)

    def __add__(self, other: object) -> Call:
        return _call("add", self, other)

    def __sub__(self, other: object) -> Call:
        return _call("subtract", self, other)

    def __mul__(self, other: object) -> Call:
        return _call("multiply", self, other)

    def __truediv__(self, other: object) -> Call:
        return _call("divide", self, other)

    def __lt__(self, other: object) -> Call:
        return _call("less", self, other)

    def __gt__(self, other: object) -> Call:
        return _call("greater", self, other)

    def __le__(self, other: object) -> Call:
        return _call("less_equal", self, other)

    def __ge__(self, other: object) -> Call:
        return _call("greater_equal", self, other)


class Named:
    """Something with a name, under tvm.relay's word for it."""

    __slots__ = ()

    @property
    def name_hint(self) -> str:
        """The name."""
        return cast("str", getattr(self, "name"))  # noqa: B009 every class that has this has a name


def _call(name: str, *inputs: object, **attributes: object) -> Call:
    """A call of an operator. Raises TypeMismatch for an operand that is no expression."""
    from torchrelay.ir import registry
    from torchrelay.ir.expr import Expr

    operands = [each for each in inputs if isinstance(each, Expr)]
    if len(operands) < len(inputs):
        wrong = next(each for each in inputs if not isinstance(each, Expr))
        raise TypeMismatch(f"{name}: {wrong!r} is no expression", hint=f"write relay.const({wrong!r}, dtype)")
    return registry.get(name)(*operands, **attributes)
