"""Parameters in TVM's binary format, under the names of tvm.runtime."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from torchrelay import formats
from torchrelay.ir import NDArray

__all__ = ["load_param_dict", "save_param_dict"]


def save_param_dict(params: Mapping[str, np.ndarray]) -> bytes:
    """Parameters in TVM's binary format."""
    data = formats.save_params(params)
    assert data is not None, "without a path the bytes come back"
    return data


def load_param_dict(param_bytes: bytes) -> dict[str, np.ndarray]:
    """The parameters of TVM's binary format, as NDArray over the bytes. Raises BadFile."""
    return {name: array.view(NDArray) for name, array in formats.load_params(bytes(param_bytes)).items()}
