"""The prelude under the names of tvm.relay: it is put into the module it is given."""

from __future__ import annotations

from torchrelay.formats import Prelude as Library
from torchrelay.ir import IRModule

__all__ = ["Prelude"]


class Prelude(Library):
    """A module with lists, options, trees and tensor arrays; a module that is given has them afterwards."""

    __slots__ = ()

    def __init__(self, mod: IRModule | None = None) -> None:
        super().__init__(mod)
        if mod is not None:
            mod.update(self.mod)
            self.mod = mod
