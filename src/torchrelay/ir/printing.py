"""The text of an expression or a module; the one place where the IR reaches for the formats above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchrelay.ir.expr import Expr
    from torchrelay.ir.module import IRModule

__all__ = ["text_of"]


def text_of(node: Expr | IRModule, *, header: bool = False, show_meta_data: bool = False, for_tvm: bool = False) -> str:
    """Relay text of a module or an expression; see ``torchrelay.formats.text.astext``."""
    from torchrelay.formats.text import astext

    return astext(node, header=header, show_meta_data=show_meta_data, for_tvm=for_tvm)
