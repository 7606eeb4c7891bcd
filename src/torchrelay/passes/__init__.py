"""Passes: from a module to a module."""

from torchrelay.passes.base import (
    Instrument,
    ModulePass,
    Pipeline,
    each_function,
    module_pass,
    parse_pass,
    parse_pipeline,
    pass_class,
    pass_names,
    pass_text,
)
from torchrelay.passes.dead_code import DeadCode
from torchrelay.passes.fold_constants import FoldConstants
from torchrelay.passes.simplify import Simplify

__all__ = [
    "DeadCode",
    "FoldConstants",
    "Instrument",
    "ModulePass",
    "Pipeline",
    "Simplify",
    "each_function",
    "module_pass",
    "parse_pass",
    "parse_pipeline",
    "pass_class",
    "pass_names",
    "pass_text",
]
