"""Relay in files: text, TVM's JSON, parameters."""

from torchrelay.formats.json import save_json
from torchrelay.formats.text import astext, printed

__all__ = ["astext", "printed", "save_json"]
