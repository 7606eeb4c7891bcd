"""Scripts written for tvm.relay, with their imports changed."""

from __future__ import annotations

import numpy as np
import pytest

import torchrelay as tvm
from torchrelay import relay
from torchrelay.errors import IllFormed, NotThere, TypeMismatch, WrongInput, WrongUsage
from torchrelay.ir import post_order


def network() -> tvm.IRModule:
    data = relay.var("data", relay.TensorType((1, 3, 8, 8), "float32"))
    weight = relay.var("weight")
    bias = relay.var("bias", shape=(4,))
    conv = relay.nn.conv2d(data, weight, channels=4, kernel_size=(3, 3), padding=(1, 1))
    out = relay.nn.relu(relay.nn.bias_add(conv, bias))
    out = relay.nn.softmax(relay.nn.batch_flatten(relay.nn.global_avg_pool2d(out)))
    return tvm.IRModule.from_expr(relay.Function([data, weight, bias], out))


def test_a_network_is_built_typed_and_run() -> None:
    mod = tvm.transform.Sequential([relay.transform.InferType(), relay.transform.FoldConstant()])(network())
    assert mod["main"].body.checked_type == relay.TensorType((1, 4))
    assert str(mod["main"].params[1].checked_type) == "Tensor[(4, 3, 3, 3), float32]"
    rng = np.random.default_rng(0)
    params = {"weight": rng.standard_normal((4, 3, 3, 3), "f4"), "bias": np.zeros(4, "f4")}
    data = tvm.nd.array(rng.standard_normal((1, 3, 8, 8), "f4"))
    called = relay.create_executor("graph", mod, tvm.nd.cpu(0), "llvm").evaluate()
    result = called(data, **params)
    assert isinstance(result, tvm.nd.NDArray)
    np.testing.assert_allclose(result.numpy().sum(), 1, rtol=1e-6)
    again = relay.create_executor(mod=mod, params=params).evaluate()(data)
    assert np.array_equal(again.asnumpy(), result)


def test_arithmetic_of_expressions() -> None:
    x, y = relay.var("x", "float32"), relay.const(3.0)
    run = relay.create_executor().evaluate
    values = {x: np.float32(2)}
    for expr, wanted in ((x + y, 5), (x - y, -1), (x * y, 6), (x / y, 2 / 3), (-x, -2), (x < y, True), (x >= y, False)):
        np.testing.assert_allclose(run(expr, values), wanted, rtol=1e-6)
    assert (x + y).astype("int8").checked_type.dtype == "int8"
    with pytest.raises(TypeMismatch, match=r"relay.const\(1, dtype\)"):
        x + 1


def test_branches_and_lets_by_a_scope_builder() -> None:
    cond, x = relay.var("cond", "bool"), relay.var("x", shape=(2,))
    builder = relay.ScopeBuilder()
    with builder.if_scope(cond):
        builder.ret(relay.exp(x))
    with builder.else_scope():
        doubled = builder.let("doubled", x + x)
        builder.ret(relay.Tuple([doubled, doubled])[0])
    mod = relay.transform.InferType()(tvm.IRModule.from_expr(relay.Function([cond, x], builder.get())))
    called = relay.create_executor(mod=mod).evaluate()
    given = np.array([1, 2], "f4")
    np.testing.assert_allclose(called(np.array(True), given), np.exp(given))
    np.testing.assert_allclose(called(np.array(False), given), given * 2)
    with pytest.raises(IllFormed, match="without ret"):
        relay.ScopeBuilder().get()
    with pytest.raises(WrongInput, match="no value for x"):
        called(np.array(True))


def test_recursion_and_data_types_of_the_prelude() -> None:
    mod = tvm.IRModule()
    prelude = relay.Prelude(mod)
    name, cons, nil = mod.get_type("List")
    assert name.name_hint == "List"
    total = nil()
    for value in (1, 2, 3):
        total = cons(relay.const(value), total)
    double = relay.Function([n := relay.var("n", "int32")], n * relay.const(2), relay.scalar_type("int32"))
    mod["main"] = relay.Function([], prelude.sum(prelude.map(double, total)))
    typed = relay.transform.InferType()(mod)
    assert relay.create_executor(mod=typed).evaluate()() == 12
    loop = relay.GlobalVar("loop")
    i, acc = relay.var("i", "int32"), relay.var("acc", "int32")
    body = relay.If(relay.equal(i, relay.const(0)), acc, loop(i - relay.const(1), acc + i))
    mod[loop] = relay.Function([i, acc], body, relay.scalar_type("int32"))
    assert mod.get_global_var("loop") == loop
    typed = relay.transform.InferType()(mod)
    assert relay.create_executor(mod=typed).evaluate(loop)(100, 0) == 5050


def test_a_match_over_an_option() -> None:
    mod = tvm.IRModule()
    relay.Prelude(mod)
    _, some, _none = mod.get_type("Option")
    x = relay.var("x", "int32")
    clauses = [
        relay.Clause(relay.PatternConstructor(some, [relay.PatternVar(x)]), x),
        relay.Clause(relay.PatternWildcard(), relay.const(0)),
    ]
    mod["main"] = relay.Function([], relay.Match(some(relay.const(7)), clauses))
    assert relay.create_executor(mod=relay.transform.InferType()(mod)).evaluate()() == 7


def test_a_visitor_and_a_mutator() -> None:
    class Convolutions(relay.ExprVisitor):
        def __init__(self) -> None:
            super().__init__()
            self.found: list[relay.Call] = []

        def visit_call(self, call: relay.Call) -> None:
            if isinstance(call.op, relay.Op) and call.op.name == "nn.conv2d":
                self.found.append(call)
            super().visit_call(call)

    class ReluToTanh(relay.ExprMutator):
        def visit_call(self, call: relay.Call) -> relay.Expr:
            if call.op == relay.op.get("nn.relu"):
                return relay.tanh(self.visit(call.args[0]))
            return super().visit_call(call)

    main = network()["main"]
    visitor = Convolutions()
    visitor.visit(main)
    assert [call.attrs.kernel_size for call in visitor.found] == [(3, 3)]
    changed = ReluToTanh().visit(main)
    assert isinstance(changed, relay.Function)
    assert relay.analysis.list_op_freqs(tvm.IRModule.from_expr(changed)) == {
        "nn.conv2d": 1,
        "nn.bias_add": 1,
        "tanh": 1,
        "nn.global_avg_pool2d": 1,
        "nn.batch_flatten": 1,
        "nn.softmax": 1,
    }
    assert relay.ExprMutator().visit(main) is main


def test_visits_of_any_depth() -> None:
    class Count(relay.ExprVisitor):
        calls = 0

        def visit_call(self, call: relay.Call) -> None:
            self.calls += 1
            super().visit_call(call)

    value = relay.var("x", shape=(1,))
    for _ in range(20_000):
        value = relay.exp(value)
    counter = Count()
    counter.visit(value)
    assert counter.calls == 20_000
    assert isinstance(relay.ExprMutator().visit(value), relay.Call)


def test_passes_of_the_users_own() -> None:
    @relay.transform.function_pass(opt_level=1, name="NoRelu")
    def no_relu(function: relay.Function, _mod: tvm.IRModule, context: tvm.transform.PassContext) -> relay.Function:
        assert context.opt_level == 3

        class Without(relay.ExprMutator):
            def visit_call(self, call: relay.Call) -> relay.Expr:
                made = super().visit_call(call)
                return made.args[0] if made.op.name == "nn.relu" else made

        return Without().visit(function)

    @tvm.transform.module_pass(opt_level=2)
    class Rename:
        def __init__(self, name: str) -> None:
            self.name = name

        def transform_module(self, mod: tvm.IRModule, _context: object) -> tvm.IRModule:
            return tvm.IRModule({self.name: mod["main"]})

    steps = tvm.transform.Sequential([relay.transform.InferType(), no_relu, Rename("net")])
    with tvm.transform.PassContext(opt_level=3):
        mod = steps(network())
    assert "net" in mod
    assert "nn.relu" not in relay.analysis.list_op_freqs(mod)
    with tvm.transform.PassContext(opt_level=3, disabled_pass=["NoRelu", "Rename"]):
        assert "nn.relu" in relay.analysis.list_op_freqs(steps(network()))
    with pytest.raises(WrongUsage, match="takes a module"):
        relay.transform.InferType()(network()["main"])
    with pytest.raises(NotThere, match="has no FuseOps"):
        relay.transform.FuseOps()


def test_structural_equality_json_and_parameters() -> None:
    one, other = network(), network()
    assert tvm.ir.structural_equal(one, other)
    assert tvm.ir.structural_hash(one) == tvm.ir.structural_hash(other)
    tvm.ir.assert_structural_equal(tvm.ir.load_json(tvm.ir.save_json(one)), one)
    params = {"a": tvm.nd.array([1.0, 2.0]), "b": tvm.nd.empty((0, 3), "int8")}
    again = relay.load_param_dict(relay.save_param_dict(params))
    assert {name: (value.dtype, value.shape) for name, value in again.items()} == {
        "a": ("float32", (2,)),
        "b": ("int8", (0, 3)),
    }
    assert again["a"].numpy().tolist() == [1, 2]


def test_analysis() -> None:
    x, y = relay.var("x", shape=(2,)), relay.var("y", shape=(2,))
    total = x + y
    function = relay.Function([x], total)
    assert relay.analysis.free_vars(function) == [y]
    assert relay.analysis.bound_vars(function) == [x]
    assert relay.analysis.all_vars(function) == [x, y]
    assert relay.analysis.all_dtypes(function) == {"float32"}
    assert relay.analysis.well_formed(function)
    assert not relay.analysis.well_formed(relay.Tuple([function, function, relay.Let(x, y, x)]))
    assert relay.analysis.check_constant(relay.Tuple([relay.const(1)]))
    seen: list[relay.Expr] = []
    relay.analysis.post_order_visit(function, seen.append)
    assert seen == list(post_order(function))
    bound = relay.bind(total, {x: relay.const([1.0, 2.0])})
    assert relay.analysis.free_vars(bound) == [y]


def test_classes_ask_for_the_kinds_of_the_ir() -> None:
    x = relay.var("x", shape=(1, relay.Any()))
    assert isinstance(x, relay.Var)
    assert not isinstance(x, relay.Constant)
    assert isinstance(x.checked_type, relay.TensorType)
    assert isinstance(relay.const(1), relay.Constant)
    assert relay.const([1.5]).data.numpy().dtype == "float32"
    assert x.name_hint == "x"
    with pytest.raises(TypeMismatch, match="InferType"):
        _ = relay.var("untyped").checked_type
    function = relay.Function([x], x).with_attr("Primitive", 1)
    assert function.attrs["Primitive"] == 1
    assert "Primitive" not in function.without_attr("Primitive").attrs
