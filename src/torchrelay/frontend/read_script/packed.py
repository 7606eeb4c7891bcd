"""The packed parameters of quantized modules as what they hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch

from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.graph import Arg, Packed, Scales
from torchrelay.frontend.read_script.jit import Type

__all__ = ["is_packed", "packed_kind", "unpacked"]

Bind = Callable[[str, torch.Tensor, Scales | None], Arg]
"""Enters a tensor under a name within the packed parameter, with what its integers stand for; gives the value that it is."""


def packed_kind(value: object) -> str:
    """``Conv2dPackedParamsBase`` and the like; an empty text for anything else."""
    kind = str(value._type()).rpartition(".")[2] if isinstance(value, torch._C.ScriptObject) else ""
    return kind if kind.endswith("PackedParamsBase") else ""


def is_packed(t: Type) -> bool:
    """Whether it is the type of a packed parameter."""
    return t.kind() == "ClassType" and str(t).startswith("__torch__.torch.classes.")


def unpacked(value: object, key: str, bind: Bind) -> Mapping[str, Arg]:
    """What the packed parameter holds: ``weight`` as integers, its scales, zero points and axis, ``bias``, and for a
    convolution ``stride``, ``padding``, ``output_padding``, ``dilation``, ``groups``, ``transpose``.

    Raises UnsupportedProgram for a kind that is not known.
    """
    kind = packed_kind(value)
    if kind == "LinearPackedParamsBase":
        weight, bias = torch.ops.quantized.linear_unpack(value)
        return Packed(_with_bias(bias, weight, bind), value)
    if kind in ("Conv2dPackedParamsBase", "Conv3dPackedParamsBase"):
        return Packed(_convolution(value, bind), value)
    raise UnsupportedProgram(f"{key} is a {kind or type(value).__name__}, whose contents are not known")


def _convolution(value: object, bind: Bind) -> dict[str, Arg]:
    unpack = torch.ops.quantized.conv2d_unpack if "2d" in packed_kind(value) else torch.ops.quantized.conv3d_unpack
    weight, bias = unpack(value)
    found = _with_bias(bias, weight, bind)
    for name in ("stride", "padding", "output_padding", "dilation", "groups", "transpose"):
        held = getattr(value, name)()
        found[name] = tuple(held) if isinstance(held, list) else held
    found["transpose"] = bool(found["transpose"])
    return found


def _with_bias(bias: torch.Tensor | None, weight: torch.Tensor, bind: Bind) -> dict[str, Arg]:
    return {**quantized(weight, bind), "bias": None if bias is None else bind("bias", bias.detach(), None)}


def quantized(weight: torch.Tensor, bind: Bind) -> dict[str, Arg]:
    """A quantized tensor as its integers, scales, zero points and the axis they go along (None: one for all)."""
    if not weight.is_quantized:
        return {"weight": bind("weight", weight, None), "scale": None, "zero_point": None, "axis": None}
    if weight.qscheme() in (torch.per_channel_affine, torch.per_channel_affine_float_qparams):
        scales = Scales(
            tuple(weight.q_per_channel_scales().tolist()),
            tuple(weight.q_per_channel_zero_points().tolist()),
            weight.q_per_channel_axis(),
        )
    else:
        scales = Scales(weight.q_scale(), weight.q_zero_point())
    value = bind("weight", weight.int_repr(), scales)
    return {"weight": value, "scale": scales.scale, "zero_point": scales.zero_point, "axis": scales.axis}
