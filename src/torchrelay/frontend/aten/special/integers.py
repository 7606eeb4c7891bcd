"""Converters of divisors and multiples of integers."""

from __future__ import annotations

from torchrelay import op
from torchrelay.frontend.aten.elementwise import absolute
from torchrelay.frontend.aten.loops import Values, repeated
from torchrelay.frontend.promote import Promote
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, const

__all__: list[str] = []


@aten("gcd.default", promote=Promote.SAME)
def gcd(self: Expr, other: Expr) -> Expr:
    """The greatest common divisor, by Euclid's algorithm."""
    zero, one = const(0, self.dtype), const(1, self.dtype)

    def goes_on(state: Values, _: Values) -> Expr:
        return op.any(op.not_equal(state[1], zero))

    def step(state: Values, _: Values) -> Values:
        left, right = state
        done = op.equal(right, zero)
        rest = op.trunc_mod(left, op.where(done, one, right))
        return op.where(done, left, right), op.where(done, right, rest)

    shape = op.add(op.zeros_like(self), op.zeros_like(other))
    return repeated([op.add(absolute(value), shape) for value in (self, other)], (), goes_on, step)[0]


@aten("lcm.default", promote=Promote.SAME)
def lcm(self: Expr, other: Expr) -> Expr:
    """The least common multiple."""
    divisor = gcd(self, other)
    zero, one = const(0, self.dtype), const(1, self.dtype)
    multiple = absolute(op.multiply(op.trunc_divide(self, op.where(op.equal(divisor, zero), one, divisor)), other))
    return op.where(op.equal(divisor, zero), divisor, multiple)
