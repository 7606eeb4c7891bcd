"""Structural equality and hash."""

from __future__ import annotations

import numpy as np
import pytest

from torchrelay import op
from torchrelay.errors import IllFormed
from torchrelay.ir import (
    Expr,
    Function,
    IRModule,
    TensorType,
    Tuple,
    Var,
    assert_structural_equal,
    const,
    structural_equal,
    structural_hash,
)

T = TensorType.of((2, 3))


def program(name: str = "x", axis: int = 1, value: float = 1.5, *, swap: bool = False, shared: bool = True) -> Function:
    x, y = Var(name, T), Var("y", T)
    soft = op.nn.softmax(x, axis=axis)
    other = soft if shared else op.nn.softmax(x, axis=axis)
    left, right = (y, soft) if swap else (soft, y)
    return Function((x, y), Tuple((op.subtract(left, right), op.add(other, const(value)))))


def test_names_do_not_matter_and_everything_else_does() -> None:
    assert structural_equal(program(), program("other"))
    assert structural_hash(program()) == structural_hash(program("other"))
    for different in (program(axis=0), program(value=2.5), program(swap=True), program(shared=False)):
        assert not structural_equal(program(), different)
    assert structural_hash(program()) != structural_hash(program(axis=0))
    with pytest.raises(IllFormed, match=r"0 and 1, at .*axis"):
        assert_structural_equal(program(axis=0), program())


def test_free_variables_are_themselves_unless_mapped() -> None:
    x, y = Var("x", T), Var("x", T)
    assert structural_equal(op.exp(x), op.exp(x))
    assert not structural_equal(op.exp(x), op.exp(y))
    assert structural_equal(op.exp(x), op.exp(y), map_free_vars=True)
    assert not structural_equal(op.add(x, y), op.add(x, x), map_free_vars=True)


def test_constants_are_equal_by_their_bits() -> None:
    nan = np.float32([np.nan])
    assert structural_equal(const(nan), const(nan.copy()))
    assert not structural_equal(const(0.0), const(-0.0))
    assert not structural_equal(const(1), const(np.int64(1)))


def test_deep_and_widely_shared_programs_are_compared_in_linear_time() -> None:
    def made() -> Function:
        x = Var("x", T)
        value: Expr = x
        for _ in range(20_000):
            value = op.add(value, value)
        return Function((x,), value)

    assert structural_equal(made(), made())
    assert structural_hash(made()) == structural_hash(made())


def test_modules() -> None:
    assert structural_equal(IRModule({"main": program()}), IRModule({"main": program("z")}))
    assert not structural_equal(IRModule({"main": program()}), IRModule({"other": program()}))
