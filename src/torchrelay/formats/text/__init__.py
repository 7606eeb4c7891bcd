"""Relay text, format 0.0.5."""

from torchrelay.formats.text.parser import parse, parse_expr
from torchrelay.formats.text.printer import Printed, astext, printed

__all__ = ["Printed", "astext", "parse", "parse_expr", "printed"]
