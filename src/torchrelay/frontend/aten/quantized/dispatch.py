"""Operators on tensors that are quantized, by the integers that these are."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.quantized.arithmetic import concatenated
from torchrelay.frontend.aten.quantized.values import FLOAT, INT, clipped, dequantized, parameter, quantized
from torchrelay.frontend.promote import Quantized
from torchrelay.frontend.registry import Result, find_converter
from torchrelay.frontend.structure import STRUCTURAL
from torchrelay.ir import Expr

__all__ = ["MOVING", "by_integers", "is_quantized"]

MOVING = frozenset(
    f"aten::{name}"
    for name in (
        *("view.default", "reshape.default", "_unsafe_view.default", "flatten.using_ints", "unflatten.int"),
        *("squeeze.default", "squeeze.dim", "squeeze.dims", "unsqueeze.default", "permute.default", "t.default"),
        *("transpose.int", "numpy_T.default", "movedim.int", "expand.default", "expand_as.default", "repeat.default"),
        *("slice.Tensor", "select.int", "narrow.default", "index_select.default", "chunk.default", "unbind.int"),
        *("split.Tensor", "split_with_sizes.default", "split.sizes", "flip.default", "roll.default", "clone.default"),
        *("contiguous.default", "detach.default", "alias.default", "channel_shuffle.default", "pixel_shuffle.default"),
        *("pixel_unshuffle.default", "max_pool1d.default", "max_pool2d.default", "max_pool3d.default"),
        *("adaptive_max_pool2d.default", "reflection_pad1d.default", "reflection_pad2d.default"),
        *("replication_pad1d.default", "replication_pad2d.default", "upsample_nearest1d.default", "dropout.default"),
        *("upsample_nearest1d.vec", "upsample_nearest2d.default", "upsample_nearest2d.vec", "upsample_nearest3d.vec"),
        *("feature_dropout.default", "stack.default", "to.dtype", "amax.default", "amin.default", "max.default"),
    )
) - {"aten::stack.default", "aten::to.dtype"}
"""Operators whose results hold elements of their input as they are."""

AVERAGING = frozenset(
    f"aten::{name}"
    for name in (
        *("avg_pool1d.default", "avg_pool2d.default", "avg_pool3d.default", "adaptive_avg_pool1d.default"),
        *("adaptive_avg_pool2d.default", "adaptive_avg_pool3d.default", "mean.default", "mean.dim"),
        *("upsample_bilinear2d.default", "upsample_bilinear2d.vec"),
        *("upsample_bicubic2d.default", "upsample_bicubic2d.vec"),
    )
)
"""Operators that give means of their input, whose results have the scale and the zero point of their input."""

_SIZES = frozenset({"aten::size.default", "aten::size.int", "aten::dim.default", "aten::numel.default"})


def is_quantized(value: Result) -> bool:
    """Whether the value is a quantized tensor or holds one."""
    return isinstance(value, Quantized) or (isinstance(value, tuple) and any(map(is_quantized, value)))


def by_integers(target: str, args: Mapping[str, Result]) -> Result:
    """What the operator gives on quantized tensors. Raises UnsupportedProgram where that is not known."""
    if target.startswith(("quantized::", "prim::")) or target in _OWN or target in STRUCTURAL:
        return _called(target, args)
    name = next((name for name in ("self", "input", "tensors") if name in args), "")
    data = args.get(name)
    if target in _RULES:
        return _RULES[target](data, args)
    if not isinstance(data, Quantized):
        raise UnsupportedProgram("a quantized tensor beside one that is not")
    if target in _SIZES:
        return _called(target, {**args, name: data.expr})
    if data.axis is None and target in MOVING:
        rest = {name: value.expr if isinstance(value, Quantized) else value for name, value in args.items()}
        return _like(data, _called(target, rest))
    if data.axis is None and target in AVERAGING:
        real = _called(target, {**args, name: dequantized(data)})
        assert isinstance(real, Expr), "an average is a tensor"
        return quantized(real, data.scale, data.zero_point, data.expr.dtype)
    if target in ("aten::clone.default", "aten::contiguous.default", "aten::detach.default"):
        return data
    raise UnsupportedProgram("it is not known what it gives on a quantized tensor")


_OWN = frozenset(
    {
        f"aten::{name}"
        for name in (
            "dequantize.self",
            "dequantize.tensors",
            "int_repr.default",
            "q_scale.default",
            "q_zero_point.default",
        )
    }
)


def _called(target: str, args: Mapping[str, Result]) -> Result:
    if target in STRUCTURAL:
        return STRUCTURAL[target](list(args.values()))
    converter = find_converter(target)
    if converter is None:
        raise UnsupportedProgram("it has no converter on the integers of a quantized tensor")
    return converter(args)


def _like(data: Quantized, made: Result) -> Result:
    """The tensors among the results as quantized as the data is."""
    if isinstance(made, Expr):
        return Quantized(made, data.scale, data.zero_point)
    return tuple([_like(data, part) for part in made]) if isinstance(made, tuple | list) else made


def _tensor(value: Result) -> Quantized:
    if not isinstance(value, Quantized) or value.axis is not None:
        raise UnsupportedProgram("a tensor that is not quantized, or with a scale per channel")
    return value


def _bound(value: Result) -> float | None:
    if value is None or isinstance(value, int | float):
        return value
    raise UnsupportedProgram("a bound that only the program can tell")


def _sigmoid(data: Result, _: Mapping[str, Result]) -> Result:
    """Torch gives the logistic function all the range there is: 1 / 256, from the least integer."""
    source = _tensor(data)
    output = parameter(1 / 256, FLOAT), parameter(0 if source.expr.dtype == "uint8" else -128, INT)
    return Quantized(op.qnn.sigmoid(source.expr, source.scale, source.zero_point, *output), *output)


def _hardsigmoid(data: Result, args: Mapping[str, Result]) -> Result:
    source = _tensor(data)
    output = parameter(1 / 256, FLOAT), parameter(0 if source.expr.dtype == "uint8" else -128, INT)
    real = _called("aten::hardsigmoid.default", {**args, "self": dequantized(source)})
    assert isinstance(real, Expr), "a function of a tensor"
    return quantized(real, *output, source.expr.dtype)


def _tanh(data: Result, _: Mapping[str, Result]) -> Result:
    source = _tensor(data)
    output = parameter(2 / 256, FLOAT), parameter(128 if source.expr.dtype == "uint8" else 0, INT)
    return Quantized(op.qnn.tanh(source.expr, source.scale, source.zero_point, *output), *output)


def _cat(data: Result, args: Mapping[str, Result]) -> Result:
    parts = [_tensor(part) for part in data] if isinstance(data, tuple) else []
    dim = args["dim"]
    assert isinstance(dim, int), "an axis"
    return concatenated(parts, dim, (parts[0].scale, parts[0].zero_point))


_RULES: Mapping[str, Callable[[Result, Mapping[str, Result]], Result]] = {
    "aten::relu.default": lambda data, args: clipped(_tensor(data), 0, None),
    "aten::relu6.default": lambda data, args: clipped(_tensor(data), 0, 6),
    "aten::hardtanh.default": lambda data, args: clipped(
        _tensor(data), _bound(args["min_val"]), _bound(args["max_val"])
    ),
    "aten::clamp.default": lambda data, args: clipped(_tensor(data), _bound(args["min"]), _bound(args["max"])),
    "aten::sigmoid.default": _sigmoid,
    "aten::hardsigmoid.default": _hardsigmoid,
    "aten::tanh.default": _tanh,
    "aten::cat.default": _cat,
}
