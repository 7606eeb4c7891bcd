"""Which frames of a stack are the user's."""

from __future__ import annotations

import re

__all__ = ["inside_torch"]

_LIBRARY = re.compile(r"[\\/]torch[\\/](?:nn|_|jit|functional|utils|ao|fx|overrides|autograd|export)")


def inside_torch(file: str) -> bool:
    """Whether the file is part of torch itself."""
    return _LIBRARY.search(file) is not None
