"""From PyTorch to Relay: readers, the functional graph, converters."""

from torchrelay.frontend.aten.written_lists import LIST_WRITERS
from torchrelay.frontend.capture import Capture, Model, capture, captured_texts, input_names
from torchrelay.frontend.convert import Conversion, convert
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
from torchrelay.frontend.graph import (
    Arg,
    Packed,
    TorchGraph,
    TorchNode,
    TorchParameter,
    TorchType,
    TorchValue,
    blocks_in,
    values_in,
    walk_nodes,
)
from torchrelay.frontend.inputs import InputInfos, as_tensors, leaves_in_order
from torchrelay.frontend.options import CustomConverter
from torchrelay.frontend.records import NodeRecord
from torchrelay.frontend.registry import Converter, aten, converters, find_converter, one_to_one, torch_op
from torchrelay.frontend.routes import AUTO, Attempt
from torchrelay.frontend.schema import Schema, schema_for
from torchrelay.frontend.state import fast_attention_off, unchanged
from torchrelay.frontend.structure import STRUCTURAL
from torchrelay.frontend.training import depends_on_training

__all__ = [
    "AUTO",
    "LIST_WRITERS",
    "STRUCTURAL",
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
    "Packed",
    "Schema",
    "TorchGraph",
    "TorchNode",
    "TorchParameter",
    "TorchType",
    "TorchValue",
    "as_tensors",
    "aten",
    "blocks_in",
    "capture",
    "captured_texts",
    "convert",
    "converters",
    "coverage",
    "depends_on_training",
    "fast_attention_off",
    "find_converter",
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
    "walk_nodes",
]
