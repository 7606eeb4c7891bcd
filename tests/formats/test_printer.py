"""Relay text as it is printed: the layout of the format, any depth, names and numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from torchrelay import op
from torchrelay.formats import astext, printed
from torchrelay.ir import Call, Expr, Function, If, IRModule, Let, TensorType, Tuple, Var, const

T = TensorType.of((2, 3))


def graph_form() -> Expr:
    x = Var("x", T)
    return op.subtract(op.exp(x), op.multiply(op.tanh(x), op.sin(x)))


def function_value() -> Expr:
    x, p = Var("x", T), Var("p", T)
    e = op.exp(p)
    return Function((x,), Call(Function((p,), op.add(e, e)), (op.tanh(x),)))


def shared_between_scopes() -> Expr:
    c, x = Var("c", TensorType.of((), "bool")), Var("x", T)
    y = op.exp(x)
    return Function((c, x), op.add(If(c, op.log(y), op.sqrt(x)), y))


def lets() -> Expr:
    x, v, w = Var("x", T), Var("v", T), Var("v", T)
    return Function((x,), Let(v, op.exp(x), Let(w, op.negative(v), op.add(v, w))))


def constants_and_tuples() -> Expr:
    x = Var("a.b-c", T)
    pair = Tuple((op.add(x, const(0.1)), op.add(x, const(np.ones((3,), "float32")))))
    return Function((x,), Tuple((pair[1], Tuple((pair[0],)), Tuple(()))))


FORMS = [graph_form, function_value, shared_between_scopes, lets, constants_and_tuples]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_forms(form: Callable[[], Expr], golden: Callable[[str, str], None]) -> None:
    golden(f"text_{form.__name__}.relay", astext(form()))
    golden(f"text_{form.__name__}.tvm.relay", astext(form(), for_tvm=True))


SCALARS = [
    (np.int32(1), "1"),
    (np.int64(-3), "-3i64"),
    (np.int16(7), "7i16"),
    (np.float32(0.1), "0.1f"),
    (np.float32(1e-5), "1e-05f"),
    (np.float64(1 / 3), "0.3333333333333333f64"),
    (np.float32(-0.0), "-0f"),
    (np.float32("inf"), "inff"),
    (np.float32("-inf"), "-inff"),
    (np.float32("nan"), "meta[relay.Constant][0]"),
    (np.float16(2), "2f16"),
    (np.bool_(True), "True"),
    (np.int8(1), "meta[relay.Constant][0]"),
]


@pytest.mark.parametrize(("value", "text"), SCALARS, ids=[text for _, text in SCALARS])
def test_scalars(value: np.generic, text: str) -> None:
    assert astext(const(value), header=False, show_meta_data=False).split(" /*")[0] == text


def test_names_are_unique_in_the_text_and_plain_for_tvm() -> None:
    x, y = Var("w.x", T), Var("w.x", T)
    shown = printed(Function((x, y), op.add(x, y)), for_tvm=True)
    assert "fn (%w_x: " in shown.text
    assert "%w_x1: " in shown.text
    assert dict(shown.names) == {"w.x": "w_x"}


def test_deep_expressions_print() -> None:
    x = Var("x", T)
    chain: Expr = x
    lets: Expr = x
    for _ in range(20_000):
        chain = op.nn.relu(chain)
        lets = Let(Var("v", T), op.exp(x), lets)
    assert astext(IRModule.from_expr(chain)).count("nn.relu") == 20_000
    assert astext(IRModule.from_expr(lets)).count("let %v") == 20_000
