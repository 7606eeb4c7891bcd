"""Every call that a script may write makes an expression that reads back as itself."""

from __future__ import annotations

import pytest

import torchrelay as tvm
from tests.relay.calls import CALLS
from torchrelay import relay
from torchrelay.errors import WrongArgument
from torchrelay.formats import load_json, save_json
from torchrelay.ir import Call, IRModule, Operator, assert_structural_equal, post_order, registry


def made(source: str) -> IRModule:
    """The module of a call."""
    names: dict[str, object] = {name: relay.var(name) for name in "xyzw"}
    names.update(
        relay=relay, tvm=tvm, t=relay.var("t", shape=(2, 3, 8, 8)), v=relay.var("v", shape=(2,), dtype="int64")
    )
    value = eval(source, names)
    return IRModule.from_expr(value.astuple() if isinstance(value, relay.TupleWrapper) else value)


@pytest.mark.parametrize("source", CALLS)
def test_a_call_reads_back(source: str) -> None:
    module = made(source)
    assert_structural_equal(load_json(save_json(module)), module)


def test_every_operator_has_a_function_or_is_listed() -> None:
    reached = {
        node.op.name
        for source in CALLS
        for node in post_order(made(source)["main"])
        if isinstance(node, Call) and isinstance(node.op, Operator)
    }
    spaces = {"": relay, "nn": relay.nn, "image": relay.image, "vision": relay.vision, "qnn": relay.qnn.op}
    spaces |= {"random": relay.random, "annotation": relay.annotation}
    derived = {
        function.operator
        for space in spaces.values()
        for function in map(space.__dict__.get, space.__all__)
        if hasattr(function, "operator")
    }
    left = {name for name in registry.names() if name not in reached | derived}
    # They have no function in tvm.relay either; memory.* and vm.* are made by its compiler.
    assert left == {
        "dyn.sparse_to_dense",
        "fast_erf",
        "fast_exp",
        "fast_tanh",
        "fixed_point_multiply_per_axis",
        "memory.kill",
        "vm.reshape_tensor",
        "vm.shape_of",
    }


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("relay.nn.conv2d(x)", "missing a required argument: 'weight'"),
        ("relay.nn.conv2d(x, w, pading=(1, 1))", "unexpected keyword argument 'pading'"),
        ("relay.nn.conv2d(x, w, padding=(1, 2, 3))", "must be 2 or 4 numbers"),
        ("relay.add(x, 1)", "must be an expression"),
        ("relay.Function([x])", "missing a required argument: 'body'"),
        ("relay.strided_slice(x, y, z, axes=[0])", "axes cannot be given"),
        ("relay.var('x', 'float32', shape=(1,))", "give one of the two"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(source: str, said: str) -> None:
    with pytest.raises(WrongArgument, match=said.replace("(", r"\(")):
        made(source)
