"""Where a value is to live or be computed."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["VirtualDevice"]


@dataclass(frozen=True, slots=True)
class VirtualDevice:
    """A device as far as it is known: type as TVM numbers it (1 is the CPU, -1 unknown), number, kind of memory."""

    device_type: int = -1
    device_id: int = -1
    memory_scope: str = ""
