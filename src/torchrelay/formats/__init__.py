"""Relay in files: text, TVM's JSON, parameters."""

from torchrelay.formats.atomic import atomic_folder, check_folder, write_atomically
from torchrelay.formats.fields import value_text
from torchrelay.formats.folder import load, save
from torchrelay.formats.json import load_json, save_json
from torchrelay.formats.params import load_params, save_params
from torchrelay.formats.std import Prelude, import_from_std
from torchrelay.formats.text import Printed, astext, parse, parse_expr, printed

__all__ = [
    "Prelude",
    "Printed",
    "astext",
    "atomic_folder",
    "check_folder",
    "import_from_std",
    "load",
    "load_json",
    "load_params",
    "parse",
    "parse_expr",
    "printed",
    "save",
    "save_json",
    "save_params",
    "value_text",
    "write_atomically",
]
