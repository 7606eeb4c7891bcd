"""Types of whole programs: unknown parameters and lets, functions of any type, data types, references, and what is refused."""

from __future__ import annotations

import pytest

from torchrelay import op
from torchrelay.errors import IllFormed, TypeMismatch
from torchrelay.formats import parse
from torchrelay.ir import (
    Call,
    Expr,
    Function,
    If,
    IRModule,
    Let,
    TensorType,
    Tuple,
    Var,
    const,
    infer_types,
    is_known,
    post_order,
    registry,
)

T = TensorType.of((2, 3))
TYPES = "type List[A] { Cons(A, List[A]), Nil, }\ntype Shape { Round(int32), Flat, }\n"
LENGTH = "def @len[A](%l: List[A]) -> int32 { match (%l) { Cons(_, %y) => 1 + @len(%y), Nil => 0, } }"


def typed(body: str) -> IRModule:
    return infer_types(parse(f'#[version = "0.0.5"]\n{TYPES}{body}'))


def main_type(body: str) -> str:
    return str(typed(body)["main"].type)


def call(name: str, *args: Expr, **attributes: object) -> Call:
    operator = registry.get(name)
    return Call(operator, args, operator.attributes(attributes))


def test_what_is_typed_stays_the_very_same() -> None:
    x = Var("x", T)
    function = Function((x,), op.exp(op.nn.relu(x)), T)
    assert infer_types(IRModule({"main": function}))["main"] is function
    written = infer_types(Function((x,), function.body))
    assert isinstance(written, Function)
    assert written.ret_type == T
    assert written.body is function.body


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def @main(%x: Tensor[(2, 3), float32], %w) { nn.dense(%x, %w, units=4) }", "Tensor[(2, 4), float32]"),
        ("def @main(%x: float32) { let %y: _ = abs(%x); exp(%y) }", "float32"),
        ("def @main(%x: int32) { let %f = fn(%y) { (%y, %y) }; %f(%x).1 }", "int32"),
        ("def @main(%x) { let %r = ref(%x); ref_write(%r, 1f); ref_read(%r) }", "float32"),
        ("def @main(%x: int32) { let %f = fn(%n) { if (%n == 0) { 0 } else { %f(%n - 1) } }; %f(%x) }", "int32"),
        ("def @f(%x) -> float32 { @g(%x, 1) } def @g(%x, %y: int32) { if (True) { %x } else { @f(%x) } } def @main() { @f(2f) }", "float32"),
        ("def @id[A](%x: A) -> A { %x } def @main(%x: int32) { (@id(%x), @id(@id)(2f)) }", "(int32, float32)"),
        ("def @main(%x: int32) { let %f = fn[A](%y: A) -> A { %y }; (%f(%x), %f(1f)) }", "(int32, float32)"),
        ("def @id[A](%x: A) -> A { %x } def @main() { if (True) { @id } else { fn(%x: int32) { %x } } }", "fn (int32) -> int32"),
        ("def @main() { Cons(1, Nil) }", "List[int32]"),
        ("def @main() { if (True) { Nil } else { Cons((1, 2f), Nil) } }", "List[(int32, float32)]"),
        ("def @main(%l: List[_]) { match (%l) { Cons(%x, _) => %x, Nil => 0, } }", "int32"),
        ("def @main(%l: List[int32]) { match (%l) { Cons(%x, %y) => %y, Nil => Nil, } }", "List[int32]"),
        ("def @main(%p: (int32, _)) { match (%p) { (_, %b) => if (True) { %b } else { 1f } } }", "float32"),
        (f"{LENGTH} def @main() {{ @len(Cons(Nil, Nil)) + @len(Cons(1f, Nil)) }}", "int32"),
    ],
)  # fmt: skip
def test_result_types(body: str, expected: str) -> None:
    module = typed(body)
    assert str(module["main"].type).endswith(f"-> {expected}")
    for function in module.functions.values():
        assert is_known(function.ret_type)
        assert all(is_known(param.type_annotation) for param in function.params)


def test_operators_tell_what_their_other_inputs_are() -> None:
    function = "def @main(%x: Tensor[(1, 4, 8, 8), float32], %w, %b) { nn.bias_add(nn.conv2d(%x, %w, channels=6, kernel_size=[3, 3]), %b) }"
    expected = "Tensor[(6, 4, 3, 3), float32], Tensor[(6), float32]) -> Tensor[(1, 6, 6, 6), float32]"
    assert main_type(function).endswith(expected)


@pytest.mark.parametrize("body", ["nn.relu(%x)", "copy(exp(%x))", "clip(zeros_like(%x), a_min=0f, a_max=1f)"])
def test_what_keeps_the_type_has_its_input_from_its_result(body: str) -> None:
    wanted = "Tensor[(2, 3), float32]"
    assert main_type(f"def @main(%x) -> {wanted} {{ {body} }}") == f"fn ({wanted}) -> {wanted}"
    with pytest.raises(TypeMismatch, match=r"the type of %x cannot be inferred"):
        typed(f"def @main(%x) -> {wanted} {{ nn.softmax({body}) }}")


def test_calls_of_polymorphic_functions_have_their_type_arguments() -> None:
    mod = typed("""
        def @same[A](%a: A) -> A { %a }
        def @main[T](%x: T, %y: int32, %ys: List[int32]) {
          let %pair = fn [B](%b: B) -> (B, B) { (%b, %b) };
          (@same(%x), @same(@same), Cons(%y, Nil), Cons(%y, %ys), %pair(%ys))
        }""")
    calls = [node for node in post_order(mod["main"]) if isinstance(node, Call)]
    assert [", ".join(map(str, node.type_args)) for node in calls[:5]] == [
        "T",
        "fn [A](A) -> A",
        "int32",
        "int32",
        "int32",
    ]
    assert str(calls[5].type_args[0]) == "List[int32]"
    assert infer_types(mod)["main"] is mod["main"]


def test_types_found_late_reach_what_waited_for_them() -> None:
    later, x = Var("later"), Var("x", T)
    chain: Expr = later
    for _ in range(3000):
        chain = call("exp", chain)
    pair = Tuple((chain, call("reshape", Tuple((chain,))[0], newshape=(-1,))))
    function = Function((later,), If(const(True), pair, Tuple((x, call("reshape", x, newshape=(6,))))))
    result = infer_types(Function((x,), Call(function, (x,))))
    assert str(result.type) == f"fn ({T}) -> ({T}, Tensor[(6), float32])"
    assert all(is_known(node.type) for node in post_order(result) if not isinstance(node, type(op.exp)))


def test_a_let_chain_of_any_length_is_typed_and_sharing_kept() -> None:
    x = Var("x", T)
    variables = [Var(f"v{index}") for index in range(5000)]
    body: Expr = variables[-1]
    for below, var in reversed(list(zip([x, *variables], variables, strict=False))):
        body = Let(var, call("add", below, below), body)
    result = infer_types(Function((x,), body))
    assert str(result.type) == f"fn ({T}) -> {T}"
    assert len(list(post_order(result))) == len(list(post_order(Function((x,), body))))


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ("def @main(%x, %y: int32) { add(%x, %y) }", TypeMismatch, "the type of %x cannot be inferred"),
        ("def @main[A](%x: A) { add(%x, %x) }", TypeMismatch, "this call of add cannot be inferred"),
        ("def @main(%x: int32) { %x(1) }", TypeMismatch, "only a function can be called, not a value of type int32"),
        ("def @main(%x: int32) { if (%x) { 1 } else { 2 } }", TypeMismatch, "the types int32 and bool do not match"),
        ("def @main(%x: int32) -> float32 { %x }", TypeMismatch, "the types float32 and int32 do not match"),
        ("def @main(%x: int32) { let %y: float32 = %x; %y }", TypeMismatch, "the types float32 and int32 do not match"),
        ("def @main() { let %f = fn(%x) { %x }; (%f(1), %f(1f)) }", TypeMismatch, "the types int32 and float32 do not match"),
        ("def @main() { let %f = fn(%x) { %x(%x) }; %f }", TypeMismatch, "hold itself"),
        ("def @main() { let %f = fn(%x: int32) { %x }; %f(1, 2) }", TypeMismatch, "1 parameters is called with 2"),
        ("def @main(%x) { let %y = %x.0; let %z: int32 = %x; %y }", TypeMismatch, "only a tuple has fields"),
        ("def @main(%x) { let %y = %x.4; let %z: (int32, int32) = %x; %y }", TypeMismatch, "field 4 of a tuple with 2"),
        ("def @ap(%f: fn(int32) -> int32) -> int32 { %f(1) } def @main() { @ap(negative) }", TypeMismatch, "negative is used as a value"),
        ("def @main() { @missing(1) }", IllFormed, "there is no function @missing"),
        ("def @main(%l: List[int32]) { match (%l) { Cons(%x, _) => %x, } }", TypeMismatch, "leaves out the case Nil"),
        ("def @main(%l: List[int32]) { match (%l) { Cons(%x, Cons(_, _)) => %x, Nil => 0, } }", TypeMismatch, r"Cons\(_, Nil\)"),
        ("def @main(%p: (Shape, Shape)) { match (%p) { (Round(_), Flat) => 1, (Flat, _) => 2, } }", TypeMismatch,
         r"\(Round\(_\), Round\(_\)\)"),
        ("def @main(%x: int32) { match (%x) { Nil => 1, _ => 2, } }", TypeMismatch, "do not match"),
    ],
)  # fmt: skip
def test_what_is_refused_says_where_and_why(body: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        typed(body)
    assert "from_string:" in str(caught.value)


def test_matches_that_need_not_be_complete() -> None:
    assert main_type("def @main(%l: List[int32]) { match? (%l) { Cons(%x, _) => %x, } }").endswith("-> int32")
    covered = "match (%l) { Cons(%x, Nil) => %x, Cons(_, Cons(%y, _)) => %y, Nil => 0, }"
    assert main_type(f"def @main(%l: List[int32]) {{ {covered} }}").endswith("-> int32")


def test_a_dim_that_one_side_does_not_know_fits_any_size() -> None:
    body = "def @f(%x: Tensor[(?, 3), float32]) -> Tensor[(?, 3), float32] { abs(%x) } def @main(%x: Tensor[(2, 3), float32]) { @f(%x) }"
    assert main_type(body) == "fn (Tensor[(2, 3), float32]) -> Tensor[(?, 3), float32]"
    loop = "let %f = fn(%n: int32, %x: Tensor[(?, 1), float32]) { if (%n == 0) { %x } else { %f(%n - 1, concatenate((%x, %x))) } }; "
    body = f"def @main(%x: Tensor[(1, 1), float32]) {{ {loop} %f(3, %x) }}"
    assert main_type(body) == "fn (Tensor[(1, 1), float32]) -> Tensor[(?, 1), float32]"
