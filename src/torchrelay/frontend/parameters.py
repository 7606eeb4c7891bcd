"""The tensors that a model holds, as values: one for each piece of memory, never copied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import torch

from torchrelay.frontend.graph import Scales, TorchParameter, TorchType, TorchValue
from torchrelay.frontend.schema import dtype_of
from torchrelay.ir import ANY, Dim, DType, Shape

__all__ = ["ParameterTable", "tensor_type"]


@dataclass(slots=True)
class ParameterTable:
    """The parameters met so far, by the name of the value that each is."""

    by_name: dict[str, TorchParameter] = field(default_factory=dict)
    _stored: dict[tuple[object, ...], TorchValue] = field(default_factory=dict)

    def value(
        self, key: str, tensor: torch.Tensor, name: str, *, constant: bool = False, scales: Scales | None = None
    ) -> TorchValue:
        """The value that the tensor is; the one already made where the model holds the same memory under another key."""
        kind = tensor_type(tensor)
        memory = _memory(tensor, kind)
        found = self._stored.get(memory)
        if found is None:
            found = self._stored[memory] = TorchValue(name, kind)
            self.by_name[name] = TorchParameter(key, tensor, constant, scales)
        return found


def _memory(tensor: torch.Tensor, kind: TorchType) -> tuple[object, ...]:
    """What two tensors have in common when they are the same part of the same memory."""
    if tensor.layout is not torch.strided:
        return (id(tensor),)
    storage = tensor.untyped_storage()._cdata  # a tensor without memory, as on meta, has no other identity
    return storage, tensor.storage_offset(), kind, tensor.dtype


def tensor_type(tensor: torch.Tensor, size_of: Callable[[torch.SymInt], Dim] | None = None) -> TorchType:
    """The type of a tensor at hand, or of one that stands for it while a program is captured.

    ``size_of`` tells what a symbolic size is, where the capture keeps such; its shape then holds whatever the inputs are.
    """
    shape = tuple([size if isinstance(size, int) else ANY for size in tensor.shape])
    strides = None
    if tensor.layout is torch.strided:
        strides = tuple([step if isinstance(step, int) else ANY for step in tensor.stride()])
    if size_of is None or ANY not in shape:
        return _shared_type(shape, strides, tensor.dtype, exact=size_of is not None)
    named = tuple([size_of(size) if isinstance(size, torch.SymInt) else size for size in tensor.shape])
    # equal shapes may have other names: none of these types is shared
    return replace(_shared_type(shape, strides, tensor.dtype, exact=True), shape=named)


@lru_cache(maxsize=4096)
def _shared_type(shape: Shape, strides: Shape | None, dtype: torch.dtype, *, exact: bool) -> TorchType:
    """The type of all tensors of this form: a model has thousands of parameters, and few forms of them."""
    known = dtype_of(dtype)
    return TorchType("Tensor", shape, known if isinstance(known, DType) else None, (), strides, exact)
