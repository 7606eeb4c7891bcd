"""tvm.parser: the readers of Relay text, which newer versions have in tvm.relay."""

from torchrelay.relay import fromtext, parse, parse_expr

__all__ = ["fromtext", "parse", "parse_expr"]
