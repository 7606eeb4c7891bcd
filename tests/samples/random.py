"""Random numbers from a key; the results wanted are those that TVM 0.16 gives for the same key."""

from __future__ import annotations

from tests.samples.making import array, sample
from torchrelay import op

TOP = 2**63


def key(*path, seed=7, drawn=0, mark=TOP):
    """A key of that seed with this path, count of numbers drawn, and mark of where the path ends."""
    return array([seed, 0, 0, 0, *path, *(0,) * (3 - len(path)), drawn, mark, 0], "uint64")


def words(*values):
    """These words."""
    return array(values, "uint64")


BITS = (
    17811565293793803274, 1671376246540403829, 9473097137739025041, 4553249514650185928,
    11951411928488882029, 7355258342226199084, 11417490499082646838, 11880260382378994368, 4396098939177114452,
)  # fmt: skip
SINGLE = array([0.8369367122650146, 0.2697908878326416, 0.9754072427749634, 0.21267223358154297])
DOUBLE = array([0.9655668893449325, 0.09060548787698863, 0.5135376248451431, 0.246832150782615], "float64")
NORMAL = array([
    1.7253886356494008, -0.17802667085031917, 0.32762593719574007, 0.09266739089998105,
    1.1687406300818064, 0.09039116602789429, 1.3716651019249102, 1.4327882805964767,
], "float64")  # fmt: skip
SHIFTED = array([
    -8.543753623962402, -5.314311504364014, -12.689650535583496, -3.822896718978882,
    -9.56068229675293, -3.1432178020477295, -4.29553747177124, -5.168610572814941,
])  # fmt: skip
REKEYED = (0xCCDDBB4839D57E13, 0x667ADBB97F6C5855, 0x503EB1F53F15D26B, 0xB97D967CB5C53B29)

ROWS = {
    op.random.threefry_generate: [
        sample(key(), out_shape=(3, 3), numpy=lambda k: (key(drawn=12), words(*BITS).reshape(3, 3))),
        sample(key(drawn=4), out_shape=(1,), numpy=lambda k: (key(drawn=8), words(0xEA1AEBB83502637))),
        sample(key(), out_shape=(), numpy=lambda k: (key(drawn=4), words(BITS[0])[0])),
        sample(
            key(drawn=2**64 - 3),
            out_shape=(4,),
            numpy=lambda k: (
                key(TOP, drawn=4, mark=TOP // 2),
                words(0xE58C2849B7A3987B, 0x9652DE0F735AB5A9, 0xEF3AB9E3EE7AE5F7, 0xDD9BCF1ED597E37A),
            ),
        ),
    ],
    op.random.threefry_split: [
        sample(key(), numpy=lambda k: (key(mark=TOP // 2), key(TOP, mark=TOP // 2))),
        sample(
            key(TOP, mark=TOP // 2),
            numpy=lambda k: (key(TOP, mark=TOP // 4), key(TOP + TOP // 2, mark=TOP // 4)),
        ),
        sample(
            array([7, 0, 0, 0, 0x6DB6DB6DB6DB6DB6, 0, 0, 0, 0, TOP], "uint64"),
            numpy=lambda k: (
                words(*REKEYED, 0, 0, 0, 0, TOP // 2, 0),
                words(*REKEYED, TOP, 0, 0, 0, TOP // 2, 0),
            ),
        ),
    ],
    op.random.uniform: [
        sample(
            key(),
            array(0),
            array(1),
            out_shape=(2, 2),
            out_dtype="float32",
            numpy=lambda *_: (key(drawn=4), SINGLE.reshape(2, 2)),
        ),
        sample(
            key(),
            array(0, "float64"),
            array(1, "float64"),
            out_shape=(4,),
            out_dtype="float64",
            numpy=lambda *_: (key(drawn=4), DOUBLE),
        ),
        sample(
            key(),
            array(-2.5),
            array(4),
            out_shape=(4,),
            out_dtype="float32",
            numpy=lambda *_: (key(drawn=4), SINGLE * 6.5 - 2.5),
        ),
    ],
    op.random.normal: [
        sample(
            key(),
            array(0, "float64"),
            array(1, "float64"),
            out_shape=(8,),
            out_dtype="float64",
            numpy=lambda *_: (key(drawn=16), NORMAL),
        ),
        sample(
            key(), array(-2.5), array(4), out_shape=(8,), out_dtype="float32", numpy=lambda *_: (key(drawn=16), SHIFTED)
        ),
    ],
    op.random.multinomial: [
        sample(
            key(),
            array([[0.2, 0.3, 0.5], [0, 0, 1]]),
            num_samples=7,
            numpy=lambda *_: (key(drawn=16), array([[2, 1, 2, 1, 2, 0, 2], [2] * 7], "int32")),
        ),
        sample(
            key(),
            array([1, 2, 3, 4]),
            num_samples=7,
            numpy=lambda *_: (key(drawn=8), array([3, 1, 3, 1, 2, 3, 3], "int32")),
        ),
    ],
}
