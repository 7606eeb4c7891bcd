"""Every function of the library in the interpreter, against plain Python on samples."""

from __future__ import annotations

import functools
import itertools
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from torchrelay.errors import ExecutionError
from torchrelay.formats import Prelude, parse
from torchrelay.ir import ANY, IRModule, infer_types
from torchrelay.runtime import Closure, Data, Machine, Value

DTYPES = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16")
HELPERS = """#[version = "0.0.5"]
type Option[A] { Some(A), None, }
def @double(%x: int32) -> int32 { %x * 2 }
def @minus(%x: int32, %y: int32) -> int32 { %x - %y }
def @plus(%x: int32, %y: int32) -> int32 { %x + %y }
def @times(%x: int32, %y: int32) -> int32 { %x * %y }
def @positive(%x: int32) -> bool { %x > 0 }
def @running(%sum: int32, %x: int32) -> (int32, int32) { (%sum + %x, %sum * %x) }
def @count_down(%n: int32) -> Option[(int32, int32)] { if (%n == 0) { None } else { Some((%n - 1, %n * %n)) } }
def @one() -> int32 { 1 }
def @zero_of() -> int32 { 0 }
"""


def library() -> IRModule:
    mod = IRModule().import_from_std("nat.rly").import_from_std("gradient.rly")
    for dtype, shape in (("float32", (2, 3)), ("float32", ()), ("int32", (4,)), ("float32", (ANY, 3))):
        mod = Prelude(mod).with_static_arrays(dtype, shape).mod
    helpers = infer_types(parse(HELPERS))
    return mod.with_functions(helpers.functions)


MOD = library()
MACHINE = Machine(MOD.functions)
CONSTRUCTORS = {c.name: c for data in MOD.type_definitions.values() for c in data.constructors}
CALLED: set[str] = set()


def call(name: str, *args: Value) -> Value:
    CALLED.add(name)
    return MACHINE.call(name, args)


def function(name: str) -> Value:
    return Closure(MACHINE.program(name), {})


def number(value: int) -> np.ndarray:
    return np.array(value, "int32")


def data(name: str, *fields: Value) -> Data:
    return Data(CONSTRUCTORS[name], fields)


def listed(values: Sequence[Value]) -> Value:
    return functools.reduce(lambda rest, x: data("Cons", x, rest), reversed(values), data("Nil"))


def ints(*values: int) -> Value:
    return listed([number(value) for value in values])


def plain(value: Value) -> object:
    """A value as Python has it: lists, tuples, numbers, names of constructors with what they hold."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, tuple):
        return tuple(plain(part) for part in value)
    assert isinstance(value, Data)
    if value.constructor.name in ("Cons", "Nil"):
        return [plain(x) for x in unlisted(value)]
    return (value.constructor.name, *(plain(field) for field in value.fields))


def unlisted(value: Value) -> list[Value]:
    found: list[Value] = []
    while isinstance(value, Data) and value.constructor.name == "Cons":
        found.append(value.fields[0])
        value = value.fields[1]
    return found


def rose(value: int, *branches: Value) -> Value:
    return data("Rose", number(value), listed(branches))


def nat(value: int) -> Value:
    return functools.reduce(lambda rest, _: data("succ", rest), range(value), data("zero"))


SAMPLES = [[], [3], [3, -1, 4, -1, 5]]
STEP: Callable[[int, int], tuple[int, int]] = lambda total, x: (total + x, total * x)


def folded(values: Sequence[int]) -> tuple[int, list[int]]:
    total, out = 10, []
    for x in values:
        total, y = STEP(total, x)
        out.insert(0, y)
    return total, out


@pytest.mark.parametrize("xs", SAMPLES, ids=str)
def test_lists_of_any_length(xs: list[int]) -> None:
    given = ints(*xs)
    assert plain(call("length", given)) == len(xs)
    assert plain(call("map", function("double"), given)) == [2 * x for x in xs]
    assert plain(call("filter", function("positive"), given)) == [x for x in xs if x > 0]
    assert plain(call("foldl", function("minus"), number(7), given)) == functools.reduce(lambda a, x: a - x, xs, 7)
    assert plain(call("foldr", function("minus"), number(7), given)) == functools.reduce(
        lambda a, x: x - a, xs[::-1], 7
    )
    assert plain(call("sum", given)) == sum(xs)
    assert plain(call("rev", given)) == xs[::-1]
    assert plain(call("concat", given, ints(8, 9))) == [*xs, 8, 9]
    assert plain(call("zip", given, ints(1, 2, 3))) == list(zip(xs, [1, 2, 3], strict=False))
    assert plain(call("map_accuml", function("running"), number(10), given)) == folded(xs)
    flipped = call("flip", function("running"))
    total, out = folded(xs[::-1])
    assert plain(call("map_accumr", function("running"), number(10), given)) == (total, out)
    assert isinstance(flipped, Closure)


def test_lists_that_are_not_empty() -> None:
    xs = [3, -1, 4, -1, 5]
    given = ints(*xs)
    assert plain(call("hd", given)) == 3
    assert plain(call("tl", given)) == xs[1:]
    assert plain(call("foldr1", function("minus"), given)) == 3 - (-1 - (4 - (-1 - 5)))
    assert plain(call("foldr1", function("minus"), ints(6))) == 6
    for n in range(5):
        assert plain(call("nth", given, number(n))) == xs[n]
        assert plain(call("update", given, number(n), number(70))) == [*xs[:n], 70, *xs[n + 1 :]]
    for name, args in (("hd", ()), ("tl", ()), ("nth", (number(2),))):
        with pytest.raises(ExecutionError, match="no clause of the match fits"):
            call(name, ints(), *args)


def test_functions_of_functions() -> None:
    apply = {"id": (), "compose": (function("double"), function("double")), "iterate": (function("double"), number(5))}
    assert plain(call("id", number(4))) == 4
    for name, factor in (("compose", 4), ("iterate", 32)):
        result = call(name, *apply[name])
        assert plain(call("map", result, ints(1, 3))) == [factor, 3 * factor]
    assert plain(call("foldl", call("flip", function("minus")), number(7), ints(1, 2))) == 2 - (1 - 7)


def test_lists_from_seeds() -> None:
    squares = [n * n for n in range(5, 0, -1)]
    assert plain(call("unfoldr", function("count_down"), number(5))) == squares
    assert plain(call("unfoldl", function("count_down"), number(5))) == squares[::-1]


def test_trees() -> None:
    tree = rose(1, rose(2, rose(3)), rose(4), rose(5, rose(6), rose(7)))
    assert plain(call("size", tree)) == 7
    doubled = rose(2, rose(4, rose(6)), rose(8), rose(10, rose(12), rose(14)))
    assert plain(call("tmap", function("double"), tree)) == plain(doubled)


def test_natural_numbers() -> None:
    for x, y in itertools.product(range(4), repeat=2):
        assert plain(call("nat_add", nat(x), nat(y))) == plain(nat(x + y))
    assert plain(call("nat_double", nat(3))) == plain(nat(6))
    assert plain(call("map", call("nat_iterate", function("double"), nat(3)), ints(1, 5))) == [8, 40]
    assert plain(call("nat_nth", ints(7, 8, 9), nat(2))) == 9
    assert plain(call("nat_update", ints(7, 8, 9), nat(1), number(0))) == [7, 0, 9]


def test_gradients_that_are_made_only_where_they_are_needed() -> None:
    raw, one, zero = data("Raw", number(5)), data("One", function("one")), data("Zero", function("zero_of"))
    worth = {"Raw": 5, "One": 1, "Zero": 0}
    for left, right in itertools.product((raw, one, zero), repeat=2):
        a, b = worth[left.constructor.name], worth[right.constructor.name]
        total = call("AddGradCell", function("plus"), left, right)
        product = call("MultiplyGradCell", function("times"), left, right)
        assert plain(call("FromGradCell", total)) == a + b
        assert plain(call("FromGradCell", product)) == a * b
        assert (product.constructor.name == "Zero") == (0 in (a, b))


@pytest.mark.parametrize("dtype", DTYPES)
def test_tensor_arrays_of_any_rank(dtype: str) -> None:
    def tensor(array: np.ndarray) -> Data:
        return data(f"tensor{array.ndim}_{dtype}", array)

    def array(*shape: int) -> np.ndarray:
        return np.arange(np.prod(shape, dtype=int), dtype=dtype).reshape(shape)

    empty = call(f"tensor_array_{dtype}", number(3))
    assert plain(empty) == [(f"tensor_nil_{dtype}",)] * 3
    written = call(f"tensor_array_write_{dtype}", empty, number(1), tensor(array(2)))
    assert plain(call(f"tensor_array_read_{dtype}", written, number(1))) == plain(tensor(array(2)))
    places = np.array([2, 0], "int32")
    scattered = call(f"tensor_array_scatter_{dtype}", written, places, listed([tensor(array(3)), tensor(array(1))]))
    assert plain(scattered) == [plain(tensor(a)) for a in (array(1), array(2), array(3))]
    for rank in range(1, 7):
        whole = array(*range(3, 3 + rank))
        rows = call(f"tensor_array_unstack_tensor{rank}_{dtype}", whole)
        assert plain(rows) == [plain(tensor(row)) for row in whole]
        taken = call(f"tensor_take_{dtype}", tensor(whole), number(1), number(3))
        assert plain(taken) == plain(tensor(whole[1:3]))
        expanded = call(f"tensor_expand_dims_{dtype}", tensor(whole[0]))
        assert plain(expanded) == plain(tensor(whole[:1]))
        if rank > 4:
            continue
        joined = call(f"tensor_concatenate_{dtype}", tensor(whole), tensor(whole[1:]))
        assert plain(joined) == plain(tensor(np.concatenate([whole, whole[1:]])))
        assert plain(call(f"tensor_array_stack_{dtype}", rows)) == plain(tensor(whole))
        pieces = call(
            f"tensor_array_split_{dtype}", call(f"tensor_array_{dtype}", number(2)), tensor(whole), np.int32([1, 2])
        )
        assert plain(pieces) == [plain(tensor(whole[:1])), plain(tensor(whole[1:]))]
        assert plain(call(f"tensor_array_concat_{dtype}", pieces)) == plain(tensor(whole))


@pytest.mark.parametrize(
    ("dtype", "shape", "name"),
    [("float32", (2, 3), "2_3"), ("float32", (), "scalar"), ("int32", (4,), "4"), ("float32", (5, 3), "any_3")],
    ids=str,
)
def test_tensor_arrays_of_one_shape(dtype: str, shape: tuple[int, ...], name: str) -> None:
    n = f"{dtype}_{name}"
    batch = f"{dtype}_any" if not shape else f"{dtype}_any_{name}"
    a, b, c = (np.full(shape, value, dtype) for value in (1, 2, 3))

    def tensor(array: np.ndarray, of: str = n) -> Data:
        return data(f"tensor_constructor_{of}", array)

    empty = call(f"tensor_array_{n}", number(3))
    assert plain(empty) == [(f"tensor_nil_{n}",)] * 3
    written = call(f"tensor_array_write_{n}", empty, number(1), tensor(b))
    assert plain(call(f"tensor_array_read_{n}", written, number(1))) == plain(tensor(b))
    assert plain(call(f"tensor_get_data_{n}", tensor(c))) == c.tolist()
    full = call(f"tensor_array_scatter_{n}", written, np.int32([2, 0]), listed([tensor(c), tensor(a)]))
    assert plain(full) == plain(listed([tensor(a), tensor(b), tensor(c)]))
    assert plain(call(f"tensor_array_stack_{n}", full)) == plain(tensor(np.stack([a, b, c]), batch))
    gathered = call(f"tensor_array_gather_{n}", full, np.int32([2, 2, 0]))
    assert plain(gathered) == plain(tensor(np.stack([c, c, a]), batch))
    assert plain(call(f"tensor_expand_dims_{n}", tensor(a))) == plain(tensor(a[None], batch))
    if shape:
        check_rows(n, dtype, shape, np.arange(np.prod(shape), dtype=dtype).reshape(shape))


def check_rows(n: str, dtype: str, shape: tuple[int, ...], whole: np.ndarray) -> None:
    part = "_".join([dtype, *map(str, shape[1:] or ["scalar"])])
    rows = "_".join([dtype, "any", *map(str, shape[1:])])

    def tensor(array: np.ndarray, of: str) -> Data:
        return data(f"tensor_constructor_{of}", array)

    unstacked = call(f"tensor_array_unstack_{n}", whole)
    assert plain(unstacked) == [plain(tensor(row, part)) for row in whole]
    taken = call(f"tensor_take_{n}", tensor(whole, n), number(0), number(2))
    assert plain(taken) == plain(tensor(whole[:2], rows))
    joined = call(f"tensor_concatenate_{n}", tensor(whole, n), tensor(whole, n))
    assert plain(joined) == plain(tensor(np.concatenate([whole, whole]), rows))
    nothing = listed([data(f"tensor_nil_{rows}")] * 2)
    pieces = call(f"tensor_array_split_{n}", nothing, tensor(whole, n), np.int32([1, shape[0] - 1]))
    assert plain(pieces) == [plain(tensor(whole[:1], rows)), plain(tensor(whole[1:], rows))]
    assert plain(call(f"tensor_array_concat_{n}", pieces)) == plain(tensor(whole, rows))


RNN = """#[version = "0.0.5"]
def @main(%xs: List[Tensor[(1, 4), float32]], %w: Tensor[(3, 4), float32], %u: Tensor[(3, 3), float32]) {
  let %cell = fn (%state, %x) {
    let %h = tanh(nn.dense(%x, %w, units=3) + nn.dense(%state, %u, units=3));
    (%h, sum(%h))
  };
  let %run = @map_accuml(%cell, zeros(shape=[1, 3], dtype="float32"), %xs);
  (%run.0, @rev(%run.1))
}
"""


def test_a_recurrent_network_over_a_list_of_any_length() -> None:
    mod = parse(RNN, init_module=IRModule().import_from_std("prelude.rly"))
    assert str(mod["main"].ret_type) == "(Tensor[(1, 3), float32], List[float32])"
    rng = np.random.default_rng(0)
    w, u = rng.standard_normal((3, 4), "float32"), rng.standard_normal((3, 3), "float32")
    for length in (0, 1, 7):
        xs = [rng.standard_normal((1, 4), "float32") for _ in range(length)]
        state, sums = np.zeros((1, 3), "float32"), []
        for x in xs:
            state = np.tanh(x @ w.T + state @ u.T)
            sums.append(state.sum())
        last, found = Machine(mod.functions).call("main", [listed(xs), w, u])
        np.testing.assert_allclose(last, state, rtol=1e-5)
        np.testing.assert_allclose(plain(found), sums, rtol=1e-5)


def test_no_function_of_the_library_is_left_out() -> None:
    """The tests above run in a process of their own: in this one, another worker may have taken some of them."""
    code = (
        "import pytest; pytest.main(['-q', '-p', 'no:xdist', '-k', 'not left_out', 'tests/runtime/test_prelude.py']);"
    )
    code += "from tests.runtime.test_prelude import CALLED; print(*CALLED)"
    root = Path(__file__).parent.parent.parent
    result = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    waiting = result.stdout.splitlines()[-1].split()
    called = set(waiting)
    while waiting:
        found = {n for n in used_globals(waiting.pop()) if n not in called}
        called |= found
        waiting.extend(found)
    assert set(MOD.functions) - set(infer_types(parse(HELPERS)).functions) - called == set()


def used_globals(name: str) -> list[str]:
    from torchrelay.ir import GlobalVar, post_order

    return [node.name for node in post_order(MOD[name]) if isinstance(node, GlobalVar)]
