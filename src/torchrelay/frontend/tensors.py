"""The storage of torch tensors as arrays, never copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ml_dtypes
import numpy as np

from torchrelay.errors import UnsupportedProgram

if TYPE_CHECKING:
    import torch

__all__ = ["array_of"]

_REINTERPRETED = {
    "torch.bfloat16": ("int16", ml_dtypes.bfloat16),
    "torch.float8_e4m3fn": ("uint8", ml_dtypes.float8_e4m3fn),
    "torch.float8_e5m2": ("uint8", ml_dtypes.float8_e5m2),
}


def array_of(tensor: torch.Tensor) -> np.ndarray:
    """The array that shares the tensor's memory.

    Raises UnsupportedProgram for a tensor that has none to share: complex, quantized, sparse, or on another device.
    """
    name = str(tensor.dtype)
    if tensor.device.type != "cpu":
        raise UnsupportedProgram(
            f"a tensor on {tensor.device} cannot be shared", hint="move the model to the CPU first"
        )
    if tensor.is_quantized or tensor.layout.__str__() != "torch.strided" or tensor.is_complex():
        raise UnsupportedProgram(f"a tensor of dtype {name} and layout {tensor.layout} has no array")
    detached = tensor.detach()
    if name in _REINTERPRETED:
        stored, dtype = _REINTERPRETED[name]
        import torch

        return detached.view(getattr(torch, stored)).numpy().view(dtype)
    return detached.numpy()
