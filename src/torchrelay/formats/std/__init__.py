"""The library that Relay programs import: prelude.rly, nat.rly, gradient.rly, tensor arrays."""

from torchrelay.formats.std.library import import_from_std
from torchrelay.formats.std.prelude import Prelude

__all__ = ["Prelude", "import_from_std"]
