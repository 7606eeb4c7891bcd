"""A converted model against PyTorch, value by value; the first divergence."""

from torchrelay.verify.comparison import Difference, Tolerance, compare
from torchrelay.verify.observing import Comparison
from torchrelay.verify.verification import Verification, verify, verify_imported

__all__ = ["Comparison", "Difference", "Tolerance", "Verification", "compare", "verify", "verify_imported"]
