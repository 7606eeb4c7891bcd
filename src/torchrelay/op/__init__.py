"""The operators of Relay, each declared once. ``op.exp(x)``, ``op.nn.softmax(x, axis=1)`` give typed calls."""
