"""Samples of operators: one file for each family, one row or more for each operator."""

from __future__ import annotations

from tests.samples.making import Sample, all_rows, sample

__all__ = ["Sample", "all_rows", "sample"]
