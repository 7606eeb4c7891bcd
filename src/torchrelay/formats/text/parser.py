"""Relay text, format 0.0.5, to modules and expressions; any depth."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import torchrelay.op  # noqa: F401  # pyright: ignore[reportUnusedImport] what a file calls must be declared before
from torchrelay.errors import TypeMismatch, expect
from torchrelay.formats.json import load_nodes
from torchrelay.formats.text.definitions import module
from torchrelay.formats.text.expressions import READERS
from torchrelay.formats.text.reading import Part, Reading, run
from torchrelay.formats.text.scanner import Scanner
from torchrelay.ir import Expr, GlobalVar, IRModule, check_well_formed, infer_types, is_known, post_order

__all__ = ["parse", "parse_expr"]

_VERSION = re.compile(r'#\[\s*version\w*\s*=\s*"0\.0\.5"\s*\]\Z')


def parse(
    text: str,
    source: str = "from_string",
    *,
    init_module: IRModule | None = None,
    init_meta_table: Mapping[str, Sequence[object]] | None = None,
) -> IRModule:
    """The module of a Relay text, on top of ``init_module``. Every expression has its place in the text, and its type.

    ``init_meta_table`` has objects by type key that the text refers to as ``meta[key][index]``, where the text itself has no
    metadata section. Raises SyntaxErrorInText with line, column and a caret; TypeMismatch, WrongArgument and IllFormed, with
    the place, for what reads well but has no meaning; BadFile for a broken metadata section.
    """
    reading = _opened(text, source, init_meta_table or {}, checked=True)
    if init_module is not None:
        reading.include(init_module)
    _header(reading.scanner, required=True)
    made = module(reading)
    if reading.whole and not reading.types.names_data:
        return made
    _check_results(made)
    typed = infer_types(made)
    check_well_formed(typed)
    return typed


def parse_expr(text: str, source: str = "string") -> Expr:
    """The expression of a Relay text, with or without a header, as it is written: calls that do not fit their operator have no
    type. Raises what ``parse`` raises.
    """
    reading = _opened(text, source, {}, checked=False)
    _header(reading.scanner, required=False)
    expr = run(reading, READERS, Part.BLOCK)
    if reading.scanner.kind != "end":
        reading.scanner.unexpected("the end of the text")
    return expr


def _opened(text: str, source: str, given: Mapping[str, Sequence[object]], *, checked: bool) -> Reading:
    expect(text, str, "parse takes a text")
    scanner = Scanner(text, source)
    metadata = scanner.metadata()
    objects = {**given, **(load_nodes(metadata) if metadata else {})}
    meta = {f"meta[{key}][{index}]": part for key, parts in objects.items() for index, part in enumerate(parts)}
    return Reading(scanner, meta, checked)


def _header(scanner: Scanner, *, required: bool) -> None:
    if scanner.kind == "header" and _VERSION.match(scanner.text):
        scanner.take()
    elif required or scanner.kind == "header":
        scanner.fail('a Relay text begins with #[version = "0.0.5"]')


def _check_results(module: IRModule) -> None:
    """Raises TypeMismatch where a function without a result type uses another without one: which to infer first is not said."""
    functions = module.functions.items()
    # What a pass cut out of another function has attributes; the text of such a module leaves the result types out.
    open_functions = {name for name, made in functions if not is_known(made.ret_type) and not made.attrs}
    for name in open_functions:
        for node in post_order(module[name]):
            if isinstance(node, GlobalVar) and node.name in open_functions:
                hint = f"write it: def @{node.name}(...) -> type"
                raise TypeMismatch(f"the result type of @{node.name} is not known here", place=node.place, hint=hint)
