"""From PyTorch to Relay: readers, the functional graph, converters."""

from torchrelay.frontend.capture import Capture, capture
from torchrelay.frontend.convert import Conversion, NodeRecord, convert
from torchrelay.frontend.entry import (
    Coverage,
    Imported,
    coverage,
    from_exported_program,
    from_pytorch,
    from_torch,
    imported,
)
from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode, TorchParameter, TorchType, TorchValue, values_in
from torchrelay.frontend.registry import Converter, aten, converters, one_to_one, torch_op

__all__ = [
    "Arg",
    "Capture",
    "Conversion",
    "Converter",
    "Coverage",
    "Imported",
    "NodeRecord",
    "TorchGraph",
    "TorchNode",
    "TorchParameter",
    "TorchType",
    "TorchValue",
    "aten",
    "capture",
    "convert",
    "converters",
    "coverage",
    "from_exported_program",
    "from_pytorch",
    "from_torch",
    "imported",
    "one_to_one",
    "torch_op",
    "values_in",
]
