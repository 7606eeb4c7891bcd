"""``run`` takes inputs in every form that a model does, and says what it wants of the wrong ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

import torchrelay
from torchrelay import op
from torchrelay.errors import WrongInput, WrongUsage
from torchrelay.ir import Function, IRModule, TensorType, Var
from torchrelay.runtime import run

A, B = np.float32([1, 2]), np.float32([3, 4])


def _module(*names: str) -> IRModule:
    """The sum of inputs with these names."""
    params = [Var(name, TensorType.of((2,)), place=None) for name in names]
    total = params[0]
    for param in params[1:]:
        total = op.add(total, param)
    return IRModule({"main": Function(tuple(params), total, place=None)})


@pytest.mark.parametrize(
    "inputs", [(A, B), [A, B], ((A,), [B]), {"x": A, "y": B}, (A, None, B), (torch.from_numpy(A), B)]
)
def test_two_inputs_in_every_form(inputs: object) -> None:
    assert run(_module("x", "y"), {}, inputs)[0].tolist() == [4, 6]


@pytest.mark.parametrize("inputs", [A, torch.from_numpy(A), (A,), [A], {"x": A}, {"x": A, "more": None}])
def test_one_input_in_every_form(inputs: object) -> None:
    assert run(_module("x"), {}, inputs)[0].tolist() == [1, 2]


def test_nested_inputs_by_name() -> None:
    mod = _module("x.0", "x.b", "y")
    for inputs in ({"x": (A, A), "y": B}, {"x.0": A, "x.b": A, "y": B}, ([A, {"b": A}], B)):
        assert run(mod, {}, inputs)[0].tolist() == [5, 8]


WRONG: list[tuple[Callable[[IRModule], object], type[Exception], str]] = [
    (lambda mod: run(mod, {}, None), WrongInput, "no inputs are given, the function takes 1"),
    (lambda mod: run(mod, {}, ()), WrongInput, "no inputs are given, the function takes 1"),
    (lambda mod: run(mod, {}, (A, B)), WrongInput, "2 inputs are given, the function takes 1"),
    (lambda mod: run(mod, {}, {"z": A}), WrongInput, "there is no input 'z'"),
    (lambda mod: run(mod, {}, {}), WrongInput, "the input 'x' is missing"),
    (lambda mod: run(mod, {}, ["text"]), WrongInput, "the input x"),
    (lambda mod: run(mod, {}, [object()]), WrongInput, "the input x"),
    (lambda mod: run(mod, None, (A,)), WrongInput, "the parameters are a NoneType, not arrays by name"),
    (lambda mod: run(mod, {"x": A[:1]}, ()), WrongInput, "the parameter x has shape (1,)"),
    (lambda mod: run(mod, {}, (A,), engine="gpu"), WrongUsage, "there is no engine 'gpu'"),
    (lambda mod: run(None, {}, (A,)), WrongUsage, "run takes a module first, not a NoneType"),
]


@pytest.mark.parametrize(("call", "kind", "message"), WRONG, ids=range(len(WRONG)))
def test_wrong_calls_get_one_typed_error(
    call: Callable[[IRModule], object], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as caught:
        call(_module("x"))
    assert message in str(caught.value)


def test_a_module_without_main_says_so() -> None:
    with pytest.raises(torchrelay.TorchRelayError, match="main"):
        run(IRModule({}), {}, ())


def test_a_window_wholly_in_the_padding_has_the_least_finite_value() -> None:
    for dtype, least in (("float32", np.finfo("float32").min), ("int8", -128)):
        x = Var("x", TensorType.of((1, 1, 2), dtype))
        pooled = op.nn.max_pool1d(x, pool_size=(1,), padding=(1, 0))
        (result,) = run(IRModule.from_expr(pooled), {}, [np.full((1, 1, 2), 3, dtype)])
        np.testing.assert_array_equal(result, [[[least, 3, 3]]])
