"""Layouts of tensors, as the judges of samples read them."""

from __future__ import annotations

import math
import re

import torch

DATA = {1: "NCW", 2: "NCHW", 3: "NCDHW"}


def permuted(x: torch.Tensor, have: str, want: str) -> torch.Tensor:
    """The tensor, whose axes have the letters ``have``, with the axes ``want``; both may have blocks (``NCHW4c``)."""
    plain = "".join(letter for letter in want if letter.isupper())
    return _blocked(_unblocked(x, have, plain), plain, want)


def _unblocked(x: torch.Tensor, have: str, plain: str) -> torch.Tensor:
    letters = [letter for letter in have if letter.isalpha()]
    parts = [[letters.index(part) for part in (letter, letter.lower()) if part in letters] for letter in plain]
    sizes = [math.prod(x.shape[axis] for axis in part) for part in parts]
    return x.permute([axis for part in parts for axis in part]).reshape(sizes)


def _blocked(x: torch.Tensor, plain: str, want: str) -> torch.Tensor:
    letters = list(plain)
    for block, letter in re.findall(r"(\d+)([a-z])", want):
        axis = letters.index(letter.upper())
        x = x.unflatten(axis, (-1, int(block)))
        letters.insert(axis + 1, letter)
    return x.permute([letters.index(letter) for letter in want if letter.isalpha()])


def ends(padding: tuple[int, ...], rank: int) -> list[int]:
    """The padding as torch's ``pad`` takes it: from the last axis to the first, before and after each."""
    values = padding * rank if len(padding) == 1 else padding
    values = values * 2 if len(values) == rank else values
    return [side for axis in reversed(range(rank)) for side in (values[axis], values[rank + axis])]
