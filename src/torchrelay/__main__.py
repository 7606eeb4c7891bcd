"""``python -m torchrelay``."""

from torchrelay.cli.main import main

main()
