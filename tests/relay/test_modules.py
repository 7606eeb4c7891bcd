"""The modules of tvm that scripts import from, and what is said of names that are not there."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import torchrelay as tvm
from torchrelay import relay
from torchrelay.errors import NotThere, TorchRelayError, TypeMismatch, WrongArgument

SAME = {
    "relay.expr": "Call Constant If Let RefCreate Tuple TupleGetItem TupleWrapper Var bind const var",
    "relay.function": "Function",
    "relay.adt": "Clause Constructor Match PatternConstructor PatternTuple PatternVar PatternWildcard TypeData",
    "relay.ty": "Any FuncType RefType TensorType TupleType TypeCall TypeVar scalar_type",
    "relay.expr_functor": "ExprFunctor ExprMutator ExprVisitor",
    "relay.scope_builder": "ScopeBuilder",
    "relay.prelude": "Prelude",
    "relay.param_dict": "load_param_dict save_param_dict",
    "relay.build_module": "create_executor",
    "relay.op.tensor": "add concatenate exp",
    "relay.op.transform": "reshape split strided_slice",
    "relay.op.reduce": "mean sum",
    "relay.op.algorithm": "argsort topk",
    "parser": "fromtext parse parse_expr",
    "runtime": "load_param_dict save_param_dict",
}


@pytest.mark.parametrize("module", SAME)
def test_a_module_has_the_names_of_relay(module: str) -> None:
    loaded = importlib.import_module(f"torchrelay.{module}")
    for name in SAME[module].split():
        assert getattr(loaded, name) is getattr(relay, name)


def test_families_and_passes_are_where_scripts_import_them_from() -> None:
    from torchrelay.relay.op.nn import conv2d
    from torchrelay.relay.op.op import get

    from torchrelay.ir.transform import PassContext

    assert conv2d is relay.nn.conv2d is relay.op.nn.conv2d
    assert PassContext is tvm.transform.PassContext is tvm.ir.transform.PassContext
    assert get("nn.relu") is tvm.ir.Op.get("nn.relu") is relay.op.op.get("nn.relu")
    assert tvm.cpu(0) == tvm.nd.cpu(0) == tvm.device("cpu")
    assert isinstance(tvm.runtime.ndarray.array([1.0]), tvm.runtime.NDArray)
    assert issubclass(TypeMismatch, tvm.TVMError)
    assert tvm.TVMError is TorchRelayError


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("tvm.relay.build", "torchrelay.relay has no build\n.*torchrelay builds nothing"),
        ("tvm.relay.nn.conv2", "torchrelay.relay.nn has no conv2\n.*did you mean .*conv2d"),
        ("tvm.relay.transform.FuseOps", "has no FuseOps\n.*it has DeadCodeElimination"),
        ("tvm.relay.transform.FoldConst", "did you mean FoldConstant"),
        ("tvm.relay.analysis.free_var", "did you mean free_vars"),
        ("tvm.relay.op.register_compute", "torchrelay.relay.op has no register_compute"),
        ("tvm.relay.qnn.op.quantise", "did you mean .*quantize"),
        ("tvm.relay.build_module.BuildModule", "torchrelay builds nothing"),
    ],
)
def test_a_name_that_is_not_there_is_refused(source: str, said: str) -> None:
    module, _, name = source.rpartition(".")
    owner = eval(module, {"tvm": tvm})
    with pytest.raises(NotThere, match=said):
        getattr(owner, name)
    assert not hasattr(owner, name)


def test_functions_of_a_module_under_the_words_of_global_variables() -> None:
    x = relay.var("x", shape=(2,))
    double, main = relay.GlobalVar("double"), relay.GlobalVar("main")
    mod = tvm.IRModule({double: relay.Function([x], x + x)})
    mod.update({main: relay.Function([y := relay.var("y", shape=(2,))], double(y))})
    assert [var.name_hint for var, _function in mod.functions.items()] == ["double", "main"]
    for var, function in mod.functions.items():
        mod.update_func(var, relay.ExprMutator().visit(function))
    typed = relay.transform.InferType()(mod)
    assert typed["main"].body.checked_type.concrete_shape == (2,)
    again = tvm.IRModule.from_expr(mod[main], functions={double: mod[double]})
    assert relay.create_executor(mod=again).evaluate()(np.ones(2, "f4")).numpy().tolist() == [2, 2]
    with pytest.raises(TypeMismatch, match="known only when the program runs"):
        _ = relay.TensorType((1, relay.Any())).concrete_shape


def test_parameters_bound_by_name() -> None:
    x, w = relay.var("x", shape=(2,)), relay.var("w", shape=(2,))
    function = relay.Function([x, w], x * w)
    bound = relay.build_module.bind_params_by_name(function, {"w": np.array([2, 3], "f4"), "other": np.ones(1)})
    assert [param.name_hint for param in bound.params] == ["x"]
    run = relay.create_executor(mod=tvm.IRModule.from_expr(bound)).evaluate()
    assert run(np.ones(2, "f4")).numpy().tolist() == [2, 3]
    assert relay.bind(function, {x: w}).params == (w,)
    with pytest.raises(WrongArgument, match="more than one parameter is named x"):
        relay.build_module.bind_params_by_name(relay.Function([x, relay.var("x")], x), {"x": np.ones(2)})


def test_a_loop() -> None:
    i, total = relay.var("i", "int32"), relay.var("total", "int32")
    loop = relay.loops.while_loop(
        lambda i, _total: relay.less(i, relay.const(10)),
        [i, total],
        lambda i, total: [i + relay.const(1), total + i],
    )
    result = relay.TupleGetItem(relay.Call(loop, [relay.const(0), relay.const(0)]), 1)
    assert relay.create_executor().evaluate(result) == 45


def test_types_with_sizes_that_are_not_known() -> None:
    open_tensor = relay.TensorType((relay.Any(),))
    assert not relay.ty.is_dynamic(relay.TensorType((1,)))
    assert not relay.ty.is_dynamic(relay.TypeVar("a"))
    for kind in (open_tensor, relay.TupleType([open_tensor]), relay.FuncType([open_tensor], relay.scalar_type("bool"))):
        assert relay.ty.is_dynamic(kind)


def test_records_and_operators_say_what_scripts_ask() -> None:
    x = relay.var("x", shape=(1, 3, 8, 8))
    call = relay.nn.conv2d(x, relay.var("w"), channels=4, kernel_size=(3, 3), padding=(1, 2))
    assert call.attrs["padding"] == call.attrs.get_int_tuple("padding") == (1, 2, 1, 2)
    assert call.attrs.get_int("groups") == int(call.attrs.groups) == 1
    assert call.attrs.get_str("data_layout") == "NCHW"
    assert call.attrs.keys()[:3] == ["strides", "padding", "dilation"]
    with pytest.raises(NotThere, match=r"has no attribute pading\n.*it has strides, padding"):
        call.attrs["pading"]
    assert [one.name for one in call.op.arguments] == ["data", "weight"]
    assert (call.op.num_inputs, call.op.support_level, call.op.get_attr("TOpPattern")) == (2, 2, 4)
    assert call.op.attrs_type_key == "relay.attrs.Conv2DAttrs"
    assert relay.op.get("add").attrs_type_key == ""
    assert not call.op.has_attr("FTVMLegalize")
    assert len(relay.Tuple([x, x])) == 2
    assert relay.Tuple([])
    with pytest.raises(WrongArgument, match="size of a shape is 'n'"):
        relay.var("y", shape=("n",))
