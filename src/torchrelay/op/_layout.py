"""Layouts: which letter each axis of a tensor stands for, blocked axes (``NCHW4c``) included."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Dim, Shape, shapes
from torchrelay.op._numpy import Array

__all__ = ["DATA", "Layout", "spatial"]

DATA = {1: "NCW", 2: "NCHW", 3: "NCDHW"}
"""The plain layout of data by the number of its spatial axes."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The axes in order: a capital letter is an axis, a number with a small letter the block that axis is cut into."""

    text: str
    axes: tuple[tuple[str, int], ...]
    """Each axis as its letter and the size of the block, 0 for a capital letter."""

    @staticmethod
    @cache
    def parse(text: str) -> Layout:
        """The layout of that name. Raises WrongArgument for a text that is none."""
        parts = re.findall(r"(\d*)([A-Za-z])", text)
        if "".join(number + letter for number, letter in parts) != text or not parts:
            raise WrongArgument(f"{text!r} is no layout, such as NCHW or NCHW4c")
        axes = tuple((letter, int(number) if number else 0) for number, letter in parts)
        letters = [letter for letter, _ in axes]
        if len(set(letters)) != len(letters) or any(letter.islower() != (block > 0) for letter, block in axes):
            raise WrongArgument(f"{text!r} is no layout: each letter once, a number before each small one")
        if any(letter.islower() and letter.upper() not in letters for letter in letters):
            raise WrongArgument(f"{text!r} is no layout: a block needs its axis")
        return Layout(text, axes)

    @property
    def plain(self) -> bool:
        """Whether no axis is cut into blocks."""
        return not any(block for _, block in self.axes)

    def _check(self, rank: int, what: str) -> None:
        if rank != len(self.axes):
            raise TypeMismatch(f"{what} must have rank {len(self.axes)} in layout {self.text}, not {rank}")

    def to(self, canonical: str, shape: Shape, what: str = "the data") -> Shape:
        """The shape in the layout ``canonical``, which has the same letters, none in blocks.

        Raises TypeMismatch for a shape of another rank.
        """
        self._check(len(shape), what)
        if self.text == canonical:
            return shape
        sizes: dict[str, Dim] = {}
        for (letter, _), dim in zip(self.axes, shape, strict=True):
            key = letter.upper()
            sizes[key] = shapes.multiply(sizes[key], dim) if key in sizes else dim
        if set(sizes) != set(canonical):
            raise TypeMismatch(f"layout {self.text} has not the axes of {canonical}")
        return tuple([sizes[letter] for letter in canonical])

    def of(self, canonical: str, shape: Shape) -> Shape:
        """The shape in this layout of a value that has ``shape`` in the layout ``canonical``."""
        if self.text == canonical:
            return shape
        sizes = dict(zip(canonical, shape, strict=True))
        blocks = {letter.upper(): block for letter, block in self.axes if block}
        for letter, block in blocks.items():
            size = sizes[letter]
            if isinstance(size, int) and size % block:
                raise TypeMismatch(f"axis {letter} of size {size} cannot be cut into blocks of {block}")
            sizes[letter] = shapes.floor_div(size, block)
        return tuple([block or sizes[letter] for letter, block in self.axes])

    def array_to(self, canonical: str, data: Array) -> Array:
        """The array in the layout ``canonical``."""
        if self.text == canonical:
            return data
        order, sizes = list[int](), list[int]()
        for letter in canonical:
            own = [axis for axis, (other, _) in enumerate(self.axes) if other.upper() == letter]
            own.sort(key=lambda axis: self.axes[axis][1])
            order.extend(own)
            sizes.append(int(np.prod([data.shape[axis] for axis in own])))
        return data.transpose(order).reshape(sizes)

    def array_of(self, canonical: str, data: Array) -> Array:
        """The array in this layout of one in the layout ``canonical``."""
        if self.text == canonical:
            return data
        blocks = {letter.upper(): block for letter, block in self.axes if block}
        cut, names = list[int](), list[str]()
        for letter, size in zip(canonical, data.shape, strict=True):
            names.append(letter)
            cut.append(size // blocks.get(letter, 1))
            if letter in blocks:
                names.append(letter.lower())
                cut.append(blocks[letter])
        order = [names.index(letter) for letter, _ in self.axes]
        return data.reshape(cut).transpose(order)


def spatial(canonical: str) -> Sequence[int]:
    """The axes of a canonical data layout after batch and channels."""
    return range(2, len(canonical))
