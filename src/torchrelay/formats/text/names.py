"""Names as they are printed: unique in the text, and plain where the real reader needs that."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from torchrelay.formats.fields import string_text
from torchrelay.formats.text.scanner import KEYWORDS, is_readable

__all__ = ["Names"]


def written(name: str) -> str:
    """The name as it stands in a text: between quotes where the reader would take it for something else."""
    return name if is_readable(name) else string_text(name)


@dataclass(slots=True)
class Names:
    """Chooses a name for each variable and function: its own with the next free number where it is taken.

    ``plain``: letters, digits and underscores only, no keyword, a letter first. ``chosen`` maps own names to printed ones (of
    several variables of one name, the first).
    """

    plain: bool = False
    chosen: dict[str, str] = field(default_factory=dict[str, str])
    taken: set[str] = field(default_factory=set[str])
    next_number: dict[str, int] = field(default_factory=dict[str, int])
    functions: dict[str, str] = field(default_factory=dict[str, str])
    taken_functions: set[str] = field(default_factory=set[str])

    def local(self, name: str) -> str:
        """A name for one more variable of that own name."""
        text = self._unique(self._shaped(name), self.taken)
        self.chosen.setdefault(name, text)
        return written(text)

    def function(self, name: str) -> str:
        """The name of the function of that own name, always the same."""
        if name not in self.functions:
            chosen = self._unique(self._plain(name), self.taken_functions) if self.plain else name
            self.functions[name] = written(chosen)
        return self.functions[name]

    def _shaped(self, name: str) -> str:
        """The name with a letter at its front."""
        if self.plain:
            name = self._plain(name)
        return name if name[:1].isalpha() else f"v{name}"

    def _plain(self, name: str) -> str:
        text = re.sub(r"[^0-9A-Za-z_]", "_", name)
        # A word that begins like a number (inf) or is a keyword would be read as such.
        return f"v_{text}" if text in KEYWORDS or text.startswith(("inf", "nan")) else text

    def _unique(self, text: str, taken: set[str]) -> str:
        if text not in taken:
            taken.add(text)
            return text
        number = self.next_number.get(text, 1)
        while f"{text}{number}" in taken:
            number += 1
        self.next_number[text] = number + 1
        taken.add(f"{text}{number}")
        return f"{text}{number}"
