"""Sizes known by name: their arithmetic is that of the numbers they stand for."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from torchrelay.errors import WrongArgument
from torchrelay.ir import ANY, Dim, Symbolic, TensorType, named, parse_size, shapes

BATCH, LENGTH = named("batch"), named("length")
NUMBERS = {"batch": 7, "length": 11}


def value(size: Dim) -> int:
    return size.at(NUMBERS) if isinstance(size, Symbolic) else int(str(size))


@st.composite
def sizes(draw: st.DrawFn) -> Dim:
    """A size in two names, by sums, differences and products of others."""
    size: Dim = draw(st.sampled_from([BATCH, LENGTH, 2, 3]))
    for _ in range(draw(st.integers(0, 4))):
        how = draw(st.sampled_from([shapes.add, shapes.subtract, shapes.multiply]))
        size = how(size, draw(st.sampled_from([BATCH, LENGTH, 1, 5])))
    return size


@given(sizes(), sizes())
def test_arithmetic_is_that_of_the_numbers(left: Dim, right: Dim) -> None:
    assert value(shapes.add(left, right)) == value(left) + value(right)
    assert value(shapes.subtract(left, right)) == value(left) - value(right)
    assert value(shapes.multiply(left, right)) == value(left) * value(right)
    assert shapes.same(left, left) or left is ANY
    assert shapes.subtract(left, left) == 0


@given(sizes(), sizes())
def test_a_product_is_divided_by_its_factors(left: Dim, right: Dim) -> None:
    if right != 0 or isinstance(right, Symbolic):
        assert shapes.same(shapes.floor_div(shapes.multiply(left, right), right), left)


@given(sizes())
def test_a_text_is_read_back(size: Dim) -> None:
    assert shapes.same(parse_size(str(size)), size)


def test_a_division_that_may_leave_a_rest_has_a_name_of_its_own() -> None:
    half = shapes.floor_div(shapes.add(BATCH, 1), 2)
    assert str(half) == "((batch + 1)//2)"
    assert shapes.same(half, shapes.floor_div(shapes.add(1, BATCH), 2))
    assert str(shapes.floor_div(shapes.add(shapes.multiply(BATCH, 4), 6), 2)) == "2*batch + 3"
    assert str(shapes.floor_div(shapes.add(shapes.multiply(BATCH, 4), 7), 2)) == "2*batch + 3"
    assert shapes.floor_div(BATCH, LENGTH) is ANY


def test_a_window_over_a_named_size() -> None:
    assert str(shapes.window(BATCH, 3, 1, 1, 2)) == "batch"
    assert str(shapes.window(BATCH, 3, 1, 1, 0)) == "batch - 2"


def test_names_tell_sizes_apart_where_types_are_equal() -> None:
    assert TensorType.of((BATCH, 2)) == TensorType.of((ANY, 2)) == TensorType.of((LENGTH, 2))
    assert not shapes.same(BATCH, LENGTH)
    assert not shapes.same(ANY, ANY)
    assert str(TensorType.of((shapes.add(shapes.multiply(BATCH, 2), 1), 2))) == "Tensor[(2*batch + 1, 2), float32]"


def test_a_broadcast_keeps_names() -> None:
    assert str(shapes.broadcast((ANY, 1, LENGTH), (BATCH, LENGTH, 1))[0]) == "batch"
    assert str(shapes.broadcast((BATCH, 3), (1, 3))[0]) == "batch"
    assert shapes.broadcast((BATCH,), (LENGTH,))[0] is ANY


@pytest.mark.parametrize("text", ["", "2**batch", "batch length", "(batch)", "batch +"])
def test_other_texts_are_no_sizes(text: str) -> None:
    with pytest.raises(WrongArgument):
        parse_size(text)
