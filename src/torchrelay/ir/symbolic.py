"""Sizes that are known by name: polynomials, with whole coefficients, of sizes that only running the program tells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from torchrelay.errors import WrongArgument
from torchrelay.ir.types import Any, Dim

__all__ = ["Symbolic", "named", "parse_size", "polynomial"]

Product = tuple[str, ...]
"""The names multiplied, in order; one that is there twice is squared."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Symbolic(Any):
    """An unknown size of which is known what it is: ``2*batch + 1``.

    It fits where Any fits and is equal to it; ``shapes.same`` tells it from others. ``terms`` are the products with their
    coefficients, those of more names first.
    """

    terms: tuple[tuple[Product, int], ...]

    def __repr__(self) -> str:
        text = ""
        for names, factor in self.terms:
            size = abs(factor)
            written = "*".join([*([] if size == 1 and names else [str(size)]), *names])
            sign = "-" if factor < 0 else "+"
            text += f" {sign} {written}" if text else written if factor > 0 else f"-{written}"
        return text

    @property
    def names(self) -> frozenset[str]:
        """The names in it."""
        return frozenset(name for names, _ in self.terms for name in names)

    def at(self, sizes: Mapping[str, int]) -> int:
        """The size where the names stand for these sizes. Raises KeyError for a name that has none."""
        total = 0
        for names, factor in self.terms:
            for name in names:
                factor *= sizes[name]
            total += factor
        return total


def named(name: str) -> Symbolic:
    """The size of that name."""
    return Symbolic((((name,), 1),))


def polynomial(terms: Iterable[tuple[Product, int]]) -> int | Symbolic:
    """The sum of the products; a number where no name is left."""
    total: Counter[Product] = Counter()
    for names, factor in terms:
        total[names] += factor
    left = [(names, factor) for names, factor in total.items() if factor]
    if not left:
        return 0
    if len(left) == 1 and not left[0][0]:
        return left[0][1]
    return Symbolic(tuple(sorted(left, key=lambda term: (-len(term[0]), term[0]))))


def terms_of(size: int | Symbolic) -> tuple[tuple[Product, int], ...]:
    return size.terms if isinstance(size, Symbolic) else (((), size),)


def total(left: int | Symbolic, right: int | Symbolic, sign: int = 1) -> int | Symbolic:
    """Left + right; left - right for a sign of -1."""
    return polynomial([*terms_of(left), *((names, sign * factor) for names, factor in terms_of(right))])


def multiplied(left: int | Symbolic, right: int | Symbolic) -> int | Symbolic:
    """Left * right."""
    pairs = [(one, other) for one in terms_of(left) for other in terms_of(right)]
    return polynomial([(tuple(sorted((*a, *b))), x * y) for (a, x), (b, y) in pairs])


def quotient(left: int | Symbolic, right: int | Symbolic) -> int | Symbolic | None:
    """Left / right where that comes out even whatever the names stand for; None where it may not."""
    names, factor = terms_of(right)[0]
    found: list[tuple[Product, int]] = []
    rest = left
    while rest != 0 or isinstance(rest, Symbolic):
        front, have = terms_of(rest)[0]
        missing = Counter(front)
        missing.subtract(names)
        if have % factor or min(missing.values(), default=0) < 0:
            return None
        found.append((tuple(sorted(missing.elements())), have // factor))
        rest = total(rest, multiplied(polynomial(found[-1:]), right), -1)
    return polynomial(found)


def floored(left: int | Symbolic, right: int) -> int | Symbolic:
    """Left // right; what does not come out even is a size of its own, named after what it is."""
    even = [(names, factor // right) for names, factor in terms_of(left)]
    rest = polynomial([(names, factor % right) for names, factor in terms_of(left)])
    if isinstance(rest, int):
        return polynomial(even)
    text = str(rest) if len(rest.terms) == 1 and rest.terms[0][1] == 1 and len(rest.terms[0][0]) == 1 else f"({rest})"
    return polynomial([*even, ((f"({text}//{right})",), 1)])


_TERM = re.compile(r" ?([+-])? ?((?:\w+\*)*\w+)")


def parse_size(text: str) -> Dim:
    """The size that a text such as ``2*batch + 1`` says. Raises WrongArgument for any other text."""
    terms: list[tuple[Product, int]] = []
    at = 0
    while at < len(text):
        found = _TERM.match(text, at)
        if found is None or (terms and not found[1]):
            raise WrongArgument(f"{text!r} is no size", hint="such as 2*batch + 1")
        factors = found[2].split("*")
        number = -1 if found[1] == "-" else 1
        for factor in factors:
            number *= int(factor) if factor.isdecimal() else 1
        terms.append((tuple(sorted(factor for factor in factors if not factor.isdecimal())), number))
        at = found.end()
    if not terms:
        raise WrongArgument("an empty text is no size", hint="such as 2*batch + 1")
    return polynomial(terms)
