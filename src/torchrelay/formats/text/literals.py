"""Numbers, texts and the values of attributes."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from torchrelay.errors import WrongArgument
from torchrelay.formats.text.reading import Reading, unescaped
from torchrelay.ir import ANY, AttrValue, Constant, GlobalVar, Int64, registry

__all__ = ["attribute_value", "number"]

_NUMBER = re.compile(r"(-*)(inf|\d[\d.]*)((?:[eE][+-]?\d+)?)([fi]?)(\d*)")
_LARGEST = {"16": 65504.0, "32": 3.4028235e38, "64": float(np.finfo(np.float64).max)}
"""The largest float of each width, by the digits it is printed with where these are more."""
_WORDS: dict[str, AttrValue] = {"True": True, "False": False, "None": None, "nullptr": None}


@lru_cache(4096)
def _number(text: str) -> tuple[int | float, str]:
    """The value and the dtype of a number. Raises WrongArgument where there is none, or it is too large."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise WrongArgument(f"{text!r} is no number")
    signs, digits, exponent, letter, width = found.groups()
    if width not in ("", "16", "32", "64"):
        raise WrongArgument(f"{text!r} is no number: widths are 16, 32 and 64")
    sign = -1 if len(signs) % 2 else 1
    if letter == "f":
        return _float(text, digits + exponent, sign, width or "32")
    if exponent or not digits.isdecimal():
        raise WrongArgument(f"{text!r} is no integer", hint="a float ends in f: 1.5f")
    value = sign * int(digits)
    bits = int(width or ("32" if value < 2**31 else "64"))
    # The real reader knows no int64 below -(2**63 - 1): it reads the digits first, then the sign.
    if int(digits) >= 2**63 or not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
        raise WrongArgument(f"{text} does not fit int{bits}")
    return value, f"int{bits}"


def _float(text: str, digits: str, sign: int, width: str) -> tuple[float, str]:
    if digits.count(".") > 1:
        raise WrongArgument(f"{text!r} is no number")
    value = float(digits)
    if value > _LARGEST[width] and digits != "inf":
        raise WrongArgument(f"{text} does not fit float{width}")
    return sign * value, f"float{width}"


def number(reading: Reading) -> Constant:
    """The constant of a number that comes next."""
    scanner = reading.scanner
    index = scanner.index
    try:
        value, dtype = _number(scanner.text)
    except WrongArgument as error:
        scanner.fail(error.message, hint=error.diagnostics[0].hint)
    scanner.take()
    return Constant(np.array(value, dtype), place=scanner.place(index))


@lru_cache(4096)
def _sizes(text: str) -> tuple[int, ...]:
    return tuple(map(int, text[1:-1].split(", ")))


def attribute_value(reading: Reading) -> AttrValue:
    """The value of an attribute that comes next."""
    scanner = reading.scanner
    match scanner.kind:
        case "sizes":
            return _sizes(scanner.take())
        case "number":
            return _plain_number(reading)
        case "string":
            return unescaped(scanner.take()[1:-1])
        case "meta":
            return reading.meta_object()  # type: ignore[return-value] the record checks what it is given
        case "local":
            return reading.variable()
        case "graph" if scanner.text in reading.graph:
            return reading.graph[scanner.take()]
        case "global":
            return GlobalVar(reading.name("@"))
        case "sign":
            return _bracketed(reading)
        case "word":
            return _word(reading)
        case _:
            scanner.unexpected("the value of an attribute")


def _plain_number(reading: Reading) -> int | float:
    scanner = reading.scanner
    try:
        # A float attribute is a double whatever its width says.
        text = re.sub(r"f\d*\Z", "f64", scanner.text) if scanner.text != "inff" else "inff"
        value, dtype = _number(text)
    except WrongArgument as error:
        scanner.fail(error.message, hint=error.diagnostics[0].hint)
    wide = dtype == "int64" and isinstance(value, int) and -(2**31) <= value < 2**31
    scanner.take()
    return Int64(value) if wide else value


def _bracketed(reading: Reading) -> AttrValue:
    scanner = reading.scanner
    if scanner.accept("["):
        with scanner.deeper():
            return tuple([attribute_value(reading) for _ in scanner.separated("]")])
    if scanner.accept("("):
        with scanner.deeper():
            value = attribute_value(reading)
        scanner.expect(")")
        return value
    if scanner.accept("?"):
        return ANY
    scanner.unexpected("the value of an attribute")


def _word(reading: Reading) -> AttrValue:
    scanner = reading.scanner
    word = scanner.text
    if word in _WORDS:
        scanner.take()
        return _WORDS[word]
    if word == "nanf":
        scanner.take()
        return float("nan")
    found = reading.constructors.get(word) or registry.find(word)
    if found is None:
        scanner.fail(f"{word!r} is no value of an attribute")
    scanner.take()
    return found
