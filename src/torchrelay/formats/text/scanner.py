"""The words of Relay text, one at a time from a position; errors with line, column and a caret."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from torchrelay.errors import Place, SyntaxErrorInText

__all__ = ["Scanner", "Token"]

_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*(?:[^*/]|\*(?!/)|/(?!\*))*\*/)*")
_TOKEN = re.compile(
    r"""(?P<graph>%\d+)
      | (?P<local>%[^\W\d][\w]*(?:[.:/\-]+\w+)*)
      | (?P<global>@[^\W\d][\w]*(?:[.:/\-]+\w+)*)
      | (?P<number>-?(?:inf|nan)f(?:16|32|64)?|-*\d[\d.]*(?:[eE][+-]?\d+)?(?:[fi]\d*)?)
      | (?P<meta>meta\[[\w.]+\]\[\d+\])
      | (?P<header>\#\[[^\]\n]*\])
      | (?P<word>[^\W\d][\w]*(?:\s*\.\s*[^\W\d]\w*)*)
      | (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<sign>=>|->|==|!=|<=|>=|[-+*/<>=(){}\[\],;:.?])
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word: its kind (graph, local, global, number, meta, header, word, string, sign, end), text and position."""

    kind: str
    text: str
    at: int
    end: int


class Scanner:
    """Reads a text; ``token`` is the word that comes next."""

    __slots__ = ("source", "text", "token")

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.token = self._read(0)

    def _read(self, position: int) -> Token:
        text = self.text
        space = _SPACE.match(text, position)
        start = space.end() if space is not None else position
        if start >= len(text):
            return Token("end", "", start, start)
        if text.startswith("/*", start):
            start = self._after_comment(start)
            return self._read(start)
        match = _TOKEN.match(text, start)
        if match is None:
            self.token = Token("sign", text[start], start, start + 1)
            self.fail(f"{text[start]!r} begins no word of Relay")
        return Token(match.lastgroup or "", match.group(), start, match.end())

    def _after_comment(self, start: int) -> int:
        """The end of a comment with comments in it; that of the text where it has none."""
        depth, position = 1, start + 2
        for mark in re.finditer(r"/\*|\*/", self.text[position:]):
            depth += 1 if mark.group() == "/*" else -1
            if not depth:
                return position + mark.end()
        return len(self.text)

    def take(self) -> Token:
        """The next word, and on to the one after it."""
        token = self.token
        self.token = self._read(token.end)
        return token

    def shorten(self, length: int) -> Token:
        """The next word cut to its first ``length`` letters; the rest is read anew."""
        token = self.token
        cut = Token(token.kind, token.text[:length], token.at, token.at + length)
        self.token = self._read(cut.end)
        return cut

    def at(self, text: str) -> bool:
        """Whether the next word is that sign or word."""
        return self.token.text == text and self.token.kind in ("sign", "word")

    def accept(self, text: str) -> bool:
        """Takes that sign or word where it comes next."""
        if self.token.text == text and self.token.kind in ("sign", "word"):
            self.take()
            return True
        return False

    def expect(self, text: str) -> Token:
        """Takes that sign or word. Raises SyntaxErrorInText where another comes."""
        if not self.at(text):
            self.fail(f"expected {text!r}, not {self.token.text or 'the end of the text'!r}")
        return self.take()

    def kind(self, kind: str, what: str) -> Token:
        """Takes a word of that kind. Raises SyntaxErrorInText where another comes."""
        if self.token.kind != kind:
            self.fail(f"expected {what}, not {self.token.text or 'the end of the text'!r}")
        return self.take()

    def place(self, at: int) -> Place:
        """Line and column of a position."""
        line = self.text.count("\n", 0, at) + 1
        return Place(self.source, line, at - self.text.rfind("\n", 0, at))

    def fail(self, message: str, token: Token | None = None, hint: str = "") -> NoReturn:
        """Raises SyntaxErrorInText at a word, with its line and a caret."""
        at = (token or self.token).at
        place = self.place(at)
        start = self.text.rfind("\n", 0, at) + 1
        end = self.text.find("\n", at)
        line = self.text[start : end if end >= 0 else None]
        caret = " " * (place.column - 1) + "^"
        raise SyntaxErrorInText(message, place=place, source=f"{line}\n{caret}", hint=hint)
