"""Lists and mappings that a program writes to."""

from __future__ import annotations

from tests.cases.making import scripted
from tests.samples.making import f32

DATA = f32(2, 3)


def _list(*lines, start="l = [x, x + 1]", end="torch.stack(l)"):
    body = (start, *lines, f"return {end}")
    return scripted("def f(x):\n" + "".join(f"  {line}\n" for line in body), DATA)


def _mapping(*lines, end, key="str", first='"a"'):
    start = f"d: Dict[{key}, Tensor] = {{{first}: x}}"
    return _list(*lines, start=start, end=end)


KEYS = {"str": ('"a"', '"b"'), "int": ("1", "2"), "bool": ("True", "False"), "float": ("1.5", "2.5")}
NUMBERS = {"int": "[3, 1, 2]", "float": "[3.5, 1.0, 2.0]", "bool": "[True, False, True]", "str": '["b", "a", "c"]'}


def _of_keys(name, row):
    return {f"{name}{key}": [row(key, *names)] for key, names in KEYS.items()}


def _picked(name, kind):
    """The list of constants written to by a call, then used by its length and its first element."""
    first = {"int": "float(l[0])", "float": "l[0]", "bool": "float(l[0])", "str": "float(len(l[0] + l[-1]))"}[kind]
    return _list(f"l.{name}", start=f"l = {NUMBERS[kind]}", end=f"x * {first} + len(l)")


ROWS = {
    "prim::ListConstruct.default": [_list("l.append(x)"), _list("l.append(x)", start="l: List[Tensor] = []")],
    "append.t": [_list("l.append(x * 2)"), _list("l.append(l[0])", "l.append(l[2] + 1)")],
    "_set_item.t": [_list("l[0] = x * 2"), _list("l[-1] = l[0]", "l[0] = x * 3")],
    "insert.t": [_list("l.insert(0, x * 2)"), _list("l.insert(-1, x * 2)"), _list("l.insert(9, x * 2)")],
    "pop.t": [_list("y = l.pop()", end="torch.stack(l) + y"), _list("y = l.pop(0)", end="torch.stack(l) + y")],
    "Delete.t": [_list("del l[0]"), _list("del l[-1]")],
    "extend.t": [_list("l.extend([x, x * 2])"), _list("l.extend(l)")],
    "add.t": [_list("l += [x * 2]"), _list("m = l", "l += [x * 2]", "m.append(x)")],
    "mul.left_t": [_list("l *= 2"), _list("l.append(x)", "l *= 2")],
    "clear.t": [_list("l.clear()", "l.append(x)")],
    "reverse.t": [_list("l.reverse()")],
    **{f"remove.{kind}": [_picked(f"remove({text})", kind)] for kind, text in (("int", "1"), ("float", "2.0"))},
    **{f"remove.{kind}": [_picked(f"remove({text})", kind)] for kind, text in (("bool", "False"), ("str", '"a"'))},
    **{f"sort.{kind}": [_picked("sort()", kind), _picked("sort(reverse=True)", kind)] for kind in NUMBERS},
    "prim::Uninitialized.default": [
        _list("for i in range(3):", "  if bool(x.sum() > i):", "    return x * 2", "  x = x + 1", end="x"),
    ],
    "prim::DictConstruct.default": [_mapping('d["b"] = x', end='d["a"] + d["b"]')],
    **_of_keys(
        "_set_item.",
        lambda key, a, b: _mapping(f"d[{b}] = x * 2", f"d[{a}] = x + 1", end=f"d[{a}] + d[{b}]", key=key, first=a),
    ),
    **_of_keys(
        "Delete.Dict_",
        lambda key, a, b: _mapping(f"d[{b}] = x * 2", f"del d[{a}]", end=f"d[{b}] + len(d)", key=key, first=a),
    ),
    **_of_keys(
        "pop.Dict_",
        lambda key, a, b: _mapping(f"d[{b}] = x * 2", f"y = d.pop({b})", end=f"d[{a}] + y + len(d)", key=key, first=a),
    ),
    **_of_keys(
        "pop.Dict_default_",
        lambda key, a, b: _mapping(
            f"y = d.pop({b}, x * 3)", f"z = d.pop({a}, x)", end="y + z + len(d)", key=key, first=a
        ),
    ),
    **_of_keys(
        "setdefault.",
        lambda key, a, b: _mapping(
            f"y = d.setdefault({b}, x * 3)", f"z = d.setdefault({a}, x * 5)", end=f"y + z + d[{b}]", key=key, first=a
        ),
    ),
    **_of_keys(
        "update.",
        lambda key, a, b: _mapping(
            f"e: Dict[{key}, Tensor] = {{{b}: x * 3}}", "d.update(e)", end=f"d[{a}] + d[{b}]", key=key, first=a
        ),
    ),
    **_of_keys(
        "clear.",
        lambda key, a, b: _mapping("d.clear()", f"d[{b}] = x", end=f"d[{b}] + len(d)", key=key, first=a),
    ),
}
