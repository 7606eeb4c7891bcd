"""A converted model against PyTorch, value by value; the first divergence."""

from torchrelay.verify.comparison import Difference, compare
from torchrelay.verify.verification import Comparison, Verification, verify, verify_imported

__all__ = ["Comparison", "Difference", "Verification", "compare", "verify", "verify_imported"]
