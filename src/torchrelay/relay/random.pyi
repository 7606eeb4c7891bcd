"""tvm.relay's functions for random numbers.

Written by ``python -m torchrelay.relay.stubs``.
"""

from collections.abc import Sequence

from torchrelay.ir import Call, Constant, Expr
from torchrelay.relay.functions import Made, TupleWrapper

__all__ = ["multinomial", "normal", "threefry_generate", "threefry_key", "threefry_split", "uniform"]
Operand = Expr | TupleWrapper | Sequence[Expr]

def multinomial(key: Operand, probs: Operand, num_samples: int) -> Made:
    """The next key, and indices into each row of ``probs``, drawn with these weights, with replacement."""

def normal(
    key: Expr, shape: Sequence[int], dtype: str = "float32", mean: float | Expr = 0.0, scale: float | Expr = 1.0
) -> Call:
    """The next key, and normally distributed numbers."""

def threefry_generate(key: Operand, shape: Sequence[int] | int) -> Made:
    """The next key, and random uint64."""

def threefry_key(seed: int) -> Constant:
    """The key of a generator of random numbers."""

def threefry_split(key: Operand) -> Made:
    """Two keys whose numbers are independent of each other's."""

def uniform(
    key: Expr, shape: Sequence[int], dtype: str = "float32", low: float | Expr = 0.0, high: float | Expr = 1.0
) -> Call:
    """The next key, and numbers distributed evenly."""
