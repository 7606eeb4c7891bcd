"""The sizes that torch knows as expressions of symbols, as dims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from weakref import WeakKeyDictionary

import sympy
import torch
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.utils._sympy.functions import CleanDiv, FloorDiv

from torchrelay.errors import WrongArgument
from torchrelay.ir import ANY, Dim, Symbolic, named, parse_size, shapes

__all__ = ["bounds_of", "size_of"]


def size_of(size: int | torch.SymInt) -> Dim:
    """The dim that a size is: a number, or an expression of the names that its symbols have."""
    return size if isinstance(size, int) else _dim(size.node.expr, size.node.shape_env)


def _dim(expr: sympy.Basic, environment: ShapeEnv | None) -> Dim:
    if isinstance(expr, sympy.Integer):
        return int(expr)
    if isinstance(expr, sympy.Symbol):
        return named(_name(expr, environment))
    parts = [_dim(part, environment) for part in expr.args]
    match expr:
        case sympy.Add():
            return reduce(shapes.add, parts)
        case sympy.Mul():
            return reduce(shapes.multiply, parts)
        case sympy.Pow() if isinstance(parts[1], int) and parts[1] >= 0:
            return reduce(shapes.multiply, [parts[0]] * parts[1], 1)
        case FloorDiv() | CleanDiv():
            return shapes.floor_div(*parts)
        case _:
            return _as_a_whole(expr, environment)


def _as_a_whole(expr: sympy.Basic, environment: ShapeEnv | None) -> Dim:
    """A size of its own, named after what it is: the larger of two, a remainder, ..."""
    names = {symbol: sympy.Symbol(_name(symbol, environment)) for symbol in expr.free_symbols}
    return named(f"({expr.xreplace(names)})") if all(symbol.is_integer for symbol in names) else ANY


def _name(symbol: sympy.Basic, environment: ShapeEnv | None) -> str:
    """What the user calls the symbol; torch's own name for one that the user does not name."""
    if environment is None:
        return str(symbol)
    names = _NAMES.get(environment)
    if names is None:
        names = _NAMES[environment] = dict(_given_names(environment))
    return names.get(symbol, str(symbol))


_NAMES: WeakKeyDictionary[ShapeEnv, dict[sympy.Basic, str]] = WeakKeyDictionary()


def _given_names(environment: ShapeEnv) -> Iterator[tuple[sympy.Basic, str]]:
    """The symbols that the user names, if only in a size such as ``2*half + 1``, with their names."""
    for source, text in environment.source_name_to_debug_name.items():
        symbol = environment.source_to_var.get(source)
        size = _size_in(text)
        if symbol is None or not isinstance(size, Symbolic) or len(size.names) != 1:
            continue
        symbols = environment.simplify(symbol).free_symbols
        if len(symbols) == 1:
            (name,) = size.names
            yield symbols.pop(), name


def _size_in(text: str) -> Dim:
    try:
        return parse_size(text)
    except WrongArgument:  # a size that is no polynomial
        return ANY


def bounds_of(program: torch.export.ExportedProgram) -> Mapping[str, tuple[int, int | None]]:
    """The least and the largest that each size with a range of its own may be, by its text; None where there is no largest."""
    environment = next((env for env in map(_environment, program.graph.nodes) if env is not None), None)
    found: dict[str, tuple[int, int | None]] = {}
    for size, limits in program.range_constraints.items():
        least, most = (int(end) if end.is_Integer else None for end in (limits.lower, limits.upper))
        found[str(_dim(size, environment))] = max(least or 0, 0), most
    return found


def _environment(node: torch.fx.Node) -> ShapeEnv | None:
    value = node.meta.get("val")
    sizes = value.shape if isinstance(value, torch.Tensor) else [value]
    return next((size.node.shape_env for size in sizes if isinstance(size, torch.SymInt)), None)
