"""What a node of TorchScript gives where that is known before the program runs: sizes of lists, comparisons, None tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torchrelay.frontend.graph import Arg, TorchValue, values_in
from torchrelay.frontend.numbers import NotComputed, by_torch
from torchrelay.frontend.read_script.jit import Node, Type
from torchrelay.frontend.read_script.types import literal
from torchrelay.frontend.schema import Schema
from torchrelay.frontend.structure import STRUCTURAL, UNKNOWN, Unknown

__all__ = ["known_result"]


_PLAIN_RESULTS = frozenset({"IntType", "FloatType", "BoolType", "StringType", "NumberType", "ListType", "NoneType"})

_FIXED: Mapping[str, Arg] = {
    "prim::device.default": "cpu",
    "prim::is_cuda.default": False,
    "prim::is_mkldnn.default": False,
    "prim::is_mps.default": False,
    "prim::is_vulkan.default": False,
    "prim::is_xla.default": False,
    "prim::is_xpu.default": False,
    "prim::is_meta.default": False,
    "prim::is_nested.default": False,
    "prim::is_sparse.default": False,
    "prim::is_sparse_csr.default": False,
    "prim::requires_grad.default": False,
    "aten::is_grad_enabled.default": False,
    "aten::is_autocast_enabled.default": False,
    "aten::is_autocast_cpu_enabled.default": False,
}
"""What is so for every tensor and program of inference on the CPU."""


def known_result(node: Node, schema: Schema | None, inputs: Sequence[Arg]) -> Arg | Unknown:
    """What the node gives, without running the program; UNKNOWN where that takes running it."""
    if schema is None:
        return _without_schema(node, inputs)
    if schema.target in _FIXED:
        return _FIXED[schema.target]
    structural = STRUCTURAL.get(schema.target)
    if structural is not None:
        return structural(inputs)
    if node.outputsSize() != 1 or schema.mutates or node.output().type().kind() not in _PLAIN_RESULTS:
        return UNKNOWN
    if any(True for part in inputs for _ in values_in(part)):
        return UNKNOWN
    return _computed(schema, inputs)


def _without_schema(node: Node, inputs: Sequence[Arg]) -> Arg | Unknown:
    kind = node.kind()
    if kind == "prim::TupleSlice" and isinstance(inputs[0], tuple):
        return inputs[0][node.i("beg") : node.i("end")]
    if kind == "prim::isinstance":
        return _is_instance(inputs[0], node.tys("types"))
    return UNKNOWN


def _computed(schema: Schema, inputs: Sequence[Arg]) -> Arg | Unknown:
    """What torch itself makes of numbers, texts and lists of them."""
    result = by_torch(schema, inputs)
    return UNKNOWN if isinstance(result, NotComputed) else literal(result)


def _is_instance(value: Arg, types: Sequence[Type]) -> Arg | Unknown:
    kinds = [str(t).partition("[")[0] for t in types]
    if isinstance(value, TorchValue):
        kind = value.type.kind
        return UNKNOWN if kind in ("Optional", "Any") or kind.startswith("Union") else kind in kinds
    names: dict[type, str] = {bool: "bool", int: "int", float: "float", str: "str", type(None): "NoneType"}
    if type(value) in names:
        return names[type(value)] in kinds
    return UNKNOWN
