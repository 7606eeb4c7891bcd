"""The words of a Relay text, all found at once; errors with line, column and a caret."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import accumulate, compress
from typing import NoReturn

from torchrelay.errors import Place, SyntaxErrorInText

__all__ = ["KEYWORDS", "NAME_TAIL", "Scanner", "is_readable"]

KEYWORDS = frozenset(
    {"let", "fn", "def", "if", "else", "type", "match", "match?", "extern", "free_var", "ref", "ref_read", "ref_write"}
)
_WORD = r"[^\W\d](?:\w|/(?![/*]))*"
_COMMENT = r"/\*[^*/]*(?:(?:\*(?!/)|/(?!\*))[^*/]*)*\*/"
_PIECE = re.compile(
    rf"""[ \t\n]+ | \r\n | //[^\n]* | {_COMMENT}
      | %\d+ | %{_WORD} | [%@]"(?:[^"\\\n]|\\.)*" | @{_WORD}
      | -?inff(?!\w) | -*\d[\d.]*(?:[eE][+-]?\d+)?(?:[fi]\d*)?
      | meta\[[\w.]+\]\[\d+\]
      | Tensor\[\((?:\?|\d{{1,9}})(?:,\ (?:\?|\d{{1,9}}))*\),\ \w+\]
      | \[-?\d{{1,9}}(?:,\ -?\d{{1,9}})*\]
      | \#\[metadata\][\s\S]* | \#\[[^\]\n]*\]
      | match\? | {_WORD}(?:\s*\.\s*{_WORD})*
      | "[^"\\]*(?:\\[\s\S][^"\\]*)*"
      | => | -> | == | != | <= | >= | /\* | [\s\S]
    """,
    re.VERBOSE,
)
NAME_TAIL = re.compile(r"(?:(?:::|[./-]|:(?=\d))\w+)*")
"""What may follow the first word of a name without quotes: ``layer.0.weight``, ``aten::add``, ``x:0``."""
_NAME = re.compile(rf"{_WORD}{NAME_TAIL.pattern}\Z")
_SIGNS = frozenset({"=>", "->", "==", "!=", "<=", ">=", *"+-*/<>=(){}[],;:.?"})
_FIRST = {"%": "local", "@": "global", '"': "string", "#": "header", "[": "sizes"}
_DEEPEST = 200


def is_readable(name: str) -> bool:
    """Whether the reader takes a variable's or function's name without quotes."""
    return _NAME.match(name) is not None and name not in KEYWORDS and not name.startswith("inff")


class _Kinds(dict[str, str]):
    """The kind of each piece, found once for each text: empty for blank space and comments."""

    def __missing__(self, piece: str) -> str:
        self[piece] = kind = _kind(piece)
        return kind


def _kind(piece: str) -> str:
    first = piece[0]
    if first in " \t\n\r" or piece.startswith(("//", "/*")):
        return "" if len(piece) > 1 or first != "\r" else "bad"
    if piece in _SIGNS:
        return "sign"
    if first == "%" and piece[1:].isdigit():
        return "graph"
    if first in _FIRST:
        bad = len(piece) == 1 or piece[1:] in KEYWORDS or piece.startswith("%inff")
        return "bad" if bad else "metadata" if piece.startswith("#[metadata]") else _FIRST[first]
    if piece.endswith("]"):
        return "meta" if first == "m" else "tensor"
    if first.isdecimal() or (first == "-" and len(piece) > 1) or piece == "inff":
        return "number" if len(piece) < 400 else "bad"
    return "word" if first.isalpha() or first == "_" else "bad"


class Scanner:
    """The words of a text; ``kind`` and ``text`` are those of the word that comes next, ``index`` its number.

    Kinds: graph, local, global, number, meta, tensor and sizes (a whole type, a whole list of sizes), header, metadata, word,
    string, sign, bad, end.
    """

    __slots__ = ("_ats", "_deep", "_kinds", "_lines", "_texts", "index", "kind", "source", "text", "whole")

    def __init__(self, whole: str, source: str) -> None:
        self.whole, self.source = whole, source
        pieces = _PIECE.findall(whole)
        if "/*" in pieces:
            pieces = _PIECE.findall(_without_nested_comments(whole))
        kinds = list(map(_Kinds().__getitem__, pieces))
        starts = accumulate(map(len, pieces), initial=0)
        self._texts: list[str] = [*compress(pieces, kinds), ""]
        self._ats = [*compress(starts, kinds), len(whole)]
        self._kinds = [*filter(None, kinds), "end"]
        self._lines = [0, *(found.end() for found in re.finditer("\n", whole))]
        self._deep = 0
        self.index = 0
        self.kind, self.text = self._kinds[0], self._texts[0]

    def take(self) -> str:
        """The next word, and on to the one after it."""
        text = self.text
        if self.kind != "end":
            self.index = index = self.index + 1
            self.kind, self.text = self._kinds[index], self._texts[index]
        return text

    def after(self) -> str:
        """The word after the next."""
        return self._texts[self.index + 1] if self.kind != "end" else ""

    @property
    def at(self) -> int:
        """Where the next word begins in the text."""
        return self._ats[self.index]

    def skip_to(self, position: int) -> None:
        """On to a position of the text. A word it stands inside of is cut, and its rest comes next."""
        while self.kind != "end" and self._ats[self.index + 1] <= position:
            self.take()
        cut = position - self.at
        if cut > 0 and self.kind != "end":
            if cut >= len(self.text):
                self.take()
                return
            self._texts[self.index] = self.text = self.text[cut:]
            self._ats[self.index] = position
            self._kinds[self.index] = self.kind = "sign" if self.text in _SIGNS else "number"

    def at_sign(self, text: str) -> bool:
        """Whether that sign or word comes next."""
        return self.text == text and self.kind in ("sign", "word")

    def accept(self, text: str) -> bool:
        """Takes that sign or word where it comes next."""
        if self.text == text and self.kind in ("sign", "word"):
            self.take()
            return True
        return False

    def expect(self, text: str) -> None:
        """Takes that sign or word. Raises SyntaxErrorInText where another comes."""
        if not self.accept(text):
            self.unexpected(repr(text))

    def expect_kind(self, kind: str, what: str) -> str:
        """Takes a word of that kind. Raises SyntaxErrorInText where another comes."""
        if self.kind != kind:
            self.unexpected(what)
        return self.take()

    def expect_word(self, what: str) -> str:
        """Takes a word without dots. Raises SyntaxErrorInText where another comes."""
        if self.kind != "word" or "." in self.text or self.text in KEYWORDS:
            self.unexpected(what)
        return self.take()

    def separated(self, end: str) -> Iterator[int]:
        """The number of each item of a list up to its end, which is taken.

        A comma must stand behind the first item; behind the others it may be left out, as in the real reader.
        """
        count = 0
        while not self.accept(end):
            yield count
            count += 1
            if not self.accept(",") and count == 1 and not self.at_sign(end):
                self.unexpected(f"',' or {end!r}")

    @contextmanager
    def deeper(self) -> Generator[None, None, None]:
        """A part of a type, a pattern or an attribute. Raises SyntaxErrorInText where they nest deeper than any in use."""
        self._deep += 1
        if self._deep > _DEEPEST:
            self.fail(f"this is nested deeper than {_DEEPEST} levels")
        yield
        self._deep -= 1

    def metadata(self) -> str:
        """Takes what stands behind ``#[metadata]`` off the end of the text; empty where there is none."""
        if len(self._kinds) < 2 or self._kinds[-2] != "metadata":
            return ""
        del self._kinds[-2], self._ats[-2]
        text = self._texts.pop(-2)
        self.kind, self.text = self._kinds[0], self._texts[0]
        return text.removeprefix("#[metadata]")

    def place(self, index: int) -> Place:
        """Line and column of a word."""
        return self._place(self._ats[index])

    def _place(self, at: int) -> Place:
        line = bisect_right(self._lines, at)
        return Place(self.source, line, at - self._lines[line - 1] + 1)

    def unexpected(self, wanted: str) -> NoReturn:
        """Raises SyntaxErrorInText: something else was wanted than what comes next."""
        self.fail(f"expected {wanted}, not {self.text[:60] or 'the end of the text'!r}")

    def fail(self, message: str, index: int | None = None, hint: str = "") -> NoReturn:
        """Raises SyntaxErrorInText at a word, the next if none is said, with its line and a caret."""
        at = self._ats[self.index if index is None else index]
        place = self._place(at)
        start = self._lines[place.line - 1]
        end = self.whole.find("\n", at)
        line = self.whole[start : end if end >= 0 else None]
        # A long line is shown around the caret.
        first = max(0, at - start - 100)
        caret = " " * (at - start - first) + "^"
        raise SyntaxErrorInText(message, place=place, source=f"{line[first : first + 200]}\n{caret}", hint=hint)


def _without_nested_comments(text: str) -> str:
    """The text with blanks for comments that hold comments; one that never ends goes to the end of the text."""
    parts: list[str] = []
    position = 0
    while position < len(text):
        found = _PIECE.match(text, position)
        assert found is not None, "every character begins a piece"
        end = found.end()
        if found.group() == "/*":
            end = _comment_end(text, position)
            parts.append(re.sub(r"[^\n]", " ", text[position:end]))
        else:
            parts.append(found.group())
        position = end
    return "".join(parts)


def _comment_end(text: str, start: int) -> int:
    depth = 0
    for mark in re.compile(r"/\*|\*/").finditer(text, start):
        depth += 1 if mark.group() == "/*" else -1
        if not depth:
            return mark.end()
    return len(text)
