"""A mapping whose changes can be taken back."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["Table"]

T = TypeVar("T")


class Table(dict[str, T]):
    """A mapping that remembers what each change replaced."""

    def __init__(self) -> None:
        super().__init__()
        self._replaced: list[tuple[str, T | None, bool]] = []

    def __setitem__(self, key: str, value: T) -> None:
        self._replaced.append((key, self.get(key), key in self))
        super().__setitem__(key, value)

    @property
    def mark(self) -> int:
        """The point that has been reached."""
        return len(self._replaced)

    def back_to(self, mark: int) -> None:
        """Takes back every change since the mark."""
        while len(self._replaced) > mark:
            key, old, was_there = self._replaced.pop()
            if was_there:
                super().__setitem__(key, old)  # pyright: ignore[reportArgumentType] what was there is a T
            else:
                del self[key]
