"""Numbers of the program's own: known ones, from sizes, and computed ones, from values."""

from __future__ import annotations

from tests.cases.making import Case, scripted
from tests.samples.making import array

KNOWN = "n = x.size(0)\n  m = x.size(1)\n  a = float(n) * 0.75\n  b = float(m) + 0.5"
COMPUTED = "n = int(x[0, 0])\n  m = int(x[0, 1])\n  a = float(x[1, 0])\n  b = float(x[1, 1])"
VALUES = array([[-7.5, 3.0, 1.0], [2.5, 1.5, 0.0]])


def program(expression: str, numbers: str) -> Case:
    """A row that returns what the expression makes of two integers n and m, two floats a and b, truth values t and u."""
    lines = ["def f(x):", numbers, "t = n > m", "u = m > n", f"return {expression}"]
    return scripted("\n  ".join(lines) + "\n", VALUES)


def rows(expression: str) -> list[Case]:
    return [program(expression, KNOWN), program(expression, COMPUTED)]


def graphs(name: str, kind: str, result: str) -> list[Case]:
    """Rows of a function of one number that no text without imports says, of a number that the program computes."""
    lines = [
        "graph(%x : Tensor):",
        f"%a : {kind} = aten::{kind.capitalize()}Implicit(%x)",
        f"%r : {result} = aten::{name}(%a)",
        "return (%r)",
    ]
    return [scripted("\n  ".join(lines) + "\n", array(value, dtype)) for value, dtype in NUMBERS[kind]]


NUMBERS = {"float": [(7.5, "float32"), (2.25, "float64")], "int": [(9, "int64"), (2, "int32")]}


def _pairs(name: str, text: str) -> dict[str, list[Case]]:
    """Rows of an operation on two numbers, of every pair of kinds."""
    kinds = {"int": ("n", "m"), "float": ("a", "b"), "int_float": ("n", "a"), "float_int": ("a", "m")}
    return {f"{name}.{kind}": rows(text.format(*pair)) for kind, pair in kinds.items()}


ROWS = {
    **_pairs("add", "{} + {}"),
    **_pairs("sub", "{} - {}"),
    **_pairs("mul", "{} * {}"),
    **_pairs("floordiv", "{} // {}"),
    **_pairs("remainder", "{} % {}"),
    **_pairs("eq", "{} == {}"),
    **_pairs("ne", "{} != {}"),
    **_pairs("lt", "{} < {}"),
    **_pairs("le", "{} <= {}"),
    **_pairs("gt", "{} > {}"),
    **_pairs("ge", "{} >= {}"),
    **_pairs("prim::min", "min({}, {})"),
    **_pairs("prim::max", "max({}, {})"),
    "div.int": rows("n / m"),
    "div.float": rows("a / b"),
    "div.default": rows("n / b"),
    "pow.int": rows("m ** 2"),
    "pow.float": rows("b ** 2.5"),
    "pow.int_float": rows("m ** 0.5"),
    "pow.float_int": rows("b ** 3"),
    "eq.bool": rows("t == u"),
    "ne.bool": rows("t != u"),
    "__and__.bool": rows("t & u"),
    "__or__.bool": rows("t | u"),
    "__xor__.bool": rows("t ^ u"),
    "__and__.int": rows("n & m"),
    "__or__.int": rows("n | m"),
    "__xor__.int": rows("n ^ m"),
    "__lshift__.int": rows("n << 2"),
    "__rshift__.int": rows("n >> 1"),
    "__not__.default": rows("not t"),
    "neg.int": rows("-n"),
    "neg.float": rows("-a"),
    "prim::abs.int": rows("abs(n)"),
    "prim::abs.float": rows("abs(a)"),
    "Int.Tensor": rows("int(x[1, 0])"),
    "Int.float": rows("int(a)"),
    "Int.bool": rows("int(t)"),
    "Float.Tensor": rows("float(x[1, 0])"),
    "Float.Scalar": rows("float(n)"),
    "Float.bool": rows("float(t)"),
    "Bool.Tensor": rows("bool(x[1, 2])"),
    "Bool.int": rows("bool(n)"),
    "Bool.float": rows("bool(a)"),
    "ceil.float": graphs("ceil", "float", "int"),
    "floor.float": graphs("floor", "float", "int"),
    "sqrt.float": graphs("sqrt", "float", "float"),
    "sqrt.int": graphs("sqrt", "int", "float"),
}
