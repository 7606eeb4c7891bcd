"""A module of the user's that fails when it is imported."""

raise ValueError("broken on purpose")
