"""Ways of capturing a module, one after another until one leads to the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from torchrelay.errors import Diagnostic, TorchRelayError, TypeMismatch, UnsupportedOperators, UnsupportedProgram

__all__ = ["AUTO", "ROUTES", "Attempt", "first_that_works"]

ROUTES = ("auto", "trace", "script", "export")
AUTO = ("export", "trace", "script")
"""What ``auto`` tries, in order."""

_OTHER_WAY = (UnsupportedProgram, UnsupportedOperators, TypeMismatch)
"""What another way of capturing may not run into."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Attempt:
    """A way of capturing that did not lead to Relay, and why."""

    route: str
    error: TorchRelayError

    def __str__(self) -> str:
        return f"via={self.route!r}: {self.error.diagnostics[0].message}"


def first_that_works(routes: Sequence[str], make: Callable[[str, Sequence[Attempt]], T]) -> T:
    """What ``make`` gives for the first route that it does not refuse; it is told of the attempts before. Raises the first refusal, with the others noted in it, where all are refused."""
    tried: list[Attempt] = []
    for route in routes:
        try:
            return make(route, tuple(tried))
        except _OTHER_WAY as error:
            tried.append(Attempt(route, error))
    raise _all_refused(tried)


def _all_refused(tried: Sequence[Attempt]) -> TorchRelayError:
    first = tried[0].error
    if len(tried) == 1:
        return first
    *diagnostics, last = first.diagnostics
    notes = [f"this is what via={tried[0].route!r} gave; also tried:", *(str(attempt) for attempt in tried[1:])]
    diagnostics.append(replace(last, notes=(*last.notes, *notes), hint=_hint(last)))
    return type(first)(first.message, diagnostics=diagnostics)


def _hint(last: Diagnostic) -> str:
    """The hint, but for one that says to try what has been tried."""
    return "" if last.hint.startswith("try via=") else last.hint
