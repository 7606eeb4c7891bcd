"""What tvm.relay's expressions can do in Python: arithmetic, calls, and the names of their parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from torchrelay.errors import NotThere, TypeMismatch

if TYPE_CHECKING:
    from torchrelay.errors import Place
    from torchrelay.ir.attrs import AttrValue
    from torchrelay.ir.expr import Call, Expr
    from torchrelay.ir.operator import Input, Operator
    from torchrelay.ir.types import Type

__all__ = ["AttrsNames", "Named", "OperatorNames", "TvmNames"]


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


class AttrsNames:
    """The part of an attribute record that scripts written for tvm use: its fields by name."""

    __slots__ = ()

    def __getitem__(self, name: str) -> AttrValue:
        """An attribute. Raises NotThere for a name that the record has not."""
        values = self._values
        if name not in values:
            raise NotThere(f"{type(self).__name__} has no attribute {name}", hint=f"it has {', '.join(values)}")
        return values[name]

    def keys(self) -> list[str]:
        """The names of the attributes."""
        return list(self._values)

    def get_int(self, key: str) -> int:
        """An attribute as an integer."""
        return int(cast("int", self[key]))

    def get_int_tuple(self, key: str) -> tuple[int, ...]:
        """An attribute as a tuple of integers."""
        return tuple([int(cast("int", part)) for part in cast("tuple[AttrValue, ...]", self[key])])

    def get_str(self, key: str) -> str:
        """An attribute as a text."""
        return str(self[key])

    @property
    def _values(self) -> Mapping[str, AttrValue]:
        return vars(self)


class OperatorNames:
    """The part of an operator that scripts written for tvm use: what is registered of it."""

    __slots__ = ()

    @staticmethod
    def get(op_name: str) -> Operator[...]:
        """The operator of that name. Raises WrongArgument with the nearest names where there is none."""
        from torchrelay.ir import registry

        return registry.get(op_name)

    @property
    def num_inputs(self) -> int:
        """How many inputs it takes."""
        return len(self._operator.inputs)

    @property
    def arguments(self) -> tuple[Input, ...]:
        """Its inputs."""
        return self._operator.inputs

    @property
    def description(self) -> str:
        """What it computes."""
        return self._operator.doc

    @property
    def support_level(self) -> int:
        """TVM's level of support, from 1 for what every back end has to 10."""
        return self._operator.level

    @property
    def attrs_type_key(self) -> str:
        """The type key of its attribute record, empty where TVM registers none."""
        record = self._operator.record
        return record.type_key if record is not None and self._operator.keyed else ""

    def get_attr(self, attr_name: str) -> object:
        """TOpPattern, TOpIsStateful, or None for what only TVM's compiler needs and where TVM has none."""
        if attr_name == "TOpIsStateful":
            return self._operator.stateful
        fusion = self._operator.fusion
        return int(fusion) if attr_name == "TOpPattern" and fusion is not None else None

    def has_attr(self, attr_name: str) -> bool:
        """Whether ``get_attr`` says something."""
        return self.get_attr(attr_name) is not None

    @property
    def _operator(self) -> Operator[...]:
        return cast("Operator[...]", self)


def _call(name: str, *inputs: object, **attributes: object) -> Call:
    """A call of an operator. Raises TypeMismatch for an operand that is no expression."""
    from torchrelay.ir import registry
    from torchrelay.ir.expr import Expr

    operands = [each for each in inputs if isinstance(each, Expr)]
    if len(operands) < len(inputs):
        wrong = next(each for each in inputs if not isinstance(each, Expr))
        raise TypeMismatch(f"{name}: {wrong!r} is no expression", hint=f"write relay.const({wrong!r}, dtype)")
    return registry.get(name)(*operands, **attributes)
