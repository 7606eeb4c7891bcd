"""What went wrong, where, and what to do: the typed errors of every stage and their one renderer."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from dataclasses import dataclass
from types import UnionType
from typing import ClassVar

__all__ = [
    "BadFile",
    "CannotWrite",
    "Diagnostic",
    "ExecutionError",
    "IllFormed",
    "LoweringError",
    "NotThere",
    "Place",
    "ProfileError",
    "SourceName",
    "SyntaxErrorInText",
    "TorchRelayError",
    "TypeMismatch",
    "UnsupportedOperators",
    "UnsupportedProgram",
    "WrongArgument",
    "WrongInput",
    "WrongUsage",
    "expect",
    "render",
]


@dataclass(frozen=True, slots=True)
class SourceName:
    """The name of a source text, as tvm's spans have it."""

    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: in a source text, and in the tree of modules of a model.

    ``file`` is a path or the name of a text, empty when unknown; lines count from 1, columns from 1, 0 is unknown.
    ``scope`` is the module path (``layer1.0.conv2``), ``scope_class`` the class of that module.
    """

    file: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    scope: str = ""
    scope_class: str = ""
    node: str = ""
    """The torch value that it belongs to, where there is one."""

    def __str__(self) -> str:
        """``model.py:41, in decoder.warp (WarpLayer)``, without the parts that are unknown."""
        position = ":".join([self.file, *(str(n) for n in (self.line, self.column) if n)]) if self.file else ""
        owner = f"{self.scope} ({self.scope_class})" if self.scope_class else self.scope
        if not owner:
            return position
        return f"{position}, in {owner}" if position else f"in {owner}"

    @property
    def source_name(self) -> SourceName:
        """The file, or the module path where a place is that alone."""
        return SourceName(self.file or self.scope)

    @property
    def source_line(self) -> str:
        """The line of source it points at, stripped, or an empty text where the file is not at hand."""
        return linecache.getline(self.file, self.line).strip() if self.file and self.line else ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: a stable ``code``, a message with the value, the bound and the name, its place, notes and a hint."""

    code: str
    message: str
    place: Place | None = None
    notes: tuple[str, ...] = ()
    hint: str = ""
    source: str = ""
    """The excerpt to show under the place; when empty, the source line of the place is shown."""

    def __str__(self) -> str:
        return render(self)


def render(diagnostic: Diagnostic) -> str:
    """The diagnostic as people read it: headline, place, excerpt, notes, hint; without colour."""
    lines = [f"error[{diagnostic.code}]: {diagnostic.message}"]
    place = diagnostic.place
    if place is not None and str(place):
        lines.append(f"  --> {place}")
    excerpt = diagnostic.source or (place.source_line if place is not None else "")
    lines.extend(f"   |  {line}" for line in excerpt.splitlines())
    lines.extend(f"  note: {note}" for note in diagnostic.notes)
    if diagnostic.hint:
        lines.append(f"  hint: {diagnostic.hint}")
    return "\n".join(lines)


class TorchRelayError(Exception):
    """Base of every error that torchrelay raises on purpose; ``diagnostics`` holds what was found, at least one."""

    code: ClassVar[str] = "error"

    def __init__(
        self,
        message: str,
        *,
        place: Place | None = None,
        notes: Sequence[str] = (),
        hint: str = "",
        source: str = "",
        diagnostics: Sequence[Diagnostic] = (),
    ) -> None:
        first = Diagnostic(self.code, message, place, tuple(notes), hint, source)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics) or (first,)
        super().__init__(message)

    @property
    def message(self) -> str:
        """The headline alone."""
        return str(self.args[0])

    @property
    def place(self) -> Place | None:
        """Where the first finding stands, if known."""
        return self.diagnostics[0].place

    def __str__(self) -> str:
        return "\n".join(render(diagnostic) for diagnostic in self.diagnostics)


class TypeMismatch(TorchRelayError, TypeError):
    """An operator or a call was given types that its type relation does not allow."""

    code = "type-mismatch"


class WrongArgument(TorchRelayError, ValueError):
    """An attribute or an argument of an operator has a value that is not allowed, or is not known."""

    code = "wrong-argument"


class IllFormed(TorchRelayError, ValueError):
    """A module or an expression breaks a rule of Relay: an unbound variable, a name defined twice, a missing main."""

    code = "ill-formed"


class UnsupportedOperators(TorchRelayError, NotImplementedError):
    """Operators of a model that have no converter: all of them at once, each with count and places."""

    code = "unsupported-operator"


class UnsupportedProgram(TorchRelayError, NotImplementedError):
    """A use of an operator, or a construct of a program, whose meaning Relay cannot carry."""

    code = "unsupported-program"


class WrongInput(TorchRelayError, ValueError):
    """Example inputs or ``input_infos`` that do not fit the model: count, name, shape or dtype."""

    code = "wrong-input"


class BadFile(TorchRelayError, ValueError):
    """A file that is missing, empty, truncated, or not what it was taken for."""

    code = "bad-file"


class CannotWrite(TorchRelayError, OSError):
    """A file or folder that cannot be written where it was asked for; nothing is there that was not before."""

    code = "cannot-write"


class SyntaxErrorInText(TorchRelayError, ValueError):
    """Relay text that does not parse; the place has line and column, the excerpt a caret."""

    code = "syntax"


class ProfileError(TorchRelayError, ValueError):
    """An operator profile that does not fit its schema; the place is the line of the file."""

    code = "bad-profile"


class LoweringError(TorchRelayError, ValueError):
    """A call that cannot be brought into the operators of a profile, with the reason."""

    code = "cannot-lower"


class ExecutionError(TorchRelayError, RuntimeError):
    """A program that cannot be run on the values given, or failed while it ran."""

    code = "execution"


class NotThere(TorchRelayError, AttributeError):
    """A name of tvm that torchrelay does not have."""

    code = "not-there"


class WrongUsage(TorchRelayError, ValueError):
    """A command or a call whose arguments contradict each other or name nothing that exists."""

    code = "wrong-usage"


def expect(value: object, kinds: type | UnionType, what: str) -> None:
    """Raises WrongUsage for a value of another kind; ``what`` is what takes which, as in ``parse takes a text``."""
    if not isinstance(value, kinds):
        raise WrongUsage(f"{what}, not a {type(value).__name__}")
