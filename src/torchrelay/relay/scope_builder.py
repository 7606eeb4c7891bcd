"""Builds nested lets and branches line by line."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import cast

from torchrelay.errors import IllFormed
from torchrelay.ir import Expr, If, Let, Type, Var, with_type
from torchrelay.relay.functions import as_expr

__all__ = ["ScopeBuilder"]


@dataclass(slots=True)
class _Scope:
    lets: list[tuple[Var, Expr]] = field(default_factory=list[tuple[Var, Expr]])
    result: Expr | None = None

    def whole(self) -> Expr:
        """The result within the lets. Raises IllFormed where nothing was returned."""
        if self.result is None:
            raise IllFormed("a scope ends without ret(value)")
        body = self.result
        for var, value in reversed(self.lets):
            body = Let(var, value, body)
        return body


class ScopeBuilder:
    """Takes bindings, branches and the result in the order in which they are written; ``get`` gives the whole."""

    def __init__(self) -> None:
        self._scopes = [_Scope()]
        self._branches: list[tuple[Expr, Expr]] = []

    def let(self, var: Var | str | tuple[str, Type], value: Expr) -> Var:
        """Binds a value to a variable, a new one where a name (with a type) is given. The variable comes back."""
        bound = as_expr(value, "value")
        if isinstance(var, str):
            var = with_type(Var(var), bound.type)
        elif isinstance(var, tuple):
            var = Var(*var)
        self._scopes[-1].lets.append((var, bound))
        return var

    @contextmanager
    def if_scope(self, cond: Expr) -> Generator[None]:
        """What is done where the condition holds; ``else_scope`` must follow. Raises IllFormed where it ends without ret."""
        self._scopes.append(_Scope())
        yield
        self._branches.append((cond, self._scopes.pop().whole()))

    @contextmanager
    def else_scope(self) -> Generator[None]:
        """What is done where the condition of the ``if_scope`` before does not hold."""
        if not self._branches:
            raise IllFormed("else_scope stands without an if_scope before it")
        self._scopes.append(_Scope())
        yield
        right = self._scopes.pop().whole()
        cond, left = self._branches.pop()
        self.ret(If(cond, left, right))

    def ret(self, value: Expr) -> None:
        """The result of the scope. Raises IllFormed where it has one already."""
        scope = self._scopes[-1]
        if scope.result is not None:
            raise IllFormed("a scope has one result; ret was called before")
        scope.result = as_expr(value, "value")

    def get(self) -> Expr:
        """The expression that was built. Raises IllFormed for a scope without a result or a branch without its other."""
        if self._branches:
            raise IllFormed("an if_scope stands without its else_scope")
        return self._scopes[-1].whole()

    def type_of(self, expr: Expr) -> Type | None:
        """The type of an expression, None while it is not known."""
        return cast("Expr", expr).type
