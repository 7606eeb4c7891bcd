"""The converters of linear algebra by loops: their size in Relay does not depend on that of the matrices."""

from torchrelay.frontend.aten.linalg import householder, lu, triangular

__all__ = ["householder", "lu", "triangular"]
