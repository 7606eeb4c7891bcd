"""The command line: ``torchrelay``."""
