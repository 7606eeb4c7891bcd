"""The prelude by name: functions, data types and constructors, ready to be called."""

from __future__ import annotations

from torchrelay.errors import IllFormed
from torchrelay.formats.std.library import imported, prelude_module, static_arrays_module
from torchrelay.formats.std.names import shape_name
from torchrelay.ir import Constructor, Dim, DType, GlobalTypeVar, GlobalVar, IRModule, with_type

__all__ = ["Prelude"]


class Prelude:
    """A module with lists, options, trees, tensor arrays of every dtype, and their functions.

    ``prelude.map`` is the function @map with its type, and so for all of them. Raises IllFormed for a module that has
    something else of one of their names.
    """

    __slots__ = ("mod",)
    mod: IRModule
    """The module given, with the prelude."""

    def __init__(self, mod: IRModule | None = None) -> None:
        self.mod = imported(mod or IRModule(), prelude_module())

    def with_static_arrays(self, dtype: str, shape: tuple[Dim, ...]) -> Prelude:
        """The prelude with the arrays of tensors of one dtype and shape."""
        added = static_arrays_module(DType.parse(dtype), tuple(shape))
        return Prelude(imported(self.mod, added))

    def __getattr__(self, name: str) -> GlobalVar:
        """The function of that name. Raises AttributeError where there is none."""
        if name not in self.mod:
            raise AttributeError(f"the prelude has no function {name}")
        return with_type(GlobalVar(name, place=None), self.mod[name].type)

    def get_name(self, canonical: str, dtype: str) -> str:
        """The name in a family: ``tensor_t`` of float32 is tensor_float32_t, ``tensor_array_read`` tensor_array_read_float32."""
        return f"tensor_{dtype}_t" if canonical == "tensor_t" else f"{canonical}_{dtype}"

    def get_name_static(self, canonical: str, dtype: str, shape: tuple[Dim, ...]) -> str:
        """The name in the family of one shape: ``tensor_t`` of float32 and (2, 3) is static_tensor_float32_2_3_t."""
        name = shape_name(dtype, shape)
        return f"static_tensor_{name}_t" if canonical == "tensor_t" else f"{canonical}_{name}"

    def get_global_var(self, canonical: str, dtype: str) -> GlobalVar:
        """The function of a family for that dtype. Raises IllFormed where there is none."""
        return self._function(self.get_name(canonical, dtype))

    def get_global_var_static(self, canonical: str, dtype: str, shape: tuple[Dim, ...]) -> GlobalVar:
        """The function of the family of one shape. Raises IllFormed where there is none."""
        return self._function(self.get_name_static(canonical, dtype, shape))

    def get_type(self, canonical: str, dtype: str) -> GlobalTypeVar:
        """The data type of a family for that dtype. Raises IllFormed where there is none."""
        return self.mod.type_data(self.get_name(canonical, dtype)).header

    def get_type_static(self, canonical: str, dtype: str, shape: tuple[Dim, ...]) -> GlobalTypeVar:
        """The data type of the family of one shape. Raises IllFormed where there is none."""
        return self.mod.type_data(self.get_name_static(canonical, dtype, shape)).header

    def get_ctor(self, type_name: str, canonical: str, dtype: str) -> Constructor:
        """The constructor of a data type for that dtype. Raises IllFormed where there is none."""
        return self.mod.constructor(type_name, self.get_name(canonical, dtype))

    def get_tensor_ctor(self, canonical: str, dtype: str) -> Constructor:
        """The constructor of tensors of a rank, ``tensor2`` of float32, or of no tensor, ``tensor_nil``."""
        return self.get_ctor(self.get_name("tensor_t", dtype), canonical, dtype)

    def get_tensor_ctor_static(self, canonical: str, dtype: str, shape: tuple[Dim, ...]) -> Constructor:
        """The constructor ``tensor_constructor`` or ``tensor_nil`` of the tensors of one shape."""
        type_name = self.get_name_static("tensor_t", dtype, shape)
        return self.mod.constructor(type_name, self.get_name_static(canonical, dtype, shape))

    def _function(self, name: str) -> GlobalVar:
        if name not in self.mod:
            raise IllFormed(f"the prelude has no function @{name}")
        return with_type(GlobalVar(name, place=None), self.mod[name].type)
