"""From PyTorch to Relay: readers, the functional graph, converters."""

from torchrelay.frontend.capture import Capture, Model, capture, captured_texts, input_names
from torchrelay.frontend.convert import Conversion, CustomConverter, NodeRecord, convert
from torchrelay.frontend.entry import (
    Coverage,
    Imported,
    coverage,
    from_exported_program,
    from_pytorch,
    from_torch,
    imported,
)
from torchrelay.frontend.files import load_saved
from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode, TorchParameter, TorchType, TorchValue, values_in
from torchrelay.frontend.inputs import InputInfos, as_tensors, leaves_in_order
from torchrelay.frontend.registry import Converter, aten, converters, one_to_one, torch_op
from torchrelay.frontend.routes import AUTO, Attempt
from torchrelay.frontend.schema import Schema, schema_for
from torchrelay.frontend.state import fast_attention_off, unchanged
from torchrelay.frontend.training import depends_on_training

__all__ = [
    "AUTO",
    "Arg",
    "Attempt",
    "Capture",
    "Conversion",
    "Converter",
    "Coverage",
    "CustomConverter",
    "Imported",
    "InputInfos",
    "Model",
    "NodeRecord",
    "Schema",
    "TorchGraph",
    "TorchNode",
    "TorchParameter",
    "TorchType",
    "TorchValue",
    "as_tensors",
    "aten",
    "capture",
    "captured_texts",
    "convert",
    "converters",
    "coverage",
    "depends_on_training",
    "fast_attention_off",
    "from_exported_program",
    "from_pytorch",
    "from_torch",
    "imported",
    "input_names",
    "leaves_in_order",
    "load_saved",
    "one_to_one",
    "schema_for",
    "torch_op",
    "unchanged",
    "values_in",
]
