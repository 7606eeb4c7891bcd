"""TorchScript's types and constants as those of the TorchGraph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import torch

from torchrelay.errors import Place, UnsupportedProgram
from torchrelay.frontend.graph import Arg, TorchType
from torchrelay.frontend.read_script.jit import Type
from torchrelay.frontend.schema import dtype_of
from torchrelay.ir import ANY, DType, Shape

__all__ = ["literal", "type_of"]

Sizes = tuple[int | None, ...]
_TENSOR = TorchType("Tensor")
_PLAIN = {
    "IntType": TorchType("int"),
    "FloatType": TorchType("float"),
    "BoolType": TorchType("bool"),
    "NumberType": TorchType("number"),
    "StringType": TorchType("str"),
    "NoneType": TorchType("None"),
    "ComplexType": TorchType("complex"),
    "DeviceObjType": TorchType("Device"),
}


def type_of(t: Type) -> TorchType:
    """The type, with shape, strides and dtype of a tensor where the capture knows them."""
    kind = t.kind()
    if kind == "TensorType":
        return _tensor_type(t)
    plain = _PLAIN.get(kind)
    if plain is not None:
        return plain
    if kind in ("ListType", "OptionalType"):
        return TorchType(kind.removesuffix("Type"), elements=(type_of(t.getElementType()),))
    if kind == "TupleType":
        return TorchType("Tuple", elements=tuple([type_of(part) for part in t.elements()]))
    if kind == "DictType":
        return TorchType("Dict", elements=(type_of(t.getKeyType()), type_of(t.getValueType())))
    return TorchType(str(t))


def _tensor_type(t: Type) -> TorchType:
    dtype, sizes = t.dtype(), t.sizes()
    if dtype is None and sizes is None:
        return _TENSOR
    known = None if dtype is None else dtype_of(dtype)
    known = known if isinstance(known, DType) else None
    if sizes is None:
        return TorchType("Tensor", None, known)
    return _shaped(tuple(sizes), known, tuple(t.strides() or ()))


@lru_cache(maxsize=4096)
def _shaped(sizes: Sizes, dtype: DType | None, strides: Sizes) -> TorchType:
    """The type of a tensor whose shape is known; models have few of these, and many values of each."""
    return TorchType("Tensor", _dims(sizes), dtype, (), _dims(strides) or None if sizes else ())


def _dims(sizes: Sequence[int | None]) -> Shape:
    return tuple([ANY if size is None else size for size in sizes])


def literal(value: object, place: Place | None = None) -> Arg:
    """A value of Python's as an argument. Raises UnsupportedProgram for one that is no number, text, dtype or list of them."""
    if value is None or isinstance(value, bool | int | float | complex | str):
        return value
    if isinstance(value, list | tuple):
        return tuple([literal(part, place) for part in value])
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {str(key): literal(part, place) for key, part in value.items()}
    if isinstance(value, torch.dtype):
        return dtype_of(value)
    if isinstance(value, torch.device | torch.layout | torch.memory_format):
        return str(value).removeprefix("torch.")
    raise UnsupportedProgram(f"a constant of type {type(value).__name__} has no meaning in Relay", place=place)
