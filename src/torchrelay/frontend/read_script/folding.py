"""What a node of TorchScript gives where that is known before the program runs: sizes of lists, comparisons, None tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from torchrelay.frontend.graph import Arg, TorchValue, values_in
from torchrelay.frontend.numbers import NotComputed, by_torch
from torchrelay.frontend.read_script.jit import Node, Type
from torchrelay.frontend.read_script.types import literal
from torchrelay.frontend.schema import Schema

__all__ = ["UNKNOWN", "Unknown", "known_result"]


class Unknown:
    """The result of a node that only running the program can give."""


UNKNOWN = Unknown()

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
    structural = _STRUCTURAL.get(schema.target)
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


def _is(inputs: Sequence[Arg]) -> Arg | Unknown:
    """``is``, where one side is None."""
    for one, other in ((inputs[0], inputs[1]), (inputs[1], inputs[0])):
        if one is not None:
            continue
        if not isinstance(other, TorchValue):
            return other is None
        if other.type.kind not in ("Optional", "Any", "None"):
            return False
    return UNKNOWN


def _is_not(inputs: Sequence[Arg]) -> Arg | Unknown:
    same = _is(inputs)
    return UNKNOWN if isinstance(same, Unknown) else not same


def _first(inputs: Sequence[Arg]) -> Arg | Unknown:
    return inputs[0]


def _unwrapped(inputs: Sequence[Arg]) -> Arg | Unknown:
    return UNKNOWN if inputs[0] is None else inputs[0]


def _length(inputs: Sequence[Arg]) -> Arg | Unknown:
    return len(inputs[0]) if isinstance(inputs[0], tuple | Mapping | str) else UNKNOWN


def _element(inputs: Sequence[Arg]) -> Arg | Unknown:
    whole, index = inputs[0], inputs[1]
    if isinstance(whole, tuple) and type(index) is int and -len(whole) <= index < len(whole):
        return whole[index]
    return UNKNOWN


def _entry(inputs: Sequence[Arg]) -> Arg | Unknown:
    whole, key = inputs[0], inputs[1]
    if isinstance(whole, Mapping) and isinstance(key, str) and key in whole:
        return whole[key]
    return UNKNOWN


def _entry_or(inputs: Sequence[Arg]) -> Arg | Unknown:
    whole, key = inputs[0], inputs[1]
    if isinstance(whole, Mapping) and isinstance(key, str):
        return whole.get(key, inputs[2] if len(inputs) > 2 else None)
    return UNKNOWN


def _has_key(inputs: Sequence[Arg]) -> Arg | Unknown:
    whole, key = inputs[0], inputs[1]
    return key in whole if isinstance(whole, Mapping) and isinstance(key, str) else UNKNOWN


def _part(inputs: Sequence[Arg]) -> Arg | Unknown:
    whole, *bounds = inputs
    if not isinstance(whole, tuple | str) or not all(bound is None or type(bound) is int for bound in bounds):
        return UNKNOWN
    return whole[slice(*[bound if isinstance(bound, int) else None for bound in bounds])]


def _joined(inputs: Sequence[Arg]) -> Arg | Unknown:
    left, right = inputs[0], inputs[1]
    return left + right if isinstance(left, tuple) and isinstance(right, tuple) else UNKNOWN


def _repeated(inputs: Sequence[Arg]) -> Arg | Unknown:
    whole, times = inputs[0], inputs[1]
    return whole * times if isinstance(whole, tuple) and type(times) is int else UNKNOWN


def _same_list(inputs: Sequence[Arg]) -> Arg | Unknown:
    return inputs[0] if isinstance(inputs[0], tuple) else UNKNOWN


def _keys(inputs: Sequence[Arg]) -> Arg | Unknown:
    return tuple(inputs[0]) if isinstance(inputs[0], Mapping) else UNKNOWN


def _values(inputs: Sequence[Arg]) -> Arg | Unknown:
    return tuple(inputs[0].values()) if isinstance(inputs[0], Mapping) else UNKNOWN


def _items(inputs: Sequence[Arg]) -> Arg | Unknown:
    return tuple(inputs[0].items()) if isinstance(inputs[0], Mapping) else UNKNOWN


_STRUCTURAL: Mapping[str, Callable[[Sequence[Arg]], Arg | Unknown]] = {
    "aten::__is__.default": _is,
    "aten::__isnot__.default": _is_not,
    "aten::_unwrap_optional.default": _unwrapped,
    "prim::Uninitialized.default": lambda inputs: None,  # a branch gives it where nobody reads the result
    "prim::unchecked_cast.default": _first,
    "prim::unchecked_unwrap_optional.default": _first,
    "aten::len.t": _length,
    "aten::len.str": _length,
    "aten::len.Dict_str": _length,
    "aten::__getitem__.t": _element,
    "prim::TupleIndex.default": _element,
    "aten::__getitem__.Dict_str": _entry,
    "aten::get.str": _entry_or,
    "aten::get.default_str": _entry_or,
    "aten::__contains__.str": _has_key,
    "aten::slice.t": _part,
    "aten::slice.str": _part,
    "aten::add.t": _joined,
    "aten::mul.left_t": _repeated,
    "aten::list.t": _same_list,
    "aten::copy.t": _same_list,
    "aten::keys.str": _keys,
    "aten::values.str": _values,
    "aten::items.str": _items,
}
