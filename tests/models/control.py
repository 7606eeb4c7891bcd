"""Programs with branches, loops and lists, each with inputs that take different ways through it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

__all__ = ["PROGRAMS", "Program"]


@dataclass(frozen=True)
class Program:
    """Source of a TorchScript function ``f``, and the inputs it is run on; it is converted on the first."""

    source: str
    inputs: tuple[tuple[Any, ...], ...]

    def function(self) -> Callable[..., Any]:
        """The compiled function."""
        return torch.jit.CompilationUnit(self.source).f


ONE = torch.tensor([1.0, 2.0, 0.5])
ROWS = torch.arange(12.0).reshape(4, 3) / 5
SIGNS = ((ONE,), (-ONE,))


def _program(source: str, *inputs: tuple[Any, ...]) -> Program:
    return Program("def f" + source, inputs)


PROGRAMS = {
    "branch": _program(
        """(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 1
    return y + x
""",
        *SIGNS,
    ),
    "branch of another shape": _program(
        """(x):
    if x.sum() > 0:
        y = x[:2]
    else:
        y = x
    return y * 2
""",
        *SIGNS,
    ),
    "early return": _program(
        """(x, n: int):
    if n > 3:
        return x * 2
    y = x + n
    if y.sum() > 0:
        return y
    return y - 1
""",
        (ONE, 2),
        (ONE, 5),
        (-ONE, -2),
    ),
    "for": _program(
        """(x):
    for i in range(4):
        x = x + i
    return x
""",
        (ONE,),
    ),
    "for of a computed number of turns": _program(
        """(x, n: int):
    for i in range(n):
        x = x * 2 + i
    return x
""",
        (ONE, 3),
        (ONE, 0),
        (ONE, 7),
    ),
    "while": _program(
        """(x):
    i = 0
    while bool((x * x - 2).abs().max() > 1e-4) and i < 50:
        x = x - (x * x - 2) / (2 * x)
        i += 1
    return x, i
""",
        (ONE,),
        (ROWS + 1)[:1].unbind(0),
    ),
    "break and continue": _program(
        """(x):
    for i in range(10):
        if i == 5:
            break
        if bool(x.sum() > 3):
            continue
        x = x + 1
    return x
""",
        (ONE,),
        (-ONE,),
    ),
    "return from a loop": _program(
        """(x):
    for i in range(10):
        if bool(x.sum() > 20):
            return x * 10
        x = x + 1
    return x
""",
        (ONE,),
        (ONE * 10,),
        (ONE - 100,),
    ),
    "nested loops": _program(
        """(x, n: int):
    y = x * 3
    for i in range(n):
        j = 0
        while j < i:
            if bool(x.mean() > 1):
                x = x - y * j
            else:
                x = x + y + i
            j += 1
    return x
""",
        (ONE, 4),
        (-ONE, 3),
    ),
    "swapped": _program(
        """(x):
    a, b = x, x
    for i in range(5):
        a, b = b, a + b
    return a, b
""",
        (ONE,),
    ),
    "grows by concatenation": _program(
        """(x, n: int):
    y = x
    for i in range(n):
        y = torch.cat([y, x])
    return y
""",
        (ONE, 3),
        (ONE, 0),
    ),
    "a float": _program(
        """(x, n: int):
    total = 0.0
    for i in range(n):
        total += float(i) * 0.5
    return x * total
""",
        (ONE, 4),
        (ONE, 0),
    ),
    "over a list": _program(
        """(x, y):
    s = torch.zeros(3)
    for t in [x, y, x * 2]:
        s = s + t
    return s
""",
        (ONE, -ONE),
    ),
    "over rows": _program(
        """(x):
    s = torch.zeros(3)
    for i in range(x.size(0)):
        s = s + x[i] * i
    for row in x:
        s = s - row
    return s
""",
        (ROWS,),
    ),
    "writes rows": _program(
        """(x, n: int):
    y = torch.zeros(4, 3)
    for i in range(n):
        y[i] = x[-i - 1] * i
    return y
""",
        (ROWS, 4),
        (ROWS, 2),
    ),
    "computed bounds": _program(
        """(x, n: int):
    y = torch.zeros(4, 3)
    y[:n] = x[:n]
    y[n:, 1:] = 7
    y[1:n:2] = x[0]
    return y[n - 1:], x[-n:], x[n:1]
""",
        (ROWS, 2),
        (ROWS, 4),
        (ROWS, 1),
    ),
    "views written in a loop": _program(
        """(x, n: int):
    y = x.clone()
    v = y[1:]
    for i in range(n):
        v.mul_(2)
        y[0] += i
    return y
""",
        (ROWS, 3),
        (ROWS, 0),
    ),
    "written in a branch": _program(
        """(x):
    y = x.clone()
    if bool(x.sum() > 0):
        y[0] = 5
    else:
        y.add_(1)
    return y
""",
        *SIGNS,
    ),
    "a list of tensors": _program(
        """(x):
    out: List[Tensor] = []
    for i in range(3):
        x = x + 1
        out.append(x)
    return torch.stack(out)
""",
        (ONE,),
    ),
    "a list of tensors of different shapes": _program(
        """(x):
    out: List[Tensor] = []
    for i in range(3):
        out.append(x[: i + 1])
    return torch.cat(out)
""",
        (ONE,),
    ),
    "a list of a computed length": _program(
        """(x, n: int):
    out = [x]
    for i in range(n):
        out.append(x * i + out[-1])
    return torch.stack(out, 1), torch.cat(out, 1), torch.cat(out), len(out)
""",
        (ROWS, 3),
        (ROWS, 0),
    ),
    "a list as long as a condition holds": _program(
        """(x):
    states: List[Tensor] = []
    h = torch.zeros(3)
    while bool(h.sum() < 5):
        h = h + x
        states.append(h)
    return torch.stack(states), len(states)
""",
        (ONE,),
        (ONE * 3,),
    ),
    "a list of numbers": _program(
        """(x, n: int):
    out: List[int] = []
    for i in range(n):
        out.append(i * 2)
    out[0] = 7
    s = 0
    for v in out:
        s += v
    return x * s
""",
        (ONE, 4),
        (ONE, 1),
    ),
    "a list longer in one branch": _program(
        """(x):
    out = [x]
    if bool(x.sum() > 0):
        out.append(x * 2)
    return torch.stack(out, 1)
""",
        *SIGNS,
    ),
}
