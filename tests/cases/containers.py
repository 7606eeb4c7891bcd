"""Lists and tuples of the program's own."""

from __future__ import annotations

from tests.cases.making import case, scripted
from tests.samples.making import f32

SIZES = "s = x.size()"


def _text(*lines):
    return "def f(x):\n" + "".join(f"  {line}\n" for line in lines)


ROWS = {
    "prim::ListUnpack.default": [
        case(lambda x: tuple(x.unbind(0)), f32(3, 2)),
        case(lambda x: x.split(2)[0], f32(4, 2)),
        case(lambda x: x.split(9)[0], f32(4, 2)),
    ],
    "prim::TupleUnpack.default": [
        scripted(
            """
def f(x, y):
    pair = (x, y)
    if bool(x.sum() > 0):
        pair = (y, x)
    first, second = pair
    return first - second
""",
            f32(2, 3),
            f32(2, 3),
        ),
    ],
    "__getitem__.t": [
        scripted(_text(SIZES, "return x.reshape([s[-1], s[0]])"), f32(2, 3)),
        scripted(_text("return x.split(2)[1] + x.chunk(2)[0]"), f32(4, 2)),
    ],
    "list.t": [scripted(_text("s = list(x.size())", "return x.reshape([s[1], s[0]])"), f32(2, 3))],
    "len.t": [scripted(_text("return x + len(x.size()) + len(x.unbind(1))"), f32(2, 3))],
    "len.Tensor": [scripted(_text("return x + len(x)"), f32(2, 3))],
    "slice.t": [
        scripted(_text(SIZES, "return x.reshape(s[1:] + [2])"), f32(2, 3)),
        scripted(_text(SIZES, "return x.reshape(s[::-1])"), f32(2, 3)[:, :1]),
    ],
    "add.t": [scripted(_text(SIZES, "return x.reshape(s + [1])"), f32(2, 3))],
    "mul.left_t": [scripted(_text(SIZES, "return x.repeat(s * 2)"), f32(1, 2))],
}
