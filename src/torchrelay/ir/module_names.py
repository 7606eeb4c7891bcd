"""What tvm.IRModule can do under its own names, in place changes among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from torchrelay.errors import IllFormed
from torchrelay.ir.expr import Constructor, Function, GlobalVar
from torchrelay.ir.types import GlobalTypeVar, TypeData

if TYPE_CHECKING:
    from torchrelay.ir.attrs import AttrValue
    from torchrelay.ir.module import IRModule

__all__ = ["FunctionName", "ModuleNames", "by_name"]


class FunctionName(str):
    """The name of a function of a module, which also answers to the words of a global variable."""

    __slots__ = ()

    @property
    def name_hint(self) -> str:
        """The name."""
        return str(self)

    @property
    def name(self) -> str:
        """The name."""
        return str(self)


def by_name(functions: Mapping[str, Function] | Mapping[GlobalVar, Function]) -> dict[str, Function]:
    """The functions by their names, whether these or global variables are given."""
    return {FunctionName(key if isinstance(key, str) else key.name): function for key, function in functions.items()}


class ModuleNames:
    """The part of a module that scripts written for tvm use."""

    __slots__ = ()
    _functions: dict[str, Function]
    _types: dict[str, TypeData]
    _attrs: dict[str, AttrValue]

    def __setitem__(self, name: str | GlobalVar | GlobalTypeVar, value: Function | TypeData) -> None:
        """Adds or replaces a function or a data type, in place."""
        key = name if isinstance(name, str) else name.name
        if isinstance(value, TypeData):
            self._types[key] = value
        else:
            self._functions[FunctionName(key)] = value

    def update(self, other: IRModule | Mapping[GlobalVar, Function] | Mapping[str, Function]) -> None:
        """Adds what another module has, in place."""
        if isinstance(other, Mapping):
            self._functions.update(by_name(other))
            return
        self._types.update(other.type_definitions)
        self._functions.update(other.functions)

    def update_func(self, var: GlobalVar, func: Function) -> None:
        """Adds or replaces a function, in place."""
        self._functions[FunctionName(var.name)] = func

    def functions_items(self) -> list[tuple[GlobalVar, Function]]:
        """Every function with the variable that names it."""
        return [(self._named(name), function) for name, function in self._functions.items()]

    def get_global_var(self, name: str) -> GlobalVar:
        """The variable that names a function. Raises IllFormed where there is none of that name."""
        if name not in self._functions:
            raise IllFormed(f"the module has no function @{name}")
        return self._named(name)

    def get_global_vars(self) -> list[GlobalVar]:
        """The variables that name the functions."""
        return [self._named(name) for name in self._functions]

    def get_global_type_var(self, name: str) -> GlobalTypeVar:
        """The name of a data type. Raises IllFormed where there is none."""
        return self._data(name).header

    def get_global_type_vars(self) -> list[GlobalTypeVar]:
        """The names of the data types."""
        return [data.header for data in self._types.values()]

    def get_type(self, name: str) -> tuple[GlobalTypeVar | Constructor, ...]:
        """The name of a data type, then its constructors. Raises IllFormed where there is none."""
        data = self._data(name)
        return (data.header, *data.constructors)

    def get_attr(self, attr_key: str) -> AttrValue:
        """An attribute of the module, None where it has none of that name."""
        return self._attrs.get(attr_key)

    def with_attr(self, attr_key: str, attr_value: AttrValue) -> IRModule:
        """The module with an attribute more."""
        return self._with_attrs({**self._attrs, attr_key: attr_value})

    def with_attrs(self, attr_map: Mapping[str, AttrValue]) -> IRModule:
        """The module with more attributes."""
        return self._with_attrs({**self._attrs, **attr_map})

    def without_attr(self, attr_key: str) -> IRModule:
        """The module without an attribute."""
        return self._with_attrs({key: value for key, value in self._attrs.items() if key != attr_key})

    def _with_attrs(self, attrs: Mapping[str, AttrValue]) -> IRModule:
        from torchrelay.ir.module import IRModule

        return IRModule(self._functions, self._types, attrs)

    def _named(self, name: str) -> GlobalVar:
        from torchrelay.ir.expr import with_type

        return with_type(GlobalVar(name, place=None), self._functions[name].type)

    def _data(self, name: str) -> TypeData:
        if name not in self._types:
            raise IllFormed(f"the module has no data type {name}")
        return self._types[name]
