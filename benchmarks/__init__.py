"""Measurements, each beside a reference from the same run: ``make bench``."""
