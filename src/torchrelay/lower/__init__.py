"""From any Relay to the operators that a chip has: profiles, and the rules that get there."""

from torchrelay.lower.lowering import lower
from torchrelay.lower.profile import OperatorLimits, Profile, load_profile, parse_profile, profile_names
from torchrelay.lower.rule import Kept, lowers, rules_for

__all__ = [
    "Kept",
    "OperatorLimits",
    "Profile",
    "load_profile",
    "lower",
    "lowers",
    "parse_profile",
    "profile_names",
    "rules_for",
]
