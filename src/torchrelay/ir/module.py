"""A module: functions and data types by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from torchrelay.errors import IllFormed
from torchrelay.ir.expr import Constructor, Expr, Function, GlobalVar
from torchrelay.ir.module_names import ModuleNames, by_name
from torchrelay.ir.types import GlobalTypeVar, TypeData
from torchrelay.ir.visit import free_vars

if TYPE_CHECKING:
    from torchrelay.ir.attrs import AttrValue

__all__ = ["IRModule"]


class IRModule(ModuleNames):
    """Functions by name and data types by name. The mappings it shows are read-only; ``with_...`` give new modules.

    What scripts written for tvm do to a module in place stands in ``ModuleNames``; torchrelay itself never does it.
    """

    __slots__ = ("_attrs", "_functions", "_types")

    def __init__(
        self,
        functions: Mapping[str, Function] | Mapping[GlobalVar, Function] | None = None,
        type_definitions: Mapping[str, TypeData] | None = None,
        attrs: Mapping[str, AttrValue] | None = None,
    ) -> None:
        self._functions = by_name(functions or {})
        self._types = dict(type_definitions or {})
        self._attrs = dict(attrs or {})

    @staticmethod
    def from_expr(
        expr: Expr,
        functions: Mapping[str, Function] | Mapping[GlobalVar, Function] | None = None,
        type_defs: Mapping[str, TypeData] | None = None,
    ) -> IRModule:
        """A module whose ``main`` is that function, or a function over the expression's free variables."""
        main = expr if isinstance(expr, Function) else Function(free_vars(expr), expr, place=None)
        return IRModule({**by_name(functions or {}), "main": main}, type_defs)

    @property
    def functions(self) -> Mapping[str, Function]:
        """The functions by name, in the order they were added."""
        return MappingProxyType(self._functions)

    @property
    def type_definitions(self) -> Mapping[str, TypeData]:
        """The data types by name."""
        return MappingProxyType(self._types)

    @property
    def attrs(self) -> Mapping[str, AttrValue]:
        """The module's own attributes."""
        return MappingProxyType(self._attrs)

    def __getitem__(self, name: str | GlobalVar) -> Function:
        """The function of that name. Raises IllFormed where there is none."""
        key = name.name if isinstance(name, GlobalVar) else name
        if key not in self._functions:
            raise IllFormed(f"the module has no function @{key}; it has {', '.join(self._functions) or 'none'}")
        return self._functions[key]

    def __contains__(self, name: str | GlobalVar) -> bool:
        return (name.name if isinstance(name, GlobalVar) else name) in self._functions

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def with_functions(self, functions: Mapping[str, Function]) -> IRModule:
        """The module with these functions added or replaced."""
        return IRModule({**self._functions, **functions}, self._types, self._attrs)

    def with_types(self, types: Mapping[str, TypeData]) -> IRModule:
        """The module with these data types added or replaced."""
        return IRModule(self._functions, {**self._types, **types}, self._attrs)

    def type_data(self, name: str | GlobalTypeVar) -> TypeData:
        """The definition of a data type. Raises IllFormed where there is none."""
        key = name.name if isinstance(name, GlobalTypeVar) else name
        if key not in self._types:
            raise IllFormed(f"the module has no data type {key}")
        return self._types[key]

    def constructor(self, type_name: str, name: str) -> Constructor:
        """A constructor of a data type. Raises IllFormed where there is none."""
        for constructor in self.type_data(type_name).constructors:
            if constructor.name == name:
                return constructor
        raise IllFormed(f"the data type {type_name} has no constructor {name}")

    def import_from_std(self, file_to_import: str) -> IRModule:
        """The module with what a file of the library defines: prelude.rly, nat.rly or gradient.rly.

        Raises IllFormed for another name, and where the module has something else of a name that the file defines.
        """
        from torchrelay.ir.printing import with_std

        return with_std(self, file_to_import)

    def astext(self, show_meta_data: bool = True, *, for_tvm: bool = False) -> str:  # noqa: FBT001, FBT002 TVM's signature
        """Relay text, format 0.0.5, constants included; ``for_tvm`` keeps to what the real reader reads."""
        from torchrelay.ir.printing import text_of

        return text_of(self, header=True, show_meta_data=show_meta_data, for_tvm=for_tvm)

    def __str__(self) -> str:
        from torchrelay.ir.printing import text_of

        return text_of(self)
