"""What a conversion may be told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from torchrelay.frontend.registry import Result

__all__ = ["CustomConverter", "Options"]

CustomConverter = Callable[[Sequence[object], Sequence[str]], Result]
"""A converter as Relay users know it: the inputs in order and their types, an expression out."""


@dataclass(frozen=True, slots=True)
class Options:
    """Converters of the user's own by torch operator name, and how names, places and loops come out."""

    custom: Mapping[str, CustomConverter] = field(default_factory=dict)
    unroll_loops: bool = False
    """Whether loops whose number of turns is known are written out."""
    plain_names: bool = False
    """Whether parameters and the parts of nested inputs are named by letters, digits and underscores only."""
    scopes_only: bool = False
    """Whether the place of an expression is the path of its module alone, without file and line."""
    keep_quantized_weight: bool = True
    """Whether quantized weights are integers, and not real numbers that the program quantizes."""
