"""Texts of the IR and the library written in text; the one place where the IR reaches for the formats above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchrelay.ir.expr import Expr
    from torchrelay.ir.module import IRModule

__all__ = ["load_json", "save_json", "text_of", "with_std"]


def text_of(node: Expr | IRModule, *, header: bool = False, show_meta_data: bool = False, for_tvm: bool = False) -> str:
    """Relay text of a module or an expression; see ``torchrelay.formats.text.astext``."""
    from torchrelay.formats.text import astext

    return astext(node, header=header, show_meta_data=show_meta_data, for_tvm=for_tvm)


def with_std(mod: IRModule, file_name: str) -> IRModule:
    """The module with a file of the library; see ``torchrelay.formats.import_from_std``."""
    from torchrelay.formats.std import import_from_std

    return import_from_std(mod, file_name)


def save_json(node: object) -> str:
    """A module, expression or type in TVM's JSON; see ``torchrelay.formats.save_json``."""
    from torchrelay import formats

    text = formats.save_json(node)  # type: ignore[arg-type] what it cannot write it refuses
    assert text is not None, "without a path the text comes back"
    return text


def load_json(json_str: str) -> object:
    """What TVM's JSON says; see ``torchrelay.formats.load_json``."""
    from torchrelay import formats

    return formats.load_json(json_str)
